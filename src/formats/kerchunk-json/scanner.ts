/**
 * What the two scanners (plain JavaScript and WebAssembly) have in common: they hold the bytes read and not yet
 * understood, and the columns. Each writes plain chunk entries into these as fast as it can, and stops before whatever is
 * unusual to it: the one in JavaScript sooner. The document reader takes that one entry, strictly, and hands its row
 * back.
 */
import type { ColumnBlock, InlinePool } from "../../core/table/reference-table.ts";

/** A row for the columns; the values are those of `core/reference-table.ts`. */
export interface Row {
  /** Slot of the array, or `ARRAY_NONE`. */
  readonly array: number;
  readonly ordinal: number;
  readonly target: number;
  readonly offset: number;
  readonly length: number;
}

export interface Scanner {
  readonly kind: "js" | "wasm";
  /** The buffer; unread are the bytes from `position` to `end`. May change with `reserve`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  position: number;
  readonly end: number;
  readonly rows: number;
  /** Place for `want` more bytes after the unread ones, which may move to the front. */
  reserve(want: number): Uint8Array<ArrayBuffer>;
  /** So many bytes were written there. */
  commit(count: number): void;
  /** Line feeds before the index `to` of the buffer. */
  lineBreaks(to: number): number;
  /**
   * Takes plain chunk entries of an object from `position` on: just after its "{" (`first`) or after an entry. Stops
   * before the first that is not plain or not complete. Returns whether the next entry still is the first one.
   */
  run(first: boolean): boolean;
  /** Keys that start with these raw bytes (JSON text, the last slash included) and a digit are chunks of that array. */
  addPrefix(raw: Uint8Array, slot: number): void;
  /** Without a grid (not known yet, or too large for 32-bit ordinals) the array's keys are kept in `pending`. */
  setGrid(slot: number, grid: readonly number[] | undefined, separator: "." | "/"): void;
  addRow(row: Row): number;
  /** Id of a target given as JSON string text without quotes. */
  addTarget(raw: Uint8Array): number;
  /** Offset in the inline pool of a value given as JSON string text without quotes. */
  addInline(raw: Uint8Array): number;
  /** Keeps the rest of a row's key, after its array's path: its ordinal is settled at the end. UTF-8. */
  keepKey(row: number, rest: Uint8Array): void;
  output(): ScanOutput;
}

export interface ScanOutput {
  readonly rows: number;
  readonly blocks: readonly ColumnBlock[];
  readonly targets: RawTargets;
  readonly inline: InlinePool;
  readonly pending: PendingKeys;
  /** Bytes held by all of that, allocated. */
  byteLength(): number;
}

/** Target URLs as JSON string text, still escaped; those written differently are different. */
export interface RawTargets {
  readonly count: number;
  raw(id: number): Uint8Array;
  /** All in order of their ids, each as a range of some bytes: no object is made for any. */
  forEach(visit: (bytes: Uint8Array, from: number, to: number, id: number) => void): void;
}

/** Rows whose ordinal is not settled, with the rest of their keys (UTF-8, no escapes). */
export interface PendingKeys {
  readonly count: number;
  forEach(visit: (row: number, rest: Uint8Array) => void): void;
}

/** Highest number of cells whose ordinals fit the column beside the special values. */
export const MAX_DENSE_CELLS = 0xffff_fffe;
/** Zarr has no limit; more dimensions than NumPy takes (64) are handed to the slow path. */
export const MAX_FAST_RANK = 32;
