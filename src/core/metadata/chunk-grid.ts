import { firstPlace } from "../basics.ts";
/** Chunk grids: from an array's shape and its chunks' edges to chunk coordinates, ordinals (C order) and keys. */

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
  const coordinates = grid.slice();
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

/**
 * The part of a chunk key after the array's path. A scalar's only chunk is `0` in Zarr v2 and `c` in v3's default
 * encoding.
 */
export function chunkName(coordinates: readonly number[], separator: KeySeparator): string {
  if (separator === "." || separator === "/") return coordinates.length === 0 ? "0" : coordinates.join(separator);
  return ["c", ...coordinates].join(separator.slice(1));
}

export function chunkKey(path: string, coordinates: readonly number[], separator: KeySeparator): string {
  const name = chunkName(coordinates, separator);
  return path === "" ? name : `${path}/${name}`;
}

/**
 * Chunk coordinates of a chunk name, or `undefined` where it is none. A scalar's is `0` or `c`, as `chunkName` writes
 * it.
 */
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

/**
 * Shape of the largest chunk as encoded; there is one, since every length of one dimension meets every length of the
 * others.
 */
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

// How one dimension of an array is cut into chunks. Of a chunk's extent along it there are two: as encoded (the whole
// edge, which codecs meet), and as declared (the part that lies inside the array).

/**
 * Runs of chunks of equal length, at least two, in their order (Zarr v3 chunk grid "rectilinear", zarr-extensions).
 * Chunks are counted by run, never one by one: `[[1, 1000000000]]` is one run. Only chunks that hold elements of the
 * array are in it.
 */
export interface EdgeRuns {
  /** Length of the chunks of each run, in elements, as they are encoded. */
  readonly lengths: readonly number[];
  /** Number of each run's first chunk; ascending, from 0. */
  readonly chunks: readonly number[];
  /** Its first element. */
  readonly starts: readonly number[];
  /** Chunks of all runs. */
  readonly count: number;
}

/** One length for all chunks of the dimension, or runs of lengths. */
export type ChunkEdges = number | EdgeRuns;

/** Chunks along a dimension of `length` elements that hold some of them. */
export function countAlong(length: number, edges: ChunkEdges): number {
  return typeof edges === "number" ? Math.ceil(length / Math.max(1, edges)) : length === 0 ? 0 : edges.count;
}

/** The run that holds a place, by the ascending numbers at which runs begin. */
const runAt = (begins: readonly number[], place: number): number =>
  firstPlace(1, begins.length, (at) => (begins[at] ?? 0) <= place) - 1;

/** Extent of a chunk as encoded. */
export function encodedExtent(edges: ChunkEdges, chunk: number): number {
  return typeof edges === "number" ? edges : (edges.lengths[runAt(edges.chunks, chunk)] ?? 1);
}

/** First element of a chunk. Of the chunk after the last: where the last one ends, which may be past the array. */
export function startAlong(edges: ChunkEdges, chunk: number): number {
  if (typeof edges === "number") return chunk * edges;
  const run = runAt(edges.chunks, chunk);
  return (edges.starts[run] ?? 0) + (chunk - (edges.chunks[run] ?? 0)) * (edges.lengths[run] ?? 1);
}

/** Extent of a chunk as declared: what of it lies inside a dimension of `length` elements. */
export function declaredExtent(length: number, edges: ChunkEdges, chunk: number): number {
  return Math.max(0, Math.min(encodedExtent(edges, chunk), length - startAlong(edges, chunk)));
}

/** The chunk that holds an element. */
export function chunkAlong(edges: ChunkEdges, element: number): number {
  if (typeof edges === "number") return Math.floor(element / Math.max(1, edges));
  const run = runAt(edges.starts, element);
  const within = Math.floor((element - (edges.starts[run] ?? 0)) / (edges.lengths[run] ?? 1));
  return (edges.chunks[run] ?? 0) + within;
}

/** Lengths of a dimension's chunks, each once at least; in no order. */
export const lengthsAlong = (edges: ChunkEdges): readonly number[] =>
  typeof edges === "number" ? [edges] : edges.lengths;

/** The longest chunk of a dimension. */
export const longestAlong = (edges: ChunkEdges): number =>
  typeof edges === "number" ? edges : edges.lengths.reduce((most, length) => Math.max(most, length), 1);

export interface EdgeRun {
  readonly length: number;
  readonly count: number;
}

/**
 * The chunks of `runs` that hold elements of a dimension, neighbours of one length as one run: where that is one run only,
 * the dimension is cut as a regular one.
 * @param length elements of the dimension
 * @param runs at least one; lengths and counts are integers of at least 1
 * @returns `undefined` where the chunks end before the dimension
 */
export function edgesOf(length: number, runs: readonly EdgeRun[]): ChunkEdges | undefined {
  const lengths: number[] = [];
  const [chunks, starts]: [number[], number[]] = [[], []];
  let [chunk, element] = [0, 0];
  for (const run of runs) {
    // A dimension without elements keeps the first length: it has no chunks, but they have a shape.
    if (element >= length && lengths.length > 0) break;
    const count = Math.min(run.count, Math.ceil((length - element) / run.length));
    if (lengths.at(-1) !== run.length) {
      lengths.push(run.length);
      chunks.push(chunk);
      starts.push(element);
    }
    chunk += count;
    element += count * run.length;
  }
  if (element < length) return undefined;
  return lengths.length === 1 ? lengths[0] : { lengths, chunks, starts, count: chunk };
}

/** The shortest chunk of a dimension, as encoded. */
export const shortestAlong = (edges: ChunkEdges): number =>
  typeof edges === "number" ? edges : edges.lengths.reduce((least, length) => Math.min(least, length), Infinity);

/** True if dimensions of the same length are cut at the same elements. */
export function sameEdges(one: ChunkEdges | undefined, other: ChunkEdges | undefined): boolean {
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  const isSame = (mine: readonly number[], theirs: readonly number[]) =>
    mine.length === theirs.length && mine.every((number, at) => number === theirs[at]);
  return one === other || (isSame(one.lengths, other.lengths) && isSame(one.starts, other.starts));
}

/** The same edges counted in pieces of `length` elements, which divides all of them. */
export function inUnits(edges: ChunkEdges, length: number): ChunkEdges {
  if (typeof edges === "number") return edges / length;
  const divided = (numbers: readonly number[]) => numbers.map((number) => number / length);
  return { ...edges, lengths: divided(edges.lengths), starts: divided(edges.starts) };
}

/** Edges as a rectilinear grid's metadata write them: a length for all, or a list of lengths and `[length, count]`. */
export type WrittenEdges = number | readonly (number | readonly [length: number, count: number])[];

export function writtenEdges(edges: ChunkEdges): WrittenEdges {
  if (typeof edges === "number") return edges;
  return edges.lengths.map((length, run) => {
    const count = (edges.chunks[run + 1] ?? edges.count) - (edges.chunks[run] ?? 0);
    return count === 1 ? length : [length, count];
  });
}

/** The text leaves out more runs of unequal chunks. */
const MAX_RUNS = 40;

/** The lengths of unequal chunks: `31, 28, 31, 4 × 30`. */
export function edgesText(edges: ChunkEdges): string {
  const written = writtenEdges(edges);
  if (typeof written === "number") return String(written);
  const texts = written
    .slice(0, MAX_RUNS)
    .map((one) => (typeof one === "number" ? String(one) : `${one[1]} × ${one[0]}`));
  return [...texts, ...(written.length > MAX_RUNS ? ["…"] : [])].join(", ");
}
