import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellCount, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { nodeAt } from "#core/findings/fact.ts";
import type { Raster, RasterColour, RasterSpec } from "#core/open-set.ts";
import { STATE_CODE, type ChunkState, type KeptReading, type ReadingResult } from "#core/table/reference.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import { CONTEXT, LISTED_CELLS, missingRow, plainSets, scopeRows, tableOf } from "../fixtures/plain-table.ts";
import type { PlainRow } from "../fixtures/plain-table.ts";
import { rasterOf } from "./raster.ts";
import { indexTable } from "./table-index.ts";

const WORST: readonly ChunkState[] = ["bad", "missing", "range", "virtual", "whole", "inline", "native"];

const readingOf = (result: ReadingResult): KeptReading => ({ result: result === "failed" ? "failed" : "ok" });

/** A picture by the definition: every cell of the window, one after the other. */
function plainRaster(grid: readonly number[], rows: readonly PlainRow[], results: Results, spec: RasterSpec): Raster {
  const { rowDimension, columnDimension, colour } = spec;
  const byCoordinates = new Map(rows.map((row) => [String(row.coordinates), row]));
  const count = (dimension: number | undefined): number => (dimension === undefined ? 1 : (grid[dimension] ?? 0));
  const cut = ({ from, to }: RasterSpec["rows"], most: number) => [Math.min(from, most), Math.min(to, most)] as const;
  const [top, bottom] = cut(spec.rows, count(rowDimension));
  const [left, right] = cut(spec.columns, count(columnDimension));
  const empty = grid.includes(0);
  const cellsDown = empty ? 1 : Math.max(1, Math.ceil((bottom - top) / spec.height));
  const cellsAlong = empty ? 1 : Math.max(1, Math.ceil((right - left) / spec.width));
  const width = empty ? 0 : Math.max(0, Math.ceil((right - left) / cellsAlong));
  const height = empty ? 0 : Math.max(0, Math.ceil((bottom - top) / cellsDown));
  const codes: number[] = [];
  const values: number[] = [];
  const lengths: number[] = [];
  for (let i = 0; i < height; i += 1) {
    for (let j = 0; j < width; j += 1) {
      const cells: { row: PlainRow; ordinal: number; result: ReadingResult | undefined }[] = [];
      for (let y = top + i * cellsDown; y < Math.min(bottom, top + (i + 1) * cellsDown); y += 1) {
        for (let x = left + j * cellsAlong; x < Math.min(right, left + (j + 1) * cellsAlong); x += 1) {
          const at = grid.map((_, d) => (d === rowDimension ? y : d === columnDimension ? x : (spec.fixed[d] ?? 0)));
          const ordinal = at.reduce((sum, coordinate, d) => sum * (grid[d] ?? 1) + coordinate, 0);
          const row = byCoordinates.get(String(at)) ?? missingRow({ path: "", grid, separator: "." }, ordinal);
          cells.push({ row, ordinal, result: results.get(ordinal) });
        }
      }
      cells.sort((a, b) => a.ordinal - b.ordinal);
      lengths.push(...cells.flatMap(({ row }) => row.length ?? []));
      const worst = WORST.find((state) => cells.some(({ row }) => row.state === state)) ?? "missing";
      const failed = cells.some(({ result }) => result === "failed");
      const ok = cells.some(({ result }) => result === "ok");
      if (colour === "state") codes.push(STATE_CODE[worst]);
      if (colour === "reading") codes.push(failed ? 2 : ok ? 1 : 0);
      if (colour === "target")
        values.push((cells.find(({ row }) => row.targetId !== undefined)?.row.targetId ?? -1) + 1);
      if (colour === "length") values.push(Math.max(-1, ...cells.map(({ row }) => row.length ?? -1)));
    }
  }
  const range = colour === "length" && lengths.length > 0;
  return {
    width,
    height,
    cellsDown,
    cellsAlong,
    codes: Uint8Array.from(codes),
    values: Float64Array.from(values),
    minimum: range ? Math.min(...lengths) : undefined,
    maximum: range ? Math.max(...lengths) : undefined,
  };
}

type Results = ReadonlyMap<number, ReadingResult>;

const colours: readonly RasterColour[] = ["state", "target", "length", "reading"];

/** Windows of up to 30 cells each way around a place that has a reference, so that there is something to see. */
const windows = fc.record({
  path: fc.nat(),
  near: fc.nat(),
  down: fc.nat(),
  along: fc.nat(),
  before: fc.nat(7),
  size: fc.integer({ min: 0, max: 30 }),
  width: fc.integer({ min: 1, max: 12 }),
  height: fc.integer({ min: 1, max: 12 }),
  colour: fc.constantFrom(...colours),
});

describe("rasterOf", () => {
  it("draws what going over every cell gives", async () => {
    let drawn = 0;
    const property = async (
      set: Parameters<typeof tableOf>[0],
      drawing: typeof windows extends fc.Arbitrary<infer T> ? T : never,
    ) => {
      // oxfmt-ignore
      const slot = set.arrays[drawing.path % set.arrays.length];
      fc.pre(slot?.grid !== undefined);
      const { path, grid = [] } = slot ?? { path: "" };
      const rows = scopeRows(set, path).filter(
        ({ coordinates, state }) => coordinates !== undefined && state !== "missing",
      );
      const center = rows[drawing.near % Math.max(1, rows.length)]?.coordinates ?? grid.map(() => 0);
      const rowDimension =
        grid.length === 0 ? undefined : [...grid.keys(), undefined][drawing.down % (grid.length + 1)];
      const others = [...grid.keys(), undefined].filter((at) => at === undefined || at !== rowDimension);
      const columnDimension = others[drawing.along % others.length];
      const around = (dimension: number | undefined) => {
        const from = dimension === undefined ? 0 : Math.max(0, (center[dimension] ?? 0) - drawing.before);
        return { from, to: from + drawing.size };
      };
      const results: Results = new Map(
        rows.flatMap(({ coordinates = [] }, at) => {
          const ordinal = coordinates.reduce((sum, one, d) => sum * (grid[d] ?? 1) + one, 0);
          return at % 3 === 0 ? [] : [[ordinal, at % 2 === 0 ? "ok" : "failed"] as const];
        }),
      );
      const { width, height, colour } = drawing;
      const spec = { array: path, rowDimension, columnDimension, fixed: center, colour, width, height };
      const windowed = { ...spec, rows: around(rowDimension), columns: around(columnDimension) };
      const raster = await rasterOf(
        indexTable(tableOf(set)),
        windowed,
        new Map([[path, new Map([...results].map(([ordinal, result]) => [ordinal, readingOf(result)]))]]),
        CONTEXT,
      );
      expect(raster).toEqual(plainRaster(grid, rows, results, windowed));
      if (raster.values.some((value) => value > 0) || raster.codes.some((code) => code > 0)) drawn += 1;
    };
    await fc.assert(fc.asyncProperty(plainSets, windows, property), { numRuns: runs(1000) });
    expect(drawn).toBeGreaterThan(runs(1000) * 0.1);
  });

  it("goes through the references of a huge grid, or looks up the cells of a small window: the same picture", async () => {
    const builder = tableBuilder();
    const grid = [20_000, 50_000];
    const array = builder.addArray("huge", grid, ".");
    const target = builder.addTarget("x");
    const kept: number[] = [];
    for (let n = 0; n < 20_000; n += 1) {
      const ordinal = (n * 49_999_991) % cellCount(grid);
      builder.addRange(array, ordinal, target, n, ordinal % 1000);
      kept.push(ordinal);
    }
    const index = indexTable(builder.build());
    expect(cellCount(grid)).toBeGreaterThan(LISTED_CELLS);
    const draw = (rows: RasterSpec["rows"], columns: RasterSpec["columns"]) => {
      const plane = { array: "huge", rowDimension: 0, columnDimension: 1, fixed: [0, 0], rows, columns };
      return rasterOf(index, { ...plane, colour: "length", width: 500, height: 400 }, new Map(), CONTEXT);
    };
    const whole = await draw({ from: 0, to: 20_000 }, { from: 0, to: 50_000 });
    expect([whole.width, whole.height, whole.cellsDown, whole.cellsAlong]).toEqual([500, 400, 50, 100]);
    const expected = new Float64Array(500 * 400).fill(-1);
    for (const ordinal of kept) {
      const [y = 0, x = 0] = coordinatesOf(grid, ordinal);
      const pixel = Math.floor(y / 50) * 500 + Math.floor(x / 100);
      expected[pixel] = Math.max(expected[pixel] ?? -1, ordinal % 1000);
    }
    expect(whole.values).toEqual(expected);
    const [y = 0, x = 0] = coordinatesOf(grid, kept[777] ?? 0);
    const small = await draw({ from: y, to: y + 3 }, { from: x, to: x + 2 });
    expect([small.width, small.height]).toEqual([Math.min(2, 50_000 - x), Math.min(3, 20_000 - y)]);
    expect(small.values[0]).toBe((kept[777] ?? 0) % 1000);
  });

  it("gives a pixel of many cells the target of the lowest ordinal, whichever way the grid is turned", async () => {
    const builder = tableBuilder();
    const array = builder.addArray("a", [2, 2], ".");
    builder.addWhole(array, 2, builder.addTarget("second"));
    builder.addWhole(array, 1, builder.addTarget("first"));
    const index = indexTable(builder.build());
    const window = { from: 0, to: 2 };
    const size = { width: 1, height: 1, rows: window, columns: window, colour: "target" as const, fixed: [] };
    for (const [rowDimension, columnDimension] of [
      [0, 1],
      [1, 0],
    ] as const) {
      // oxfmt-ignore
      const raster = await rasterOf(index, { array: "a", rowDimension, columnDimension, ...size }, new Map(), CONTEXT);
      expect([...raster.values]).toEqual([2]);
    }
  });

  it("draws nothing of an array without a grid, and refuses planes that are none", async () => {
    const builder = tableBuilder();
    builder.addArray("unknown", undefined, ".");
    builder.addArray("a", [2, 3], ".");
    const index = indexTable(builder.build());
    const draw = (
      array: string,
      rowDimension: number | undefined,
      columnDimension: number,
      fixed: readonly number[],
    ) => {
      const window = { from: 0, to: 10 };
      const size = { width: 10, height: 10, rows: window, columns: window, colour: "state" as const };
      return rasterOf(index, { array, rowDimension, columnDimension, fixed, ...size }, new Map(), CONTEXT);
    };
    expect(await draw("unknown", 0, 1, [])).toMatchObject({ width: 0, height: 0 });
    expect(await draw("a", undefined, 1, [1, 0])).toMatchObject({ width: 3, height: 1 });
    const plane = (problem: string, dimension: number, coordinate?: number) => ({
      finding: { code: "plane-invalid", place: nodeAt("a"), facts: { problem, dimension, coordinate } },
    });
    await expect(draw("a", 1, 1, [0, 0])).rejects.toMatchObject(plane("same-dimension", 1));
    await expect(draw("a", 0, 2, [0, 0])).rejects.toMatchObject(plane("dimension", 2));
    await expect(draw("a", undefined, 1, [2, 0])).rejects.toMatchObject(plane("coordinate", 0, 2));
    await expect(draw("none", 0, 1, [])).rejects.toMatchObject({ code: "no-such-array" });
  });
});
