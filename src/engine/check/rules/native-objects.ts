/** Chunks that are objects of the store: empty ones, and those of another size than the chunk has uncompressed. */
import { coordinatesOf } from "../../../core/chunk-grid.ts";
import { finding, type Finding } from "../../../core/findings/finding.ts";
import { chunkAt } from "../../../core/findings/place.ts";
import type { ArrayNode } from "../../../core/hierarchy.ts";
import { LENGTH_BIG, ORDINAL_WIDE, TARGET_NATIVE } from "../../../core/reference-table.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";
import { OrdinalBox } from "../../table/ordinal-box.ts";
import type { SetRule } from "../rule.ts";

export const nativeObjects: SetRule = {
  id: "native-objects",
  codes: ["chunk-object-empty", "chunk-object-size"],
  needs: "references",
  cost: "rows",
  async run({ arrays, index: { table }, counts }, sink, context) {
    const { native } = counts.states;
    const coverage = { unit: "chunks", of: native, lookedAt: native, sampled: 0 } as const;
    if (native === 0) return coverage;
    const nodes = new Map(arrays.map((node) => [node.path, node]));
    const looked = table.arrays.map(({ path, grid }) => {
      const node = nodes.get(path);
      return node === undefined || grid === undefined ? undefined : new Objects(node, grid);
    });
    const pace = startPace(context, "Comparing sizes of objects", table.rows);
    const [marked, big, wide] = [TARGET_NATIVE, LENGTH_BIG, ORDINAL_WIDE];
    await eachBlock(table, pace, ({ array, ordinal, target, length }, _first, count) => {
      for (let i = 0; i < count; i += 1) {
        if (target[i] !== marked || (length[i] as number) >= big || (ordinal[i] as number) >= wide) continue;
        looked[array[i] as number]?.see(ordinal[i] as number, length[i] as number);
      }
    });
    for (const objects of looked) for (const found of objects?.findings() ?? []) sink(found);
    return coverage;
  },
};

/** Codecs behind which a chunk has the size that its shape gives it. */
const PLAIN = new Set(["bytes", "transpose"]);

const MAX_PLACES = 100;

class Objects {
  readonly #node: ArrayNode;
  readonly #grid: readonly number[];
  /** Bytes that an object must have; absent where they are compressed. */
  readonly #expected: number | undefined;
  readonly #empty: { box: OrdinalBox; first: number[] };
  readonly #odd: { box: OrdinalBox; first: number[] };
  #size = 0;

  constructor(node: ArrayNode, grid: readonly number[]) {
    const { decoding, sharding, dataType, chunks } = node.metadata;
    [this.#node, this.#grid] = [node, grid];
    const isPlain = sharding === undefined && dataType.kind !== "object" && decoding.every(({ id }) => PLAIN.has(id));
    this.#expected = isPlain ? chunks.reduce((product, length) => product * length, dataType.itemSize) : undefined;
    this.#empty = { box: new OrdinalBox(grid), first: [] };
    this.#odd = { box: new OrdinalBox(grid), first: [] };
  }

  see(ordinal: number, size: number): void {
    if (size !== 0 && (this.#expected === undefined || size === this.#expected)) return;
    const { box, first } = size === 0 ? this.#empty : this.#odd;
    if (size !== 0 && first.length === 0) this.#size = size;
    box.add(ordinal);
    if (first.length < MAX_PLACES) first.push(ordinal);
  }

  findings(): readonly Finding[] {
    const { itemSize } = this.#node.metadata.dataType;
    const facts = { size: this.#size, expected: this.#expected ?? 0, itemSize };
    return [
      ...this.#found(this.#empty, (place) => finding("chunk-object-empty", place, {})),
      ...this.#found(this.#odd, (place) => finding("chunk-object-size", place, facts)),
    ];
  }

  #found({ box, first }: { box: OrdinalBox; first: number[] }, make: (place: ReturnType<typeof chunkAt>) => Finding) {
    const { path } = this.#node;
    const places = first.map((ordinal) => chunkAt(path, coordinatesOf(this.#grid, ordinal)));
    const [place] = places;
    if (place === undefined) return [];
    const extent = { arrays: [box.extent(path)], moreArrays: 0 };
    return [{ ...make(place), count: box.chunks, extent, ...(places.length > 1 ? { places } : {}) }];
  }
}
