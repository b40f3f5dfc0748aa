/** Planes of the sample: tiles put together are what `readPart` gives, by any steps; costs are told before. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { besideText } from "#core/cf/axis.ts";
import { gridOf } from "#core/metadata/chunk-grid.ts";
import { planeChunks, planeExtent, type Plane } from "#core/plane/plane.ts";
import type { EngineEvent } from "#core/engine-event.ts";
import { createEngine, type Engine } from "../engine.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openLocal } from "../testing/open-files.ts";

const SAMPLES = resolve(import.meta.dirname, "../../../public/samples");
const SHAPE = [24, 90, 180];
const PLANE: Plane = { row: 1, column: 2, at: [2, 0, 0] };

async function sample(name: string): Promise<{ readonly engine: Engine; readonly set: number }> {
  const engine = createEngine();
  const files = Object.fromEntries(
    [name, "ocean-a.nc", "ocean-b.nc"].map((file) => [file, new Uint8Array(readFileSync(join(SAMPLES, file)))]),
  );
  return { engine, set: await openLocal(engine, files) };
}

const PLAIN = { zarr_format: 2, dtype: "|u1", compressor: null, filters: null, order: "C", fill_value: null };
const UNTOUCHED = -9999;
const CHUNKS = [4, 40, 64];

async function plane(engine: Engine, set: number, asked: Plane, step: number, scaled: boolean) {
  const extent = planeExtent(asked, SHAPE);
  const columns = Math.ceil(extent.columns / step);
  const values = new Float64Array(Math.ceil(extent.rows / step) * columns).fill(UNTOUCHED);
  const of = planeChunks(asked, gridOf(SHAPE, CHUNKS), CHUNKS);
  const wanted = Array.from({ length: of.rows * of.columns }, (_, at) =>
    of.at(Math.floor(at / of.columns), at % of.columns),
  );
  const steps = { down: step, across: step };
  const tiles = await Promise.all(
    wanted.map((coordinates) =>
      engine.call("plane.tile", { set, array: "sst", plane: asked, coordinates, steps, scaled }, CONTEXT),
    ),
  );
  for (const tile of tiles) {
    if (tile.kind !== "values") continue;
    for (let row = 0; row < tile.rows; row += 1) {
      const part = tile.values.subarray(row * tile.columns, (row + 1) * tile.columns);
      values.set(part, (tile.top + row) * columns + tile.left);
    }
  }
  return { values, tiles, columns };
}

describe("a plane of the sample", () => {
  it("is told its cost, which falls to nothing once it is read", async () => {
    const { engine, set } = await sample("ocean.v1.json");
    const asked = { set, array: "sst", plane: PLANE };
    const before = await engine.call("plane.cost", asked, CONTEXT);
    expect(before).toMatchObject({ chunks: 9, missing: 0, kept: 0, unknown: 0, ofUnknownLength: 0, targets: 1 });
    expect(before.requests).toBeLessThanOrEqual(9);
    expect(before.bytes).toBeGreaterThan(10_000);
    await plane(engine, set, PLANE, 1, true);
    expect(await engine.call("plane.cost", asked, CONTEXT)).toMatchObject({
      chunks: 9,
      kept: 9,
      requests: 0,
      bytes: 0,
    });
  });

  it("put together by steps is every n-th element of the whole", async () => {
    const { engine, set } = await sample("ocean.v1.json");
    const whole = await plane(engine, set, PLANE, 1, true);
    expect(whole.values).toHaveLength(90 * 180);
    expect(whole.values.includes(UNTOUCHED)).toBe(false);
    for (const step of [2, 3, 7, 50]) {
      const { values, columns } = await plane(engine, set, PLANE, step, true);
      const rows = values.length / columns;
      const expected = Float64Array.from(values, (_, at) => {
        const [row, column] = [Math.floor(at / columns), at % columns];
        return whole.values[row * step * 180 + column * step] ?? UNTOUCHED;
      });
      expect(rows).toBe(Math.ceil(90 / step));
      expect(values).toEqual(expected);
    }
  });

  it("shows all chunks but those that failed, says why of these, and announces that they were read", async () => {
    const { engine, set } = await sample("ocean-broken.json");
    const events: EngineEvent[] = [];
    engine.listen((event) => events.push(event));
    const { tiles } = await plane(engine, set, PLANE, 1, true);
    const failed = tiles.filter(({ kind }) => kind === "failed");
    expect(tiles).toHaveLength(9);
    expect(failed.map((tile) => (tile.kind === "failed" ? tile.error.place : undefined))).toEqual([
      { kind: "chunk", array: "sst", coordinates: [0, 0, 1] },
    ]);
    expect(await engine.call("chunk.results", { set, array: "sst" }, CONTEXT)).toMatchObject({ ok: 8, failed: 1 });
    await expect.poll(() => events).toEqual([{ kind: "read", set }]);
  });

  it("stops at what is no longer wanted, and reads the rest", async () => {
    const { engine, set } = await sample("ocean.v1.json");
    const leaving = new AbortController();
    const asked = { set, array: "sst", plane: PLANE, steps: { down: 1, across: 1 }, scaled: true };
    const gone = engine.call(
      "plane.tile",
      { ...asked, coordinates: [0, 0, 0] },
      { ...CONTEXT, signal: leaving.signal },
    );
    const stays = engine.call("plane.tile", { ...asked, coordinates: [0, 1, 0] }, CONTEXT);
    leaving.abort();
    await expect(gone).rejects.toBe(leaving.signal.reason);
    expect(await stays).toMatchObject({ kind: "values", top: 40, left: 0 });
    expect(await engine.call("plane.cost", { set, array: "sst", plane: PLANE }, CONTEXT)).toMatchObject({ kept: 1 });
  });
});

describe("what stands along a dimension", () => {
  it("is not read unasked where it is in more chunks than are free", async () => {
    const members = { zarr_format: 2, compressor: null, filters: null, order: "C", fill_value: 0, dtype: "|u1" };
    const metadata = (shape: number, chunks: number) =>
      JSON.stringify({ ...members, shape: [shape], chunks: [chunks] });
    const attributes = JSON.stringify({ _ARRAY_DIMENSIONS: ["x"] });
    const chunks = Array.from({ length: 65 }, (_, at) => [`s.zarr/x/${at}`, Uint8Array.of(at)] as const);
    const files = {
      "s.zarr/.zgroup": '{"zarr_format":2}',
      "s.zarr/x/.zarray": metadata(65, 1),
      "s.zarr/x/.zattrs": attributes,
      "s.zarr/a/.zarray": metadata(65, 65),
      "s.zarr/a/.zattrs": attributes,
      ...Object.fromEntries(chunks),
    };
    const engine = createEngine();
    const asked = { set: await openLocal(engine, files), array: "a", dimension: 0 };
    expect(await engine.call("plane.axis", asked, CONTEXT)).toEqual({ array: "x", role: "other", units: undefined });
    const paid = await engine.call("plane.axis", { ...asked, isPaid: true }, CONTEXT);
    expect(paid?.values?.kind === "numbers" && paid.values.numbers[64]).toBe(64);
  });

  it("counts chunks of coordinates that were read as read, as those of any array", async () => {
    const { engine, set } = await sample("ocean.v1.json");
    await engine.call("plane.axis", { set, array: "sst", dimension: 1 }, CONTEXT);
    const { arrays } = await engine.call("chunk.tally", { set }, CONTEXT);
    expect(arrays).toEqual([{ path: "lat", ok: 1, failed: 0 }]);
  });

  it("of several dimensions are told for an element, where their chunk is free to read", async () => {
    const array = (shape: readonly number[], chunks: readonly number[]) => JSON.stringify({ ...PLAIN, shape, chunks });
    const at = (dimensions: readonly string[], more = {}) => JSON.stringify({ _ARRAY_DIMENSIONS: dimensions, ...more });
    const refs = {
      ".zgroup": '{"zarr_format":2}',
      "a/.zarray": array([2, 2, 3], [1, 2, 3]),
      "a/.zattrs": at(["t", "y", "x"], { coordinates: "nav_lat depth t nothing nav_lat/.zarray" }),
      "a/0.0.0": "abcdef",
      "nav_lat/.zarray": array([2, 3], [1, 3]),
      "nav_lat/.zattrs": at(["y", "x"], { units: "degrees_north" }),
      "nav_lat/0.0": "\u0001\u0002\u0003",
      "nav_lat/1.0": "\u0004\u0005\u0006",
      "depth/.zarray": array([3, 2], [3, 2]),
      "depth/.zattrs": at(["x", "t"], { units: "m" }),
      "depth/0.0": "\u0001\u0002\u0003\u0004\u0005\u0006",
      "t/.zarray": array([2], [2]),
      "t/0": "ab",
    };
    const engine = createEngine();
    const set = await openLocal(engine, { "s.json": JSON.stringify({ version: 1, refs }) });
    const about = await engine.call("plane.about", { set, array: "a" }, CONTEXT);
    expect(about.auxiliaries).toEqual(["nav_lat", "depth"]);
    const beside = await engine.call("plane.beside", { set, array: "a", element: [1, 1, 2] }, CONTEXT);
    expect(beside).toEqual([
      { name: "nav_lat", role: "latitude", units: "degrees_north", value: 6 },
      { name: "depth", role: "other", units: "m", value: 6 },
    ]);
    expect(beside.map(besideText)).toEqual(["6°N", "depth 6 m"]);
    expect(await engine.call("plane.beside", { set, array: "a", element: [1, 5, 2] }, CONTEXT)).toMatchObject([
      { name: "depth" },
    ]);
  });

  it("are the values of the coordinate array, times as dates", async () => {
    const { engine, set } = await sample("ocean.v1.json");
    const axis = (dimension: number) => engine.call("plane.axis", { set, array: "sst", dimension }, CONTEXT);
    const [time, lat, lon] = [await axis(0), await axis(1), await axis(2)];
    expect(time).toMatchObject({ array: "time", role: "time", values: { kind: "dates" } });
    expect(time?.values?.kind === "dates" && time.values.nanoseconds[1]).toBe(
      BigInt(Date.UTC(2026, 0, 2)) * 1_000_000n,
    );
    expect(lat).toMatchObject({ array: "lat", role: "latitude" });
    expect(lon).toMatchObject({ array: "lon", role: "longitude" });
    expect(lat?.values?.kind === "numbers" && [lat.values.numbers[0], lat.values.numbers.length]).toEqual([-89, 90]);
    expect(await engine.call("plane.axis", { set, array: "lat", dimension: 0 }, CONTEXT)).toMatchObject({
      array: "lat",
    });
  });
});
