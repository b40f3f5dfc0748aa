/**
 * Filters of Zarr v3 whose elements are of another type than the array's: `numcodecs.*`, `scale_offset`, `cast_value`.
 */
import { withEqualChunks } from "#core/testing/equal-chunks.ts";
import { describe, expect, it } from "vitest";
import { codecTraits } from "../find-codec.ts";
import { swapBytes } from "#core/values/byte-order.ts";
import { parseArrayMetadataV3 } from "#core/metadata/parse-array-metadata-v3.ts";
import { numbersOf } from "#core/values/values.ts";
import { runPipeline, undecodable } from "../pipeline.ts";

const { signal } = new AbortController();

interface Chain {
  readonly type: string;
  readonly codecs: readonly object[];
  readonly shape?: readonly number[];
  readonly fill?: number;
}

function metadataOf({ type, codecs, shape = [4], fill = 0 }: Chain) {
  const grid = { name: "regular", configuration: { chunk_shape: shape } };
  const text = JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: type,
    chunk_grid: grid,
    chunk_key_encoding: { name: "default" },
    fill_value: type === "bool" ? false : fill,
    codecs,
  });
  return withEqualChunks(parseArrayMetadataV3(text, codecTraits).metadata);
}

async function run(chain: Chain, stored: ArrayBufferView<ArrayBuffer>) {
  const metadata = metadataOf(chain);
  const bytes = new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength);
  const result = await runPipeline(metadata, bytes, signal);
  if (result.bytes === undefined) return result.error!;
  const { dataType } = metadata;
  if (dataType.kind === "object" || dataType.kind === "structured") throw new Error("no numbers");
  const inOrder = dataType.byteOrder === "big" ? swapBytes(result.bytes, dataType.itemSize) : result.bytes;
  return Array.from(numbersOf(inOrder, dataType)!, Number);
}

const codec = (name: string, configuration: object = {}) => ({ name, configuration });
const little = codec("bytes", { endian: "little" });
const big = codec("bytes", { endian: "big" });
const bigEndian = (...values: readonly number[]) => {
  const bytes = new DataView(new ArrayBuffer(2 * values.length));
  for (const [at, value] of values.entries()) bytes.setInt16(2 * at, value);
  return bytes;
};

describe("numcodecs' filters in Zarr v3", () => {
  const delta = codec("numcodecs.delta", { dtype: "int32", astype: "<i2" });

  it("meet elements of their own type", async () => {
    expect(await run({ type: "int32", codecs: [delta, little] }, Int16Array.of(1, 2, -5, 7))).toEqual([1, 3, -2, 5]);
  });

  it("hand the size of what they encode to the codec bytes", async () => {
    const error = await run({ type: "int32", codecs: [delta, little] }, Int32Array.of(1, 2, -5, 7));
    expect(error).toMatchObject({
      code: "decode-failed",
      facts: { expected: expect.stringContaining("8 bytes") as unknown },
    });
  });

  it("follow one another", async () => {
    const scale = codec("numcodecs.fixedscaleoffset", { dtype: "<f8", astype: "<i4", scale: 10, offset: 1 });
    const chain = { type: "float64", codecs: [scale, delta, little] };
    expect(await run(chain, Int16Array.of(5, 5, 10, -20))).toEqual([1.5, 2, 3, 1]);
  });

  it("come before a transpose, and after one", async () => {
    const transpose = codec("transpose", { order: [1, 0] });
    const narrow = codec("numcodecs.astype", { encode_dtype: "|u1", decode_dtype: "<f4" });
    const stored = Uint8Array.of(1, 2, 3, 4, 5, 6);
    const values = [1, 3, 5, 2, 4, 6];
    const shape = [2, 3];
    expect(await run({ type: "float32", codecs: [narrow, transpose, little], shape }, stored)).toEqual(values);
    expect(await run({ type: "float32", codecs: [transpose, narrow, little], shape }, stored)).toEqual(values);
  });

  it("take the array's type where zarr-python puts it in", async () => {
    const scale = codec("numcodecs.fixedscaleoffset", { astype: "<i2", scale: 2, offset: 0 });
    expect(await run({ type: "float32", codecs: [scale, little] }, Int16Array.of(1, 2, 3, 4))).toEqual([
      0.5, 1, 1.5, 2,
    ]);
    const quantize = codec("numcodecs.quantize", { digits: 2 });
    expect(await run({ type: "float32", codecs: [quantize, little] }, Float32Array.of(1, 2, 3, 4))).toEqual([
      1, 2, 3, 4,
    ]);
    expect(
      await run({ type: "int16", codecs: [codec("numcodecs.delta"), little] }, Int16Array.of(1, 2, 3, 4)),
    ).toMatchObject({
      code: "codec-configuration",
    });
  });

  it("are refused for quantize of another type, which zarr-python cannot read back", async () => {
    const quantize = codec("numcodecs.quantize", { digits: 2, astype: "<f4" });
    const error = await run({ type: "float64", codecs: [quantize, little] }, Float32Array.of(1, 2, 3, 4));
    expect(error).toMatchObject({ code: "decode-failed" });
  });

  it("give elements in the byte order of the array", async () => {
    const scale = codec("numcodecs.fixedscaleoffset", { dtype: "<f4", astype: ">i2", scale: 2, offset: 0 });
    expect(await run({ type: "float32", codecs: [scale, big] }, bigEndian(1, 2, 3, 4))).toEqual([0.5, 1, 1.5, 2]);
  });

  it("refuse a byte order that numcodecs would not see", async () => {
    const error = await run({ type: "int32", codecs: [delta, big] }, bigEndian(1, 2, 3, 4));
    expect(error).toMatchObject({ code: "codec-configuration", facts: { member: "astype" } });
  });

  it("refuse a dtype that is not the array's", async () => {
    const other = codec("numcodecs.delta", { dtype: "<i2" });
    const error = await run({ type: "int32", codecs: [other, little] }, Int32Array.of(1, 2, 3, 4));
    expect(error).toMatchObject({ code: "codec-configuration", facts: { member: "dtype", found: "<i2" } });
  });

  it("pack booleans into a dimension of bytes", async () => {
    const chain = { type: "bool", codecs: [codec("numcodecs.packbits"), codec("bytes")], shape: [2, 5] };
    expect(await run(chain, Uint8Array.of(6, 0b1010_0000, 0b1100_0000))).toEqual([1, 0, 1, 0, 0, 0, 0, 0, 1, 1]);
  });

  it("shuffle by the size of the elements where no size is given", async () => {
    const chain = { type: "int16", codecs: [little, codec("numcodecs.shuffle")] };
    expect(await run(chain, Uint8Array.of(1, 2, 3, 4, 0, 0, 0, 1))).toEqual([1, 2, 3, 260]);
  });
});

it.each(["complex_float4_e2m1fn", "complex_float6_e3m2fn", "complex_float8_e4m3"])(
  "a chunk of %s is refused by the name of its data type",
  async (type) => {
    const metadata = metadataOf({ type, codecs: [codec("bytes")], shape: [2] });
    const { error } = await runPipeline(metadata, Uint8Array.of(1, 2, 3, 4), signal);
    expect(error).toMatchObject({ code: "dtype-unread", facts: { name: type } });
    expect(await undecodable(metadata)).toMatchObject({ code: "dtype-unread" });
  },
);

describe("scale_offset", () => {
  it.each([
    ["float32", { scale: 2, offset: 1.5 }, Float32Array.of(1, 2, -3, 0), [2, 2.5, 0, 1.5]],
    ["float64", { scale: 0.1 }, Float64Array.of(1, 2, 3, 4), [10, 20, 3 / 0.1, 40]],
    ["float64", {}, Float64Array.of(1, 2, 3, 4), [1, 2, 3, 4]],
    [
      "float32",
      { scale: 3, offset: "0x3f800000" },
      Float32Array.of(1, 2, 3, 4),
      [1, 2, 3, 4].map((value) => Math.fround(Math.fround(value / 3) + 1)),
    ],
    ["int16", { scale: 3, offset: 0 }, Int16Array.of(-9, 9, -6, 3), [-3, 3, -2, 1]],
    ["uint8", { scale: 2, offset: 250 }, Uint8Array.of(2, 10, 0, 8), [251, 255, 250, 254]],
    ["int64", { scale: -2, offset: 1 }, BigInt64Array.of(-8n, 8n, 2n, 0n), [5, -3, 0, 1]],
  ] as const)("reads %s with %j", async (type, configuration, stored, values) => {
    const fill = type === "uint8" ? 250 : 0;
    expect(await run({ type, codecs: [codec("scale_offset", configuration), little], fill }, stored)).toEqual(values);
  });

  it.each([
    ["int16", { scale: 3 }, Int16Array.of(-6, 7, 0, 0), "7"],
    ["uint8", { offset: 250 }, Uint8Array.of(1, 5, 6, 0), "256"],
    ["int64", { scale: -2 }, BigInt64Array.of(2n, 3n, 0n, 0n), "3"],
    ["uint64", { offset: 1 }, BigUint64Array.of(1n, 2n ** 64n - 1n, 0n, 0n), String(2n ** 64n)],
  ] as const)("gives no %s with %j of what is not exact", async (type, configuration, stored, found) => {
    const chain = { type, codecs: [codec("scale_offset", configuration), little], fill: 250 };
    expect(await run(chain, stored)).toMatchObject({ code: "decode-failed", facts: { found } });
  });

  it("an array is refused whose fill value cannot be encoded, as zarr-python does", () => {
    const of = (type: string, fill: number, configuration: object) => () =>
      metadataOf({ type, codecs: [codec("scale_offset", configuration), little], shape: [4], fill });
    expect(of("uint8", 0, { offset: 10 })).toThrow("(value - 10) × 1 from 0 to 255");
    expect(of("int16", 200, { scale: 200 })).toThrow("(value - 0) × 200 from -32768 to 32767");
    expect(of("uint8", 10, { offset: 10 })).not.toThrow();
    expect(of("float32", 0, { offset: 10 })).not.toThrow();
    expect(of("uint8", 0, { offset: "ten" })).not.toThrow();
  });

  it.each([
    ["int32", { scale: 0, offset: 5 }],
    ["int16", { scale: 0.5 }],
    ["uint8", { offset: -1 }],
    ["float32", { scale: "2" }],
    ["float32", { scale: 2, astype: "int16" }],
    ["complex64", { scale: 2 }],
    ["bool", {}],
  ])("refuses %s with %j", async (type, configuration) => {
    const error = await run({ type, codecs: [codec("scale_offset", configuration), little] }, new Uint8Array(32));
    expect(error).toMatchObject({ code: expect.stringMatching(/^codec-configuration$/) as unknown });
  });
});

describe("cast_value", () => {
  const cast = (configuration: object) => [codec("cast_value", configuration), little];

  it("is what packed data have after scale_offset, in either byte order", async () => {
    const chain = [codec("scale_offset", { scale: 10, offset: 5 }), codec("cast_value", { data_type: "int16" })];
    expect(await run({ type: "float64", codecs: [...chain, little] }, Int16Array.of(0, 1, 15, -50))).toEqual([
      5, 5.1, 6.5, 0,
    ]);
    expect(await run({ type: "float64", codecs: [...chain, big] }, bigEndian(0, 1, 15, -50))).toEqual([5, 5.1, 6.5, 0]);
  });

  it("reads what its map says in place of a value", async () => {
    const scalar_map = {
      encode: [["NaN", 255]],
      decode: [
        [255, "NaN"],
        [254, 1000.5],
      ],
    };
    const codecs = cast({ data_type: "uint8", scalar_map });
    expect(await run({ type: "float32", codecs }, Uint8Array.of(0, 255, 254, 7))).toEqual([0, NaN, 1000.5, 7]);
    const back = cast({ data_type: "float64", scalar_map: { decode: [["NaN", -1]] } });
    expect(await run({ type: "int16", codecs: back }, Float64Array.of(1, NaN, -0, 7))).toEqual([1, -1, 0, 7]);
  });

  it("reads numbers that NumPy has no type for, in either byte order", async () => {
    const of = (data_type: string, more: object = {}) => codec("cast_value", { data_type, ...more });
    const chain = (one: object, order: object) => ({ type: "float32", codecs: [one, order] });
    const wide = Uint8Array.of(0x3f, 0x80, 0xc0, 0x49, 0x7f, 0xc0, 0, 0);
    const values = [1, -3.140625, NaN, 0];
    expect(await run(chain(of("bfloat16"), big), wide)).toEqual(values);
    expect(await run(chain(of("bfloat16"), little), swapBytes(wide, 2))).toEqual(values);
    const map = { scalar_map: { decode: [["NaN", -9]] } };
    const int = { type: "int16", codecs: [of("float8_e4m3", map), codec("bytes")] };
    expect(await run(int, Uint8Array.of(0x7f, 0x38, 0xb8, 0x77))).toEqual([-9, 1, -1, 240]);
    const nibbles = { type: "float64", codecs: [of("int4"), codec("packbits")] };
    expect(await run(nibbles, Uint8Array.of(0xf8, 0x71))).toEqual([-8, -1, 1, 7]);
    expect(await run(chain(of("bfloat16"), little), Uint8Array.of(1, 2, 3))).toMatchObject({ code: "decode-failed" });
  });

  it.each([
    [undefined, [2, -2, 0, 4]],
    ["nearest-even", [2, -2, 0, 4]],
    ["nearest-away", [2, -2, 1, 4]],
    ["towards-zero", [1, -1, 0, 3]],
    ["towards-positive", [2, -1, 1, 4]],
    ["towards-negative", [1, -2, 0, 3]],
  ])("rounds %s", async (rounding, values) => {
    const codecs = cast({ data_type: "float32", rounding: rounding ?? null });
    expect(await run({ type: "int16", codecs }, Float32Array.of(1.5, -1.5, 0.5, 3.75))).toEqual(values);
  });

  it("holds values in range as out_of_range says", async () => {
    const wide = Int32Array.of(-1, 70_000, 65_535, 0);
    const of = (out_of_range: string | null) => cast({ data_type: "int32", out_of_range });
    expect(await run({ type: "uint16", codecs: of("clamp") }, wide)).toEqual([0, 65_535, 65_535, 0]);
    expect(await run({ type: "uint16", codecs: of("wrap") }, wide)).toEqual([65_535, 4464, 65_535, 0]);
    const error = await run({ type: "uint16", codecs: of(null) }, wide);
    expect(error).toMatchObject({ code: "decode-failed", facts: { found: "-1" } });
    const floats = Float64Array.of(Infinity, -Infinity, 1e9, 1);
    const clamped = cast({ data_type: "float64", out_of_range: "clamp" });
    expect(await run({ type: "int16", codecs: clamped }, floats)).toEqual([32_767, -32_768, 32_767, 1]);
    expect(await run({ type: "float32", codecs: clamped }, Float64Array.of(1e300, -1e300, Infinity, NaN))).toEqual([
      3.402_823_466_385_288_6e38,
      -3.402_823_466_385_288_6e38,
      Infinity,
      NaN,
    ]);
  });

  it.each([
    ["int16", "float64", Float64Array.of(1, 2, NaN, 4), "clamp"],
    ["int16", "float64", Float64Array.of(1, 2, Infinity, 4), "wrap"],
    ["float32", "float64", Float64Array.of(1, 2, 1e300, 4), null],
  ])("gives no %s for %s %j", async (type, data_type, stored, out_of_range) => {
    expect(await run({ type, codecs: cast({ data_type, out_of_range }) }, stored)).toMatchObject({
      code: "decode-failed",
    });
  });

  it("keeps 64-bit integers exact", async () => {
    const stored = BigUint64Array.of(2n ** 63n - 1n, 1n, 2n, 3n);
    const codecs = cast({ data_type: "uint64" });
    expect(await run({ type: "int64", codecs }, stored)).toEqual([2 ** 63, 1, 2, 3]);
    expect(await run({ type: "int64", codecs }, BigUint64Array.of(2n ** 63n, 1n, 2n, 3n))).toMatchObject({
      code: "decode-failed",
    });
  });

  it("reads wider elements of either byte order under an array of single bytes, which has none", async () => {
    const chain = (order: object) => ({ type: "uint8", codecs: [codec("cast_value", { data_type: "int16" }), order] });
    expect(await run(chain(little), Int16Array.of(1, 2, 3, 4))).toEqual([1, 2, 3, 4]);
    expect(await run(chain(big), bigEndian(1, 2, 3, 4))).toEqual([1, 2, 3, 4]);
  });

  it.each([
    [{}],
    [{ data_type: "bool" }],
    [{ data_type: "int16", rounding: "up" }],
    [{ data_type: "int16", out_of_range: "ignore" }],
    [{ data_type: "int16", scalar_map: { decode: [[1]] } }],
    [{ data_type: "int16", scalar_map: [[1, 2]] }],
    [{ data_type: "int16", more: 1 }],
  ])("refuses the configuration %j", async (configuration) => {
    const metadata = metadataOf({ type: "float32", codecs: cast(configuration) });
    expect(await undecodable(metadata)).toMatchObject({ code: "codec-configuration" });
  });
});
