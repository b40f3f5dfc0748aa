/** Tests of the rules on map libraries, viewers, rioxarray and Zarr.jl, each with a set that it is about. */
import { expect, it } from "vitest";
import { chunkAt, finding, type Finding, nodeAt } from "#core/findings/finding.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { ReaderId } from "#core/readers/ids.ts";
import { FEATURES, type FeatureId, readerOf, READER_RULES } from "#core/readers/rules.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openAny } from "#engine/open/open-any.ts";
import { featuresOf, verdictOfReader } from "./reader-verdicts.ts";

const V2 = {
  zarr_format: 2,
  shape: [2, 2],
  chunks: [1, 1],
  dtype: "<f4",
  compressor: { id: "zlib", level: 1 },
  filters: null,
  order: "C",
  fill_value: 0,
};
const V3 = {
  zarr_format: 3,
  node_type: "array",
  shape: [2, 2],
  chunk_grid: { name: "regular", configuration: { chunk_shape: [1, 1] } },
  chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  data_type: "float32",
  fill_value: 0,
  codecs: [{ name: "bytes", configuration: { endian: "little" } }],
};
const RECTILINEAR = {
  chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[1, 1], [2]] } },
};
const XY = { _ARRAY_DIMENSIONS: ["y", "x"] };

interface Made {
  readonly array?: object;
  readonly v3?: object;
  readonly attributes?: object;
  readonly root?: object;
  readonly others?: object;
}

/**
 * The same array in a document: rules on arrays do not depend on what it is kept in, those on formats are asked apart.
 */
async function usesOf({ array, v3, attributes = XY, root = {}, others = {} }: Made, found: readonly Finding[] = []) {
  const v2 = {
    ".zgroup": '{"zarr_format":2}',
    ".zattrs": JSON.stringify(root),
    "a/.zarray": JSON.stringify({ ...V2, ...array }),
    "a/.zattrs": JSON.stringify(attributes),
  };
  const metadata =
    v3 === undefined
      ? v2
      : {
          "zarr.json": JSON.stringify({ zarr_format: 3, node_type: "group", attributes: root }),
          "a/zarr.json": JSON.stringify({ ...V3, ...v3 }),
        };
  const text = JSON.stringify({ version: 1, refs: { ...metadata, ...others } });
  const source = { kind: "text", text, name: "x.json" } as const;
  const opened = await openAny(source, { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT });
  if (opened.kind === "choose") throw new Error(opened.title);
  return featuresOf(opened.set, found, CONTEXT);
}

/** Answers as if the array were in a Zarr store. */
async function answersIn(made: Made, reader: ReaderId, found: readonly Finding[] = []) {
  const uses = (await usesOf(made, found)).filter(({ feature }) => feature !== "kerchunk-json");
  const whole = { feature: "zarr", count: 1, of: 1, unit: "set" } as const;
  const { answer, effects } = verdictOfReader(readerOf(reader) ?? expect.fail(reader), [...uses, whole]);
  return { answer, rules: effects.map(({ rule }) => rule) };
}

const OME = { multiscales: [{ datasets: [{ path: "a" }] }] };
const PYRAMID = { multiscales: [{ datasets: [{ path: "0", pixels_per_tile: 128 }] }] };
const zstd = { id: "zstd", level: 1 };
const shuffled = { filters: [{ id: "shuffle", elementsize: 4 }] };
const denied = finding("chunk-denied", chunkAt("a", [0, 0]), { url: "https://x.example/a", status: 403 } as never);
const crs = finding("crs-absent", nodeAt("x"), { x: "x", y: "y", units: "m", arrays: ["a"], isSeries: true });

const must = (rule: string) => finding("convention-must", nodeAt(""), { rule, convention: "OME-NGFF 0.4" } as never);
const [typesDiffer, plateBroken] = [must("level-type"), must("plate")];
const OME_4 = { multiscales: [{ version: "0.4", datasets: [{ path: "a" }] }] };
const datetime = { name: "numpy.datetime64", configuration: { unit: "s", scale_factor: 1 } };
const beside = (path: string, array: object, attributes: object) => ({
  [`${path}/.zarray`]: JSON.stringify({ ...V2, ...array }),
  [`${path}/.zattrs`]: JSON.stringify(attributes),
});
const packed = beside("x", { shape: [2], chunks: [1], dtype: "<i2" }, { _ARRAY_DIMENSIONS: ["x"], scale_factor: 0.1 });
const places = {
  "geo/.zgroup": '{"zarr_format":2}',
  ...beside("geo/lat", {}, { ...XY, standard_name: "latitude" }),
};

type Case = readonly [rule: string, reader: ReaderId, answer: string, made: Made, found?: readonly Finding[]];
const CASES: readonly Case[] = [
  ["rioxarray-dimensions", "rioxarray", "no", { attributes: { _ARRAY_DIMENSIONS: ["lat", "lon"] } }],
  ["rioxarray-crs", "rioxarray", "no", {}, [crs]],
  ["zarr-layer-crs", "zarr-layer", "yes", {}, [crs]],
  ["maps-pyramid", "carbonplan-maps", "no", {}],
  ["maps-codec", "carbonplan-maps", "no", { root: PYRAMID, array: { compressor: zstd } }],
  ["maps-codec", "carbonplan-maps", "no", { root: PYRAMID, v3: {} }],
  ["maps-type", "carbonplan-maps", "no", { root: PYRAMID, array: { dtype: ">f4" } }],
  ["maps-type", "carbonplan-maps", "no", { root: PYRAMID, array: { dtype: "<i8" } }],
  ["maps-filters", "carbonplan-maps", "no", { root: PYRAMID, array: shuffled }],
  ["maps-order", "carbonplan-maps", "no", { root: PYRAMID, array: { order: "F" } }],
  ["maps-slash", "carbonplan-maps", "no", { root: PYRAMID, array: { dimension_separator: "/" } }],
  [
    "maps-denied",
    "carbonplan-maps",
    "partly",
    { root: PYRAMID, others: { "a/0.0": ["u", 0, 1], "a/0.1": ["u"] } },
    [denied],
  ],
  ["neuroglancer-type", "neuroglancer", "no", { array: { dtype: "<f8" } }],
  ["neuroglancer-type", "neuroglancer", "no", { v3: { data_type: "int64" } }],
  ["neuroglancer-signed", "neuroglancer", "yes", { array: { dtype: "<i8" } }],
  ["neuroglancer-codec", "neuroglancer", "no", { array: { compressor: { id: "lz4" } } }],
  ["neuroglancer-codec", "neuroglancer", "no", { v3: { codecs: [...V3.codecs, { name: "numcodecs.zlib" }] } }],
  ["maps-filters", "neuroglancer", "no", { array: shuffled }],
  ["neuroglancer-group", "neuroglancer", "yes", {}],
  ["neuroglancer-ome-version-absent", "neuroglancer", "no", { root: OME }],
  ["neuroglancer-ome-refused", "neuroglancer", "no", { root: OME_4 }, [typesDiffer]],
  ["vizarr-ome-broken", "vizarr", "no", { root: OME_4 }, [plateBroken]],
  ["gdal-packed", "gdal-kerchunk", "partly", { others: packed }],
  ["gdal-datetime", "gdal-kerchunk", "yes", { v3: { data_type: datetime } }],
  ["gdal-datetime-v2", "gdal-kerchunk", "no", { array: { dtype: "<M8[ns]" } }],
  ["zarrita-type", "zarrita", "no", { v3: { data_type: datetime } }],
  ["xarray-coordinates", "xarray", "partly", { others: places }],
  ["vizarr-ome", "vizarr", "no", {}],
  ["vizarr-codec", "vizarr", "no", { root: OME, array: shuffled }],
  ["vizarr-type", "vizarr", "no", { root: OME, array: { dtype: "|b1" } }],
  ["vizarr-integers", "vizarr", "yes", { root: OME, array: { dtype: "<u8" } }],
  ["zarr-jl-codec", "zarr-jl", "no", { array: { compressor: { id: "gzip", level: 1 } } }],
  ["zarr-jl-type", "zarr-jl", "no", { v3: { data_type: "string", fill_value: "", codecs: [{ name: "vlen-utf8" }] } }],
  ["zarr-jl-order", "zarr-jl", "no", { array: { order: "F" } }],
  ["neuroglancer-rectilinear", "zarr-jl", "no", { v3: RECTILINEAR }],
];

for (const [rule, reader, answer, made, found] of CASES)
  it(`${rule}: ${reader} says ${answer}`, async () => {
    const told = await answersIn(made, reader, found);
    expect(told.rules).toContain(rule);
    expect(told.answer).toBe(answer);
  });
it.each<readonly [ReaderId, Made]>([
  ["carbonplan-maps", { root: PYRAMID }],
  ["carbonplan-maps", { root: PYRAMID, v3: { codecs: [{ name: "gzip", configuration: { level: 1 } }] } }],
  ["neuroglancer", { array: { compressor: zstd } }],
  ["neuroglancer", { v3: { codecs: [...V3.codecs, { name: "zstd", configuration: { level: 1 } }] } }],
  ["vizarr", { root: OME }],
  ["vizarr", { v3: {}, root: { ome: OME } }],
  ["zarr-jl", { array: shuffled }],
  ["zarr-layer", { array: shuffled }],
  ["rioxarray", {}],
])("%s reads what it is known to read", async (reader, made) => {
  expect(await answersIn(made, reader)).toMatchObject({ answer: "yes" });
});

it("rioxarray finds x and y by the attributes of coordinates", async () => {
  const coordinate = (name: string, attributes: object) => ({
    [`${name}/.zarray`]: JSON.stringify({ ...V2, shape: [2], chunks: [1] }),
    [`${name}/.zattrs`]: JSON.stringify({ _ARRAY_DIMENSIONS: [name], ...attributes }),
  });
  const attributes = { _ARRAY_DIMENSIONS: ["lat", "lon"] };
  const named = { ...coordinate("lat", { axis: "Y" }), ...coordinate("lon", { standard_name: "longitude" }) };
  expect(await answersIn({ attributes, others: named }, "rioxarray")).toMatchObject({ answer: "yes" });
  const half = { ...coordinate("lat", { axis: "Y" }), ...coordinate("lon", {}) };
  expect(await answersIn({ attributes, others: half }, "rioxarray")).toMatchObject({ answer: "partly" });
  expect(await answersIn({ attributes, root: { "spatial:dimensions": ["lat", "lon"] } }, "rioxarray")).toMatchObject({
    answer: "yes",
  });
});

it.each<readonly [ReaderId, Record<"kerchunk-json" | "kerchunk-parquet" | "icechunk", string>]>([
  ["rioxarray", { "kerchunk-json": "yes", "kerchunk-parquet": "yes", icechunk: "no" }],
  ["carbonplan-maps", { "kerchunk-json": "no", "kerchunk-parquet": "no", icechunk: "no" }],
  ["zarr-layer", { "kerchunk-json": "unknown", "kerchunk-parquet": "unknown", icechunk: "yes" }],
  ["neuroglancer", { "kerchunk-json": "no", "kerchunk-parquet": "no", icechunk: "yes" }],
  ["vizarr", { "kerchunk-json": "yes", "kerchunk-parquet": "unknown", icechunk: "unknown" }],
  ["zarr-jl", { "kerchunk-json": "no", "kerchunk-parquet": "no", icechunk: "no" }],
])("of %s it is known which formats it reads", (reader, formats) => {
  for (const [format, answer] of Object.entries(formats)) {
    const use = { feature: format as FeatureId, count: 1, of: 1, unit: "set" } as const;
    expect(verdictOfReader(readerOf(reader) ?? expect.fail(reader), [use]).answer, format).toBe(answer);
  }
});

it("each feature is asked for by a rule", () => {
  const asked = new Set(READER_RULES.map(({ feature }) => feature));
  expect(FEATURES.filter((feature) => !asked.has(feature))).toEqual([]);
});
