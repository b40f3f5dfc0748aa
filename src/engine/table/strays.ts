/** The keys of a table that fit no grid: found by row, by key and by array. */
import { BLOCK_ROWS, type ReferenceTable, type StrayKey } from "../../core/reference-table.ts";
import { groupedBy } from "../../core/grouped.ts";
import { lowerBound } from "./array-index.ts";
import { compareNatural } from "./natural-order.ts";
import { once } from "../../core/once.ts";

export interface StrayList {
  /** In row order. */
  readonly list: readonly StrayKey[];
  /** Position in `list` of the stray in that row, -1 where it is none. */
  positionOf(row: number): number;
  rowOfKey(key: string): number | undefined;
  /** Place of each position in the natural order of the keys. */
  ranks(): Uint32Array;
  /** Rows of the strays of an array (or of `ARRAY_NONE`), in the natural order of their keys. */
  rowsOf(array: number): readonly number[];
}

/** So many keys are looked for one by one, before it pays to order all of them. */
const FEW = 8;

export function listStrays(table: ReferenceTable): StrayList {
  const list = inRowOrder(table.strays);
  const rows = Float64Array.from(list, (stray) => stray.row);
  const order = once(() => naturalOrder(list));
  const byKey = once(() => new Map(list.map((stray) => [stray.key, stray.row])));
  let asked = 0;
  const byArray = once(() => rowsByArray(table, list, order()));
  return {
    list,
    positionOf(row) {
      const at = lowerBound(rows, row);
      return rows[at] === row ? at : -1;
    },
    rowOfKey(key) {
      asked += 1;
      return asked > FEW ? byKey().get(key) : list.find((stray) => stray.key === key)?.row;
    },
    ranks: once(() => ranksOf(order())),
    rowsOf: (array) => byArray().get(array) ?? [],
  };
}

function inRowOrder(strays: readonly StrayKey[]): readonly StrayKey[] {
  const isOrdered = strays.every((stray, at) => at === 0 || stray.row > (strays[at - 1]?.row ?? 0));
  return isOrdered ? strays : strays.toSorted((a, b) => a.row - b.row);
}

function naturalOrder(list: readonly StrayKey[]): Uint32Array {
  const keys = list.map((stray) => stray.key);
  return Uint32Array.from(keys.keys()).sort((a, b) => compareNatural(keys[a] ?? "", keys[b] ?? "") || a - b);
}

/** From "which comes n-th" to "at which place is it". */
export function ranksOf(order: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(order.length);
  for (const [rank, position] of order.entries()) ranks[position] = rank;
  return ranks;
}

function rowsByArray(table: ReferenceTable, list: readonly StrayKey[], order: Uint32Array) {
  const rows = Array.from(order, (position) => list[position]?.row ?? 0);
  return groupedBy(rows, (row) => table.blocks[Math.floor(row / BLOCK_ROWS)]?.array[row % BLOCK_ROWS] ?? 0);
}
