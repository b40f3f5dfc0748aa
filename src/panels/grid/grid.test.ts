import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Raster } from "../../core/open-set.ts";
import { STATES, STATE_CODE } from "../../core/reference.ts";
import { CHANGES } from "../../core/repository.ts";
import { mixed, packed, parseRgb, type Rgb } from "../../widgets/canvas-colours.ts";
import { FIT, cellAt, cellSize, clampCamera, reveal, tickStep, windowSeen, zoomAt } from "../../widgets/cell-camera.ts";
import {
  TOKENS,
  lengthShare,
  noneColour,
  pixelColours,
  stateColour,
  targetColour,
  type Palette,
} from "./cell-colours.ts";
import { cellSentence } from "./cell-sentence.ts";
import { scaleSentence, windowSentence } from "./legend-text.ts";
import {
  coordinatesAt,
  elementSpan,
  extentOf,
  firstPlane,
  movedPlace,
  placeOf,
  slidDimensions,
  withDimension,
} from "../../widgets/grid-plane.ts";

const extents = fc.record({
  rows: fc.integer({ min: 1, max: 100_000 }),
  columns: fc.integer({ min: 1, max: 100_000 }),
});
const areas = fc.record({ width: fc.integer({ min: 50, max: 2000 }), height: fc.integer({ min: 50, max: 1500 }) });

describe("the camera", () => {
  it("fits the whole grid at zoom 1", () => {
    fc.assert(
      fc.property(extents, areas, (extent, area) => {
        const seen = windowSeen(FIT, extent, area);
        expect(seen).toEqual({ rows: { from: 0, to: extent.rows }, columns: { from: 0, to: extent.columns } });
        const cell = cellSize(extent, area, 1);
        expect(cell.width * extent.columns).toBeLessThanOrEqual(area.width + 1e-6);
        expect(cell.height * extent.rows).toBeLessThanOrEqual(area.height + 1e-6);
      }),
    );
  });

  it("keeps what is under the pointer there while zooming in", () => {
    const extent = { rows: 1000, columns: 1000 };
    const area = { width: 800, height: 600 };
    const at = { x: 300, y: 200 };
    let camera = FIT;
    const before = cellAt(camera, at, extent, area);
    for (let step = 0; step < 5; step += 1) camera = zoomAt(camera, 1.7, at, extent, area);
    const after = cellAt(camera, at, extent, area);
    expect(Math.abs((after?.row ?? 0) - (before?.row ?? 0))).toBeLessThanOrEqual(2);
    expect(Math.abs((after?.column ?? 0) - (before?.column ?? 0))).toBeLessThanOrEqual(2);
    expect(camera.zoom).toBeGreaterThan(10);
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
          const camera = reveal(clampCamera({ zoom, x: 1e9, y: -5 }, extent, area), { row, column }, extent, area);
          const seen = windowSeen(camera, extent, area);
          expect(row >= seen.rows.from && row < seen.rows.to).toBe(true);
          expect(column >= seen.columns.from && column < seen.columns.to).toBe(true);
          expect(seen.rows.from >= 0 && seen.rows.to <= extent.rows).toBe(true);
        },
      ),
    );
  });

  it("knows what is beside the grid", () => {
    expect(cellAt(FIT, { x: 700, y: 10 }, { rows: 3, columns: 3 }, { width: 800, height: 600 })).toBeUndefined();
    expect(cellAt(FIT, { x: 130, y: 10 }, { rows: 3, columns: 3 }, { width: 800, height: 600 })).toEqual({
      row: 0,
      column: 1,
    });
  });

  it("shows a single row high enough to see", () => {
    expect(cellSize({ rows: 1, columns: 10_000 }, { width: 800, height: 600 }, 1).height).toBe(36);
  });

  it("labels at round steps that leave room", () => {
    expect(tickStep(56, 20)).toBe(1);
    expect(tickStep(8, 20)).toBe(5);
    expect(tickStep(0.5, 40)).toBe(100);
  });
});

describe("the plane", () => {
  it.each([
    [[], { row: undefined, column: undefined }],
    [[7], { row: undefined, column: 0 }],
    [[3, 4], { row: 0, column: 1 }],
    [[6, 3, 3], { row: 1, column: 2 }],
    [[24, 1, 1], { row: 0, column: 2 }],
    [[24, 1, 5, 1], { row: 0, column: 2 }],
    [[1, 1], { row: 0, column: 1 }],
  ])("of %j shows %j at first", (grid, shown) => {
    expect(firstPlane(grid, undefined)).toMatchObject(shown);
  });

  it("maps places to coordinates and back", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 }), fc.nat(), (grid, seed) => {
        const chunk = grid.map((count, dimension) => (seed + dimension * 7) % count);
        const plane = firstPlane(grid, chunk);
        const place = placeOf(plane, chunk);
        expect(place).toBeDefined();
        expect(coordinatesAt(plane, place!)).toEqual(chunk);
        const extent = extentOf(grid, plane);
        expect(place!.row < extent.rows && place!.column < extent.columns).toBe(true);
      }),
    );
  });

  it("does not place a chunk of another slice", () => {
    expect(placeOf({ row: 1, column: 2, fixed: [0, 0, 0] }, [1, 0, 0])).toBeUndefined();
    expect(placeOf({ row: 1, column: 2, fixed: [0, 0, 0] }, [0, 0])).toBeUndefined();
  });

  it("swaps the two dimensions when one is chosen for both", () => {
    const plane = firstPlane([6, 3, 3], undefined);
    expect(withDimension(plane, "row", 2)).toMatchObject({ row: 2, column: 1 });
    expect(withDimension(plane, "row", 0)).toMatchObject({ row: 0, column: 2 });
    expect(slidDimensions([6, 3, 3], plane)).toEqual([0]);
    expect(slidDimensions([1, 3, 3], plane)).toEqual([]);
  });

  it("moves the cursor inside the grid only", () => {
    const extent = { rows: 4, columns: 5 };
    const press = (key: string, ctrl = false) => ({ key, ctrl });
    expect(movedPlace({ row: 0, column: 0 }, press("ArrowUp"), extent, 3)).toEqual({ row: 0, column: 0 });
    expect(movedPlace({ row: 0, column: 0 }, press("PageDown"), extent, 3)).toEqual({ row: 2, column: 0 });
    expect(movedPlace({ row: 1, column: 1 }, press("End"), extent, 3)).toEqual({ row: 1, column: 4 });
    expect(movedPlace({ row: 1, column: 1 }, press("End", true), extent, 3)).toEqual({ row: 3, column: 4 });
    expect(movedPlace({ row: 1, column: 1 }, press("x"), extent, 3)).toBeUndefined();
  });

  it("names the elements of a chunk, cut at the edge", () => {
    expect(elementSpan(24, 4, 2)).toBe("8–11");
    expect(elementSpan(90, 40, 2)).toBe("80–89");
    expect(elementSpan(24, 1, 5)).toBe("5");
  });
});

describe("colours", () => {
  const distinct = (at: number): Rgb => ({ r: at * 15, g: 255 - at * 10, b: (at * 37) % 256 });
  const palette = Object.fromEntries(TOKENS.map((name, at) => [name, distinct(at)])) as unknown as Palette;
  const raster = (part: Partial<Raster>): Raster => ({
    width: 3,
    height: 1,
    cellsDown: 1,
    cellsAlong: 1,
    codes: new Uint8Array(0),
    values: new Float64Array(0),
    minimum: undefined,
    maximum: undefined,
    ...part,
  });

  it("reads what browsers write", () => {
    expect(parseRgb("rgb(11, 98, 187)")).toEqual({ r: 11, g: 98, b: 187 });
    expect(parseRgb("rgba(1, 2, 3, 0.5)")).toEqual({ r: 1, g: 2, b: 3 });
    expect(packed({ r: 1, g: 2, b: 3 })).toBe(0xff030201);
  });

  it("gives each state its colour", () => {
    const colours = pixelColours(raster({ codes: Uint8Array.of(0, 3, 5) }), "state", palette);
    expect([...colours]).toEqual([
      packed(stateColour(palette, "missing")),
      packed(palette["--range"]),
      packed(palette["--bad"]),
    ]);
  });

  it("gives every state a colour of its own", () => {
    const codes = Uint8Array.from(STATES.keys());
    const colours = pixelColours(raster({ width: STATES.length, codes }), "state", palette);
    expect(new Set(colours).size).toBe(STATES.length);
    expect(colours[STATE_CODE.virtual]).toBe(packed(palette["--virtual"]));
  });

  it("gives each kind of change its colour, and hardly any to what did not change", () => {
    const codes = Uint8Array.from({ length: CHANGES.length + 1 }, (_, code) => code);
    const [unchanged, ...kinds] = pixelColours(raster({ width: codes.length, codes }), "change", palette);
    expect(kinds).toEqual(CHANGES.map((kind) => packed(palette[`--${kind}`])));
    expect(unchanged).toBe(packed(mixed(palette["--bg"], palette["--missing"], 0.2)));
  });

  it("never draws a failed reading like a missing or an untried chunk", () => {
    const colours = pixelColours(raster({ codes: Uint8Array.of(0, 1, 2) }), "reading", palette);
    expect(new Set(colours).size).toBe(3);
    expect(colours[2]).not.toBe(packed(stateColour(palette, "missing")));
  });

  it("gives targets different colours, and none to chunks without one", () => {
    const colours = pixelColours(raster({ values: Float64Array.of(0, 1, 2) }), "target", palette);
    expect(colours[0]).toBe(packed(noneColour(palette)));
    expect(colours[1]).not.toBe(colours[2]);
    const many = new Set(Array.from({ length: 24 }, (_, id) => packed(targetColour(palette, id))));
    expect(many.size).toBe(24);
  });

  it("draws lengths from shortest to longest", () => {
    const values = Float64Array.of(-1, 100, 900);
    const colours = pixelColours(raster({ values, minimum: 100, maximum: 900 }), "length", palette);
    expect(new Set(colours).size).toBe(3);
    expect(lengthShare(100, 100, 900)).toBe(0);
    expect(lengthShare(900, 100, 900)).toBe(1);
    expect(lengthShare(7, 7, 7)).toBe(1);
  });

  it("says when a pixel is several chunks", () => {
    expect(scaleSentence(raster({}), "state")).toBe("");
    expect(scaleSentence(raster({ cellsDown: 4, cellsAlong: 4 }), "state")).toBe(
      "1 pixel = 4 × 4 chunks, the worst is shown",
    );
    const window = { rows: { from: 0, to: 10 }, columns: { from: 5, to: 10 } };
    const extent = { rows: 10, columns: 10 };
    expect(windowSentence(window, extent, 600)).toContain("columns 5–9 of 10");
    const whole = { ...window, columns: { from: 0, to: 10 } };
    expect(windowSentence(whole, extent, 600)).toBe("100 of 600 chunks in this slice");
    expect(windowSentence(whole, extent, 100)).toBe("100 chunks, all in sight");
  });
});

describe("what is said of a cell", () => {
  it("names state, target and size, and what a missing chunk reads as", () => {
    const row = { key: "a/0", state: "range", target: "x.nc", offset: 10, length: 5000 } as never;
    expect(cellSentence({ key: "a/0", row, result: "failed" }, "0")).toBe(
      "a/0: range, x.nc, offset 10, 5,000 bytes, reading failed",
    );
    const native = { key: "a/2", state: "native", target: "chunks/ID", offset: 0, length: 7 } as never;
    expect(
      cellSentence({ key: "a/2", row: native, result: "not tried", change: "added between the snapshots" }, "0"),
    ).toBe("a/2: native, added between the snapshots, chunks/ID, offset 0, 7 bytes");
    const missing = { key: "a/1", state: "missing" } as never;
    expect(cellSentence({ key: "a/1", row: missing, result: "not tried" }, "-1")).toContain("fill value -1");
  });
});
