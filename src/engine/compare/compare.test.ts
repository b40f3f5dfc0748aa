import fc from "fast-check";
import { expect, it } from "vitest";
import type { EngineSet } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { arrayOf, named, openDocument } from "../testing/open-document.ts";
import { compareSets, sharedArrays } from "./compare-sets.ts";
import { compareValues } from "./compare-values.ts";

const GROUP = JSON.stringify({ zarr_format: 2 });
const places = async (a: EngineSet, b: EngineSet) => (await compareSets({ a, b }, CONTEXT)).arrays[0];

async function values(a: EngineSet, b: EngineSet, chunks: number | "all" = "all") {
  const sets = { a, b };
  const [nodes] = sharedArrays(sets);
  if (nodes === undefined) throw new Error("no array");
  return compareValues({ sets, nodes, chunks, mode: "stored", decoder: inThread }, CONTEXT);
}

/** Values of a one-dimensional array of int16, inline. */
function written(all: readonly number[], chunk: number, dtype = "<i2", more: object = {}): Promise<EngineSet> {
  const refs: Record<string, unknown> = {
    ".zgroup": GROUP,
    "a/.zarray": arrayOf([all.length], { dtype, chunks: [chunk], ...more }),
  };
  for (let at = 0; at * chunk < all.length; at += 1) {
    const bytes = Buffer.alloc(chunk * 2);
    for (const [to, value] of all.slice(at * chunk, (at + 1) * chunk).entries())
      new DataView(bytes.buffer, bytes.byteOffset).setInt16(to * 2, value, dtype !== ">i2");
    refs[`a/${at}`] = `base64:${bytes.toString("base64")}`;
  }
  return openDocument(refs);
}

it("tells nodes, members and places apart", async () => {
  const a = await openDocument({
    ".zgroup": GROUP,
    "a/.zarray": arrayOf([7], { fill_value: 1 }),
    "a/.zattrs": named("x"),
    "a/0": ["s3://b/u.nc", 0, 2],
    "a/1": ["s3://b/u.nc", 2, 2],
    "a/2": "ab",
    "a/3": "ab",
    "a/4": ["s3://b/u.nc", 4, 2],
    "a/6": [1],
    "old/.zarray": arrayOf([1]),
  });
  const b = await openDocument({
    ".zgroup": GROUP,
    "a/.zarray": arrayOf([7], { fill_value: 2 }),
    "a/.zattrs": named("y"),
    "a/0": ["s3://b/u.nc", 0, 2],
    "a/1": ["s3://b/u.nc", 3, 2],
    "a/2": "ac",
    "a/3": ["s3://b/u.nc", 6, 2],
    "a/5": ["s3://b/u.nc", 8, 2],
    "a/6": ["s3://b/u.nc", 8, 2],
    "new/.zgroup": GROUP,
  });
  const { nodes, metadata, arrays } = await compareSets({ a, b }, CONTEXT);
  expect(nodes).toEqual([
    { path: "old", node: "array", in: "a" },
    { path: "new", node: "group", in: "b" },
  ]);
  expect(metadata).toMatchObject([
    {
      path: "a",
      count: 2,
      changes: [{ path: '[".zarray"].fill_value' }, { path: '[".zattrs"]._ARRAY_DIMENSIONS[0]' }],
    },
  ]);
  const kinds = { same: 1, elsewhere: 1, content: 1, form: 1, onlyA: 1, onlyB: 1, unknown: 1 };
  const first = { coordinates: [1], kind: "elsewhere", a: '["s3://b/u.nc", 2, 2]', b: '["s3://b/u.nc", 3, 2]' };
  expect(arrays).toMatchObject([{ path: "a", cells: 7, kinds, first }]);
});

it("compares Zarr v2 with v3 by what their metadata mean", async () => {
  const filters = [{ id: "zlib", level: 1 }];
  const a = await openDocument({
    ".zgroup": GROUP,
    "a/.zarray": arrayOf([2], { fill_value: 0, filters }),
    "a/.zattrs": named("x"),
  });
  const array = {
    zarr_format: 3,
    node_type: "array",
    shape: [2],
    data_type: "int16",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    dimension_names: ["x"],
    attributes: { units: "m" },
    codecs: [
      { name: "bytes", configuration: { endian: "little" } },
      { name: "numcodecs.zlib", configuration: { level: 1 } },
    ],
  };
  const root = '{"zarr_format":3,"node_type":"group"}';
  const b = await openDocument({ "zarr.json": root, "a/zarr.json": JSON.stringify(array) });
  const { metadata } = await compareSets({ a, b }, CONTEXT);
  // xarray takes the fill value of Zarr v2 for missing, that of v3 for a number.
  const missing = { path: "missing", before: '["0"]', after: "[]" };
  expect(metadata).toEqual([{ path: "a", count: 2, changes: [{ path: "attributes.units", after: '"m"' }, missing] }]);
  const same = { ...array, attributes: { _FillValue: 0, calendar: "gregorian", units: "days since 2000-1-1" } };
  const c = await openDocument({ "zarr.json": root, "a/zarr.json": JSON.stringify(same) });
  const own = { _ARRAY_DIMENSIONS: ["x"], units: "days since 2000-01-01 00:00:00" };
  const d = await openDocument({
    ".zgroup": GROUP,
    "a/.zarray": arrayOf([2], { fill_value: 0, filters }),
    "a/.zattrs": JSON.stringify(own),
  });
  expect((await compareSets({ a: c, b: d }, CONTEXT)).metadata).toEqual([]);
});

it("finds every planted value, whatever chunks, order of bytes and codecs both have", async () => {
  const value = fc.integer({ min: -32768, max: 32767 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 6 }),
      fc.option(fc.nat(19)),
      async (all, one, other, planted) => {
        const at = planted === null ? undefined : planted % all.length;
        const changed = all.map((each, index) => (index === at ? (each === 5 ? 6 : 5) : each));
        const a = await written(all, one);
        const b = await written(changed, other, ">i2");
        const found = await values(a, b);
        expect(found).toMatchObject({ failed: 0, different: at === undefined || changed[at] === all[at] ? 0 : 1 });
        expect(found.compared + found.sameSource).toBe(Math.ceil(all.length / one));
        if (found.different === 0) expect(found.first).toBeUndefined();
        else
          expect(found.first).toMatchObject({
            element: [at],
            values: { a: String(all[at ?? 0]), b: String(changed[at ?? 0]) },
          });
      },
    ),
    { numRuns: 60 },
  );
});

it("says where the first difference comes from, what it did not read, and what a sample shows", async () => {
  const a = await written([1, 2, 3, 4, 5, 6, 7, 8], 2);
  const changed = await written([1, 2, 3, 4, 9, 6, 7, 8], 2);
  const found = await values(a, changed);
  expect(found).toMatchObject({ candidates: 4, sameSource: 3, compared: 1, different: 1 });
  expect(found.first?.chunks).toEqual({
    a: { key: "a/2", reference: '"base64:BQAGAA=="' },
    b: { key: "a/2", reference: '"base64:CQAGAA=="' },
  });
  const big = Array.from({ length: 64 }, (_, at) => at);
  const sample = await values(await written(big, 1), await written(big, 2), 10);
  expect(sample).toMatchObject({
    candidates: 64,
    compared: 10,
    different: 0,
    verdict: "part",
    boundAt95: expect.closeTo(0.2589, 3) as number,
  });
  expect(await values(a, await written([1, 2, 3, 4, 5, 6, 7], 2))).toMatchObject({ different: 0, compared: 4 });
  expect(await values(a, await written([1], 1, "<u2"))).toMatchObject({ uncompared: "type" });
  const plane = await openDocument({ ".zgroup": GROUP, "a/.zarray": arrayOf([1, 1]) });
  expect(await values(a, plane)).toMatchObject({ uncompared: "type" });
  expect(await places(a, plane)).toMatchObject({ uncompared: "grid" });
});

it("does not call what has no values different", async () => {
  const a = await written([1, 2], 1);
  const missing = await openDocument({ ".zgroup": GROUP, "a/.zarray": arrayOf([2]), "a/0": "base64:AQA=", "a/1": "x" });
  const found = await values(a, missing);
  expect(found).toMatchObject({ sameSource: 1, failed: 1, different: 0 });
  const filled = await openDocument({
    ".zgroup": GROUP,
    "a/.zarray": arrayOf([2], { fill_value: 2 }),
    "a/0": "base64:AQA=",
  });
  expect(await values(a, filled)).toMatchObject({ compared: 2, different: 0, failed: 0 });
  const open = await openDocument({ ".zgroup": GROUP, "a/.zarray": arrayOf([2], { chunks: [2] }) });
  expect((await values(a, open)).failure?.code).toBe("fill-value-undefined");
});

it("takes NaN for NaN and -0 for 0", async () => {
  const floats = (...all: readonly number[]) => {
    const bytes = Buffer.from(Float32Array.from(all).buffer);
    return openDocument({
      ".zgroup": GROUP,
      "a/.zarray": arrayOf([3], { dtype: "<f4", chunks: [3] }),
      "a/0": `base64:${bytes.toString("base64")}`,
    });
  };
  expect(await values(await floats(NaN, 0, 1), await floats(NaN, -0, 1))).toMatchObject({ compared: 1, different: 0 });
  expect((await values(await floats(NaN, 0, 1), await floats(1, 0, 1))).first).toMatchObject({ element: [0] });
});

it("goes through what either has where a grid is too large to list", async () => {
  const of = (refs: object) =>
    openDocument({ ".zgroup": GROUP, "a/.zarray": arrayOf([2 ** 40], { fill_value: 0 }), ...refs });
  const a = await of({ "a/5": "ab", "a/1000000000000": "ab" });
  const b = await of({ "a/7": "ab", "a/1000000000000": "ac" });
  expect((await places(a, b))?.kinds).toMatchObject({ onlyA: 1, onlyB: 1, content: 1 });
  const found = await values(a, b);
  expect(found).toMatchObject({ candidates: 3, compared: 3, different: 3, first: { element: [5] } });
});

it("ends when it is cancelled", async () => {
  const gone = new AbortController();
  gone.abort();
  const a = await written([1], 1);
  await expect(compareSets({ a, b: a }, { ...CONTEXT, signal: gone.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
});

it("keys that fit no grid are compared as well: past the end, of other names, below no array", async () => {
  const array = { ".zgroup": GROUP, "a/.zarray": arrayOf([2]), "a/0": "x", "a/1": "y" };
  const a = await openDocument({
    ...array,
    "a/7": "p",
    "a/0.0": "q",
    "readme.txt": "r",
    "a/notes": ["s3://b/n", 0, 2],
  });
  const b = await openDocument({ ...array, "a/7": "P", "a/0.0": "q", "other/5": "r", "a/notes": ["s3://b/n", 1, 2] });
  const { arrays, keys } = await compareSets({ a, b }, CONTEXT);
  expect(arrays.map(({ first }) => first)).toEqual([undefined]);
  expect(keys.kinds).toMatchObject({ same: 1, content: 1, elsewhere: 1, onlyA: 1, onlyB: 1, unknown: 0 });
  expect(keys.first).toEqual({ key: "a/7", kind: "content", a: '"p"', b: '"P"' });
  const longer = await openDocument({ ...array, "a/.zarray": arrayOf([9]), "a/7": "p", "a/notes": ["s3://b/n", 0, 2] });
  const against = await compareSets({ a, b: longer }, CONTEXT);
  expect(against.keys.kinds).toMatchObject({ same: 1, onlyA: 2, unknown: 1 });
});
