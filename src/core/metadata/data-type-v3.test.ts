import { describe, expect, it } from "vitest";
import { codecTraits } from "#codecs/find-codec.ts";
import { dataTypeLabel, dataTypeTextV2, type DataType } from "./data-type.ts";
import { fillBytes } from "../values/fill-bytes.ts";
import type { Finding } from "../findings/finding.ts";
import { parseArrayMetadataV3 } from "./parse-array-metadata-v3.ts";
import { explained } from "../findings/explain.ts";

function read(
  data_type: unknown,
  fill_value: unknown = 0,
  endian = "little",
): { readonly type: DataType; readonly fill: string | undefined; readonly findings: readonly Finding[] } {
  const { metadata, findings } = parseArrayMetadataV3(
    JSON.stringify({
      zarr_format: 3,
      node_type: "array",
      shape: [4],
      data_type,
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
      chunk_key_encoding: "default",
      fill_value,
      codecs: [{ name: "bytes", configuration: { endian } }],
    }),
    codecTraits,
  );
  const bytes = fillBytes(metadata.fillValue, metadata.dataType);
  return { type: metadata.dataType, fill: bytes && Buffer.from(bytes).toString("hex"), findings };
}

const configured = (name: string, configuration: object): object => ({ name, configuration });

describe("data types of Zarr v3", () => {
  it.each([
    ["bool", "|b1", "bool"],
    ["int8", "|i1", "int8"],
    ["int64", "<i8", "int64, little-endian"],
    ["uint16", "<u2", "uint16, little-endian"],
    ["float16", "<f2", "float16, little-endian"],
    ["float64", "<f8", "float64, little-endian"],
    ["complex64", "<c8", "complex64, little-endian"],
    ["complex128", "<c16", "complex128, little-endian"],
    ["r24", "|V3", "raw bytes, 3 long"],
    ["bfloat16", "|V2", "bfloat16, little-endian"],
    ["float8_e4m3", "|V1", "float8_e4m3"],
    ["int4", "|V1", "int4"],
    ["complex_bfloat16", "|V4", "complex_bfloat16, not decoded"],
    ["string", "|O", "text of any length"],
    ["variable_length_bytes", "|O", "bytes of any length"],
    ["bytes", "|O", "bytes of any length"],
    [{ name: "int32" }, "<i4", "int32, little-endian"],
    [configured("raw_bytes", { length_bytes: 5 }), "|V5", "raw bytes, 5 long"],
    [configured("null_terminated_bytes", { length_bytes: 5 }), "|S5", "bytes, 5 long"],
    [configured("fixed_length_utf32", { length_bytes: 12 }), "<U3", "text, 3 characters long, little-endian"],
    [configured("numpy.datetime64", { unit: "ns", scale_factor: 1 }), "<M8[ns]", "datetime64[ns], little-endian"],
    [configured("numpy.datetime64", { unit: "s", scale_factor: 25 }), "<M8[25s]", "datetime64[25s], little-endian"],
    [configured("numpy.timedelta64", { unit: "μs", scale_factor: 1 }), "<m8[us]", "timedelta64[us], little-endian"],
    [configured("numpy.datetime64", { unit: "generic" }), "<M8", "datetime64, little-endian"],
  ])("%j is NumPy's %s", (written, numpy, label) => {
    const { type } = read(written);
    expect(type.kind !== "structured" && dataTypeTextV2(type)).toBe(numpy);
    expect(dataTypeLabel(type)).toBe(label);
  });

  it.each([
    ["int16", "big", ">i2"],
    [configured("fixed_length_utf32", { length_bytes: 4 }), "big", ">U1"],
    ["int8", "big", "|i1"],
  ])("%j takes the byte order of the codec, %s", (written, endian, numpy) => {
    const { type } = read(written, 0, endian);
    expect(type.kind !== "structured" && dataTypeTextV2(type)).toBe(numpy);
  });

  it("reads structures in both spellings, in the codec's byte order", () => {
    const inner = configured("structured", { fields: [["x", "int8"]] });
    const written = configured("struct", {
      fields: [
        { name: "a", data_type: "int32" },
        { name: "b", data_type: inner },
        { name: "c", data_type: time("ns") },
      ],
    });
    const { type } = read(written, "", "big");
    expect(type).toMatchObject({
      kind: "structured",
      itemSize: 13,
      fields: [
        { name: "a", offset: 0, type: { kind: "int", byteOrder: "big" } },
        { name: "b", offset: 4, type: { kind: "structured", fields: [{ name: "x" }] } },
        { name: "c", offset: 5, type: { kind: "datetime", unit: "ns", byteOrder: "big" } },
      ],
    });
  });

  it.each([
    [{ name: "optional", configuration: { name: "uint8", configuration: {} } }, "optional", "dtype-unknown"],
    ["quaternion", "quaternion", "dtype-unknown"],
    ["<q99", "<q99", "dtype-unknown"],
    ["object", "object", "dtype-spelling"],
  ])("shows %j by its name", (written, text, code) => {
    const { type, findings } = read(written, null);
    expect(type).toMatchObject({ kind: "object", text });
    expect(findings).toMatchObject([{ code }]);
  });

  it("reads what NumPy calls a type", () => {
    expect(read("datetime64[ns]").type).toMatchObject({ kind: "datetime", unit: "ns", text: "datetime64[ns]" });
    expect(read(">f4").type).toMatchObject({ kind: "float", itemSize: 4, byteOrder: "little" });
  });

  it("refuses structures nested without end", () => {
    let type: unknown = "int8";
    for (let level = 0; level < 40; level += 1) type = configured("struct", { fields: [["a", type]] });
    expect(() => read(type)).toThrow("structures in one another");
  });
});

function time(unit: string): object {
  return configured("numpy.datetime64", { unit, scale_factor: 1 });
}

describe("fill values of Zarr v3", () => {
  it.each([
    ["bool", true, "01"],
    ["int16", -1, "ffff"],
    ["float32", "NaN", "0000c07f"],
    ["float32", "-Infinity", "000080ff"],
    ["float32", "0x7fc00001", "0100c07f"],
    ["float16", "0x7E01", "017e"],
    ["float64", 1.5, "000000000000f83f"],
    ["complex64", ["0x3f800000", "NaN"], "0000803f0000c07f"],
    ["r24", [1, 2, 255], "0102ff"],
    ["r24", "AQL/", "0102ff"],
    ["bfloat16", 1, "803f"],
    ["bfloat16", "NaN", "c07f"],
    ["bfloat16", "0x7fc0", "c07f"],
    ["bfloat16", 3.0078125, "4040"],
    ["float8_e5m2", "0x7f", "7f"],
    ["float8_e4m3fnuz", "NaN", "80"],
    ["float6_e3m2fn", -28, "3f"],
    ["int4", -8, "08"],
    ["uint2", 3, "03"],
    ["complex_bfloat16", "0x00003f80", "803f0000"],
    [configured("null_terminated_bytes", { length_bytes: 3 }), "YQ==", "610000"],
    [configured("fixed_length_utf32", { length_bytes: 8 }), "a", "6100000000000000"],
    [time("s"), "NaT", "0000000000000080"],
    [
      configured("struct", {
        fields: [
          ["a", "int16"],
          ["b", "float32"],
        ],
      }),
      { a: 1, b: "NaN" },
      "01000000c07f",
    ],
    [configured("struct", { fields: [["a", "int16"]] }), "AQA=", "0100"],
    ["string", "", undefined],
    ["variable_length_bytes", "", undefined],
    ["bytes", [1, 2], undefined],
  ])("of %j may be %j", (type, value, bytes) => {
    const { fill, findings } = read(type, value);
    expect(fill).toBe(bytes);
    expect(findings).toEqual([]);
  });

  it.each([
    ["int16", 70_000],
    ["int16", "0x0001"],
    ["uint8", -1],
    ["float32", "0x7fc0"],
    ["float32", "nan"],
    ["complex64", [1]],
    ["r24", [1, 2]],
    ["r24", [1, 2, 256]],
    ["bfloat16", "one"],
    ["float4_e2m1fn", "NaN"],
    ["float8_e4m3fnuz", "Infinity"],
    ["int4", 8],
    ["uint4", 1.5],
    ["string", 0],
    ["variable_length_bytes", 0],
    ["int16", null],
    [
      configured("struct", {
        fields: [
          ["a", "int16"],
          ["b", "int8"],
        ],
      }),
      { a: 1 },
    ],
  ])("of %j cannot be %j", (type, value) => {
    const { fill, findings } = read(type, value);
    expect(fill).toBeUndefined();
    expect(findings).toMatchObject([{ code: "fill-value-odd" }]);
    expect(explained(findings[0]!).message).toMatch(/fill_value .*\.$/);
  });

  it("are read as zero, and it is said, where 0 stands for a text", () => {
    const { fill, findings } = read(configured("fixed_length_utf32", { length_bytes: 4 }), 0);
    expect(fill).toBe("00000000");
    expect(findings).toMatchObject([{ code: "fill-value-odd" }]);
    expect(explained(findings[0]!).severity).toBe("info");
  });
});
