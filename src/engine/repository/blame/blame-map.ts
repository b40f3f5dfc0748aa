/** A blame by the chunks of the open array's grid, for its map: of a shard its inner chunks are meant. */
import type { ArrayMetadata } from "#core/metadata/array-metadata.ts";
import { cellCount, chunkAlong, gridOf, shardsInChunks } from "#core/metadata/chunk-grid.ts";
import { stridesC } from "#core/values/gather.ts";

/** More are not drawn: four bytes each. */
const MAX_MAPPED = 2 ** 26;

/** `by` for each chunk of the array's grid; chunks outside the blamed grid have 0. */
export function blameMap(
  grid: readonly number[],
  by: Uint32Array<ArrayBuffer>,
  { shape, chunks, sharding }: ArrayMetadata,
): Uint32Array<ArrayBuffer> {
  const own = gridOf(shape, chunks);
  if (sharding === undefined && own.join() === grid.join()) return by;
  const mapped = new Uint32Array(Math.min(cellCount(own), MAX_MAPPED));
  if (own.length !== grid.length) return mapped;
  const strides = stridesC(grid);
  const shards = sharding && shardsInChunks(sharding.shape, chunks);
  // The part of the ordinal in the blamed grid that each cell of an axis gives; NaN outside it.
  const parts = own.map((length, axis) =>
    Float64Array.from({ length }, (_, cell) => {
      const at = shards === undefined ? cell : chunkAlong(shards[axis] ?? 1, cell);
      return at < (grid[axis] ?? 0) ? at * (strides[axis] ?? 0) : NaN;
    }),
  );
  const fill = (axis: number, start: number, ordinal: number): number => {
    const along = parts[axis];
    if (along === undefined) {
      if (start < mapped.length) mapped[start] = by[ordinal] ?? 0;
      return start + 1;
    }
    let at = start;
    for (let cell = 0; cell < along.length && at < mapped.length; cell += 1)
      at = fill(axis + 1, at, ordinal + (along[cell] ?? 0));
    return at;
  };
  fill(0, 0, 0);
  return mapped;
}
