/** The box that chunks of a grid fill, from their ordinals, with nothing made for each. */
import type { ArrayExtent } from "../../core/findings/fact.ts";

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
