/** Rows appended to blocks of columns. The last block grows with its rows; those before it are whole. */
import {
  BLOCK_ROWS,
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  ORDINAL_WIDE,
  type ColumnBlock,
} from "./reference-table.ts";

/** Bytes of a row in all columns. */
const ROW_BYTES = 22;
const FIRST_ROWS = 256;

/**
 * A block that grows is replaced by a longer one with the same rows: who holds the shorter one has, of the rows that
 * were there, all that will ever be said of them.
 */
export function columnWriter() {
  const blocks: ColumnBlock[] = [];
  const bigLengths = new Map<number, number>();
  const wideOrdinals = new Map<number, number>();
  let rows = 0;
  let expected = 0;
  let allocated = 0;
  let block = blockOf(0);
  const allocate = (at: number, size: number): void => {
    const grown = blockOf(Math.min(BLOCK_ROWS, size));
    allocated += grown.length.length - (at === 0 ? 0 : block.length.length);
    if (at === 0) blocks.push(grown);
    else copyBlock(block, grown, at);
    blocks[blocks.length - 1] = block = grown;
  };
  return {
    blocks,
    bigLengths,
    wideOrdinals,
    rows: () => rows,
    /** Minimum number of rows, as announced so far. */
    expected: () => Math.max(rows, expected),
    byteLength: () => allocated * ROW_BYTES + (bigLengths.size + wideOrdinals.size) * MAP_ENTRY_BYTES,
    /** So many rows will follow: the room for them is made at once. */
    expect(count: number): void {
      expected = Math.max(expected, rows + count);
      const at = rows % BLOCK_ROWS;
      const wanted = Math.min(BLOCK_ROWS, at + count);
      // Many small pages must not copy the block each time.
      if (at > 0 && wanted > block.length.length) allocate(at, Math.max(wanted, Math.ceil(at * LEAST_GROWTH)));
    },
    add(array: number, ordinal: number, target: number, offset: number, length: number | undefined): number {
      const row = rows;
      const at = row % BLOCK_ROWS;
      if (at === 0) allocate(0, Math.max(FIRST_ROWS, expected - row, row / 8));
      else if (at === block.length.length) allocate(at, Math.max(at * 1.25, at + row / 16));
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
