/** From a key to its row, for all arrays of a table at once: two passes over the columns, whatever the number of arrays. */
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { BLOCK_ROWS, ORDINAL_STRAY, ORDINAL_WIDE, type ReferenceTable } from "#core/table/reference-table.ts";
import { oncePer } from "../kept.ts";
import { wideOrdinal } from "../table/array-index.ts";
import { cellOfKey, type TableIndex } from "../table/table-index.ts";

/** Row + 1 by ordinal: an array where the grid is about as large as its references are many, else a map. */
type Cells = Uint32Array | Map<number, number>;

const FREE_CELLS = 4096;
const CELLS_A_ROW = 16;

export const rowFinder = oncePer((index: TableIndex) => {
  const cells = findCells(index.table);
  /** Row of the chunk with this ordinal; -1 where it has no reference. */
  const rowOfCell = (array: number, ordinal: number) => rowIn(cells[array], ordinal);
  /**
   * Row of a chunk or stray key; -1 where there is none. The longest path that is an array's and whose grid has the rest
   * decides, as when the table was made.
   */
  const rowOfKey = (key: string): number => {
    const stray = index.strays().rowOfKey(key);
    if (stray !== undefined) return stray;
    const cell = cellOfKey(index, key);
    return cell === undefined ? -1 : rowOfCell(cell.array, cell.ordinal);
  };
  return { rowOfCell, rowOfKey };
});

function rowIn(cells: Cells | undefined, ordinal: number): number {
  if (cells === undefined) return -1;
  return ((cells instanceof Map ? cells.get(ordinal) : cells[ordinal]) ?? 0) - 1;
}

function findCells(table: ReferenceTable): readonly Cells[] {
  const counts = new Float64Array(65_536);
  eachRow(table, (array) => {
    counts[array] = (counts[array] ?? 0) + 1;
  });
  const cells = table.arrays.map(({ grid }, id): Cells => {
    const count = grid === undefined ? 0 : cellCount(grid);
    return count <= FREE_CELLS + CELLS_A_ROW * (counts[id] ?? 0) ? new Uint32Array(count) : new Map<number, number>();
  });
  eachRow(table, (array, ordinal, row) => {
    const own = cells[array];
    if (own instanceof Map) own.set(ordinal === ORDINAL_WIDE ? wideOrdinal(table, row) : ordinal, row + 1);
    else if (own !== undefined) own[ordinal] = row + 1;
  });
  return cells;
}

/** Rows that are chunks of a grid. */
function eachRow(table: ReferenceTable, visit: (array: number, ordinal: number, row: number) => void): void {
  for (const [at, { array, ordinal }] of table.blocks.entries()) {
    const first = at * BLOCK_ROWS;
    const used = Math.min(BLOCK_ROWS, table.rows - first);
    for (let i = 0; i < used; i += 1) {
      if (ordinal[i] !== ORDINAL_STRAY) visit(array[i] as number, ordinal[i] as number, first + i);
    }
  }
}
