/**
 * Appends references one by one to the columns of a `ReferenceTable`: for formats that are not read by the streaming
 * scanner, and for tests. Each key is added once; who reads a format in which keys can repeat settles that first.
 */
import type { KeySeparator } from "./chunk-grid.ts";
import { columnWriter, type RangeRows } from "./column-writer.ts";
import { failure } from "./findings/failure.ts";
import { nodeAt, WHOLE_SET } from "./findings/place.ts";
import {
  LENGTH_BIG,
  MAX_ARRAYS,
  ORDINAL_WIDE,
  TARGET_BAD,
  TARGET_INLINE,
  TARGET_NATIVE,
  TARGET_NULL,
  type ArraySlot,
  type BadReference,
  type InlinePool,
  type ReferenceTable,
  type StrayKey,
  type TargetDictionary,
} from "./reference-table.ts";
import { targetWriter, type TargetList, type TargetSurvey } from "./target-writer.ts";

/**
 * `array` is an id from `addArray`, or `ARRAY_NONE`; `ordinal` counts chunks of its grid in C order (any number where
 * the row is then marked as stray). Every `add…` of a reference returns the row's number.
 */
export interface TableBuilder {
  /** `virtual`: its ranges are virtual chunks. */
  addArray(path: string, grid: readonly number[] | undefined, separator: KeySeparator, virtual?: boolean): number;
  /** Id of a target URL; the same URL always gets the same id. */
  addTarget(url: string): number;
  /**
   * Ids of many URLs, by their place in the list, all of which the survey saw. The list may be kept as it is instead of
   * its texts; then its URLs may have other ids than the same URLs have elsewhere.
   */
  addTargets(list: TargetList, survey: TargetSurvey): (at: number) => number;
  surveyTargets(): TargetSurvey;
  /** Announces that many rows, so that room is made at once. */
  expectRows(count: number): void;
  /** Bytes kept beside the table for its rows, which count as the table's. */
  countBeside(bytes: number): void;
  /** `target` null: the target given when the set is opened. Bytes. */
  addRange(array: number, ordinal: number, target: number | null, offset: number, length: number): number;
  /** The same for many plain ones, where that is possible: else false, and nothing is added. */
  addRanges(array: number, rows: RangeRows): boolean;
  addWhole(array: number, ordinal: number, target: number | null): number;
  /** `text` as written in the document: JSON string text, escaped. */
  addInline(array: number, ordinal: number, text: Uint8Array): number;
  /** `length` in bytes, where the store gives it. */
  addNative(array: number, ordinal: number, length: number | undefined): number;
  addBad(array: number, ordinal: number, reference: BadReference): number;
  /** The key of that row fits no grid. */
  markStray(row: number, key: string, reason: StrayKey["reason"]): void;
  build(): ReferenceTable;
  /** The table as it is at any time: rows that are added later are in it. Its blocks and targets only ever grow. */
  live(): ReferenceTable;
}

export function tableBuilder(): TableBuilder {
  const columns = columnWriter();
  const targets = targetWriter(columns.expected);
  const inline = inlineWriter();
  const arrays: ArraySlot[] = [];
  const bad = new Map<number, BadReference>();
  const strays: StrayKey[] = [];
  const idOf = (target: number | null): number => (target === null ? TARGET_NULL : target);
  let beside = 0;
  const parts = { columns, targets: targets.dictionary, inline: inline.pool, arrays, bad, strays };
  const live = liveTable({ ...parts, beside: () => beside });
  return {
    addArray(path, grid, separator, virtual = false) {
      if (arrays.length >= MAX_ARRAYS) throw failure("too-many-arrays", nodeAt(path), { limit: MAX_ARRAYS });
      return arrays.push({ path, grid, separator, ...(virtual ? { virtual } : {}) }) - 1;
    },
    addTarget: (url) => targets.add(url),
    addTargets: (list, survey) => targets.addAll(list, survey),
    surveyTargets: () => targets.survey(),
    expectRows: (count) => columns.expect(count),
    countBeside(bytes) {
      beside += bytes;
    },
    addRange(array, ordinal, target, offset, length) {
      checkBytes("offset", offset);
      checkBytes("length", length);
      return columns.add(array, ordinal, idOf(target), offset, length);
    },
    addRanges(array, rows) {
      if (!isPlain(rows)) return false;
      columns.addRanges(array, rows);
      return true;
    },
    addWhole: (array, ordinal, target) => columns.add(array, ordinal, idOf(target), 0, undefined),
    addInline: (array, ordinal, text) => columns.add(array, ordinal, TARGET_INLINE, inline.add(text), text.length),
    addNative: (array, ordinal, length) => columns.add(array, ordinal, TARGET_NATIVE, 0, length),
    addBad(array, ordinal, reference) {
      const row = columns.add(array, ordinal, TARGET_BAD, 0, 0);
      bad.set(row, reference);
      return row;
    },
    markStray(row, key, reason) {
      columns.markStray(row);
      strays.push({ row, key, reason });
    },
    build: () => ({ ...live }),
    live: () => live,
  };
}

interface Parts {
  readonly columns: ReturnType<typeof columnWriter>;
  readonly targets: TargetDictionary & Sized;
  readonly inline: InlinePool;
  readonly arrays: readonly ArraySlot[];
  readonly bad: ReadonlyMap<number, BadReference>;
  readonly strays: readonly StrayKey[];
  /** Bytes. */
  readonly beside: () => number;
}

interface Sized {
  readonly byteLength: number;
}

function liveTable({ columns, targets, inline, arrays, bad, strays, beside }: Parts): ReferenceTable {
  const { blocks, bigLengths, wideOrdinals } = columns;
  return {
    get rows() {
      return columns.rows();
    },
    blocks,
    arrays,
    targets,
    inline,
    bigLengths,
    wideOrdinals,
    bad,
    strays,
    get byteLength() {
      return columns.byteLength() + targets.byteLength + inline.byteLength + beside();
    },
  };
}

function inlineWriter() {
  let bytes = new Uint8Array(1024);
  let used = 0;
  return {
    add(text: Uint8Array): number {
      const offset = used;
      used += text.length;
      if (used > bytes.length) {
        const grown = new Uint8Array(Math.max(used, bytes.length * 2));
        grown.set(bytes);
        bytes = grown;
      }
      bytes.set(text, offset);
      return offset;
    },
    pool: {
      get byteLength() {
        return used;
      },
      slice: (offset: number, length: number) => bytes.slice(offset, offset + length),
    },
  };
}

/** Whether the columns can take them as they are. */
function isPlain({ ordinal, offset, length }: RangeRows): boolean {
  for (let at = 0; at < ordinal.length; at += 1) {
    if ((ordinal[at] as number) >= ORDINAL_WIDE || (length[at] as number) >= LENGTH_BIG) return false;
  }
  return offset instanceof Uint32Array || offset.every((one) => Number.isSafeInteger(one) && one >= 0);
}

function checkBytes(member: "offset" | "length", value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw failure("reference-out-of-range", WHOLE_SET, { member, value });
}
