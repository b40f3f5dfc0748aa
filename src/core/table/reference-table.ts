/**
 * The references of a set, at rest: columns, one row per reference, in the order of the document. No object, no string
 * and no key is kept per row: keys are computed from the array's path and the chunk's ordinal.
 *
 * 22 bytes per row (see facts: performance §B), in blocks of 65,536 rows so that little is ever copied to grow and so
 * that the WebAssembly scanner can write the same layout into its own memory. Whole blocks of a table that is appended to
 * take less (`settled-block.ts`).
 */
import type { KeySeparator } from "../metadata/chunk-grid.ts";
import type { Code, Finding } from "../findings/finding.ts";

export const BLOCK_ROWS = 65_536;

/** Values of the `target` column that are not target ids. */
export const TARGET_INLINE = 0xffff_ffff;
export const TARGET_NULL = 0xffff_fffe;
export const TARGET_BAD = 0xffff_fffd;
/** A native object of the store (Zarr stores); never in Kerchunk sets. */
export const TARGET_NATIVE = 0xffff_fffc;
export const FIRST_SPECIAL_TARGET = TARGET_NATIVE;

/** Values of the `length` column that are not lengths: a whole file, and a length kept in `bigLengths`. */
export const LENGTH_WHOLE = 0xffff_ffff;
export const LENGTH_BIG = 0xffff_fffe;

/**
 * Values of the `ordinal` column that are not ordinals: the key fits no grid (`strays`), or it is in `wideOrdinals`.
 */
export const ORDINAL_STRAY = 0xffff_ffff;
export const ORDINAL_WIDE = 0xffff_fffe;

/** The `array` column is 16 bits wide; this id marks stray keys that belong to no array. */
export const ARRAY_NONE = 0xffff;
export const MAX_ARRAYS = ARRAY_NONE;

/**
 * One block of columns, filled from the front. Of `BLOCK_ROWS` length; the last one of a growing table may be shorter.
 */
export interface ColumnBlock {
  /** Index into `arrays`, or `ARRAY_NONE`. */
  readonly array: Uint16Array<ArrayBuffer>;
  /** Ordinal of the chunk in its array's grid, C order. */
  readonly ordinal: Uint32Array<ArrayBuffer>;
  /** Id in `targets`, or one of the `TARGET_` values. */
  readonly target: Uint32Array<ArrayBuffer>;
  /** Byte offset in the target; for inline references the offset in the inline pool. Up to 2^53. */
  readonly offset: OffsetColumn;
  /** Bytes; for inline references the length of the JSON text in the inline pool. */
  readonly length: Uint32Array<ArrayBuffer>;
}

/** Four bytes each where all of a block are below 4 GB. */
export type OffsetColumn = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Target URLs, each once as it is written; two that are rendered to the same URL stay two. */
export interface TargetDictionary {
  readonly count: number;
  /** The URL that readers resolve: JSON escapes undone, templates of Version 1 rendered. */
  text(id: number): string;
  /** The URL as the document has it, before rendering; of URLs that `gen` makes what it made. */
  written(id: number): string;
  /** True: of equal URLs not all have the same id, since lists of them are kept as they are. */
  readonly mayRepeat?: boolean;
  /** Bytes of `text` as JSON has it between quotes, where they are at hand. */
  raw?(id: number): Uint8Array;
}

/** Inline values as written in the document: JSON string text, still escaped, `base64:` prefix and all. */
export interface InlinePool {
  /** Bytes of the pool in use. */
  readonly byteLength: number;
  slice(offset: number, length: number): Uint8Array<ArrayBuffer>;
}

/** An array as the columns know it. `grid` is `undefined` while no metadata was found: then all its keys are strays. */
export interface ArraySlot {
  /** Path without leading or trailing slash; `""` is the root. */
  readonly path: string;
  readonly grid: readonly number[] | undefined;
  readonly separator: KeySeparator;
  /** Its ranges are virtual chunks: their state is `virtual` instead of `range`. Nothing is stored for that by row. */
  readonly virtual?: true;
}

/**
 * A key that is neither metadata nor a chunk inside its array's grid. `grid-unread`: the array's grid is of a kind that
 * is not read, so that nothing says which chunk it is.
 */
export interface StrayKey {
  readonly row: number;
  readonly key: string;
  readonly reason: "outside-grid" | "wrong-rank" | "no-array" | "not-a-chunk-key" | "grid-unread";
}

/** `reason` concerns a place that only the reader of the row knows. */
export interface BadReference {
  readonly reason: Finding;
  /** JSON text of the value as written, cut at 500 characters. */
  readonly written: string;
}

export interface ReferenceTable {
  readonly rows: number;
  readonly blocks: readonly ColumnBlock[];
  readonly arrays: readonly ArraySlot[];
  readonly targets: TargetDictionary;
  readonly inline: InlinePool;
  readonly bigLengths: ReadonlyMap<number, number>;
  readonly wideOrdinals: ReadonlyMap<number, number>;
  readonly bad: ReadonlyMap<number, BadReference>;
  readonly strays: readonly StrayKey[];
  /** Bytes that the table holds: columns, dictionary and pools (allocated, not only used). */
  readonly byteLength: number;
}

export function newBlock(): ColumnBlock {
  return {
    array: new Uint16Array(BLOCK_ROWS),
    ordinal: new Uint32Array(BLOCK_ROWS),
    target: new Uint32Array(BLOCK_ROWS),
    offset: new Float64Array(BLOCK_ROWS),
    length: new Uint32Array(BLOCK_ROWS),
  };
}

/** For keys that fit no chunk; where the grid is not read, the array has a finding of its own. */
export const STRAY_CODES = {
  "outside-grid": "key-outside-grid",
  "wrong-rank": "key-wrong-rank",
  "no-array": "key-without-array",
  "not-a-chunk-key": "key-not-a-chunk",
} as const satisfies Readonly<Record<Exclude<StrayKey["reason"], "grid-unread">, Code>>;
