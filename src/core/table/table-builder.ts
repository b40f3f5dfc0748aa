/**
 * Appends references one by one to the columns of a `ReferenceTable`: for formats that are not read by the streaming
 * scanner, and for tests. Each key is added once; who reads a format in which keys can repeat settles that first.
 */
import type { KeySeparator } from "../metadata/chunk-grid.ts";
import { failure, nodeAt, WHOLE_SET } from "../findings/finding.ts";
import {
  type ArraySlot,
  type BadReference,
  BLOCK_ROWS,
  type ColumnBlock,
  LENGTH_BIG,
  LENGTH_WHOLE,
  MAX_ARRAYS,
  type OffsetColumn,
  ORDINAL_STRAY,
  ORDINAL_WIDE,
  type ReferenceTable,
  type StrayKey,
  TARGET_BAD,
  TARGET_INLINE,
  TARGET_NATIVE,
  TARGET_NULL,
  type TargetDictionary,
} from "./reference-table.ts";
import { type TargetList, type TargetSurvey, targetWriter } from "./target-writer.ts";

/**
 * `array` is an id from `addArray`, or `ARRAY_NONE`; `ordinal` counts chunks of its grid in C order (any number where
 * the row is then marked as stray). Every `add…` of a reference returns the row's number.
 */
export type TableBuilder = ReturnType<typeof tableBuilder>;

export function tableBuilder() {
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
    /** `virtual`: its ranges are virtual chunks. */
    addArray(
      path: string,
      grid: readonly number[] | undefined,
      separator: KeySeparator,
      virtual: boolean = false,
    ): number {
      if (arrays.length >= MAX_ARRAYS) throw failure("too-many-arrays", nodeAt(path), { limit: MAX_ARRAYS });
      return arrays.push({ path, grid, separator, ...(virtual ? { virtual } : {}) }) - 1;
    },
    /** Id of a target URL; the same URL always gets the same id. */
    addTarget: (url: string): number => targets.add(url),
    /**
     * Ids of many URLs, by their place in the list, all of which the survey saw. The list may be kept as it is instead of
     * its texts; then its URLs may have other ids than the same URLs have elsewhere.
     */
    addTargets: (list: TargetList, survey: TargetSurvey): ((at: number) => number) => targets.addAll(list, survey),
    surveyTargets: (): TargetSurvey => targets.survey(),
    /** Announces that many rows, so that room is made at once. */
    expectRows: (count: number): void => columns.expect(count),
    /** Bytes kept beside the table for its rows, which count as the table's. */
    countBeside(bytes: number): void {
      beside += bytes;
    },
    /** `target` null: the target given when the set is opened. Bytes. */
    addRange(array: number, ordinal: number, target: number | null, offset: number, length: number): number {
      checkBytes("offset", offset);
      checkBytes("length", length);
      return columns.add(array, ordinal, idOf(target), offset, length);
    },
    /** The same for many plain ones, where that is possible: else false, and nothing is added. */
    addRanges(array: number, rows: RangeRows): boolean {
      if (!isPlain(rows)) return false;
      columns.addRanges(array, rows);
      return true;
    },
    addWhole: (array: number, ordinal: number, target: number | null): number =>
      columns.add(array, ordinal, idOf(target), 0, undefined),
    /** `text` as written in the document: JSON string text, escaped. */
    addInline: (array: number, ordinal: number, text: Uint8Array): number =>
      columns.add(array, ordinal, TARGET_INLINE, inline.add(text), text.length),
    /** `length` in bytes, where the store gives it. */
    addNative: (array: number, ordinal: number, length: number | undefined): number =>
      columns.add(array, ordinal, TARGET_NATIVE, 0, length),
    addBad(array: number, ordinal: number, reference: BadReference): number {
      const row = columns.add(array, ordinal, TARGET_BAD, 0, 0);
      bad.set(row, reference);
      return row;
    },
    /** The key of that row fits no grid. */
    markStray(row: number, key: string, reason: StrayKey["reason"]): void {
      columns.markStray(row);
      strays.push({ row, key, reason });
    },
    build: (): ReferenceTable => ({ ...live }),
    /** The table as it is at any time: rows that are added later are in it. Its blocks and targets only ever grow. */
    live: (): ReferenceTable => live,
  };
}

interface Parts extends Pick<ReferenceTable, "inline" | "arrays" | "bad" | "strays"> {
  readonly columns: ReturnType<typeof columnWriter>;
  readonly targets: TargetDictionary & { readonly byteLength: number };
  /** Bytes. */
  readonly beside: () => number;
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

/** True if the columns can take the rows unchanged. */
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

// Rows appended to blocks of columns. The last block grows with its rows; those before it are whole.

/** Rows of one array that are plain ranges, a column each. */
interface RangeRows {
  readonly ordinal: Uint32Array;
  /** Ids. */
  readonly target: Uint32Array;
  readonly offset: Uint32Array | Float64Array;
  readonly length: Uint32Array;
}

/** Bytes of a row in all columns. */
const ROW_BYTES = 22;
const FIRST_ROWS = 256;

/**
 * A block that grows is replaced by a longer one with the same rows: who holds the shorter one has, of the rows that
 * were there, all that will ever be said of them.
 */
function columnWriter() {
  const store = growingBlocks();
  const bigLengths = new Map<number, number>();
  const wideOrdinals = new Map<number, number>();
  let rows = 0;
  let expected = 0;
  /** The block of the next row, which is the one at `at` of it. */
  const withRoom = (at: number): ColumnBlock => {
    const { last } = store;
    if (at === 0) return store.begin(Math.max(FIRST_ROWS, expected - rows, rows / 8));
    return at < last.length.length ? last : store.grow(at, Math.max(at * 1.25, at + rows / 16));
  };
  return {
    blocks: store.blocks,
    bigLengths,
    wideOrdinals,
    rows: () => rows,
    /** Minimum number of rows, as announced so far. */
    expected: () => Math.max(rows, expected),
    byteLength: () => store.byteLength() + (bigLengths.size + wideOrdinals.size) * MAP_ENTRY_BYTES,
    /** So many rows will follow: the room for them is made at once. */
    expect(count: number): void {
      expected = Math.max(expected, rows + count);
      const at = rows % BLOCK_ROWS;
      const wanted = Math.min(BLOCK_ROWS, at + count);
      // Many small pages must not copy the block each time.
      if (at > 0 && wanted > store.last.length.length) store.grow(at, Math.max(wanted, Math.ceil(at * LEAST_GROWTH)));
    },
    add(array: number, ordinal: number, target: number, offset: number, length: number | undefined): number {
      const row = rows;
      const at = row % BLOCK_ROWS;
      const block = withRoom(at);
      block.array[at] = array;
      block.ordinal[at] = ordinal < ORDINAL_WIDE ? ordinal : ORDINAL_WIDE;
      if (ordinal >= ORDINAL_WIDE) wideOrdinals.set(row, ordinal);
      block.target[at] = target;
      block.offset[at] = offset;
      block.length[at] = length === undefined ? LENGTH_WHOLE : Math.min(length, LENGTH_BIG);
      if (length !== undefined && length >= LENGTH_BIG) bigLengths.set(row, length);
      rows += 1;
      return row;
    },
    /** Numbers that have a meaning of their own (`ORDINAL_WIDE`, `LENGTH_BIG` and above) must not be among them. */
    addRanges(array: number, ranges: RangeRows): void {
      const { length: count } = ranges.ordinal;
      for (let from = 0; from < count;) {
        const at = rows % BLOCK_ROWS;
        const block = withRoom(at);
        const to = Math.min(count, from + block.length.length - at);
        block.array.fill(array, at, at + to - from);
        for (const column of ["ordinal", "target", "offset", "length"] as const)
          block[column].set(ranges[column].subarray(from, to), at);
        rows += to - from;
        from = to;
      }
    },
    markStray(row: number): void {
      const of = store.blocks[Math.floor(row / BLOCK_ROWS)];
      if (of !== undefined) of.ordinal[row % BLOCK_ROWS] = ORDINAL_STRAY;
      wideOrdinals.delete(row);
    },
  };
}

/** The last block is the one that is written to; those before it are whole, and settled. */
function growingBlocks() {
  const blocks: ColumnBlock[] = [];
  const settler = blockSettler();
  let last = blockOf(0);
  return {
    blocks,
    get last() {
      return last;
    },
    begin(size: number): ColumnBlock {
      if (blocks.length > 0) blocks[blocks.length - 1] = settler.settle(last);
      last = blockOf(Math.min(BLOCK_ROWS, size));
      blocks.push(last);
      return last;
    },
    /** The same rows in a longer one. */
    grow(rows: number, size: number): ColumnBlock {
      const grown = blockOf(Math.min(BLOCK_ROWS, size));
      copyBlock(last, grown, rows);
      blocks[blocks.length - 1] = last = grown;
      return grown;
    },
    byteLength: () => settler.byteLength + last.length.length * ROW_BYTES,
  };
}

/** Relative to what a block already holds, where it must grow for announced rows. */
const LEAST_GROWTH = 1.06;
/** An estimate: three words, and a share of the buckets. */
const MAP_ENTRY_BYTES = 48;

function blockOf(rows: number): ColumnBlock {
  const size = Math.ceil(rows);
  return {
    array: new Uint16Array(size),
    ordinal: new Uint32Array(size),
    target: new Uint32Array(size),
    offset: new Float64Array(size),
    length: new Uint32Array(size),
  };
}

function copyBlock(from: ColumnBlock, to: ColumnBlock, rows: number): void {
  for (const column of ["array", "ordinal", "target", "offset", "length"] as const) {
    to[column].set(from[column].subarray(0, rows));
  }
}

// Columns of whole blocks, in less memory: a column with one value throughout (the array of nearly every block, the
// offset where files are chunks) is shared by all blocks that have it, and offsets below 4 GB take four bytes instead
// of eight. All can be read as before.

function blockSettler() {
  const arrays = new Map<number, ColumnBlock["array"]>();
  const offsets = new Map<number, OffsetColumn>();
  let byteLength = 0;
  const shared = <T extends OffsetColumn | ColumnBlock["array"]>(
    all: Map<number, T>,
    value: number,
    make: () => T,
  ): T => {
    const known = all.get(value);
    if (known !== undefined) return known;
    const made = make();
    byteLength += made.byteLength;
    all.set(value, made);
    return made;
  };
  const narrowed = (offset: OffsetColumn): OffsetColumn => (isNarrow(offset) ? Uint32Array.from(offset) : offset);
  const own = <T extends OffsetColumn | ColumnBlock["array"]>(column: T): T => {
    byteLength += column.byteLength;
    return column;
  };
  return {
    /** The same rows; `ordinal`, `target` and `length` are the block's own columns. */
    settle({ array, ordinal, target, offset, length }: ColumnBlock): ColumnBlock {
      const [id, from] = [array[0] ?? 0, offset[0] ?? 0];
      return {
        array: isThroughout(array, id) ? shared(arrays, id, () => array) : own(array),
        ordinal: own(ordinal),
        target: own(target),
        offset: isThroughout(offset, from) ? shared(offsets, from, () => narrowed(offset)) : own(narrowed(offset)),
        length: own(length),
      };
    },
    /** Bytes of all blocks that were settled, what they share once. */
    get byteLength() {
      return byteLength;
    },
  };
}

function isThroughout(column: Uint16Array | OffsetColumn, value: number): boolean {
  for (let at = 1; at < BLOCK_ROWS; at += 1) if (column[at] !== value) return false;
  return true;
}

function isNarrow(offset: OffsetColumn): boolean {
  for (let at = 0; at < BLOCK_ROWS; at += 1) if ((offset[at] as number) > 0xffff_ffff) return false;
  return true;
}
