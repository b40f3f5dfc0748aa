import * as fc from "fast-check";
import { edgesOf } from "#core/metadata/chunk-grid.ts";
import { describe, expect, it } from "vitest";
import { movedInPanels, panelCellAt, panelCellBox, panelLayout, type PanelInput } from "./panel-layout.ts";
import { panelSlices, panelTitle } from "./panel-slices.ts";

/** Layout of the sample's sst: 24 × 90 × 180 in chunks of 4 × 40 × 64. */
const SST: PanelInput = {
  panels: 6,
  rows: { count: 3, chunk: 40, last: 10, turned: true },
  columns: { count: 3, chunk: 64, last: 52 },
  room: { width: 320, height: 520 },
  title: 20,
};

describe("slices side by side", () => {
  it("stand to the scale of their elements, north up", () => {
    const layout = panelLayout(SST)!;
    expect(layout.across).toBe(2);
    const box = (row: number) => panelCellBox(layout, { panel: 0, row, column: 0 });
    expect(box(2).y).toBeLessThan(box(1).y);
    expect(box(1).y).toBeLessThan(box(0).y);
    expect(box(2).height / box(1).height).toBeCloseTo(10 / 40, 1);
  });

  it("are given up where cells would be too small to be told apart", () => {
    expect(panelLayout({ ...SST, room: { width: 60, height: 60 } })).toBeUndefined();
    expect(panelLayout({ ...SST, panels: 1000 })).toBeUndefined();
    expect(panelLayout({ ...SST, rows: { count: 100, chunk: 1, last: 1 } })).toBeUndefined();
  });

  it("lie inside the room, apart from each other, and are found again where they are drawn", () => {
    const side = fc.record({
      count: fc.integer({ min: 1, max: 12 }),
      chunk: fc.constant(10),
      last: fc.integer({ min: 1, max: 10 }),
      turned: fc.boolean(),
    });
    const room = fc.record({ width: fc.integer({ min: 100, max: 900 }), height: fc.integer({ min: 100, max: 900 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), side, side, room, (panels, rows, columns, room) => {
        const layout = panelLayout({ panels, rows, columns, room, title: 20 });
        if (layout === undefined) return;
        for (const panel of [0, panels - 1]) {
          for (const row of [0, rows.count - 1]) {
            for (const column of [0, columns.count - 1]) {
              const place = { panel, row, column };
              const { x, y, width, height } = panelCellBox(layout, place);
              expect(x + width).toBeLessThanOrEqual(room.width + 1e-6);
              expect(y + height).toBeLessThanOrEqual(room.height + 1e-6);
              expect(panelCellAt(layout, panels, { x: x + width / 2, y: y + height / 2 })).toEqual(place);
            }
          }
        }
      }),
    );
  });

  it("of unequal chunks are to scale as well, where none is too thin to be hit", () => {
    const extents = [1, 30, 60, 9];
    const layout = panelLayout({ ...SST, rows: { count: 4, chunk: 60, last: 9, extents, turned: true } })!;
    const heights = layout.rows.map(({ length }) => length);
    expect((heights[2] ?? 0) / (heights[1] ?? 1)).toBeCloseTo(2, 6);
    expect(heights[0]).toBe(5);
    const total = heights.reduce((sum, height) => sum + height, 0) + 3 * 2;
    expect(total).toBeCloseTo(layout.panel.height, 6);
    // Turned: the last stands first.
    expect(layout.rows[3]?.from).toBeCloseTo(0, 6);
    for (const [row] of extents.entries()) {
      const { x, y, width, height } = panelCellBox(layout, { panel: 1, row, column: 2 });
      const place = panelCellAt(layout, 6, { x: x + width / 2, y: y + height / 2 });
      expect(place).toEqual({ panel: 1, row, column: 2 });
    }
  });

  it("have for unequal chunks the elements of each, for unequal shards their chunks, and titles by either", () => {
    const edges = (length: number, lengths: readonly number[]) =>
      edgesOf(
        length,
        lengths.map((one) => ({ length: one, count: 1 })),
      ) ?? 1;
    const node = {
      grid: [2, 6, 3],
      shape: [59, 12, 12],
      chunks: [edges(59, [31, 28]), 2, edges(12, [5, 1, 8])],
      shardShape: [edges(59, [31, 28]), edges(12, [4, 8]), edges(12, [5, 1, 8])],
    };
    const slices = panelSlices(node, { row: 1, column: 2, at: [0, 0, 0] }, () => undefined);
    expect(slices.columns).toEqual({ count: 3, chunk: 8, last: 6, extents: [5, 1, 6] });
    expect(slices.rows).toMatchObject({ count: 6, chunk: 2, last: 2 });
    expect(slices.shard?.rows).toEqual({ lengths: [2, 4], chunks: [0, 1], starts: [0, 2], count: 2 });
    expect([0, 1].map((panel) => panelTitle(slices, () => undefined, panel))).toEqual([
      "dimension 0 0–30",
      "dimension 0 31–58",
    ]);
  });

  it("are walked by what is seen, from panel to panel", () => {
    const layout = panelLayout(SST)!;
    const move = (place: { panel: number; row: number; column: number }, key: string, ctrl = false) =>
      movedInPanels(layout, 6, place, { key, ctrl });
    expect(move({ panel: 0, row: 0, column: 0 }, "ArrowUp")).toEqual({ panel: 0, row: 1, column: 0 });
    expect(move({ panel: 0, row: 0, column: 1 }, "ArrowDown")).toEqual({ panel: 2, row: 2, column: 1 });
    expect(move({ panel: 0, row: 0, column: 2 }, "ArrowRight")).toEqual({ panel: 1, row: 0, column: 0 });
    expect(move({ panel: 1, row: 0, column: 2 }, "ArrowRight")).toEqual({ panel: 1, row: 0, column: 2 });
    expect(move({ panel: 5, row: 1, column: 1 }, "PageDown")).toEqual({ panel: 5, row: 1, column: 1 });
    expect(move({ panel: 3, row: 1, column: 1 }, "Home", true)).toEqual({ panel: 0, row: 2, column: 0 });
    expect(move({ panel: 3, row: 1, column: 1 }, "x")).toBeUndefined();
  });
});

describe("what a panel is called", () => {
  const node = { grid: [6, 3, 3], shape: [24, 90, 180], chunks: [4, 40, 64], dimensionNames: ["time", "lat", "lon"] };
  const slices = panelSlices(node, { row: 1, column: 2, at: [0, 0, 0] }, () => undefined);
  const days = (first: string, count: number) => ({
    array: "time",
    role: "time" as const,
    units: undefined,
    values: {
      kind: "dates" as const,
      nanoseconds: BigInt64Array.from(
        { length: count },
        (_, at) => BigInt(Date.parse(first) + at * 86_400_000) * 1_000_000n,
      ),
    },
  });

  it("is days where its coordinates are known, else positions", () => {
    expect(panelTitle(slices, () => undefined, 1)).toBe("time 4–7");
    expect(panelTitle(slices, () => days("2026-01-01", 24), 1)).toBe("Jan 5 – 8");
    expect(panelTitle(slices, () => days("2026-01-28", 24), 0)).toBe("Jan 28 – 31");
    expect(panelTitle(slices, () => days("2026-01-30", 24), 0)).toBe("Jan 30 – Feb 2");
    // Titles that span two years name the year.
    expect(panelTitle(slices, () => days("2025-12-30", 24), 0)).toBe("2025-12-30 – 2026-01-02");
  });

  it("has a place for each chunk, and a chunk for each place", () => {
    expect(slices.placeOf([4, 2, 1])).toEqual({ panel: 4, row: 2, column: 1 });
    expect(slices.coordinatesOf({ panel: 4, row: 2, column: 1 })).toEqual([4, 2, 1]);
    expect(slices.placeOf([4, 2])).toBeUndefined();
  });
});
