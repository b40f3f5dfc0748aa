import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENTRY_STATES, type EntryState, type ShardMap } from "#core/table/shard-map.ts";
import { firstPlane } from "#widgets/cell-map/plane.ts";
import type { NodeSummary, Raster } from "#core/open-set.ts";
import { orderGradient, orderRaster } from "../cell-colours.ts";
import { entryNear, firstPlaceAfter, movedInFile, orderEntries, rampSteps, spanOf } from "./file-order.ts";
import { bareSentence, bytesText, chunkSentence, faultSentence, ratioText } from "./chunk-sentence.ts";
import { chunkCoordinates, insideCounts, isOutside, markedChunks, sameHover, shardTotals } from "./shard-props.ts";
import type { ShardArray } from "./shard-props.ts";
import { rasterInner } from "./InnerPart.tsx";
import { nearbyEntries } from "./NearbyEntries.tsx";
import { panSpan, revealSpan, zoomSpan } from "#widgets/cell-map/use-byte-span.ts";
import { DEAD, INDEX, leastSpan, rasterStrip } from "./StripPart.tsx";
import { byteAt, rectanglesOf, stripHeight, stripLayout, stripPoint, stripTicks } from "./strip-layout.ts";

interface Entry {
  readonly offset: number;
  readonly length: number;
  readonly state: EntryState;
}

const EMPTY: Entry = { offset: -1, length: 0, state: "empty" };
const present = (offset: number, length: number): Entry => ({ offset, length, state: "present" });

/** A map of entries, the index behind `data` bytes. Derived numbers are only as right as the tests need them. */
function mapOf(entries: readonly Entry[], data: number, more: Partial<ShardMap> = {}): ShardMap {
  const ordered = entries.flatMap(({ state }, inner) => (state === "present" ? [inner] : []));
  ordered.sort((a, b) => (entries[a]?.offset ?? 0) - (entries[b]?.offset ?? 0));
  const length = 16 * entries.length + 4;
  return {
    offsets: Float64Array.from(entries, ({ offset }) => offset),
    lengths: Float64Array.from(entries, ({ length }) => length),
    codes: Uint8Array.from(entries, ({ state }) => ENTRY_STATES.indexOf(state)),
    innerGrid: [entries.length],
    size: data + length,
    index: { offset: data, length },
    counts: ENTRY_STATES.map((wanted) => entries.filter(({ state }) => state === wanted).length),
    inFileOrder: Uint32Array.from(ordered),
    gaps: new Float64Array(),
    bytesUsed: 0,
    bytesDead: 0,
    writeOrder: undefined,
    faults: [],
    faultCount: 0,
    ...more,
  };
}

const anyEntry: fc.Arbitrary<Entry> = fc.oneof(
  fc.constant(EMPTY),
  fc.record({
    offset: fc.integer({ min: 0, max: 300 }),
    length: fc.integer({ min: 0, max: 60 }),
    state: fc.constantFrom<EntryState>("present", "shared", "overlap", "past-end"),
  }),
);
const anyMap = fc.array(anyEntry, { minLength: 1, maxLength: 30 }).map((entries) => mapOf(entries, 250));

describe("the order in the file", () => {
  it("has every entry with bytes once, by offset", () => {
    fc.assert(
      fc.property(anyMap, (map) => {
        const { ordinals, places } = orderEntries(map);
        const wanted = [...map.codes.keys()].filter((inner) => spanOf(map, inner) !== undefined);
        expect([...ordinals].sort((a, b) => a - b)).toEqual(wanted);
        const offsets = [...ordinals].map((inner) => map.offsets[inner] ?? 0);
        expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
        for (const [place, inner] of ordinals.entries()) expect(places[inner]).toBe(place);
      }),
    );
  });

  it("does not lose entries where the map's own order is wrong", () => {
    const map = mapOf([present(10, 5), present(0, 5)], 20, { inFileOrder: Uint32Array.from([0, 1, 1, 0]) });
    expect([...orderEntries(map).ordinals]).toEqual([1, 0]);
  });

  it("skips nothing that reaches past a byte", () => {
    fc.assert(
      fc.property(anyMap, fc.integer({ min: 0, max: 400 }), (map, byte) => {
        const order = orderEntries(map);
        const first = firstPlaceAfter(order, byte);
        const ends = [...order.ordinals].map((inner) => spanOf(map, inner)?.to ?? 0);
        expect(ends.findIndex((end) => end > byte)).toBe(first < ends.length ? first : -1);
      }),
    );
  });

  it("walks along the file by keys", () => {
    const map = mapOf([present(30, 10), EMPTY, present(0, 10), present(10, 20)], 40);
    const order = orderEntries(map);
    const press = (inner: number, key: string) => movedInFile(map, order, inner, { key, row: 20, page: 40 });
    expect(press(2, "ArrowRight")).toBe(3);
    expect(press(0, "ArrowRight")).toBe(0);
    expect(press(2, "ArrowLeft")).toBe(2);
    expect(press(2, "End")).toBe(0);
    expect(press(0, "Home")).toBe(2);
    expect(press(2, "ArrowDown")).toBe(3);
    expect(press(0, "ArrowUp")).toBe(3);
    expect(press(1, "ArrowRight")).toBe(2);
    expect(press(2, "x")).toBeUndefined();
    expect(entryNear(order, 39)).toBe(0);
  });

  it("says nothing where no entry has bytes", () => {
    const map = mapOf([EMPTY, EMPTY], 0);
    const order = orderEntries(map);
    expect(movedInFile(map, order, 0, { key: "ArrowRight", row: 1, page: 1 })).toBeUndefined();
    expect(nearbyEntries(order, 0, 5)).toEqual([]);
  });
});

describe("the strip", () => {
  it("has ticks at round bytes, and at the end", () => {
    const one = stripLayout(4, 257, 700, false);
    expect(stripTicks(one, { from: 0, to: 257 }, 257)).toEqual([0, 50, 100, 150, 200, 257]);
    expect(stripTicks(one, { from: 98, to: 131 }, 257)).toEqual([100, 105, 110, 115, 120, 125, 130]);
  });

  const layout = stripLayout(1000, 1_000_000, 700, false);

  it("has more rows for more chunks, and never too many", () => {
    expect(stripLayout(4, 164, 700, false).rows).toBe(1);
    expect(stripLayout(150, 4_000_000, 700, false).rows).toBe(2);
    expect(stripLayout(1_000_000, 4e9, 1900, false).rows).toBe(3);
    expect(stripHeight(stripLayout(1_000_000, 4e9, 300, true))).toBeLessThan(120);
  });

  it("covers bytes with rectangles of as many pixels as they have", () => {
    const span = fc
      .tuple(fc.nat(1_000_000), fc.nat(1_000_000))
      .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) + 1 }));
    fc.assert(
      fc.property(span, (bytes) => {
        const seen = { from: 0, to: 1_000_001 };
        const boxes = rectanglesOf(layout, seen, bytes);
        const pixels = boxes.reduce((sum, { width }) => sum + width, 0);
        expect(pixels).toBeCloseTo(((bytes.to - bytes.from) / seen.to) * layout.rows * layout.width, 3);
        for (const { x, width } of boxes) {
          expect(x).toBeGreaterThanOrEqual(layout.gutter);
          expect(x + width).toBeLessThanOrEqual(layout.gutter + layout.width + 1e-6);
        }
      }),
    );
  });

  it("finds the byte under a point, and nothing beside the bytes", () => {
    const seen = { from: 1000, to: 2000 };
    const [box] = rectanglesOf(layout, seen, { from: 1500, to: 1501 });
    const place = stripPoint(layout, { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + 3 });
    expect(place && Math.floor(byteAt(layout, seen, place))).toBe(1500);
    expect(stripPoint(layout, { x: 2, y: 20 })).toBeUndefined();
    expect(stripPoint(layout, { x: 200, y: 1e4 })).toBeUndefined();
    expect(rectanglesOf(layout, seen, { from: 0, to: 1000 })).toEqual([]);
  });

  it("zooms at a place, stays inside, and comes back", () => {
    const zoom = fc.record({
      factor: fc.double({ min: 0.1, max: 50, noNaN: true }),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(zoom, { maxLength: 8 }), fc.integer({ min: 1, max: 1e9 }), (steps, size) => {
        let seen = { from: 0, to: size };
        for (const { factor, at } of steps) {
          seen = zoomSpan(seen, factor, at, size, leastSpan(layout, size));
          expect(seen.from).toBeGreaterThanOrEqual(0);
          expect(seen.to).toBeLessThanOrEqual(size * (1 + 1e-12));
          expect(seen.to - seen.from).toBeGreaterThanOrEqual(Math.min(size, leastSpan(layout, size)) * (1 - 1e-9));
        }
        expect(zoomSpan(seen, 1e-12, 0.5, size, 1)).toEqual({ from: 0, to: size });
      }),
    );
    const middle = zoomSpan({ from: 0, to: 1000 }, 4, 0.5, 1000, 1);
    expect(middle).toEqual({ from: 375, to: 625 });
    expect(panSpan(middle, -1000, 1000)).toEqual({ from: 0, to: 250 });
  });

  it("moves no further than needed to show a chunk", () => {
    const seen = { from: 100, to: 200 };
    expect(revealSpan(seen, { from: 150, to: 160 }, 1000)).toEqual(seen);
    expect(revealSpan(seen, { from: 250, to: 260 }, 1000)).toEqual({ from: 160, to: 260 });
    expect(revealSpan(seen, { from: 20, to: 30 }, 1000)).toEqual({ from: 20, to: 120 });
    expect(revealSpan(seen, { from: 300, to: 900 }, 1000)).toEqual({ from: 300, to: 400 });
  });
});

describe("pixels of the strip", () => {
  const owners = (map: ShardMap, pixels: number, seen = { from: 0, to: map.size }) => [
    ...rasterStrip(map, orderEntries(map), seen, pixels),
  ];

  it("are those of the bytes where each byte has its own", () => {
    const map = mapOf([present(0, 2), present(4, 3)], 8);
    expect(owners(map, map.size).slice(0, 9)).toEqual([0, 0, DEAD, DEAD, 1, 1, 1, DEAD, INDEX]);
    expect(owners(map, 4, { from: 4, to: 8 })).toEqual([1, 1, 1, DEAD]);
  });

  it("agree with counting byte by byte", () => {
    fc.assert(
      fc.property(anyMap, (map) => {
        const found = owners(map, map.size);
        const order = orderEntries(map);
        for (const [byte, owner] of found.entries()) {
          const here = [...order.ordinals].filter((inner) => {
            const span = spanOf(map, inner);
            return span !== undefined && span.from <= byte && byte < span.to;
          });
          if (owner >= 0) expect(here).toContain(owner);
          else if (owner === DEAD) expect(here).toEqual([]);
          else expect(byte).toBeGreaterThanOrEqual(map.index.offset);
        }
      }),
    );
  });

  it("show damage, however small, and the index with at least one", () => {
    const many = Array.from({ length: 1000 }, (_, inner) => present(inner * 1000, 1000));
    many[500] = { offset: 500_000, length: 1, state: "overlap" };
    const map = mapOf(many, 1_000_000, { size: 1_000_020, index: { offset: 1_000_000, length: 20 } });
    const found = owners(map, 50);
    expect(found).toContain(500);
    expect(found.filter((owner) => owner === INDEX)).toHaveLength(1);
    expect(found.at(-1)).toBe(INDEX);
  });

  it("are none for a strip without room", () => {
    expect(owners(mapOf([EMPTY], 0), 0)).toEqual([]);
  });
});

describe("the grid of inner chunks", () => {
  it("shows the worst of the chunks of a pixel", () => {
    const entries = Array.from({ length: 16 }, (_, inner): Entry => (inner === 5 ? present(0, 1) : EMPTY));
    entries[15] = { offset: 0, length: 0, state: "zero-length" };
    entries[14] = present(1, 1);
    const map = mapOf(entries, 4, { innerGrid: [4, 4] });
    const window = { rows: { from: 0, to: 4 }, columns: { from: 0, to: 4 } };
    const plane = firstPlane(map.innerGrid, undefined);
    expect([...rasterInner(map, plane, window, { width: 2, height: 2 }).owners]).toEqual([5, 2, 8, 15]);
    expect([...rasterInner(map, plane, window, { width: 4, height: 9 }).owners]).toEqual([...entries.keys()]);
  });

  it("takes any two dimensions at a place of the others", () => {
    const map = mapOf(
      Array.from({ length: 24 }, () => EMPTY),
      0,
      { innerGrid: [2, 3, 4] },
    );
    const window = { rows: { from: 0, to: 2 }, columns: { from: 1, to: 3 } };
    const plane = { row: 0, column: 1, at: [0, 0, 3] };
    expect([...rasterInner(map, plane, window, { width: 9, height: 9 }).owners]).toEqual([7, 11, 19, 23]);
  });

  it("has one cell for a scalar", () => {
    const map = mapOf([EMPTY], 0, { innerGrid: [] });
    const window = { rows: { from: 0, to: 1 }, columns: { from: 0, to: 1 } };
    expect([...rasterInner(map, firstPlane([], undefined), window, { width: 9, height: 9 }).owners]).toEqual([0]);
  });
});

const array: ShardArray = {
  shape: [10, 7],
  chunks: [2, 2],
  chunkBytes: 16,
  fillValue: "-1",
};
const shard = { coordinates: [2, 1], first: [4, 2], key: "a/c/2/1", target: undefined };

describe("sentences", () => {
  const entries = [present(0, 8), EMPTY, { offset: 8, length: 8, state: "shared" } as const, EMPTY];
  const map = mapOf(entries, 16, { innerGrid: [2, 2], gaps: Float64Array.from([4, 6]) });

  it("say where a chunk is, and what it reads as", () => {
    expect(chunkSentence(map, array, shard, 0)).toBe(
      "Inner chunk 4.2, entry 0: bytes 0–7, 8 bytes, compressed 2.00 times.",
    );
    expect(chunkSentence(map, array, shard, 1)).toBe("Inner chunk 4.3, entry 1: empty, reads as fill value -1.");
    expect(chunkSentence(map, array, shard, 2)).toContain("outside the array: never read");
    expect(chunkSentence(map, array, shard, 2)).toContain("8 bytes, compressed 2.00 times, shared bytes");
    expect(chunkSentence(map, array, shard, 3)).toBe("Inner chunk 5.3, entry 3: empty, outside the array.");
  });

  it("name damage instead of a ratio, and no numbers of half an entry", () => {
    const damaged = mapOf(
      [
        { offset: 0, length: 8, state: "overlap" },
        { offset: 2 ** 63, length: 8, state: "half-empty" },
      ],
      16,
    );
    expect(chunkSentence(damaged, array, shard, 0)).toMatch(/: bytes 0–7, 8 bytes, overlaps another/);
    expect(chunkSentence(damaged, array, shard, 1)).toMatch(/: half-empty entry/);
  });

  it("name what is not a chunk's", () => {
    expect(bareSentence(map, { from: 20, to: 21 })).toBe("Index: bytes 16–83, 68 bytes for 4 entries.");
    expect(bareSentence(map, { from: 3.5, to: 4.5 })).toBe("Dead: bytes 4–5, 2 bytes that no entry points at.");
    expect(bareSentence(map, { from: 1, to: 2 })).toBe("Byte 1.");
    expect(bytesText(1000, 1)).toBe("byte 1,000");
    expect(bytesText(1000, 0)).toBe("at byte 1,000");
  });

  it("say what is wrong, with others by their coordinates", () => {
    const text = (fault: Parameters<typeof faultSentence>[2]) => faultSentence(map, shard, fault);
    expect(text({ inner: 0, fault: "overlap", with: [1] })).toContain("overlap those of chunk 4.3:");
    expect(text({ inner: 0, fault: "overlap", with: [1] })).toMatch(/at least one .* is wrong\. It is not read/);
    expect(text({ inner: 0, fault: "overlap", with: [1], isRead: true })).toContain("may be the wrong one");
    expect(text({ inner: 0, fault: "overlap", with: [1, 2] })).toContain("chunks 4.3 and 5.2:");
    expect(text({ inner: 0, fault: "overlap", with: [1, 2, 3, 0, 1] })).toContain("4.3, 5.2, 5.3 and 2 others:");
    expect(text({ inner: 0, fault: "overlap" })).toContain("another chunk");
    expect(text({ inner: 0, fault: "into-index" })).toContain("bytes 16–83");
    expect(text({ inner: 0, fault: "past-end" })).toContain("84 bytes");
    expect(text({ inner: 0, fault: "zero-length" })).toContain("0 bytes at 0");
    expect(text({ inner: 1, fault: "half-empty" })).toContain("Only one of its two numbers");
  });

  it("give ratios only where both sizes are known", () => {
    expect(ratioText(undefined, 4)).toBeUndefined();
    expect(ratioText(16, 0)).toBeUndefined();
    expect(ratioText(1_240_000, 1000)).toBe("1,240×");
    expect(ratioText(9, 10)).toBe("0.90×");
  });
});

describe("a shard at the array's edge", () => {
  it("counts its chunks in the whole array, and those inside it", () => {
    expect(chunkCoordinates(shard, [2, 2], 3)).toEqual([5, 3]);
    expect(isOutside(array, [4, 3])).toBe(false);
    expect(isOutside(array, [5, 3])).toBe(true);
    expect(insideCounts(array, shard, [2, 2])).toEqual([1, 2]);
    expect(insideCounts(array, { first: [18, 0] }, [2, 2])).toEqual([0, 2]);
  });
});

describe("totals", () => {
  it("count shared bytes once as stored and each time as decoded", () => {
    const shared: Entry = { offset: 8, length: 4, state: "shared" };
    const entries = [present(0, 8), shared, shared, EMPTY, { offset: 0, length: 99, state: "overlap" } as const];
    const map = mapOf(entries, 16, { inFileOrder: Uint32Array.from([0, 1]) });
    expect(shardTotals(map, 16)).toEqual({
      all: 5,
      present: 3,
      shared: 2,
      empty: 1,
      damaged: 1,
      stored: 12,
      decoded: 48,
      smallest: 4,
      largest: 8,
    });
    expect(shardTotals(mapOf([EMPTY], 0), undefined)).toMatchObject({ decoded: undefined, smallest: undefined });
  });

  it("name the order", () => {});
});

describe("colours and frames", () => {
  it("go from the first to the last, by place or length", () => {
    const map = mapOf([present(20, 30), present(10, 10), present(0, 10)], 50);
    expect([...rampSteps(map, undefined)]).toEqual([0, 128, 255]);
    expect([...rampSteps(map, { minimum: 10, maximum: 30, longest: 30 })]).toEqual([255, 0, 0]);
    expect(orderGradient()).toMatch(/^linear-gradient\(90deg, light-dark\(/);
  });

  it("are the same in the map: places begin anew in every shard", () => {
    const node = { chunks: [2, 3], shardShape: [4, 6] } as unknown as NodeSummary;
    const values = Float64Array.of(24, 24, -1, 24);
    const raster = { values } as unknown as Raster;
    const places = orderRaster(node, raster, (pixel) => [3, pixel]);
    expect([[...places.values], places.maximum]).toEqual([[2, 3, -1, 3], 3]);
  });

  it("frame a chunk once, the cursor last", () => {
    expect(markedChunks({ selected: 3, cursor: 3, hovered: 3 })).toEqual([
      { inner: 3, token: "--ink" },
      { inner: 3, token: "--focus" },
    ]);
    expect(markedChunks({ selected: undefined, cursor: undefined, hovered: 1 })).toHaveLength(1);
  });

  it("know when the pointer is still over the same thing", () => {
    expect(sameHover({ kind: "chunk", inner: 1 }, { kind: "chunk", inner: 1 })).toBe(true);
    expect(sameHover({ kind: "chunk", inner: 1 }, undefined)).toBe(false);
    expect(sameHover(undefined, undefined)).toBe(true);
    const bare = { kind: "bare", bytes: { from: 1, to: 2 } } as const;
    expect(sameHover(bare, { ...bare })).toBe(true);
  });

  it("keep the neighbours of a chunk together at both ends of the file", () => {
    const map = mapOf(
      Array.from({ length: 9 }, (_, inner) => present(inner, 1)),
      9,
    );
    const order = orderEntries(map);
    expect(nearbyEntries(order, 0, 3)).toEqual([0, 1, 2]);
    expect(nearbyEntries(order, 4, 3)).toEqual([3, 4, 5]);
    expect(nearbyEntries(order, 8, 3)).toEqual([6, 7, 8]);
    expect(nearbyEntries(order, 8, 30)).toHaveLength(9);
  });
});
