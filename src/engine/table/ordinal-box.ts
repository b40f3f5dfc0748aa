/** The box that chunks of a grid fill, from their ordinals, with nothing made for each. */
import type { ArrayExtent } from "#core/findings/fact.ts";
import { BLOCK_ROWS } from "#core/table/reference-table.ts";

export class OrdinalBox {
  chunks = 0;
  readonly #grid: readonly number[];
  readonly #from: number[];
  readonly #to: number[];

  constructor(grid: readonly number[]) {
    this.#grid = grid;
    this.#from = grid.map(() => Infinity);
    this.#to = grid.map(() => -1);
  }

  add(ordinal: number): void {
    this.chunks += 1;
    let rest = ordinal;
    for (let axis = this.#grid.length - 1; axis >= 0; axis -= 1) {
      const length = this.#grid[axis] as number;
      const at = rest % length;
      rest = (rest - at) / length;
      if (at < (this.#from[axis] as number)) this.#from[axis] = at;
      if (at > (this.#to[axis] as number)) this.#to[axis] = at;
    }
  }

  /** The same for all from one to another: what they fill is known without a look at each. */
  addRun(first: number, last: number): void {
    this.chunks += last - first + 1;
    let [low, high] = [first, last];
    for (let axis = this.#grid.length - 1; axis >= 0; axis -= 1) {
      const length = this.#grid[axis] as number;
      const [from, to] = [low % length, high % length];
      const isAll = high - low >= length || to < from;
      this.#from[axis] = Math.min(this.#from[axis] as number, isAll ? 0 : from);
      this.#to[axis] = Math.max(this.#to[axis] as number, isAll ? length - 1 : to);
      [low, high] = [(low - from) / length, (high - to) / length];
    }
  }

  /** The same for many, axis by axis: one that is full, or has but one place, is not looked at. */
  addAll(ordinals: ArrayLike<number>): void {
    this.chunks += ordinals.length;
    let step = 1;
    for (let axis = this.#grid.length - 1; axis >= 0; axis -= 1) {
      const length = this.#grid[axis] as number;
      this.#addAxis(ordinals, axis, step, length);
      step *= length;
    }
  }

  #addAxis(ordinals: ArrayLike<number>, axis: number, step: number, length: number): void {
    let [from, to] = [this.#from[axis] as number, this.#to[axis] as number];
    for (let i = 0; i < ordinals.length && (from > 0 || to < length - 1); i += 1) {
      const at = Math.floor((ordinals[i] as number) / step) % length;
      if (at < from) from = at;
      if (at > to) to = at;
    }
    [this.#from[axis], this.#to[axis]] = [from, to];
  }

  extent(array: string): ArrayExtent {
    return { array, chunks: this.chunks, from: this.#from, to: this.#to };
  }
}

// Chunks of one array that come one after the other and belong together: they go into a box at once.

export function ordinalRun() {
  const ordinals = new Float64Array(BLOCK_ROWS);
  let [used, count] = [0, 0];
  return {
    /** At most a block's. -1: of a key that fits no grid. */
    add(ordinal: number): void {
      count += 1;
      if (ordinal >= 0) ordinals[used++] = ordinal;
    },
    /** How many were added, and the ordinals among them, until the next is added; it then begins anew. */
    take(): { readonly count: number; readonly ordinals: Float64Array } {
      const taken = { count, ordinals: ordinals.subarray(0, used) };
      [used, count] = [0, 0];
      return taken;
    },
  };
}

/** Grows a box by array id; does nothing without grid or ordinal. */
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
