/** Which chunk of the open set a changed one is. */
import { chunkStart, ordinalOf, shardsInChunks } from "./metadata/chunk-grid.ts";
import type { NodeSummary } from "./open-set.ts";
import type { ChangedChunk } from "./repository.ts";

/** Chunks to look through: logs may name such as are outside of the array's grid. */
export const LOOKED_THROUGH = 200;

/** The first of them that the open set has. */
export function firstToSelect(
  node: Pick<NodeSummary, "grid" | "chunks" | "shardShape">,
  changed: readonly ChangedChunk[],
): readonly number[] | undefined {
  for (const { coordinates } of changed) {
    const there = chunkToSelect(node, coordinates);
    if (there !== undefined) return there;
  }
  return undefined;
}

/**
 * The chunk of the open set that represents a changed one; `undefined` where there is none. Of a sharded array what
 * changed are shards: the first chunk of one represents it.
 */
export function chunkToSelect(
  { grid, chunks, shardShape }: Pick<NodeSummary, "grid" | "chunks" | "shardShape">,
  coordinates: readonly number[],
): readonly number[] | undefined {
  if (grid === undefined || grid.length !== coordinates.length) return undefined;
  const there =
    shardShape === undefined ? coordinates : chunkStart(coordinates, shardsInChunks(shardShape, chunks ?? []));
  return ordinalOf(grid, there) === undefined ? undefined : there;
}
