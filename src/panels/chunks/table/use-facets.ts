/** The counts beside the filters. */
import type { Facets } from "../../../core/open-set.ts";
import type { ChunkState, ReadingResult } from "../../../core/table/reference.ts";
import { useEngine } from "../../../store/react.tsx";
import { isFiltering } from "./filter-draft.ts";
import type { Manifest } from "./use-manifest.ts";

/**
 * They are counted when the rows are listed. References that come page by page change them afterwards: while nothing is
 * filtered, the overview has the newer counts.
 */
export function useFacets({ set, node, rows, draft }: Manifest): Facets | undefined {
  const grows = set.pages !== undefined && !isFiltering(draft);
  const overview = useEngine("set.overview", grows ? { set: set.id, path: node.path } : undefined).data;
  const facets = rows.shown?.info.facets;
  if (!grows || overview?.path !== node.path || facets === undefined) return facets;
  const { states, targets, targetCount } = overview;
  return { ...facets, states, targets, targetCount };
}

/** Likewise what reading gave: chunks are read after the rows are listed. */
export function useResultCounts(manifest: Manifest): Readonly<Record<ReadingResult, number>> | undefined {
  const { set, node, rows, draft } = manifest;
  const filtered = isFiltering(draft);
  const tally = useEngine("chunk.tally", filtered ? undefined : { set: set.id }).data;
  const listed = rows.shown?.info.facets.results;
  if (filtered || tally === undefined || listed === undefined) return listed;
  const below = node.path === "" ? "" : `${node.path}/`;
  const known = tally.arrays.filter(({ path }) => path === node.path || path.startsWith(below));
  const ok = known.reduce((sum, one) => sum + one.ok, 0);
  const failed = known.reduce((sum, one) => sum + one.failed, 0);
  return { ok, failed, "not tried": Math.max(0, listed.ok + listed.failed + listed["not tried"] - ok - failed) };
}

/** Most common first. */
const OFFERED: readonly ChunkState[] = ["range", "virtual", "whole", "inline", "native", "missing", "unknown", "bad"];

/** Those that the array or group does not have are left out; which these are does not change while one filters. */
export function useOfferedStates(manifest: Manifest) {
  const { set, node, draft } = manifest;
  const counts = useFacets(manifest)?.states;
  const overview = useEngine("set.overview", { set: set.id, path: node.path }).data;
  const there = overview?.path === node.path ? overview.states : counts;
  const rowsOf = manifest.isArray ? OFFERED : OFFERED.filter((state) => state !== "missing");
  const countOf = (state: ChunkState) => there?.[state] ?? 0;
  return rowsOf.filter((state) => countOf(state) > 0 || (counts?.[state] ?? 0) > 0 || draft.states.includes(state));
}

/** Whether all rows are known to be ranges. Where references come page by page, that may change any time; not in shards. */
export function useOfRanges(manifest: Manifest): boolean {
  const offered = useOfferedStates(manifest);
  const isSettled = manifest.set.pages === undefined || manifest.node.shardShape !== undefined;
  return isSettled && offered.every((state) => state === "range");
}
