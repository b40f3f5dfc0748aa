/** Single rows of a list of column blocks. */
import { BLOCK_ROWS, newBlock, type ColumnBlock } from "#core/table/reference-table.ts";

const SHIFT = Math.log2(BLOCK_ROWS);
const NO_BLOCK = newBlock;

export function blockOf(blocks: readonly ColumnBlock[], row: number): ColumnBlock {
  return blocks[row >>> SHIFT] ?? NO_BLOCK();
}

export const placeOf = (row: number): number => row & (BLOCK_ROWS - 1);

/** Calls `visit` for each block with the number of its first row and the number of rows in use. */
export function eachBlock(
  blocks: readonly ColumnBlock[],
  rows: number,
  visit: (block: ColumnBlock, firstRow: number, used: number) => void,
): void {
  for (const [index, block] of blocks.entries()) {
    const firstRow = index * BLOCK_ROWS;
    if (firstRow >= rows) return;
    visit(block, firstRow, Math.min(BLOCK_ROWS, rows - firstRow));
  }
}

/** Copies target, offset and length of one row over those of another. */
export function copyValue(blocks: readonly ColumnBlock[], from: number, to: number): void {
  const [source, target] = [blockOf(blocks, from), blockOf(blocks, to)];
  const [i, o] = [placeOf(from), placeOf(to)];
  target.target[o] = source.target[i] ?? 0;
  target.offset[o] = source.offset[i] ?? 0;
  target.length[o] = source.length[i] ?? 0;
}

/** Copies a whole row. */
export function copyRow(blocks: readonly ColumnBlock[], from: number, to: number): void {
  const [source, target] = [blockOf(blocks, from), blockOf(blocks, to)];
  target.array[placeOf(to)] = source.array[placeOf(from)] ?? 0;
  target.ordinal[placeOf(to)] = source.ordinal[placeOf(from)] ?? 0;
  copyValue(blocks, from, to);
}
