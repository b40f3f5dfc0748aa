/** Counts, targets and a Python snippet, for the whole set, a group or an array. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Overview } from "../../core/open-set.ts";
import { pythonSnippet } from "../../core/python-snippet.ts";
import { storeSnippet } from "../../core/store-snippet.ts";
import type { EngineSet } from "../engine-set.ts";
import { topTargets } from "../table/facets.ts";
import { rangeLengths } from "../table/range-lengths.ts";
import { hostsOf, tally } from "../table/tally.ts";

const MAX_TARGETS = 50;

export async function overviewOf(set: EngineSet, path: string, context: CallContext): Promise<Overview> {
  const { index, table, targets } = set;
  const counts = path === "" ? set.tally : await tally(index, path, context);
  return {
    path,
    states: counts.states,
    bytes: counts.bytes,
    hosts: hostsOf(index, counts, (target) => targets.hostOf(target)),
    targets: topTargets(table, counts.targetReferences, counts.targetBytes, MAX_TARGETS),
    targetCount: counts.targetReferences.reduce((sum, references) => sum + Number(references > 0), 0),
    lengths: await rangeLengths(index, path, context),
    python: snippetOf(set),
  };
}

function snippetOf(set: EngineSet): string {
  const { tally: counts, table } = set;
  const { kind } = set.format;
  if (set.format.python !== undefined) return set.format.python;
  if (kind === "zarr" || kind === "icechunk") return zarrSnippet(set);
  const schemes = new Set<string>();
  // A set's targets nearly always share a scheme; a look at the first hundred thousand is enough for a snippet.
  for (let id = 0; id < Math.min(table.targets.count, 100_000); id += 1) {
    schemes.add(/^([a-z][a-z\d+.-]*):/i.exec(table.targets.text(id))?.[1]?.toLowerCase() ?? "");
  }
  return pythonSnippet({
    location: set.url ?? set.name,
    format: kind,
    zarrFormat: 2,
    targetSchemes: [...schemes],
    needsTarget: counts.nullTarget.references > 0,
    target: set.targets.locations.target,
    hasTemplates: set.format.hasTemplates,
  });
}

function zarrSnippet({ url, name, hierarchy, format }: EngineSet): string {
  const arrays = [...hierarchy.nodes.values()].filter((node) => node.kind === "array");
  return storeSnippet({
    location: url ?? name,
    zarrFormat: format.zarrFormat ?? 2,
    isArray: hierarchy.nodes.get("")?.kind === "array",
    hasTransformers: arrays.some(({ metadata }) => (metadata.storageTransformers?.length ?? 0) > 0),
  });
}
