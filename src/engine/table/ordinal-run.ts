/** Chunks of one array that come one after the other and belong together: they go into a box at once. */
import { BLOCK_ROWS } from "../../core/table/reference-table.ts";
import { OrdinalBox } from "./ordinal-box.ts";

export interface OrdinalRun {
  /** At most a block's. -1: of a key that fits no grid. */
  add(ordinal: number): void;
  /** How many were added, and the ordinals among them, until the next is added; it then begins anew. */
  take(): { readonly count: number; readonly ordinals: Float64Array };
}

export function ordinalRun(): OrdinalRun {
  const ordinals = new Float64Array(BLOCK_ROWS);
  let [used, count] = [0, 0];
  return {
    add(ordinal) {
      count += 1;
      if (ordinal >= 0) ordinals[used++] = ordinal;
    },
    take() {
      const taken = { count, ordinals: ordinals.subarray(0, used) };
      [used, count] = [0, 0];
      return taken;
    },
  };
}

/** By array id; nothing where there is no grid, or no ordinal. */
export function addToBox(
  boxes: Map<number, OrdinalBox>,
  array: number,
  grid: readonly number[] | undefined,
  ordinals: Float64Array,
): void {
  if (grid === undefined || ordinals.length === 0) return;
  const box = boxes.get(array) ?? new OrdinalBox(grid);
  boxes.set(array, box);
  box.addAll(ordinals);
}
