/** Props of the parts of the lens on a shard: they make no requests themselves. */
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { ENTRY_STATES, isDamaged, type ShardMap } from "#core/table/shard-map.ts";
import type { ByteSpan } from "./file-order.ts";

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

/** Item under the pointer, on the strip or the grid. */
export type Hover =
  | { readonly kind: "chunk"; readonly inner: number }
  /** Bytes of no chunk: those of one pixel. */
  | { readonly kind: "bare"; readonly bytes: ByteSpan };

export function sameHover(a: Hover | undefined, b: Hover | undefined): boolean {
  if (a?.kind === "chunk" && b?.kind === "chunk") return a.inner === b.inner;
  if (a?.kind === "bare" && b?.kind === "bare") return a.bytes.from === b.bytes.from;
  return a === b;
}

/** Chunks to frame: the selected one, the one at the keyboard's cursor, the one under the pointer. */
export interface Marks {
  readonly selected: number | undefined;
  readonly cursor: number | undefined;
  readonly hovered: number | undefined;
}

export interface Marked {
  readonly inner: number;
  readonly token: "--ink" | "--focus";
}

export function markedChunks({ selected, cursor, hovered }: Marks): readonly Marked[] {
  const out: Marked[] = [];
  if (selected !== undefined) out.push({ inner: selected, token: "--ink" });
  if (hovered !== undefined && hovered !== selected) out.push({ inner: hovered, token: "--ink" });
  if (cursor !== undefined) out.push({ inner: cursor, token: "--focus" });
  return out;
}

/** The figures of a shard. */
export type ShardTotals = ReturnType<typeof shardTotals>;

const READABLE = ENTRY_STATES.map((state) => state === "present" || state === "shared");

export function shardTotals(map: ShardMap, chunkBytes: number | undefined) {
  const { codes, lengths, counts } = map;
  let smallest = Number.POSITIVE_INFINITY;
  let largest = -1;
  for (let inner = 0; inner < codes.length; inner += 1) {
    if (READABLE[codes[inner] ?? 0] !== true) continue;
    const length = lengths[inner] ?? 0;
    if (length < smallest) smallest = length;
    if (length > largest) largest = length;
  }
  let stored = 0;
  for (const inner of map.inFileOrder) if (READABLE[codes[inner] ?? 0] === true) stored += lengths[inner] ?? 0;
  const count = (wanted: (state: (typeof ENTRY_STATES)[number]) => boolean) =>
    ENTRY_STATES.reduce((sum, state, code) => (wanted(state) ? sum + (counts[code] ?? 0) : sum), 0);
  const present = count((state) => state === "present" || state === "shared");
  return {
    all: codes.length,
    /** Readable ones, shared ones included. */
    present,
    shared: count((state) => state === "shared"),
    empty: count((state) => state === "empty"),
    damaged: count(isDamaged),
    /** Bytes of readable chunks as stored, shared ones once; decoded, shared ones each time. */
    stored,
    decoded: chunkBytes === undefined ? undefined : present * chunkBytes,
    /** Stored lengths of readable chunks. */
    smallest: largest < 0 ? undefined : smallest,
    largest: largest < 0 ? undefined : largest,
  };
}

export const ORDER_WORDS: Readonly<Record<NonNullable<ShardMap["writeOrder"]>, string>> = {
  C: "C order",
  F: "F order",
  Morton: "Morton order",
  "reverse C": "reverse C order",
  other: "no named order",
};
