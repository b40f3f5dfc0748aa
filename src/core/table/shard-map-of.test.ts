/** Maps of shards against a slow, plain reading of the same rules, and in bounded time. */
import { describe, expect, it } from "vitest";
import { coordinatesOf } from "../metadata/chunk-grid.ts";
import { shardEntryError, shardMap, writeOrderOf, type IndexEntries } from "./shard-map-of.ts";
import { ENTRY_STATES, type ShardMap } from "./shard-map.ts";
import { processorTime } from "../testing/processor-time.ts";

type Entry = readonly [number, number];

function entriesOf(list: readonly Entry[]): IndexEntries {
  return {
    offsets: Float64Array.from(list, ([offset]) => offset),
    lengths: Float64Array.from(list, ([, length]) => length),
  };
}

const EMPTY: Entry = [-1, -1];
const states = (map: ShardMap) => Array.from(map.codes, (code) => ENTRY_STATES[code]);
const mapOf = (list: readonly Entry[], size: number, index: Entry, grid = [list.length]) =>
  shardMap(entriesOf(list), size, { offset: index[0], length: index[1] }, grid);

describe("shardMap", () => {
  it("knows what each entry is", () => {
    const list: Entry[] = [[0, 10], EMPTY, [10, 0], [-1, 5], [5, -1], [95, 10], [200, 1], [10, 10], [10, 10], [15, 10]];
    const map = mapOf(list, 164, [100, 64]);
    expect(states(map)).toEqual([
      "present",
      "empty",
      "zero-length",
      "half-empty",
      "half-empty",
      "into-index",
      "past-end",
      "shared",
      "shared",
      "overlap",
    ]);
    expect(map.counts).toEqual([1, 1, 2, 1, 1, 1, 2, 1]);
    expect(map.faults).toEqual([
      { inner: 2, fault: "zero-length" },
      { inner: 3, fault: "half-empty" },
      { inner: 4, fault: "half-empty" },
      { inner: 5, fault: "into-index" },
      { inner: 6, fault: "past-end" },
      { inner: 7, fault: "overlap", with: [9], isRead: true },
      { inner: 8, fault: "overlap", with: [9], isRead: true },
      { inner: 9, fault: "overlap", with: [7, 8] },
    ]);
    expect(map.faultCount).toBe(8);
    expect([...map.inFileOrder]).toEqual([0, 7, 9, 5]);
    expect([...map.gaps]).toEqual([25, 95]);
    expect([map.bytesUsed, map.bytesDead]).toEqual([30, 70]);
  });

  it("marks both of two that overlap, and reads the one that begins first, or that comes first in the index", () => {
    const map = mapOf(
      [
        [8, 24],
        [0, 24],
        [40, 5],
        [40, 9],
        [100, 4],
        [90, 30],
        [95, 2],
      ],
      200,
      [0, 0],
    );
    expect(map.faults).toEqual([
      { inner: 0, fault: "overlap", with: [1] },
      { inner: 1, fault: "overlap", with: [0], isRead: true },
      { inner: 2, fault: "overlap", with: [3], isRead: true },
      { inner: 3, fault: "overlap", with: [2] },
      { inner: 4, fault: "overlap", with: [5] },
      { inner: 5, fault: "overlap", with: [4, 6], isRead: true },
      { inner: 6, fault: "overlap", with: [5] },
    ]);
  });

  it("says nothing against entries beside one that reaches into the index", () => {
    const map = mapOf(
      [
        [32, 8],
        [0, 100],
        [40, 8],
      ],
      100,
      [0, 32],
    );
    expect(states(map)).toEqual(["present", "into-index", "present"]);
  });

  it("finds dead bytes before, between and after, wherever the index lies", () => {
    expect([
      ...mapOf(
        [
          [7, 3],
          [12, 4],
        ],
        40,
        [20, 16],
      ).gaps,
    ]).toEqual([0, 7, 10, 12, 16, 20, 36, 40]);
    expect([...mapOf([[18, 2]], 30, [0, 16]).gaps]).toEqual([16, 18, 20, 30]);
    expect([...mapOf([EMPTY], 16, [0, 16]).gaps]).toEqual([]);
  });

  it("agrees with a slow reading of any entries", () => {
    let seed = 7;
    const random = (below: number) => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff) % below;
    for (let round = 0; round < 2000; round++) {
      const list = Array.from({ length: 1 + random(12) }, (): Entry =>
        random(8) === 0 ? EMPTY : [random(60) - 1, random(12) - 1],
      );
      const index: Entry = round % 2 === 0 ? [0, 8] : [42, 8];
      const map = mapOf(list, 50, index);
      const expected = slowly(list, 50, index);
      expect({ list, states: states(map), gaps: [...map.gaps] }).toEqual({ list, ...expected });
      const reported = map.faults.filter(({ fault }) => fault === "overlap");
      for (const { with: others } of reported) expect(others!.length, JSON.stringify(list)).toBeGreaterThan(0);
      expect(map.bytesUsed + map.bytesDead + map.index.length).toBe(50);
    }
  });

  it("takes a million entries, in any order and all over each other", () => {
    const count = 1_000_000;
    const shuffled = Float64Array.from({ length: count }, (_, i) => ((i * 7_919) % count) * 100);
    const lengths = new Float64Array(count).fill(90);
    const index = { offset: 1e8, length: 16 * count };
    const start = processorTime();
    const map = shardMap({ offsets: shuffled, lengths }, 1e8 + 16 * count, index, [1000, 1000]);
    const apart = processorTime() - start;
    expect([map.counts[1], map.gaps.length, map.bytesDead, map.faultCount]).toEqual([count, 2 * count, 1e7, 0]);
    const nested = shardMap({ offsets: shuffled.map((at) => at / 2), lengths }, 1e9, index, [1000, 1000]);
    expect([nested.faultCount, nested.faults.length]).toEqual([count - 1, 10_000]);
    expect(nested.faults[0]!.with).toHaveLength(1);
    const piled = shardMap({ offsets: shuffled.fill(0), lengths }, 1e9, index, [1000, 1000]);
    expect([piled.counts[2], piled.inFileOrder.length]).toEqual([count, 1]);
    expect(processorTime() - start).toBeLessThan(10_000);
    expect(apart).toBeLessThan(5_000);
  });
});

/** The rules as one would say them, entry against entry. */
function slowly(list: readonly Entry[], size: number, [from, length]: Entry) {
  const plain = list.map(([offset, bytes]) => {
    if (offset === -1 || bytes === -1) return offset === bytes ? "empty" : "half-empty";
    if (bytes === 0) return "zero-length";
    if (offset + bytes > size) return "past-end";
    return offset < from + length && offset + bytes > from ? "into-index" : "present";
  });
  const result = plain.map((state, i) => {
    if (state !== "present") return state;
    const [offset, bytes] = list[i]!;
    const others = list
      .map((entry, at) => [at, ...entry] as const)
      .filter(([at]) => at !== i && plain[at] === "present");
    const same = others.filter(([, start, long]) => start === offset && long === bytes);
    const first = Math.min(i, ...same.map(([at]) => at));
    const isOver = others.some(([at, start, long]) => {
      if (start === offset) return long !== bytes && at < first;
      return start < offset && start + long > offset;
    });
    return isOver ? "overlap" : same.length > 0 ? "shared" : "present";
  });
  const isUsed = Array.from({ length: size }, (_, at) => at >= from && at < from + length);
  list.forEach(([offset, bytes], i) => {
    if (["present", "into-index"].includes(plain[i]!)) isUsed.fill(true, offset, offset + bytes);
  });
  const gaps: number[] = [];
  isUsed.forEach((used, at) => {
    if (used === (isUsed[at - 1] ?? true)) return;
    gaps.push(at);
  });
  if (isUsed.at(-1) === false) gaps.push(size);
  return { states: result, gaps };
}

describe("writeOrderOf", () => {
  const grid = [3, 5];
  const all = Array.from({ length: 15 }, (_, ordinal) => ordinal);
  const morton = (ordinal: number, order: readonly number[]) => {
    const at = coordinatesOf(grid, ordinal);
    const bits = [2, 1, 0].flatMap((bit) => order.toReversed().map((dimension) => (at[dimension]! >> bit) & 1));
    return Number.parseInt(bits.join(""), 2);
  };
  const by = (rank: (ordinal: number) => number) => Uint32Array.from(all.toSorted((a, b) => rank(a) - rank(b)));

  it("names the order, also where chunks are left out", () => {
    const orders = [
      ["C", by((at) => at)],
      ["reverse C", by((at) => -at)],
      ["F", by((at) => (at % 5) * 3 + Math.floor(at / 5))],
      ["Morton", by((at) => morton(at, [0, 1]))],
      ["Morton", by((at) => morton(at, [1, 0]))],
      ["other", by((at) => (at * 7) % 15)],
    ] as const;
    for (const [name, order] of orders) {
      expect(writeOrderOf(order, grid)).toBe(name);
      expect(
        writeOrderOf(
          order.filter((_, i) => i % 7 !== 3),
          grid,
        ),
      ).toBe(name);
    }
  });

  it("names none of fewer than two", () => {
    expect(writeOrderOf(Uint32Array.of(), grid)).toBeUndefined();
    expect(writeOrderOf(Uint32Array.of(3), grid)).toBeUndefined();
    expect(writeOrderOf(Uint32Array.of(0, 1), [2])).toBe("C");
    expect(writeOrderOf(Uint32Array.of(1, 0), [2])).toBe("reverse C");
  });
});

describe("shardEntryError", () => {
  it("says why nothing can be read, and only then", () => {
    const map = mapOf([[0, 4], EMPTY, [99, 4], [-1, 3]], 50, [34, 16], [2, 2]);
    expect(shardEntryError(map, 0)).toBeUndefined();
    expect(shardEntryError(map, 1)).toBeUndefined();
    expect(shardEntryError(map, 2)!.finding).toMatchObject({
      code: "shard-past-end",
      facts: { inner: [1, 0], offset: 99, length: 4, size: 50, others: [] },
    });
    expect(shardEntryError(map, 3)!.finding).toMatchObject({
      code: "shard-half-empty",
      facts: { inner: [1, 1], offset: undefined, length: 3 },
    });
  });
});
