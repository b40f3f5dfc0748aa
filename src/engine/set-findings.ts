/** What can be said of a set as a whole once it is counted. */
import type { Finding } from "../core/finding.ts";
import type { NodeSummary } from "../core/open-set.ts";
import type { TableTally } from "./tally.ts";

export function unlistedFindings(nodes: readonly NodeSummary[], counts: TableTally): readonly Finding[] {
  const arrays = nodes.filter((node) => node.kind === "array");
  return [...emptySet(nodes, counts), ...arrays.flatMap((node) => missingChunks(node)), ...nullTargets(counts)];
}

function emptySet(nodes: readonly NodeSummary[], counts: TableTally): readonly Finding[] {
  const arrays = nodes.some((node) => node.kind === "array");
  if (arrays && counts.references > 0) return [];
  const message = arrays
    ? "The set has arrays but not one chunk reference: everything would read as fill value."
    : "The set has no arrays. Tools write such a set when they could not read any variable of the file.";
  const advice = "Look at the output of the tool that wrote it.";
  return [{ code: arrays ? "no-chunks" : "no-arrays", severity: "warning", message, advice }];
}

function missingChunks({ path, cells = 0, present = 0 }: NodeSummary): readonly Finding[] {
  if (present >= cells) return [];
  const missing = (cells - present).toLocaleString("en");
  const message = `${missing} of ${cells.toLocaleString("en")} chunks have no reference that can be read; those without any read as fill value.`;
  const advice = "If they should hold data, the writer lost them.";
  return [{ code: "chunks-missing", severity: "info", array: path, message, advice }];
}

function nullTargets({ nullTarget }: TableTally): readonly Finding[] {
  if (nullTarget.references === 0) return [];
  const message = `${nullTarget.references.toLocaleString("en")} references have null for a URL: they mean the target given when opening (fsspec's “target”).`;
  const advice = "Give the target in the locations, or drop the target file.";
  return [{ code: "target-null", severity: "info", message, advice }];
}
