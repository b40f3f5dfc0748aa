import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellCount, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { Raster, RasterSpec } from "#core/open-set.ts";
import { CHANGES, type ChangeKind } from "#core/repository.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import type { ChangedOrdinals } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { rasterOf } from "./raster.ts";
import { indexTable } from "./table-index.ts";

type Kinds = ReadonlyMap<number, ChangeKind>;

function changedOrdinals(kinds: Kinds): ChangedOrdinals {
  const sorted = [...kinds].sort(([a], [b]) => a - b);
  const codes = sorted.map(([, kind]) => CHANGES.indexOf(kind));
  return { ordinals: Float64Array.from(sorted, ([ordinal]) => ordinal), kinds: Uint8Array.from(codes) };
}

function draw(grid: readonly number[], kinds: Kinds | undefined, spec: Omit<RasterSpec, "array" | "colour">) {
  const builder = tableBuilder();
  builder.addArray("a", grid, "/");
  const whole = { ...spec, array: "a", colour: "change" } as const;
  return rasterOf(
    indexTable(builder.build()),
    whole,
    new Map(),
    CONTEXT,
    kinds === undefined ? {} : { changes: changedOrdinals(kinds) },
  );
}

const ORDER: readonly ChangeKind[] = ["removed", "changed", "added", "set"];

/** Codes by definition: each changed chunk, wherever it is, put on its pixel by its coordinates. */
function plainCodes(grid: readonly number[], kinds: Kinds, spec: Omit<RasterSpec, "array" | "colour">, raster: Raster) {
  const codes = new Uint8Array(raster.width * raster.height);
  for (const kind of ORDER.toReversed()) {
    for (const [ordinal, of] of kinds) {
      const at = coordinatesOf(grid, ordinal);
      const shown = (dimension: number) => dimension === spec.rowDimension || dimension === spec.columnDimension;
      if (of !== kind || at.some((one, dimension) => !shown(dimension) && one !== spec.fixed[dimension])) continue;
      const y = (spec.rowDimension === undefined ? 0 : (at[spec.rowDimension] ?? 0)) - spec.rows.from;
      const x = (spec.columnDimension === undefined ? 0 : (at[spec.columnDimension] ?? 0)) - spec.columns.from;
      const [bottom, right] = [spec.rows.to - spec.rows.from, spec.columns.to - spec.columns.from];
      const isDown = spec.rowDimension === undefined || (y >= 0 && y < bottom);
      if (!isDown || (spec.columnDimension !== undefined && (x < 0 || x >= right))) continue;
      const pixel = Math.floor(y / raster.cellsDown) * raster.width + Math.floor(x / raster.cellsAlong);
      codes[pixel] = CHANGES.indexOf(kind) + 1;
    }
  }
  return codes;
}

const drawings = fc.record({
  grid: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
  changed: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...CHANGES)), { maxLength: 60 }),
  turned: fc.boolean(),
  row: fc.nat(),
  column: fc.nat(),
  fixed: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
  from: fc.nat(3),
  size: fc.integer({ min: 1, max: 9 }),
  width: fc.integer({ min: 1, max: 9 }),
  height: fc.integer({ min: 1, max: 9 }),
});

describe("rasterOf, by change", () => {
  it("draws what going over every changed chunk gives", async () => {
    let drawn = 0;
    const property = async (given: typeof drawings extends fc.Arbitrary<infer T> ? T : never) => {
      const { grid, from, size, width, height } = given;
      const kinds = new Map(given.changed.map(([at, kind]) => [at % cellCount(grid), kind]));
      const fixed = grid.map((count, dimension) => (given.fixed[dimension] ?? 0) % count);
      const rowDimension = [...grid.keys(), undefined][given.row % (grid.length + 1)];
      const others = [...grid.keys(), undefined].filter((at) => at === undefined || at !== rowDimension);
      const columnDimension = others[given.column % others.length];
      const window = { from, to: from + size };
      const cut = (dimension: number | undefined) =>
        dimension === undefined ? { from: 0, to: 1 } : { from, to: Math.min(window.to, grid[dimension] ?? 0) };
      const spec = { rowDimension, columnDimension, fixed, width, height };
      const windowed = { ...spec, rows: cut(rowDimension), columns: cut(columnDimension) };
      const raster = await draw(grid, kinds, windowed);
      expect(raster.values).toHaveLength(0);
      expect([...raster.codes]).toEqual([...plainCodes(grid, kinds, windowed, raster)]);
      if (raster.codes.some((code) => code > 0)) drawn += 1;
    };
    await fc.assert(fc.asyncProperty(drawings, property), { numRuns: runs(1000) });
    expect(drawn).toBeGreaterThan(runs(1000) * 0.3);
  });

  it("shows of several chunks on a pixel what is gone before what is new", async () => {
    const spec = { rowDimension: 0, columnDimension: 1, fixed: [0, 0], width: 1, height: 1 };
    const whole = { ...spec, rows: { from: 0, to: 2 }, columns: { from: 0, to: 2 } };
    const code = async (...kinds: ChangeKind[]) =>
      (await draw([2, 2], new Map(kinds.map((kind, at) => [at, kind])), whole)).codes[0];
    expect(await code()).toBe(0);
    expect(await code("added", "removed", "changed")).toBe(CHANGES.indexOf("removed") + 1);
    expect(await code("added", "changed", "added")).toBe(CHANGES.indexOf("changed") + 1);
    expect(await code("set")).toBe(CHANGES.indexOf("set") + 1);
  });

  it("finds few changes in a grid of ordinals past 2^32, and many in a small window", async () => {
    const grid = [70_000, 70_000];
    const far = 69_999 * 70_000 + 69_998;
    const spec = { rowDimension: 0, columnDimension: 1, fixed: [0, 0], width: 2, height: 1 };
    const corner = { ...spec, rows: { from: 69_999, to: 70_000 }, columns: { from: 69_998, to: 70_000 } };
    expect([...(await draw(grid, new Map([[far, "added"]]), corner)).codes]).toEqual([2, 0]);
    const many = new Map(Array.from({ length: 50_000 }, (_, at) => [at * 70_000 + (at % 70_000), "changed" as const]));
    const middle = { ...spec, rows: { from: 40_000, to: 40_001 }, columns: { from: 39_999, to: 40_001 } };
    expect([...(await draw(grid, many, middle)).codes]).toEqual([0, 4]);
  });

  it("is empty where nothing was compared, and of an array without chunks", async () => {
    const window = { from: 0, to: 3 };
    const spec = {
      rowDimension: 0,
      columnDimension: 1,
      fixed: [0, 0],
      width: 3,
      height: 3,
      rows: window,
      columns: window,
    };
    expect([...(await draw([2, 2], undefined, spec)).codes]).toEqual([0, 0, 0, 0]);
    expect(await draw([0, 2], new Map(), spec)).toMatchObject({ width: 0, height: 0 });
  });
});
