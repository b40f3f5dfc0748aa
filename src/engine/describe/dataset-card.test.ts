import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../engine.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openLocal } from "../testing/open-files.ts";

const SAMPLES = resolve(import.meta.dirname, "../../../public/samples");

function array(shape: readonly number[], attributes: Readonly<Record<string, unknown>>) {
  return {
    ".zarray": {
      zarr_format: 2,
      shape,
      chunks: shape,
      dtype: "<f4",
      compressor: null,
      filters: null,
      fill_value: 0,
      order: "C",
    },
    ".zattrs": attributes,
  };
}

async function opened(nodes: Readonly<Record<string, Readonly<Record<string, unknown>>>>) {
  const refs: Record<string, string> = {};
  for (const [path, documents] of Object.entries(nodes)) {
    for (const [name, document] of Object.entries(documents)) {
      refs[path === "" ? name : `${path}/${name}`] = JSON.stringify(document);
    }
  }
  const engine = createEngine();
  const text = new TextEncoder().encode(JSON.stringify({ version: 1, refs }));
  return { engine, set: await openLocal(engine, { "made.json": text }) };
}

const GROUP = { ".zgroup": { zarr_format: 2 } };

describe("a group as a dataset", () => {
  it("of the sample has its title, dimensions, and variables by role", async () => {
    const engine: Engine = createEngine();
    const name = "ocean.v1.json";
    const set = await openLocal(engine, { [name]: new Uint8Array(readFileSync(join(SAMPLES, name))) });
    const card = await engine.call("set.card", { set, path: "" }, CONTEXT);
    expect(card).toMatchObject({
      title: "Refscope sample: a synthetic ocean",
      conventions: "CF-1.10",
      groups: [],
      attributeCount: 2,
    });
    expect(card.dimensions).toEqual([
      { name: "time", lengths: [24], hasCoordinate: true },
      { name: "lat", lengths: [90], hasCoordinate: true },
      { name: "lon", lengths: [180], hasCoordinate: true },
      { name: "phony_dim_0", lengths: [40], hasCoordinate: false },
      { name: "phony_dim_1", lengths: [40], hasCoordinate: false },
    ]);
    expect(card.variables.map(({ name, role }) => `${name} ${role}`)).toEqual([
      "ice data",
      "lat dimension",
      "lon dimension",
      "mask other",
      "sparse other",
      "sst data",
      "time dimension",
      "u data",
    ]);
    expect(card.variables.find(({ name }) => name === "sst")).toMatchObject({
      title: "sea surface temperature",
      units: "degC",
      isPacked: true,
      isTime: false,
      hasNumbers: true,
      bad: 0,
    });
    expect(card.variables.find(({ name }) => name === "time")?.isTime).toBe(true);
  });

  it("takes what `coordinates` names for coordinates, and shows its own arrays alone", async () => {
    const { engine, set } = await opened({
      "": GROUP,
      a: GROUP,
      "a/b": GROUP,
      "a/t": array([2, 3], { _ARRAY_DIMENSIONS: ["y", "x"], coordinates: "lat2d lon2d" }),
      "a/lat2d": array([2, 3], { _ARRAY_DIMENSIONS: ["y", "x"], units: "degrees_north" }),
      "a/odd": array([4], { _ARRAY_DIMENSIONS: ["x"] }),
      "a/b/deep": array([1], {}),
    });
    const root = await engine.call("set.card", { set, path: "" }, CONTEXT);
    expect(root.variables).toEqual([]);
    expect(root.groups).toEqual([{ path: "a", name: "a", arrays: 4 }]);
    const card = await engine.call("set.card", { set, path: "a" }, CONTEXT);
    // Nothing is described, so that none is less so than the others.
    expect(card.variables.map(({ name, role }) => `${name} ${role}`)).toEqual([
      "lat2d coordinate",
      "odd data",
      "t data",
    ]);
    expect(card.dimensions.find(({ name }) => name === "x")?.lengths.toSorted()).toEqual([3, 4]);
    expect(card.groups).toEqual([{ path: "a/b", name: "b", arrays: 1 }]);
    const one = await engine.call("set.card", { set, path: "a/t" }, CONTEXT);
    expect(one.variables.map(({ path }) => path)).toEqual(["a/t"]);
  });
});
