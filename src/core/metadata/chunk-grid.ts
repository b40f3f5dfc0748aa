/** Chunk grids: from an array's shape and its chunks' edges to chunk coordinates, ordinals (C order) and keys. */
import {
  chunkAlong,
  type ChunkEdges,
  countAlong,
  declaredExtent,
  encodedExtent,
  inUnits,
  longestAlong,
  shortestAlong,
  startAlong,
} from "./chunk-edges.ts";

/** Chunks along each dimension. A zero-length dimension has zero chunks; a scalar's grid is `[]` (one chunk). */
export function gridOf(shape: readonly number[], chunks: readonly ChunkEdges[]): readonly number[] {
  return shape.map((length, dimension) => countAlong(length, chunks[dimension] ?? 1));
}

/** Number of chunks of a grid; may exceed 2^32, saturates at `Number.MAX_SAFE_INTEGER`. */
export function cellCount(grid: readonly number[]): number {
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    grid.reduce((product, count) => product * count, 1),
  );
}

/** Ordinal of chunk coordinates in C order, or `undefined` where they lie outside the grid or are of another rank. */
export function ordinalOf(grid: readonly number[], coordinates: readonly number[]): number | undefined {
  if (coordinates.length !== grid.length) return undefined;
  let ordinal = 0;
  for (const [dimension, count] of grid.entries()) {
    const at = coordinates[dimension];
    if (at === undefined || at < 0 || at >= count) return undefined;
    ordinal = ordinal * count + at;
  }
  return ordinal;
}

export function coordinatesOf(grid: readonly number[], ordinal: number): number[] {
  const coordinates = Array.from<number>({ length: grid.length });
  let rest = ordinal;
  for (let dimension = grid.length - 1; dimension >= 0; dimension -= 1) {
    const count = grid[dimension] ?? 1;
    coordinates[dimension] = rest % count;
    rest = Math.floor(rest / count);
  }
  return coordinates;
}

/**
 * How chunk coordinates are written in keys: `0.1` and `0/1` (Zarr v2, and the chunk key encoding "v2" of Zarr v3), or
 * `c.0.1` and `c/0/1` (Zarr v3 §"Default" chunk key encoding).
 */
export type KeySeparator = "." | "/" | "c." | "c/";

/** `shards`: where the chunks are inner chunks, which have no keys: in the keys of their shards. */
export interface KeysOfArray {
  readonly separator: KeySeparator;
  readonly shards?: KeySeparator;
}

/** The part of a chunk key after the array's path. A scalar's only chunk is `0` in Zarr v2 and `c` in v3's default encoding. */
export function chunkName(coordinates: readonly number[], separator: KeySeparator): string {
  if (separator === "." || separator === "/") return coordinates.length === 0 ? "0" : coordinates.join(separator);
  return ["c", ...coordinates].join(separator.slice(1));
}

export function chunkKey(path: string, coordinates: readonly number[], separator: KeySeparator): string {
  const name = chunkName(coordinates, separator);
  return path === "" ? name : `${path}/${name}`;
}

/** Chunk coordinates of a chunk name, or `undefined` where it is none. A scalar's is `0` or `c`, as `chunkName` writes it. */
export function parseChunkName(name: string, rank: number, separator: KeySeparator): readonly number[] | undefined {
  if (rank === 0) return name === chunkName([], separator) ? [] : undefined;
  const parts = name.split(separator.slice(-1));
  if (separator.length === 2 && parts.shift() !== "c") return undefined;
  if (parts.length !== rank || !parts.every((part) => /^(?:0|[1-9]\d*)$/.test(part))) return undefined;
  return parts.map(Number);
}

/** Coordinates of the chunk that holds an element. */
export const chunkOf = (element: readonly number[], chunks: readonly ChunkEdges[]): readonly number[] =>
  element.map((at, dimension) => chunkAlong(chunks[dimension] ?? 1, at));

/** Position in the array of a chunk's first element. */
export const chunkStart = (coordinates: readonly number[], chunks: readonly ChunkEdges[]): readonly number[] =>
  coordinates.map((at, dimension) => startAlong(chunks[dimension] ?? 1, at));

/** Extent of a chunk that lies inside the array: as declared. */
export function insideShape(shape: readonly number[], chunks: readonly ChunkEdges[], coordinates: readonly number[]) {
  return shape.map((length, dimension) => declaredExtent(length, chunks[dimension] ?? 1, coordinates[dimension] ?? 0));
}

export const isRegular = (chunks: readonly ChunkEdges[]): chunks is readonly number[] =>
  chunks.every((edges) => typeof edges === "number");

/** Shape of a chunk as encoded: what codecs meet. Of a regular grid the same for all, and the same object. */
export function encodedShape(chunks: readonly ChunkEdges[], coordinates: readonly number[]): readonly number[] {
  if (isRegular(chunks)) return chunks;
  return chunks.map((edges, dimension) => encodedExtent(edges, coordinates[dimension] ?? 0));
}

/** Shape of the largest chunk as encoded; there is one, since every length of one dimension meets every length of the others. */
export const largestShape = (chunks: readonly ChunkEdges[]): readonly number[] =>
  isRegular(chunks) ? chunks : chunks.map(longestAlong);

/** Likewise the smallest. */
export const smallestShape = (chunks: readonly ChunkEdges[]): readonly number[] =>
  isRegular(chunks) ? chunks : chunks.map(shortestAlong);

/**
 * Edges of an array's shards counted in inner chunks: the grid of inner chunks is cut into shards as an array is into
 * chunks. Inner chunks are all of one shape.
 */
export const shardsInChunks = (shards: readonly ChunkEdges[], chunks: readonly ChunkEdges[]): readonly ChunkEdges[] => {
  const inner = largestShape(chunks);
  return shards.map((edges, dimension) => inUnits(edges, Math.max(1, inner[dimension] ?? 1)));
};
