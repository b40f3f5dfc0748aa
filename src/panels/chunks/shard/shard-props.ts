/** Props of the parts of the lens on a shard: they make no requests themselves. */
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { ShardMap } from "#core/table/shard-map.ts";

export interface ShardArray {
  readonly shape: readonly number[];
  /** Shape of an inner chunk. */
  readonly chunks: readonly number[];
  /** Bytes of a decoded inner chunk; `undefined` where the data type has no fixed size. */
  readonly chunkBytes: number | undefined;
  readonly dimensionNames?: readonly (string | undefined)[] | undefined;
  /** Fill value as JSON text. */
  readonly fillValue?: string | undefined;
}

export interface ShardPlace {
  /** Coordinates in the grid of shards. */
  readonly coordinates: readonly number[];
  /** Coordinates of its first inner chunk in the array's whole grid. */
  readonly first: readonly number[];
  readonly key: string;
  /** URL or file in which the shard's bytes lie, where it has any. */
  readonly target: string | undefined;
}

/** A shard whose index was read. */
export interface ShownShard {
  readonly map: ShardMap;
  readonly array: ShardArray;
  readonly shard: ShardPlace;
}

/** Coordinates in the array's whole grid of inner chunks. */
export function chunkCoordinates(
  { first }: Pick<ShardPlace, "first">,
  innerGrid: readonly number[],
  inner: number,
): readonly number[] {
  return coordinatesOf(innerGrid, inner).map((at, dimension) => (first[dimension] ?? 0) + at);
}

/** True if an inner chunk holds no element of the array: shards at the edge reach over it. */
export function isOutside({ shape, chunks }: ShardArray, coordinates: readonly number[]): boolean {
  return coordinates.some((at, dimension) => at * (chunks[dimension] ?? 1) >= (shape[dimension] ?? 0));
}

/** Inner chunks along each dimension that hold at least one element of the array. */
export function insideCounts(
  array: ShardArray,
  { first }: Pick<ShardPlace, "first">,
  innerGrid: readonly number[],
): readonly number[] {
  return innerGrid.map((count, dimension) => {
    const all = Math.ceil((array.shape[dimension] ?? 0) / Math.max(1, array.chunks[dimension] ?? 1));
    return Math.max(0, Math.min(count, all - (first[dimension] ?? 0)));
  });
}
