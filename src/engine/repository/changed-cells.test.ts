import { describe, expect, it, vi } from "vitest";
import type { ArrayMetadata } from "#core/metadata/array-metadata.ts";
import type { ChangedChunk, ChangeKind } from "#core/repository.ts";
import { randomFrom } from "#formats/icechunk/testing/damage.ts";
import { cellCollector, cellWindow, inOrder, MAX_CHANGED } from "./changed-cells.ts";
import { changedOrdinals, MAX_EXPANDED } from "./changed-ordinals.ts";

const budget = (left = MAX_CHANGED) => ({ left });

/** Only the members that are looked at. */
const metadata = (shape: readonly number[], chunks: readonly number[], shards?: readonly number[]) =>
  ({ shape, chunks, ...(shards === undefined ? {} : { sharding: { shape: shards } }) }) as unknown as ArrayMetadata;

describe("changed cells", () => {
  it("are listed in C order, each once, inside and outside the box", () => {
    const random = randomFrom(7);
    for (let round = 0; round < 200; round += 1) {
      const box = [1 + random.below(4), 1 + random.below(4)];
      const collector = cellCollector(box, true, budget());
      const naive = new Map<string, readonly number[]>();
      for (let count = random.below(40); count > 0; count -= 1) {
        const at = [random.below(6), random.below(6)] as const;
        naive.set(at.join("/"), at);
        if (at[0] < box[0]! && at[1] < box[1]!) collector.add(at[0] * box[1]! + at[1], "set");
        else collector.addOutside(at, "set");
      }
      const cells = collector.finish();
      const sorted = [...naive.values()].sort(inOrder);
      const wanted = sorted.map((coordinates): ChangedChunk => ({ coordinates, kind: "set" }));
      expect(cells.count).toBe(wanted.length);
      expect(cellWindow(cells, 0, 100)).toEqual(wanted);
      expect(cellWindow(cells, 3, 7)).toEqual(wanted.slice(3, 7));
    }
  });

  it("of a million that repeat take a budget, and give back what they do not need", () => {
    const left = budget(1_000_000);
    const collector = cellCollector([1000, 1000], true, left);
    for (let index = 0; index < 2_000_000; index += 1) collector.add((index * 7919) % 500_000, "set");
    const cells = collector.finish();
    expect(cells).toMatchObject({ count: 500_000, notKept: 0, kinds: { set: 500_000 } });
    expect(left.left).toBe(500_000);
  });

  it("beyond the budget are counted only", () => {
    const left = budget(1000);
    const collector = cellCollector([5000], false, left);
    for (let index = 0; index < 3000; index += 1) collector.add(index, index % 2 === 0 ? "added" : "removed");
    const cells = collector.finish();
    expect(cells).toMatchObject({ count: 3000, notKept: 2000, kinds: { added: 1500, removed: 1500 } });
    expect(cells.packed).toHaveLength(1000);
    expect(left.left).toBe(0);
    const outside = cellCollector(undefined, true, budget());
    for (let index = 0; index < 100_500; index += 1) outside.addOutside([index, 4_294_967_295], "set");
    expect(outside.finish()).toMatchObject({ count: 100_500, notKept: 500 });
  });

  it("outside the box take the budget of all arrays together", () => {
    const left = budget(3200);
    const arrays = Array.from({ length: 3 }, () => cellCollector(undefined, true, left));
    for (const collector of arrays) for (let index = 0; index < 60; index += 1) collector.addOutside([index], "set");
    const kept = arrays.map((collector) => collector.finish()).map(({ outside, notKept }) => [outside.length, notKept]);
    expect(kept).toEqual([
      [60, 0],
      [40, 20],
      [0, 60],
    ]);
  });

  it("that come again where the budget is spent are not sorted out for ever", () => {
    const collector = cellCollector([10_000_000], true, budget(300_000));
    // All but one slot in use; then the same chunk again and again.
    for (let index = 0; index < 299_999; index += 1) collector.add(index, "set");
    const sort = vi.spyOn(Float64Array.prototype, "sort");
    for (let again = 0; again < 1000; again += 1) collector.add(7, "set");
    expect(sort.mock.calls.length).toBeLessThan(3);
    sort.mockRestore();
    const { packed, count, notKept } = collector.finish();
    expect(packed.length).toBe(299_999);
    expect(count).toBe(packed.length + notKept);
  });
});

describe("changes on the grid of an open array", () => {
  const collected = (box: readonly number[], all: readonly (readonly [number[], ChangeKind])[]) => {
    const collector = cellCollector(box, false, budget());
    for (const [at, kind] of all) {
      if (at.every((cell, axis) => cell < box[axis]!)) collector.add(at[0]! * box[1]! + at[1]!, kind);
      else collector.addOutside(at, kind);
    }
    return collector.finish();
  };
  const cells = collected(
    [3, 4],
    [
      [[0, 1], "added"],
      [[2, 3], "removed"],
      [[1, 0], "changed"],
      [[5, 0], "set"],
    ],
  );

  it("leave out what is outside, also where the grid is another", () => {
    expect(changedOrdinals(cells, metadata([2, 4], [1, 1]))).toEqual({
      ordinals: Float64Array.of(1, 4),
      kinds: Uint8Array.of(1, 3),
    });
    expect([...changedOrdinals(cells, metadata([9, 2], [1, 1])).ordinals]).toEqual([1, 2, 10]);
    expect([...changedOrdinals(cells, metadata([9], [1])).ordinals]).toEqual([]);
  });

  it("are the inner chunks of shards that changed", () => {
    // Shards of 4 × 2 chunks; the last row of shards has 2 rows of chunks, the last column 1 chunk.
    const sharded = metadata([10, 10], [1, 2], [4, 4]);
    const one = collected(
      [3, 3],
      [
        [[0, 2], "changed"],
        [[2, 0], "added"],
      ],
    );
    const { ordinals, kinds } = changedOrdinals(one, sharded);
    expect([...ordinals]).toEqual([4, 9, 14, 19, 40, 41, 45, 46]);
    expect([...kinds]).toEqual([3, 3, 3, 3, 1, 1, 1, 1]);
  });

  it("are no more than fit, however many a shard has", () => {
    // Shards of 10^10 chunks, of which 3 × 2 are in the grid.
    const sharded = metadata([3, 2], [1, 1], [100_000, 100_000]);
    const { ordinals } = changedOrdinals(collected([1, 1], [[[0, 0], "set"]]), sharded);
    expect([...ordinals]).toEqual([0, 1, 2, 3, 4, 5]);
    const full = metadata([100_000, 100_000], [1, 1], [100_000, 100_000]);
    expect(changedOrdinals(collected([1, 1], [[[0, 0], "set"]]), full).ordinals).toHaveLength(MAX_EXPANDED);
  });
});
