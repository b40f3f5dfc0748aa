/**
 * Appends references one by one to the columns of a `ReferenceTable`: for formats that are not read by the streaming
 * scanner, and for tests. Each key is added once; who reads a format in which keys can repeat settles that first.
 */
import type { KeySeparator } from "./chunk-grid.ts";
import { RefscopeError } from "./errors.ts";
import {
  BLOCK_ROWS,
  LENGTH_BIG,
  LENGTH_WHOLE,
  MOST_ARRAYS,
  newBlock,
  ORDINAL_STRAY,
  ORDINAL_WIDE,
  TARGET_BAD,
  TARGET_INLINE,
  TARGET_NATIVE,
  TARGET_NULL,
  type ArraySlot,
  type BadReference,
  type ColumnBlock,
  type InlinePool,
  type ReferenceTable,
  type StrayKey,
  type TargetDictionary,
} from "./reference-table.ts";

/**
 * `array` is an id from `addArray`, or `ARRAY_NONE`; `ordinal` counts chunks of its grid in C order (any number where
 * the row is then marked as stray). Every `add…` of a reference returns the row's number.
 */
export interface TableBuilder {
  addArray(path: string, grid: readonly number[] | undefined, separator: KeySeparator): number;
  /** Id of a target URL; the same URL always gets the same id. */
  addTarget(url: string): number;
  /** `target` null: the target given when the set is opened. Bytes. */
  addRange(array: number, ordinal: number, target: number | null, offset: number, length: number): number;
  addWhole(array: number, ordinal: number, target: number | null): number;
  /** `text` as it stands in the document: JSON string text, escaped. */
  addInline(array: number, ordinal: number, text: Uint8Array): number;
  /** `length` in bytes, where the store tells it. */
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
  const targets = targetWriter();
  const inline = inlineWriter();
  const arrays: ArraySlot[] = [];
  const bad = new Map<number, BadReference>();
  const strays: StrayKey[] = [];
  const idOf = (target: number | null): number => (target === null ? TARGET_NULL : target);
  const live = liveTable({ columns, targets: targets.dictionary, inline: inline.pool, arrays, bad, strays });
  return {
    addArray(path, grid, separator) {
      if (arrays.length >= MOST_ARRAYS) throw tooManyArrays(path);
      return arrays.push({ path, grid, separator }) - 1;
    },
    addTarget: (url) => targets.add(url),
    addRange(array, ordinal, target, offset, length) {
      checkBytes("offset", offset);
      checkBytes("length", length);
      return columns.add(array, ordinal, idOf(target), offset, length);
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
}

interface Sized {
  readonly byteLength: number;
}

function liveTable({ columns, targets, inline, arrays, bad, strays }: Parts): ReferenceTable {
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
      return blocks.length * BLOCK_ROWS * 22 + targets.byteLength + inline.byteLength;
    },
  };
}

function columnWriter() {
  const blocks: ColumnBlock[] = [];
  const bigLengths = new Map<number, number>();
  const wideOrdinals = new Map<number, number>();
  let rows = 0;
  let block = newBlock();
  return {
    blocks,
    bigLengths,
    wideOrdinals,
    rows: () => rows,
    add(array: number, ordinal: number, target: number, offset: number, length: number | undefined): number {
      const row = rows;
      const at = row % BLOCK_ROWS;
      if (at === 0) blocks.push((block = newBlock()));
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
    markStray(row: number): void {
      const of = blocks[Math.floor(row / BLOCK_ROWS)];
      if (of !== undefined) of.ordinal[row % BLOCK_ROWS] = ORDINAL_STRAY;
      wideOrdinals.delete(row);
    },
  };
}

function targetWriter() {
  const ids = new Map<string, number>();
  const texts: string[] = [];
  let characters = 0;
  const text = (id: number): string => texts[id] ?? "";
  return {
    add(url: string): number {
      const known = ids.get(url);
      if (known !== undefined) return known;
      characters += url.length;
      ids.set(url, texts.length);
      return texts.push(url) - 1;
    },
    dictionary: {
      get count() {
        return texts.length;
      },
      text,
      written: text,
      /** An estimate: engines keep a string's header and one or two bytes a character. */
      get byteLength() {
        return characters + 24 * texts.length;
      },
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

function checkBytes(what: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new RefscopeError({
    code: "reference-out-of-range",
    doing: `Adding a reference with the ${what} ${value}`,
    expected: "a whole number of bytes from 0 to 2^53 - 1",
    found: String(value),
    advice: "Such a reference must be added as a bad one.",
  });
}

function tooManyArrays(path: string): RefscopeError {
  return new RefscopeError({
    code: "too-many-arrays",
    doing: "Reading the arrays of the set",
    where: path,
    expected: `at most ${MOST_ARRAYS} arrays`,
    found: "more",
    advice: "Split the set into several reference sets.",
  });
}
