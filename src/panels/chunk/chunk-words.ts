/** A chunk's place in its array, in words: which indices it covers, and which chunks lie beside it. */
import { dimensionName } from "#widgets/zarr-words.ts";
import { type ChunkEdges, encodedExtent, insideShape, startAlong } from "#core/metadata/chunk-grid.ts";
import type { NodeSummary } from "#core/open-set.ts";

/** An array of the open set, as far as the Chunk region needs it. */
export interface ChunkArray {
  readonly path: string;
  readonly shape: readonly number[];
  readonly chunks: readonly ChunkEdges[];
  readonly grid: readonly number[];
  readonly dimensions: readonly string[];
  readonly dtype: string;
  /** Bytes of an element, where all have the same. */
  readonly itemSize: number | undefined;
}

/** A chunk as the engine is asked for it. */
export interface ChunkOfSet {
  readonly set: number;
  readonly array: string;
  readonly coordinates: readonly number[];
}

/** `undefined` for what is not an array. Dimensions without a name are `dimension 0`, `dimension 1`, … */
export function chunkArrayOf(node: NodeSummary | undefined): ChunkArray | undefined {
  const { shape, chunks, grid, dtype } = node ?? {};
  if (node === undefined || shape === undefined || chunks === undefined || grid === undefined) return undefined;
  const dimensions = shape.map((_, dimension) => dimensionName(node.dimensionNames, dimension));
  return { path: node.path, shape, chunks, grid, dimensions, dtype: dtype ?? "", itemSize: node.itemSize };
}

/** Bytes of the chunk once decoded; 0 where nobody knows. */
export function decodedBytes({ chunks, itemSize = 0 }: ChunkArray, coordinates: readonly number[]): number {
  return chunks.reduce<number>((bytes, edges, axis) => bytes * encodedExtent(edges, coordinates[axis] ?? 0), itemSize);
}

/** `sst / 2.0.1`; a scalar's only chunk is `0`. */
export function chunkTitle(array: ChunkArray, coordinates: readonly number[]): string {
  const name = coordinates.length === 0 ? "0" : coordinates.join(".");
  return array.path === "" ? name : `${array.path} / ${name}`;
}

/** `time 8–11 · lat 0–39 · lon 64–127`: the indices of the array that the chunk covers, cut at the array's edge. */
export function rangeWords(array: ChunkArray, coordinates: readonly number[]): string {
  if (array.shape.length === 0) return "the only value of a scalar array";
  return array.dimensions
    .map((name, dimension) => withIndices(name, indexWords(array, coordinates, dimension)))
    .join(" · ");
}

/** `8–11`; `none` where all of the chunk lies past the array's edge. */
export function indexWords(array: ChunkArray, coordinates: readonly number[], dimension: number): string {
  const { from, to } = indicesAlong(array, coordinates, dimension);
  if (to < from) return "none";
  return from === to ? String(from) : `${from}–${to}`;
}

/** First and last index in the array, cut at its edge. */
export function indicesAlong(array: ChunkArray, coordinates: readonly number[], dimension: number) {
  const from = firstIndex(array, coordinates, dimension);
  const inside = insideShape(array.shape, array.chunks, coordinates);
  return { from, to: from + (inside[dimension] ?? 0) - 1 };
}

/** A colon where the name's own number would run into the index. */
export const withIndices = (name: string, indices: string): string =>
  `${name}${/\d$/.test(name) ? ":" : ""} ${indices}`;

/** Part of the chunk past the array's edge: `22 of 64 along lon`; `undefined` if there is none. */
export function edgeWords(array: ChunkArray, coordinates: readonly number[]): string | undefined {
  const inside = insideShape(array.shape, array.chunks, coordinates);
  const parts = array.dimensions.flatMap((name, dimension) => {
    const whole = encodedExtent(array.chunks[dimension] ?? 1, coordinates[dimension] ?? 0);
    const beyond = whole - (inside[dimension] ?? 0);
    return beyond > 0 ? [`${beyond} of ${whole} along ${name}`] : [];
  });
  return parts.length === 0 ? undefined : parts.join(", ");
}

/** Index in the array of the chunk's first element along a dimension. */
export function firstIndex(array: ChunkArray, coordinates: readonly number[], dimension: number): number {
  return startAlong(array.chunks[dimension] ?? 1, coordinates[dimension] ?? 0);
}

/** The chunk one step along a dimension; `undefined` at the edge of the grid. */
export function neighbour(
  grid: readonly number[],
  coordinates: readonly number[],
  dimension: number,
  step: 1 | -1,
): readonly number[] | undefined {
  const at = (coordinates[dimension] ?? 0) + step;
  if (at < 0 || at >= (grid[dimension] ?? 0)) return undefined;
  return coordinates.map((coordinate, place) => (place === dimension ? at : coordinate));
}

/**
 * Alt and a key: left and right along the last dimension, up and down along the one before, Page keys the third last.
 */
const ALT_KEYS: ReadonlyMap<string, readonly [fromLast: number, step: 1 | -1, sign: string]> = new Map([
  ["ArrowLeft", [0, -1, "←"]],
  ["ArrowRight", [0, 1, "→"]],
  ["ArrowUp", [1, -1, "↑"]],
  ["ArrowDown", [1, 1, "↓"]],
  ["PageUp", [2, -1, "PageUp"]],
  ["PageDown", [2, 1, "PageDown"]],
]);

/** The chunk that Alt and `key` lead to. Dimensions with one chunk only are skipped. */
export function neighbourByKey(
  key: string,
  grid: readonly number[],
  coordinates: readonly number[],
): readonly number[] | undefined {
  const [fromLast, step] = ALT_KEYS.get(key) ?? [];
  if (fromLast === undefined || step === undefined) return undefined;
  const dimension = movableDimensions(grid).at(-1 - fromLast);
  return dimension === undefined ? undefined : neighbour(grid, coordinates, dimension, step);
}

/** True if the grid has a chunk there: a link may name any. */
export function isInGrid(grid: readonly number[], coordinates: readonly number[]): boolean {
  return (
    grid.length === coordinates.length && coordinates.every((at, dimension) => at >= 0 && at < (grid[dimension] ?? 0))
  );
}

/** Dimensions with more than one chunk. */
export function movableDimensions(grid: readonly number[]): readonly number[] {
  return grid.flatMap((count, dimension) => (count > 1 ? [dimension] : []));
}

/** The keys that move along a dimension, for a button's title: `Alt+←`; empty where there are none. */
export function keyHint(grid: readonly number[], dimension: number, step: 1 | -1): string {
  const movable = movableDimensions(grid);
  const fromLast = movable.length - 1 - movable.indexOf(dimension);
  const [, , sign] = [...ALT_KEYS.values()].find(([last, by]) => last === fromLast && by === step) ?? [];
  return sign === undefined ? "" : `Alt+${sign}`;
}
