/** Rows appended to blocks of columns. The last block grows with its rows; those before it are whole. */
import { blockSettler } from "./settled-block.ts";
import {
  BLOCK_ROWS,
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  ORDINAL_WIDE,
  type ColumnBlock,
} from "./reference-table.ts";

/** Rows of one array that are plain ranges, a column each. */
export interface RangeRows {
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
export function columnWriter() {
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
