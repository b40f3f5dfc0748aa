/** Collects chunks of an array that have one thing wrong: all are counted, the first are kept, without an object each. */
import { coordinatesOf, gridOf } from "../../core/metadata/chunk-grid.ts";
import type { Code, FactsOf } from "../../core/findings/finding.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { chunkAt, type Place } from "../../core/findings/place.ts";
import type { ArrayNode } from "../../core/metadata/hierarchy.ts";

const MAX_PLACES = 100;

export class ChunkPlaces {
  readonly places: Place[] = [];
  readonly #from: number[];
  readonly #to: number[];
  readonly #grid: readonly number[];
  readonly #path: string;
  count = 0;

  constructor({ path, metadata }: ArrayNode) {
    this.#path = path;
    this.#grid = gridOf(metadata.shape, metadata.chunks);
    this.#from = this.#grid.map(() => Infinity);
    this.#to = this.#grid.map(() => -1);
  }

  add(ordinal: number): void {
    this.count += 1;
    if (this.places.length < MAX_PLACES) this.places.push(chunkAt(this.#path, coordinatesOf(this.#grid, ordinal)));
    let rest = ordinal;
    for (let axis = this.#grid.length - 1; axis >= 0; axis -= 1) {
      const length = this.#grid[axis] as number;
      const at = rest % length;
      rest = Math.floor(rest / length);
      if (at < (this.#from[axis] as number)) this.#from[axis] = at;
      if (at > (this.#to[axis] as number)) this.#to[axis] = at;
    }
  }

  /** Where there is at least one. */
  finding<C extends Code>(code: C, facts: FactsOf<C>): Finding {
    return {
      ...finding(code, this.places[0] as Place, facts, this.count),
      ...(this.count === 1 ? {} : { places: this.places, extent: { arrays: [this.extent()], moreArrays: 0 } }),
    };
  }

  extent() {
    return { array: this.#path, chunks: this.count, from: this.#from, to: this.#to };
  }
}
