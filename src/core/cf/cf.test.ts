import { withEqualChunks } from "../testing/equal-chunks.ts";
import { describe, expect, it } from "vitest";
import { codecTraits } from "#codecs/find-codec.ts";
import { cfFindings } from "./cf-findings.ts";
import type { Finding } from "../findings/finding.ts";
import { scalingOf } from "./cf.ts";
import { isJsonObject } from "../json/json.ts";
import { scalePart } from "../metadata/node-document.ts";
import { parseArrayMetadataV2 } from "../metadata/parse-array-metadata.ts";
import { parseArrayMetadataV3 } from "../metadata/parse-array-metadata-v3.ts";
import { jsonValueOf, parseJsonTree } from "../json/parse-json.ts";
import { cellsOf, sliceOf } from "../plane/slice.ts";
import { statistics } from "../values/statistics.ts";
import { decodeValues } from "../values/values.ts";

interface Setting {
  /** JSON text of the fill_value. */
  readonly fill?: string;
  readonly filters?: string;
  readonly v3?: boolean;
}

const NAMES: Readonly<Record<string, string>> = {
  "|i1": "int8",
  "|u1": "uint8",
  "<i2": "int16",
  "<i4": "int32",
  "<i8": "int64",
  "<f4": "float32",
  "<f8": "float64",
};

/** `attributes`: JSON text. */
function arrayOf(dtype: string, attributes: string, { fill = "null", filters = "null", v3 = false }: Setting = {}) {
  const { root } = parseJsonTree(attributes);
  const parsed = jsonValueOf(root);
  if (!isJsonObject(parsed)) throw new Error("attributes are an object");
  const v2Text = `{"zarr_format":2,"shape":[4],"chunks":[4],"dtype":"${dtype}","compressor":null,"filters":${filters},"order":"C","fill_value":${fill}}`;
  const v3Text = `{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"${NAMES[dtype] ?? ""}","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4]}},"chunk_key_encoding":{"name":"default"},"fill_value":${fill},"codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}`;
  const { metadata } = v3 ? parseArrayMetadataV3(v3Text, codecTraits) : parseArrayMetadataV2(v2Text, parsed);
  return { metadata: withEqualChunks(metadata), attributes: parsed, ...scalePart(root) };
}

/** The CF view of four elements. */
function viewOf(data: ArrayBufferView<ArrayBuffer>, dtype: string, attributes: string, setting?: Setting) {
  const array = arrayOf(dtype, attributes, setting);
  const values = decodeValues(new Uint8Array(data.buffer), array.metadata);
  const scaling = scalingOf(array.metadata, array.attributes);
  if (scaling === undefined) throw new Error("there is no CF view");
  const chunk = { values, inside: [4], scaling };
  const plane = { rowDimension: undefined, columnDimension: 0, fixed: [0], scaled: true };
  return {
    scaling,
    texts: cellsOf(chunk, { ...plane, rows: { from: 0, to: 1 }, columns: { from: 0, to: 4 } }).texts[0],
    numbers: [...sliceOf(chunk, plane).values],
    raw: [...sliceOf(chunk, { ...plane, scaled: false }).values],
    statistics: statistics(values, [4], { fillValue: array.metadata.fillValue, scaling, scaled: true }),
  };
}

describe("the CF view", () => {
  it("reads signed bytes as unsigned, fill value and all, before it scales", () => {
    const attributes = '{"_Unsigned":"true","scale_factor":0.5,"valid_range":[0,-2]}';
    const view = viewOf(Int8Array.of(-1, -2, 0, 5), "|i1", attributes, { fill: "-1" });
    expect(view.scaling).toMatchObject({
      readAs: "unsigned",
      fillValues: ["255"],
      valid: { minimum: 0, maximum: 254 },
    });
    expect(view.texts).toEqual([null, "127.0", "0.0", "2.5"]);
    expect(view.numbers).toEqual([NaN, 127, 0, 2.5]);
    expect(view.raw).toEqual([NaN, -2, 0, 5]);
    expect(view.statistics).toMatchObject({
      missing: 1,
      minimum: "0.0",
      maximum: "127.0",
      outsideValid: 0,
      equalToFill: 1,
    });
    const signed = viewOf(Uint8Array.of(255, 254, 0, 5), "|u1", '{"_Unsigned":"false"}');
    expect(signed.texts).toEqual(["-1", "-2", "0", "5"]);
  });

  it("compares missing_value in the type that is read", () => {
    const view = viewOf(Int8Array.of(-1, -2, 0, 5), "|i1", '{"_Unsigned":"true","missing_value":[254, -1]}');
    expect(view.texts).toEqual(["255", null, "0", "5"]);
  });

  it("masks fill_value in Zarr v2, _FillValue in v3", () => {
    const attributes = '{"_FillValue":-1}';
    expect(viewOf(Int16Array.of(-1, 0, 1, 2), "<i2", attributes, { fill: "0" }).texts).toEqual(["-1", null, "1", "2"]);
    expect(viewOf(Int16Array.of(-1, 0, 1, 2), "<i2", attributes).texts).toEqual([null, "0", "1", "2"]);
    const v3 = viewOf(Int16Array.of(-1, 0, 1, 2), "<i2", attributes, { fill: "0", v3: true });
    expect(v3.texts).toEqual([null, "0", "1", "2"]);
    expect(v3.statistics).toMatchObject({ missing: 1, equalToFill: 2 });
    const base64 = viewOf(Float32Array.of(-999, 0, 1, 2), "<f4", '{"_FillValue":"AAAAAAA4j8A="}', {
      fill: "0",
      v3: true,
    });
    expect(base64.texts).toEqual([null, "0.0", "1.0", "2.0"]);
  });

  it("keeps a 0 that is not declared missing in the raw picture", () => {
    const view = viewOf(Int16Array.of(0, 1, 2, 3), "<i2", '{"units":"1"}', { fill: "0" });
    expect(view.scaling).toEqual({ scaleFactor: 1, addOffset: 0, fillValues: ["0"], units: "1", zeroIsImplied: true });
    expect(view.raw).toEqual([0, 1, 2, 3]);
    expect(view.numbers).toEqual([NaN, 1, 2, 3]);
  });

  it("counts what is outside the valid range, and leaves it there", () => {
    const view = viewOf(Int16Array.of(-5, 0, 100, 101), "<i2", '{"valid_min":[0],"valid_max":100}');
    expect(view.statistics).toMatchObject({ missing: 0, outsideValid: 2, minimum: "-5", maximum: "101" });
    const longs = viewOf(BigInt64Array.of(-5n, 0n, 100n, 101n), "<i8", '{"valid_range":[0,100],"missing_value":101}');
    expect(longs.statistics).toMatchObject({ missing: 1, outsideValid: 1 });
  });

  it("shows dates", () => {
    const attributes = '{"units":"days since 1970-01-01","calendar":"standard","_FillValue":-1}';
    const view = viewOf(Int32Array.of(-1, 0, 31, 365), "<i4", attributes);
    expect(view.texts).toEqual([null, "1970-01-01T00:00:00", "1970-02-01T00:00:00", "1971-01-01T00:00:00"]);
    expect(view.numbers).toEqual([NaN, 0, 31, 365]);
    expect(view.statistics).toMatchObject({
      missing: 1,
      minimum: "1970-01-01T00:00:00",
      maximum: "1971-01-01T00:00:00",
      mean: "1970-05-13T00:00:00",
      counts: { minimum: 0, maximum: 365 },
    });
  });

  it("says why counts of time stay numbers", () => {
    const { scaling, texts } = viewOf(Int16Array.of(0, 1, 2, 3), "<i2", '{"units":"weeks since 2000-01-01"}', {
      fill: "0",
    });
    expect(texts).toEqual([null, "1", "2", "3"]);
    expect(scaling.timeProblem?.facts).toEqual({
      problem: "unit",
      units: "weeks since 2000-01-01",
      countedIn: "weeks",
    });
  });

  it("shows dates of packed, float and 64-bit counts, and what is none", () => {
    const packed = viewOf(Int16Array.of(0, 1, 2, 3), "<i2", '{"units":"days since 2000-01-01","scale_factor":-0.5}');
    expect(packed.texts?.[1]).toBe("1999-12-31T12:00:00");
    expect(packed.statistics).toMatchObject({ minimum: "1999-12-30T12:00:00", maximum: "2000-01-01T00:00:00" });
    const floats = viewOf(Float64Array.of(NaN, 0.5, 1e300, 2), "<f8", '{"units":"days since 2000-01-01"}');
    expect(floats.texts).toEqual([null, "2000-01-01T12:00:00", "no date (1e+300)", "2000-01-03T00:00:00"]);
    const longs = viewOf(
      BigInt64Array.of(-(2n ** 63n), 1n, 2n ** 62n, 0n),
      "<i8",
      '{"units":"seconds since 2000-01-01"}',
    );
    expect(longs.texts).toEqual([null, "2000-01-01T00:00:01", "no date (4611686018427387904)", "2000-01-01T00:00:00"]);
    expect(longs.numbers[0]).toBeNaN();
    expect(longs.statistics.missing).toBe(1);
  });

  it("leaves what is not of plain numbers alone", () => {
    for (const dtype of ["|S4", "<M8[s]", "|b1", "<c8"]) {
      const { metadata, attributes } = arrayOf(dtype, '{"units":"days since 2000-01-01","scale_factor":0.1}');
      expect(scalingOf(metadata, attributes)).toBeUndefined();
      expect(cfFindings(metadata, { path: "x", attributes })).toEqual([]);
    }
  });
});

const toText = ({ code, place, facts }: Finding): string => {
  expect(place).toEqual({ kind: "node", path: "x" });
  const parts = [code, facts["problem"], facts["loses"]];
  return parts.filter((part) => typeof part === "string").join(" ");
};

describe("findings", () => {
  const found = (dtype: string, attributes: string, setting?: Setting) => {
    const { metadata, ...array } = arrayOf(dtype, attributes, setting);
    return cfFindings(metadata, { path: "x", ...array }).map(toText);
  };
  const DIMENSIONS = '"_ARRAY_DIMENSIONS":["x"]';

  it.each([
    ["<i2", '{"scale_factor":0.01,"add_offset":273.15,"_FillValue":-32768,"units":"K"}', { fill: "-32768" }],
    ["<f4", '{"_FillValue":1e20,"missing_value":1e20}', { fill: "1e20" }],
    ["<f4", '{"_FillValue":"AAAAAAAA+H8="}', { fill: '"NaN"' }],
    ["<f4", '{"_FillValue":"AAAAAAAA+H8=","units":"K"}', { fill: "0.0", v3: true }],
    ["<i4", '{"_FillValue":-1}', { fill: "0", v3: true }],
    ["<i4", `{${DIMENSIONS},"units":"1","_FillValue":0}`, { fill: "0" }],
    ["<i4", `{${DIMENSIONS}}`, { fill: "0" }],
    ["<i8", '{"units":"days since 2000-01-01","calendar":"360_day","valid_range":[0,100]}', {}],
    ["<f4", '{"scale_factor":1.0,"add_offset":0.0,"missing_value":[-999.0]}', { fill: "-999.0" }],
    ["|i1", '{"_Unsigned":"true","_FillValue":-1,"valid_range":[0,-2]}', { fill: "-1" }],
    ["|u1", '{"_Unsigned":"true"}', { fill: "255" }],
    ["<i2", '{"scale_factor":10.0}', {}],
    ["<i2", '{"scale_factor":1e1}', {}],
    ["<i2", '{"scale_factor":10,"add_offset":5}', {}],
    ["<i2", '{"scale_factor":1}', {}],
    ["<i2", '{"scale_factor":10,"scale_factor":10.0}', {}],
  ])("none for %s %s", (dtype, attributes, setting) => {
    expect(found(dtype, attributes, setting)).toEqual([]);
  });

  it.each([
    ["<i4", `{${DIMENSIONS},"units":"1"}`, { fill: "0" }, "fill-value-confusing zero"],
    ["<f4", `{${DIMENSIONS},"units":"1"}`, { fill: "0.0" }, "fill-value-confusing zero"],
    ["<i2", '{"_FillValue":-1}', { fill: "0" }, "fill-value-confusing overridden"],
    ["<f4", '{"missing_value":1e20}', {}, "fill-value-confusing inexact"],
    ["<i2", '{"missing_value":1e20}', {}, "fill-value-confusing no-element"],
    ["<i2", '{"missing_value":"-1"}', {}, "fill-value-confusing no-element"],
    ["<i2", '{"missing_value":-2}', { fill: "-1" }, "fill-value-confusing several"],
    ["<i2", '{"_FillValue":-2}', { fill: "-1", v3: true }, "fill-value-confusing not-masked"],
    ["<f4", '{"_FillValue":-999.0}', { fill: "0", v3: true }, "fill-value-confusing refused"],
    ["<i2", '{"scale_factor":0}', {}, "scaling-confusing zero"],
    ["<i2", '{"scale_factor":10}', {}, "scaling-confusing integer"],
    ["<i2", '{"scale_factor":10}', { fill: "-1" }, "scaling-confusing integer missing"],
    ["<i2", '{"scale_factor":10,"_FillValue":-1}', { fill: "0", v3: true }, "scaling-confusing integer missing"],
    ["<f4", '{"scale_factor":10}', {}, "scaling-confusing integer fractions"],
    ["<f4", '{"scale_factor":10}', { fill: '"NaN"' }, "scaling-confusing floats"],
    ["<i2", '{"scale_factor":"0.1"}', {}, "scaling-confusing not-a-number"],
    ["<i2", '{"add_offset":[1,2]}', {}, "scaling-confusing not-a-number"],
    ["<f4", '{"scale_factor":0.1}', {}, "scaling-confusing floats"],
    [
      "<f8",
      '{"scale_factor":0.1}',
      { filters: '[{"id":"fixedscaleoffset","scale":10,"offset":0,"dtype":"<f8","astype":"<i2"}]' },
      "scaling-confusing twice",
    ],
    ["<i2", '{"scale_factor":0.1,"valid_range":[0.5,99.5]}', {}, "valid-range-confusing outside-type"],
    ["<i2", '{"valid_range":[10,0]}', {}, "valid-range-confusing reversed"],
    ["|i1", '{"_Unsigned":true}', {}, "unsigned-ignored"],
    ["<i4", '{"units":"weeks since 2000-01-01"}', {}, "time-units unit"],
    ["<i4", '{"units":"days sinse 2000-01-01"}', {}, "time-units misspelt"],
    ["<i4", '{"units":"hours Since 2000-01-01"}', {}, "time-units misspelt"],
    ["<i4", '{"units":"days since Jan 1 2000"}', {}, "time-units unknown-form"],
  ])("one for %s %s %j", (dtype, attributes, setting, expected) => {
    expect(found(dtype, attributes, setting)).toEqual([expected]);
  });
});
