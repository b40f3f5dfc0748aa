import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numbered, tickStep } from "./axes.ts";
import {
  CHUNK_SCALE,
  FIT,
  boxOf,
  cellAt,
  cellSize,
  isZoomed,
  lookAt,
  panned,
  pixelRoom,
  reveal,
  windowCamera,
  windowSeen,
  zoomAt,
  type Area,
  type CellView,
  type GridExtent,
} from "./camera.ts";

const extents = fc.record({
  rows: fc.integer({ min: 1, max: 100_000 }),
  columns: fc.integer({ min: 1, max: 100_000 }),
});
const areas = fc.record({ width: fc.integer({ min: 50, max: 2000 }), height: fc.integer({ min: 50, max: 1500 }) });

const viewOf = (extent: GridExtent, area: Area, scale = CHUNK_SCALE): CellView => ({
  extent,
  area,
  scale,
  camera: FIT,
});

describe("the camera", () => {
  it("fits the whole grid at zoom 1", () => {
    fc.assert(
      fc.property(extents, areas, fc.constantFrom(1, 0.25, 3, "fill" as const), (extent, area, aspect) => {
        const view = viewOf(extent, area, { ...CHUNK_SCALE, aspect });
        expect(windowSeen(view)).toEqual({
          rows: { from: 0, to: extent.rows },
          columns: { from: 0, to: extent.columns },
        });
        const cell = cellSize(view);
        expect(cell.width * extent.columns).toBeLessThanOrEqual(area.width + 1e-6);
        expect(cell.height * extent.rows).toBeLessThanOrEqual(area.height + 1e-6);
      }),
    );
  });

  it("shows a window exactly where cells may have any shape, and is led back from it to the whole", () => {
    const spans = fc.tuple(fc.nat(), fc.nat());
    fc.assert(
      fc.property(extents, areas, spans, spans, (extent, area, down, across) => {
        const whole = viewOf(extent, area, { maxFitted: 4096, max: 120, minSide: 24, aspect: "fill" });
        const span = ([from, more]: readonly [number, number], all: number) => {
          const start = from % all;
          return { from: start, to: start + 1 + (more % (all - start)) };
        };
        const window = { rows: span(down, extent.rows), columns: span(across, extent.columns) };
        const view = lookAt(whole, windowCamera(whole, window));
        const seen = windowSeen(view);
        for (const side of ["rows", "columns"] as const) {
          const thin = extent[side] / (side === "rows" ? area.height : area.width);
          expect(Math.abs(seen[side].from - window[side].from)).toBeLessThanOrEqual(1 + thin);
          expect(Math.abs(seen[side].to - window[side].to)).toBeLessThanOrEqual(1 + thin);
        }
        let out = view;
        for (let step = 0; step < 60; step += 1) out = zoomAt(out, 0.5, { x: 10, y: 10 });
        expect(isZoomed(out)).toBe(false);
      }),
    );
    const even = viewOf({ rows: 100, columns: 100 }, { width: 800, height: 600 }, { ...CHUNK_SCALE, aspect: 1 });
    const window = { rows: { from: 10, to: 20 }, columns: { from: 40, to: 60 } };
    const seen = windowSeen(lookAt(even, windowCamera(even, window)));
    expect(seen.rows.from <= 10 && seen.rows.to >= 20 && seen.columns.from <= 40 && seen.columns.to >= 60).toBe(true);
  });

  it("keeps what is under the pointer there while zooming in", () => {
    const at = { x: 300, y: 200 };
    let view = viewOf({ rows: 1000, columns: 1000 }, { width: 800, height: 600 });
    const before = cellAt(view, at);
    for (let step = 0; step < 5; step += 1) view = zoomAt(view, 1.7, at);
    const after = cellAt(view, at);
    expect(Math.abs((after?.row ?? 0) - (before?.row ?? 0))).toBeLessThanOrEqual(2);
    expect(Math.abs((after?.column ?? 0) - (before?.column ?? 0))).toBeLessThanOrEqual(2);
    expect(view.camera.zoom).toBeGreaterThan(10);
  });

  it("never leaves the grid, and shows any cell it is asked to", () => {
    fc.assert(
      fc.property(
        extents.chain((extent) =>
          fc.record({
            extent: fc.constant(extent),
            row: fc.integer({ min: 0, max: extent.rows - 1 }),
            column: fc.integer({ min: 0, max: extent.columns - 1 }),
          }),
        ),
        areas,
        fc.double({ min: 1, max: 5000, noNaN: true }),
        ({ extent, row, column }, area, zoom) => {
          const seen = windowSeen(reveal(lookAt(viewOf(extent, area), { zoom, x: 1e9, y: -5 }), { row, column }));
          expect(row >= seen.rows.from && row < seen.rows.to).toBe(true);
          expect(column >= seen.columns.from && column < seen.columns.to).toBe(true);
          expect(seen.rows.from >= 0 && seen.rows.to <= extent.rows).toBe(true);
        },
      ),
    );
  });

  it("moves what is seen by pixels, as far as there is any", () => {
    const view = lookAt(viewOf({ rows: 100, columns: 100 }, { width: 200, height: 200 }), { zoom: 10, x: 20, y: 30 });
    expect(panned(view, 40, -20).camera).toEqual({ zoom: 10, x: 22, y: 29 });
    expect(panned(view, -1e6, 1e6).camera).toEqual({ zoom: 10, x: 0, y: 90 });
  });

  it("knows what is beside the grid", () => {
    const view = viewOf({ rows: 3, columns: 3 }, { width: 800, height: 600 });
    expect(cellAt(view, { x: 700, y: 10 })).toBeUndefined();
    expect(cellAt(view, { x: 130, y: 10 })).toEqual({ row: 0, column: 1 });
    expect(cellAt(view, { x: -1, y: 10 })).toBeUndefined();
    expect(cellAt(viewOf({ rows: 3, columns: 300 }, { width: 800, height: 600 }), { x: 800, y: 10 })).toBeUndefined();
  });

  it("shows a single row high enough to see", () => {
    expect(cellSize(viewOf({ rows: 1, columns: 10_000 }, { width: 800, height: 600 })).height).toBe(36);
  });

  it("gives cells the aspect that is asked for, at any zoom", () => {
    const view = viewOf({ rows: 90, columns: 90 }, { width: 900, height: 400 }, { ...CHUNK_SCALE, aspect: 2 });
    for (const zoom of [1, 3, 1000]) {
      const cell = cellSize(lookAt(view, { zoom, x: 0, y: 0 }));
      expect(cell.width / cell.height).toBeCloseTo(2, 9);
      expect(cell.width).toBeLessThanOrEqual(CHUNK_SCALE.max);
    }
    const filled = cellSize({ ...view, scale: { ...CHUNK_SCALE, aspect: "fill" } });
    expect([filled.width * 90, filled.height * 90]).toEqual([900, 400]);
  });

  it("gives a window the pixels that its cells take on the screen, no more", () => {
    const view = viewOf({ rows: 10, columns: 4000 }, { width: 800, height: 600 });
    const whole = { rows: { from: 0, to: 10 }, columns: { from: 0, to: 4000 } };
    expect(pixelRoom(view, whole, 2)).toEqual({ width: 1600, height: 72 });
    const { width, height } = boxOf(view, whole);
    expect([width, height]).toEqual([800, 36]);
  });
});

describe("ticks", () => {
  it("stand at round steps that leave room", () => {
    expect(tickStep(56, 20)).toBe(1);
    expect(tickStep(8, 20)).toBe(5);
    expect(tickStep(0.5, 40)).toBe(100);
  });

  it("count from the first cell, at the middle of each", () => {
    const { across, down } = numbered({ row: 1200, column: 0 }, { columns: 30 });
    expect(across({ from: 2.5, to: 6 }, 60)).toEqual([3, 4, 5].map((at) => ({ at: at + 0.5, text: String(at) })));
    expect(down({ from: 0, to: 2 }, 60).map(({ text }) => text)).toEqual(["1,200", "1,201"]);
    expect(down({ from: 0, to: 40 }, 2).map(({ at }) => at)).toEqual([0.5, 10.5, 20.5, 30.5]);
  });
});
