/** Rows that were taken out because a later one had their key, or an earlier one: where each row was before. */
import { firstPlace } from "./columns.ts";

/** What removing rows did. All lists are sorted by row. */
export interface Removal {
  /** Rows that are gone, as they were numbered. */
  readonly removed: Uint32Array;
  /** Rows, as they are numbered now, that have the value of another row, and which, as it was numbered. */
  readonly taken: Uint32Array;
  readonly takenFrom: Uint32Array;
}

/** `replaced`: by row that is gone the row that has its key; `values`: by such a row the one whose value it has now. */
export function removalOf(replaced: ReadonlyMap<number, number>, values: ReadonlyMap<number, number>): Removal {
  const removed = Uint32Array.from(replaced.keys()).sort();
  const kept = Uint32Array.from(values.keys()).sort();
  const takenFrom = kept.map((row) => values.get(row) ?? row);
  return { removed, taken: kept.map((row) => newRow(removed, row)), takenFrom };
}

/** Number, before the removal, of the row whose value now stands in `row`. */
export function valueRowBefore({ removed, taken, takenFrom }: Removal, row: number): number {
  const at = countBefore(taken, row);
  if (taken[at] === row) return takenFrom[at] ?? row;
  // Before row + k came k removed rows: the k-th of them still lies before it.
  return row + firstPlace(removed.length, (k) => (removed[k] ?? 0) - k > row);
}

/** How many of the sorted rows lie before `row`. */
const countBefore = (rows: Uint32Array, row: number): number => firstPlace(rows.length, (at) => (rows[at] ?? 0) >= row);

export const isRemoved = (removed: Uint32Array, row: number): boolean => removed[countBefore(removed, row)] === row;

/** Number of a row after the removal; of one that is gone that of the next that stays. */
export const newRow = (removed: Uint32Array, row: number): number => row - countBefore(removed, row);
