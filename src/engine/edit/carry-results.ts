/**
 * What reading gave stays known in the next edition of a set for chunks whose reference, metadata and locations did not
 * change: a repair of one chunk says nothing about the others.
 */
import { chunkKey, coordinatesOf, gridOf } from "../../core/chunk-grid.ts";
import type { CallContext } from "../../core/byte-source.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import { chunkReference, type ChunkReference } from "../chunk/chunk-reference.ts";
import { describedAlike } from "../chunk/carried-readings.ts";
import { isDocument, noteResult, type EngineSet } from "../engine-set.ts";

/** Notes in `set` the results of `earlier` that still hold, and gives the keys of their chunks. */
export async function carryResults(
  earlier: EngineSet,
  set: EngineSet,
  context: CallContext,
): Promise<readonly string[]> {
  if (!isDocument(earlier) || !isDocument(set) || earlier.source.base !== set.source.base) return [];
  const held: string[] = [];
  for (const [path, results] of earlier.met.results) {
    const [before, now] = [arrayAt(earlier, path), arrayAt(set, path)];
    if (before === undefined || now === undefined || !describedAlike(before, now)) continue;
    const { shape, chunks, separator } = now.metadata;
    for (const [ordinal, result] of results) {
      context.signal.throwIfAborted();
      const coordinates = coordinatesOf(gridOf(shape, chunks), ordinal);
      const key = chunkKey(path, coordinates, separator);
      if (earlier.format.mayGenerate?.(key) !== set.format.mayGenerate?.(key)) continue;
      const was = await chunkReference(earlier, before, coordinates, context);
      const is = await chunkReference(set, now, coordinates, context);
      if (!isSameReference(was, is) || placeOf(earlier, was) !== placeOf(set, is)) continue;
      noteResult(set, path, ordinal, result);
      held.push(key);
    }
  }
  return held;
}

/** Inner chunks of shards are left out: to know their places the index of the shard would be fetched. */
function arrayAt({ hierarchy, index }: EngineSet, path: string): ArrayNode | undefined {
  const node = hierarchy.nodes.get(path);
  const isPaged = index.paged.has(index.arrayIds.get(path) ?? -1);
  return node?.kind === "array" && !isPaged ? node : undefined;
}

/** For inline values, `written` is only the beginning. */
function isSameReference({ reference: was, written }: ChunkReference, { reference, ...now }: ChunkReference): boolean {
  if (was.kind !== reference.kind || written !== now.written) return false;
  if (was.kind !== "inline" || reference.kind !== "inline") return true;
  const { bytes } = reference;
  return was.bytes.length === bytes.length && was.bytes.every((byte, at) => byte === bytes[at]);
}

/** Where the target is, by the locations of the set: editions are located alike, but each by itself. */
function placeOf({ targets }: EngineSet, { reference }: ChunkReference): string {
  const hasTarget = reference.kind === "range" || reference.kind === "whole";
  return hasTarget ? JSON.stringify(targets.resolve(reference.target)) : "";
}
