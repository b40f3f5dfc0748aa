/** For one array: which row of the table holds the chunk with a given ordinal. Built by one pass over the columns. */
import { cellCount } from "#core/metadata/chunk-grid.ts";
import type { CallContext } from "#core/byte-source.ts";
import { BLOCK_ROWS, ORDINAL_STRAY, ORDINAL_WIDE, type ReferenceTable } from "#core/table/reference-table.ts";
import type { ArrayPages } from "./array-pages.ts";
import { startPace, type Pace } from "../pace.ts";
import { placesInOrder } from "./radix.ts";

/** With more cells, only those with a reference are listed (200 MB of index below). */
export const MAX_LISTED_CELLS = 50_000_000;
/** With no more, all are listed, however few have a reference: 16 MB. */
const FEW_CELLS = 4_000_000;
/** Cells for each row of the table up to which all are listed. */
const CELLS_A_ROW = 16;

/** Markers in `ArrayIndex.rows`: the page is not loaded or could not be read. Above any possible row. */
export const ENTRY_UNKNOWN = 0xffff_ffff;
export const ENTRY_FAILED = 0xffff_fffe;

/** An entry a listed cell, in ordinal order, then an entry a stray key. */
export interface ArrayIndex {
  readonly grid: readonly number[] | undefined;
  /** Cells of the grid; 0 while there is no grid. */
  readonly cells: number;
  /** Row + 1 of each entry, 0 where the cell has no reference, or `ENTRY_UNKNOWN` or `ENTRY_FAILED`. */
  readonly rows: Uint32Array<ArrayBuffer>;
  /** Entries that are cells; the rest are strays. */
  readonly listed: number;
  /** Ordinals of the listed cells, ascending; `undefined` where every cell is listed (then entry = ordinal). */
  readonly ordinals: Float64Array<ArrayBuffer> | undefined;
}

/** Parts of an index: the array's id and the rows of its stray keys, in the order to list them. */
export interface IndexedArray {
  readonly table: ReferenceTable;
  readonly id: number;
  readonly strayRows: readonly number[];
  readonly pages?: ArrayPages | undefined;
}

export async function buildArrayIndex(of: IndexedArray, context: CallContext): Promise<ArrayIndex> {
  const grid = of.table.arrays[of.id]?.grid;
  const cells = grid === undefined ? 0 : cellCount(grid);
  const pace = startPace(context, "Indexing the array's references", of.table.rows);
  // A document may declare anything at no cost: an index grows with references, or with pages that may hold some.
  const most = of.pages === undefined ? Math.max(FEW_CELLS, of.table.rows * CELLS_A_ROW) : MAX_LISTED_CELLS;
  const found =
    cells <= Math.min(most, MAX_LISTED_CELLS) ? await denseCells(of, cells, pace) : await sparseCells(of, pace);
  for (const [at, row] of of.strayRows.entries()) found.rows[found.listed + at] = row + 1;
  return { grid, cells, ...found };
}

/** Entry of a cell, or -1 where it is not listed (only in grids too large to list every cell). */
export function entryOf(index: ArrayIndex, ordinal: number): number {
  if (index.ordinals === undefined) return ordinal < index.cells ? ordinal : -1;
  const entry = lowerBound(index.ordinals, ordinal);
  return index.ordinals[entry] === ordinal ? entry : -1;
}

/** Every cell has a reference. */
export const isFull = ({ rows, listed, cells }: ArrayIndex): boolean =>
  listed === cells && rows.subarray(0, listed).every((row) => row > 0 && row < ENTRY_FAILED);

/** Ordinal of the first cell that has a reference; `undefined` where none is known to. */
export function firstListed({ rows, listed, ordinals }: ArrayIndex): number | undefined {
  const entry = rows.findIndex((row, at) => at < listed && row > 0 && row < ENTRY_FAILED);
  return entry < 0 ? undefined : (ordinals?.[entry] ?? entry);
}

/** Row of a cell's reference, or -1 where there is none, or none is known. */
export function rowOf(index: ArrayIndex, ordinal: number): number {
  const row = index.rows[entryOf(index, ordinal)] ?? 0;
  return row >= ENTRY_FAILED ? -1 : row - 1;
}

/**
 * Brings an index up to date with a page of the array's references: rows from `from` to `to` (excluded) are new. False
 * where it cannot be done in place: an index of few cells among many must be rebuilt.
 */
export function arrivedPage(
  { rows, ordinals, cells }: ArrayIndex,
  { table, id, pages }: { readonly table: ReferenceTable; readonly id: number; readonly pages: ArrayPages },
  page: number,
  from: number,
  to: number,
): boolean {
  if (ordinals !== undefined || table.strays.some(({ row }) => row >= from)) return false;
  const failed = pages.stateOf(page) === "failed";
  pages.pages.visit(page, (ordinal) => {
    if ((rows[ordinal] as number) === 0 || (rows[ordinal] as number) >= ENTRY_FAILED)
      rows[ordinal] = failed ? ENTRY_FAILED : 0;
  });
  for (let row = from; row < to; row += 1) {
    const { array, ordinal } = table.blocks[Math.floor(row / BLOCK_ROWS)] as ReferenceTable["blocks"][number];
    const at = ordinal[row % BLOCK_ROWS] as number;
    if (array[row % BLOCK_ROWS] === id && at < cells) rows[at] = row + 1;
  }
  return true;
}

/** First position whose value is not below `value`. */
export function lowerBound(sorted: ArrayLike<number>, value: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((sorted[middle] as number) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

type Cells = Pick<ArrayIndex, "rows" | "listed" | "ordinals">;

async function denseCells(of: IndexedArray, cells: number, pace: Pace): Promise<Cells> {
  const rows = new Uint32Array(cells + of.strayRows.length);
  if (of.pages !== undefined) markPages(rows, cells, of.pages);
  await eachBlock(of.table, pace, (block, first, count) => {
    const { array, ordinal } = block;
    for (let i = 0; i < count; i += 1) {
      if (array[i] !== of.id) continue;
      const at = ordinal[i] as number;
      if (at < cells) rows[at] = first + i + 1;
    }
  });
  return { rows, listed: cells, ordinals: undefined };
}

function markPages(rows: Uint32Array, cells: number, paged: ArrayPages): void {
  const { pages } = paged;
  if (paged.loaded === pages.count) return;
  for (let ordinal = 0; ordinal < cells; ordinal += 1) {
    const state = paged.stateOf(pages.pageOf(ordinal));
    if (state !== "loaded") rows[ordinal] = state === "failed" ? ENTRY_FAILED : ENTRY_UNKNOWN;
  }
}

async function sparseCells(of: IndexedArray, pace: Pace): Promise<Cells> {
  const listed = await countCells(of, pace);
  const rows = new Uint32Array(listed + of.strayRows.length);
  const ordinals = new Float64Array(listed);
  let at = 0;
  let ascending = true;
  await eachBlock(of.table, pace, ({ array, ordinal }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      if (array[i] !== of.id || ordinal[i] === ORDINAL_STRAY) continue;
      ordinals[at] = ordinal[i] === ORDINAL_WIDE ? wideOrdinal(of.table, first + i) : (ordinal[i] as number);
      ascending &&= at === 0 || (ordinals[at - 1] as number) < (ordinals[at] as number);
      rows[at] = first + i + 1;
      at += 1;
    }
  });
  if (ascending) return { rows, listed, ordinals };
  return { listed, ...(await inOrdinalOrder(rows, ordinals, pace)) };
}

async function countCells(of: IndexedArray, pace: Pace): Promise<number> {
  let cells = 0;
  await eachBlock(of.table, pace, ({ array, ordinal }, _first, count) => {
    for (let i = 0; i < count; i += 1) if (array[i] === of.id && ordinal[i] !== ORDINAL_STRAY) cells += 1;
  });
  return cells;
}

async function inOrdinalOrder(rows: Uint32Array<ArrayBuffer>, ordinals: Float64Array<ArrayBuffer>, pace: Pace) {
  const order = await placesInOrder(ordinals, pace);
  const sorted = new Uint32Array(rows.length);
  for (const [at, entry] of order.entries()) sorted[at] = rows[entry] as number;
  return { rows: sorted, ordinals: Float64Array.from(order, (entry) => ordinals[entry] as number) };
}

export const wideOrdinal = (table: ReferenceTable, row: number): number => table.wideOrdinals.get(row) ?? ORDINAL_WIDE;

/** Visits the blocks in order with the number of their first row and how many rows they hold. */
export async function eachBlock(
  table: ReferenceTable,
  pace: Pace,
  visit: (block: ReferenceTable["blocks"][number], first: number, count: number) => void,
): Promise<void> {
  for (const [at, block] of table.blocks.entries()) {
    const first = at * BLOCK_ROWS;
    visit(block, first, Math.min(BLOCK_ROWS, table.rows - first));
    await pace.yieldIfDue(first);
  }
}
