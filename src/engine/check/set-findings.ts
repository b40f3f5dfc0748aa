/** What can be said of a set as a whole once it is counted. */
import { cellCount, gridOf } from "../../core/chunk-grid.ts";
import type { Finding } from "../../core/finding.ts";
import type { ArrayNode, Hierarchy } from "../../core/hierarchy.ts";
import { writeJson } from "../../core/json-write.ts";
import { fillBytes } from "../../core/values.ts";
import type { TableTally } from "../table/tally.ts";

export function setFindings(hierarchy: Hierarchy, counts: TableTally): readonly Finding[] {
  const arrays = [...hierarchy.nodes.values()].filter((node) => node.kind === "array");
  return [...emptySet(arrays, counts), ...missingChunks(arrays, counts), ...nullTargets(counts)];
}

function emptySet(arrays: readonly ArrayNode[], counts: TableTally): readonly Finding[] {
  const some = arrays.length > 0;
  const { missing, unknown, bad } = counts.states;
  if (counts.references > 0 || unknown > 0 || bad > 0 || (some && missing === 0)) return [];
  const message = some
    ? "The set has arrays but not one chunk reference: everything would read as fill value."
    : "The set has no arrays. Tools write such a set when they could not read any variable of the file.";
  const advice = "Look at the output of the tool that wrote it.";
  return [{ code: some ? "no-chunks" : "no-arrays", severity: "warning", message, advice }];
}

const MAX_NAMED = 5;

/** A finding an array; where most arrays have missing chunks, as in a tree of GRIB messages, one for all. */
function missingChunks(arrays: readonly ArrayNode[], counts: TableTally): readonly Finding[] {
  const missingOf = ({ path, metadata }: ArrayNode) =>
    counts.arrays.get(path)?.states.missing ?? cellCount(gridOf(metadata.shape, metadata.chunks));
  const lacking = arrays.filter((node) => missingOf(node) > 0);
  const base = { code: "chunks-missing", severity: "info" } as const;
  if (lacking.length <= MAX_NAMED) {
    return lacking.map((node) => {
      const cells = cellCount(gridOf(node.metadata.shape, node.metadata.chunks));
      const message = `${number(missingOf(node))} of ${number(cells)} chunks have no reference and ${fillWords(node)}.`;
      return { ...base, array: node.path, message, advice: LOST };
    });
  }
  const total = lacking.reduce((sum, node) => sum + missingOf(node), 0);
  const named = lacking.slice(0, MAX_NAMED).map(({ path }) => path || "/");
  const message = `${number(lacking.length)} arrays have missing chunks, ${number(total)} in all: ${named.join(", ")}, …`;
  return [{ ...base, message, advice: LOST }];
}

const LOST = "If they should hold data, the writer lost them.";

const number = (value: number) => value.toLocaleString("en");

function fillWords({ metadata: { fillValue, dataType } }: ArrayNode): string {
  if (fillValue === null) return "have no defined values, since fill_value is null";
  const whole = writeJson(fillValue);
  const text = whole.length > 40 ? `${whole.slice(0, 40)}…` : whole;
  const fits = dataType.kind === "object" || fillBytes(fillValue, dataType) !== undefined;
  return fits
    ? `read as fill value ${text}`
    : `have no defined values, since fill_value ${text} is no ${dataType.text}`;
}

function nullTargets({ nullTarget }: TableTally): readonly Finding[] {
  if (nullTarget.references === 0) return [];
  const message = `${number(nullTarget.references)} references have null for a URL: they mean the target given when opening (fsspec's “target”).`;
  const advice = "Give the target in the locations, or drop the target file.";
  return [{ code: "target-null", severity: "info", message, advice }];
}
