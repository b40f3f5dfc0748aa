import { describe, expect, it } from "vitest";
import type { SourceArray } from "../source-file.ts";
import { NO_CODECS } from "./codec-table.ts";
import { buildHierarchy } from "./build-hierarchy.ts";
import { isTypeWritten, meaningOf, METADATA_MEMBERS, sameMeaning } from "./meaning.ts";
import { sourceNode } from "./source-node.ts";

function nodeOf(documents: Readonly<Record<string, object>>) {
  const all = Object.entries(documents).map(([name, value]) => ({ key: `a/${name}`, text: JSON.stringify(value) }));
  const node = buildHierarchy(all, [], NO_CODECS).hierarchy.nodes.get("a");
  if (node?.kind !== "array") throw new Error("no array");
  return node;
}

const V2 = {
  zarr_format: 2,
  shape: [4, 6],
  chunks: [2, 3],
  dtype: "<i2",
  order: "C",
  compressor: null,
  filters: null,
  fill_value: null,
};
const v2 = (members: object = {}, attributes: object = {}) =>
  nodeOf({ ".zarray": { ...V2, ...members }, ".zattrs": attributes });

const LITTLE = { name: "bytes", configuration: { endian: "little" } };
const v3 = (members: object = {}) =>
  nodeOf({
    "zarr.json": {
      zarr_format: 3,
      node_type: "array",
      shape: [4, 6],
      data_type: "int16",
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 3] } },
      chunk_key_encoding: { name: "default" },
      fill_value: 0,
      codecs: [LITTLE],
      ...members,
    },
  });

type Given = Parameters<typeof meaningOf>[0];
const others = (one: Given, other: Given) =>
  METADATA_MEMBERS.filter((member) => !sameMeaning(member, meaningOf(one), meaningOf(other)));

const time = (units: string, calendar?: string) =>
  v2({ dtype: "<f8" }, { units, ...(calendar === undefined ? {} : { calendar }) });
const id = (name: string, members: object = {}) => ({ id: name, ...members });

describe("members that are written otherwise and mean the same", () => {
  it.each([
    ["one byte has no order: NumPy drops it", v2({ dtype: "<i1" }), v2({ dtype: "|i1" })],
    ["an alias of NumPy", v2({ dtype: "int16" }), v2({ dtype: "<i2" })],
    [
      "v3 says the type in data_type and the order in bytes",
      v2({ fill_value: 0, dtype: ">i2" }, { missing_value: 0 }),
      v3({ codecs: [{ name: "bytes", configuration: { endian: "big" } }], attributes: { _FillValue: 0 } }),
    ],
    [
      "NaN is missing anyway, whatever fills",
      v2({ dtype: "<f4", fill_value: "NaN" }),
      v2({ dtype: "<f4", fill_value: "nan" }),
    ],
    [
      "a float32 holds one number for both texts",
      v2({ dtype: "<f4", fill_value: 1e20 }),
      v2({ dtype: "<f4", fill_value: 1.0000000200408773e20 }),
    ],
    [
      "numcodecs' shuffle takes 4 bytes where it is not said",
      v2({ dtype: "<f4", filters: [id("shuffle")] }),
      v2({ dtype: "<f4", filters: [id("shuffle", { elementsize: 4 })] }),
    ],
    [
      "delta stores its own type where it is not said",
      v2({ filters: [id("delta", { dtype: "<i2" })] }),
      v2({ filters: [id("delta", { dtype: "int16", astype: "<i2" })] }),
    ],
    [
      "numcodecs' codecs have a prefix in v3",
      v2({ fill_value: 0, compressor: id("zlib", { level: 1 }) }, { missing_value: 0 }),
      v3({ codecs: [LITTLE, { name: "numcodecs.zlib", configuration: { level: 1 } }], attributes: { _FillValue: 0 } }),
    ],
    [
      "a compressor may stand among the filters",
      v2({ compressor: id("zlib", { level: 1 }) }),
      v2({ filters: [id("zlib", { level: 1 })] }),
    ],
    [
      "Fortran's order is the transposition of all axes",
      v2({ fill_value: 0, order: "F" }, { missing_value: 0 }),
      v3({ codecs: [{ name: "transpose", configuration: { order: [1, 0] } }, LITTLE], attributes: { _FillValue: 0 } }),
    ],
    ["xarray multiplies by 1 and adds 0", v2(), v2({}, { scale_factor: 1, add_offset: 0 })],
    ["attributes in single precision", v2({}, { scale_factor: 0.01 }), v2({}, { scale_factor: Math.fround(0.01) })],
    [
      "an offset counts by the size of a step",
      v2({}, { scale_factor: 10, add_offset: 0 }),
      v2({}, { scale_factor: 10, add_offset: 1e-9 }),
    ],
    ["dates are dates", time("days since 2000-01-01"), time("days since 2000-1-1 00:00:00")],
    ["cftime takes h for hours", time("hours since 2000-01-01"), time("h since 2000-01-01T00:00")],
    ["a zone is part of the date", time("hours since 2000-01-01 02:00:00 +02:00"), time("hours since 2000-01-01")],
    ["gregorian is standard", time("days since 2000-01-01", "gregorian"), time("days since 2000-01-01", "Standard")],
    ["365_day is noleap", time("days since 2000-01-01", "365_day"), time("days since 2000-01-01", "noleap")],
    ["366_day is all_leap", time("days since 2000-01-01", "366_day"), time("days since 2000-01-01", "all_leap")],
    ["times without a calendar are standard", time("days since 2000-01-01"), time("days since 2000-01-01", "standard")],
    [
      "pandas decodes both after 1582",
      time("days since 2000-01-01", "proleptic_gregorian"),
      time("days since 2000-01-01", "standard"),
    ],
    ["powers are written in two ways", v2({}, { units: "m s-1" }), v2({}, { units: "m s**-1" })],
  ])("%s", (_, one, other) => expect(others(one, other)).toEqual([]));

  it("the codec that packs and the attributes that do", () => {
    const fixed = id("fixedscaleoffset", { scale: 10, offset: 5, dtype: "<f8", astype: "<i2" });
    expect(others(v2({ dtype: "<f8", filters: [fixed] }), v2({}, { scale_factor: 0.1, add_offset: 5 }))).toEqual([]);
  });

  it("a source file's header", () => {
    const own: SourceArray = {
      path: "a",
      attributes: new Map([["units", '"K"']]),
      shape: [4, 6],
      chunks: [2, 3],
      dtype: '"<i2"',
      fill: "-1",
      hasFillAttribute: true,
      filters: ['{"id":"zlib","level":4}'],
      dimensions: ["y", "x"],
      references: { count: 0, ordinal: new Float64Array(0), offset: new Float64Array(0), length: new Float64Array(0) },
      inline: new Map(),
    };
    const codecs = [LITTLE, { name: "numcodecs.zlib", configuration: { level: 4 } }];
    const attributes = { units: "K", _FillValue: -1 };
    expect(others(sourceNode(own), v3({ fill_value: -1, codecs, dimension_names: ["y", "x"], attributes }))).toEqual(
      [],
    );
    const { hasFillAttribute: _, ...unmasked } = own;
    expect(meaningOf(sourceNode(unmasked))).toMatchObject({ fill: -1, missing: [] });
  });
});

describe("members that differ", () => {
  it.each([
    ["the order of bytes, not the type", ["byte-order"], v2(), v2({ dtype: ">i2" })],
    [
      "a level decodes alike, and is a difference of its own",
      ["level"],
      v2({ compressor: id("zlib", { level: 1 }) }),
      v2({ compressor: id("zlib", { level: 9 }) }),
    ],
    [
      "Blosc's chunks say how they were made",
      ["level"],
      v2({ compressor: id("blosc", { cname: "lz4", shuffle: 1 }) }),
      v2({ compressor: id("blosc", { cname: "zstd", shuffle: 2 }) }),
    ],
    [
      "elements shuffled by another size",
      ["codecs"],
      v2({ filters: [id("shuffle")] }),
      v2({ filters: [id("shuffle", { elementsize: 2 })] }),
    ],
    ["zlib is not gzip", ["codecs"], v2({ compressor: id("zlib") }), v2({ compressor: id("gzip") })],
    [
      "null leaves missing chunks open, 0 fills them, and masks in v2",
      ["fill", "missing"],
      v2(),
      v2({ fill_value: 0 }),
    ],
    ["v3's fill value masks nothing", ["missing"], v2({ fill_value: 0 }), v3()],
    ["bytes that are read as unsigned", ["sign"], v2({}, { _Unsigned: "true" }), v2()],
    ["packing", ["scale_factor", "add_offset"], v2(), v2({}, { scale_factor: 0.01, add_offset: 273.15 })],
    ["another date", ["units"], time("days since 2000-01-01"), time("days since 2000-01-02")],
    ["another unit", ["units"], time("days since 2000-01-01"), time("hours since 2000-01-01")],
    ["noleap has other dates", ["calendar"], time("days since 2000-01-01"), time("days since 2000-01-01", "noleap")],
    [
      "before 1582 the Gregorian calendars differ",
      ["calendar"],
      time("days since 0001-01-01", "proleptic_gregorian"),
      time("days since 0001-01-01", "standard"),
    ],
    [
      "names in another order",
      ["dimensions"],
      v2({}, { _ARRAY_DIMENSIONS: ["y", "x"] }),
      v2({}, { _ARRAY_DIMENSIONS: ["x", "y"] }),
    ],
  ] as const)("%s", (_, members, one, other) => {
    expect(others(one, other)).toEqual(members);
    expect(others(other, one)).toEqual(members);
  });
});

it("a type that somebody wrote is one of either version, with an order where it states one", () => {
  const [little, big] = [v3(), v2({ dtype: ">i2" })];
  expect(["<i2", "int16", "i2", ">i2", "int32", "text"].map((text) => isTypeWritten(text, little))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(["<i2", "int16", ">i2"].map((text) => isTypeWritten(text, big))).toEqual([false, true, true]);
});

it("does not write out elements of any size", () => {
  const huge = v2({ dtype: "|V2000000000", fill_value: 0 });
  expect(meaningOf(huge).fill).toBe(0);
});
