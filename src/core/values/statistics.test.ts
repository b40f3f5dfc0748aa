import { describe, expect, it } from "vitest";
import { scalingOf } from "../cf/cf.ts";
import type { JsonValue } from "../json/json.ts";
import { parseArrayMetadataV2 } from "../metadata/parse-array-metadata.ts";
import { cellsOf, sliceOf } from "../plane/slice.ts";
import { runsInside } from "./runs-inside.ts";
import { statistics } from "./statistics.ts";
import { decodeValues } from "./values.ts";

interface Setting {
  readonly dtype: string;
  readonly chunks?: readonly number[];
  readonly fill?: unknown;
  readonly attributes?: Record<string, JsonValue>;
}

function chunkOf(
  data: ArrayBufferView<ArrayBuffer>,
  count: number,
  { dtype, chunks = [count], fill = null, attributes }: Setting,
) {
  const members = { zarr_format: 2, shape: chunks, chunks, dtype, compressor: null, filters: null, order: "C" };
  const { metadata } = parseArrayMetadataV2(JSON.stringify({ ...members, fill_value: fill }));
  const values = decodeValues(new Uint8Array(data.buffer), metadata);
  const scaling = scalingOf(metadata, attributes && new Map(Object.entries(attributes)));
  return { metadata, values, scaling, inside: chunks, fillValue: metadata.fillValue };
}

const f4 = (...numbers: number[]) => Float32Array.from(numbers);

describe("statistics", () => {
  it("raw: over the finite values, fill value or not", () => {
    const { values, inside, fillValue } = chunkOf(f4(1, NaN, Infinity, -9999, 4), 5, { dtype: "<f4", fill: -9999 });
    const expected = {
      count: 5,
      missing: 2,
      minimum: "-9999.0",
      maximum: "4.0",
      mean: "-3331.3333333333335",
      equalToFill: 1,
    };
    expect(statistics(values, inside, { fillValue, scaled: false })).toEqual(expected);
  });

  it("CF: infinite values are values, as xarray keeps them; the fill value and NaN are missing", () => {
    const data = f4(1, Infinity, -Infinity, 0.5, NaN);
    const chunk = chunkOf(data, 5, { dtype: "<f4", fill: 0.5, attributes: { scale_factor: 2 } });
    const { values, inside, fillValue, scaling } = chunk;
    const ends = { minimum: "-inf", maximum: "inf", mean: "nan" };
    expect(statistics(values, inside, { fillValue, scaling, scaled: true })).toEqual({
      count: 5,
      missing: 2,
      equalToFill: 1,
      ...ends,
    });
    const window = { rows: { from: 0, to: 1 }, columns: { from: 0, to: 5 }, scaled: true, fixed: [0] };
    const cells = cellsOf(chunk, { ...window, rowDimension: undefined, columnDimension: 0 });
    expect(cells.texts).toEqual([["2.0", "inf", "-inf", null, null]]);
  });

  it("only inside the array's edge", () => {
    const data = f4(...Array.from({ length: 24 }, (_, i) => i));
    const { values, fillValue } = chunkOf(data, 24, { dtype: "<f4", chunks: [2, 3, 4] });
    const result = statistics(values, [1, 2, 3], { fillValue, scaled: false });
    expect(result).toEqual({ count: 6, missing: 0, minimum: "0.0", maximum: "6.0", mean: "3.0", equalToFill: 0 });
    expect(statistics(values, [0, 3, 4], { fillValue, scaled: false })).toEqual({
      count: 0,
      missing: 0,
      equalToFill: 0,
    });
  });

  it("keeps 64-bit integers exact", () => {
    const data = BigInt64Array.of(2n ** 62n + 1n, -(2n ** 62n) - 1n, 5n, 5n);
    const { values, inside, fillValue } = chunkOf(data, 4, { dtype: "<i8", fill: 5 });
    const result = statistics(values, inside, { fillValue, scaled: false });
    expect(result.minimum).toBe("-4611686018427387905");
    expect(result.maximum).toBe("4611686018427387905");
    expect(result.equalToFill).toBe(2);
    expect(result.mean).toBe("2.5");
  });

  it("sums a million float32 as closely as NumPy does", () => {
    const data = Float32Array.from({ length: 1_000_000 }, (_, i) => 1e7 + (i % 7) * 0.1);
    const exact = data.reduce((sum, value) => sum + BigInt(value * 1024), 0n);
    const { values, inside, fillValue } = chunkOf(data, data.length, { dtype: "<f4" });
    const mean = Number(statistics(values, inside, { fillValue, scaled: false }).mean);
    expect(Math.abs(mean / (Number(exact) / 1024 / data.length) - 1)).toBeLessThan(1e-14);
  });

  it("counts NaN as equal to a NaN fill value, and booleans as 0 and 1", () => {
    const floats = chunkOf(f4(NaN, 1), 2, { dtype: "<f4", fill: "NaN" });
    expect(statistics(floats.values, [2], { fillValue: "NaN", scaled: false }).equalToFill).toBe(1);
    const { values, fillValue } = chunkOf(Uint8Array.of(0, 2, 1), 3, { dtype: "|b1", fill: false });
    const result = statistics(values, [3], { fillValue, scaled: false });
    expect(result).toMatchObject({ minimum: "0", maximum: "1", equalToFill: 1 });
  });

  it("has no order for text, and dates without a mean", () => {
    const text = chunkOf(new TextEncoder().encode("abcab\0"), 2, { dtype: "|S3", fill: "YWI=" });
    expect(statistics(text.values, [2], { fillValue: text.fillValue, scaled: false })).toEqual({
      count: 2,
      missing: 0,
      equalToFill: 1,
    });
    const dates = chunkOf(BigInt64Array.of(-(2n ** 63n), 3n, 1n), 3, { dtype: "<M8[D]" });
    const result = statistics(dates.values, [3], { fillValue: null, scaled: false });
    expect(result).toEqual({ count: 3, missing: 1, minimum: "1970-01-02", maximum: "1970-01-04", equalToFill: 0 });
  });

  it("scaled: masks, scales and shifts", () => {
    const attributes = { scale_factor: -0.5, add_offset: 10, _FillValue: -1, missing_value: [-2] };
    const chunk = chunkOf(Int16Array.of(-1, -2, -3, 0, 4, 6), 6, { dtype: "<i2", fill: -3, attributes });
    const { values, scaling, inside, fillValue } = chunk;
    // xarray takes fill_value for _FillValue in Zarr v2: -1 stays a value.
    expect(scaling).toEqual({ scaleFactor: -0.5, addOffset: 10, fillValues: ["-3", "-2"] });
    const result = statistics(values, inside, { fillValue, scaling, scaled: true });
    expect(result).toMatchObject({ count: 6, missing: 2, minimum: "7.0", maximum: "10.5", equalToFill: 2 });
    expect(Number(result.mean)).toBeCloseTo(10 - 0.5 * (9 / 4), 12);
  });
});

describe("scalingOf", () => {
  const fills = (dtype: string, attributes: Record<string, JsonValue>, fill: unknown = null) =>
    chunkOf(new Uint8Array(0), 0, { dtype, fill, attributes }).scaling?.fillValues;

  it("is nothing where nothing is declared", () => {
    expect(fills("<f4", { units: "K" })).toBeUndefined();
    expect(fills("<f4", { units: "K" }, "NaN")).toBeUndefined();
    expect(fills("|S3", { _FillValue: "" })).toBeUndefined();
  });

  it("reads fill values as xarray does", () => {
    expect(fills("<f4", { units: "K" }, -9999)).toEqual(["-9999.0"]);
    expect(fills("<f4", { _FillValue: 2 ** 60 })).toEqual(["1.1529215e+18"]);
    expect(fills("<f4", { missing_value: "NaN" })).toEqual(["nan"]);
    expect(fills("<i8", { _FillValue: 2n ** 62n })).toEqual(["4611686018427387904"]);
    expect(fills("<i2", { _FillValue: [-32_768], missing_value: [-1, 1.5] })).toEqual(["-32768", "-1"]);
    // NumPy never finds a number equal to a text.
    expect(fills("<i2", { missing_value: "-1" })).toBeUndefined();
    expect(fills("<i2", { _FillValue: "none" })).toBeUndefined();
  });

  it("masks float32 by a fill value of the metadata, which is rounded, and not by an attribute, which is not", () => {
    const missing = (setting: Omit<Setting, "dtype">) => {
      const { values, scaling, inside, fillValue } = chunkOf(f4(1e20, 2), 2, { dtype: "<f4", ...setting });
      return statistics(values, inside, { fillValue, scaling, scaled: true }).missing;
    };
    expect(missing({ fill: 1e20 })).toBe(1);
    expect(missing({ attributes: { missing_value: Math.fround(1e20) } })).toBe(1);
    expect(missing({ attributes: { missing_value: 1e20 } })).toBe(0);
  });
});

describe("slices and cells", () => {
  const data = Int16Array.from({ length: 24 }, (_, i) => i);
  const { values } = chunkOf(data, 24, { dtype: "<i2", chunks: [2, 3, 4] });
  const chunk = { values, inside: [2, 2, 3] };
  const spec = { rowDimension: 1, columnDimension: 2, fixed: [1, 0, 0], scaled: false };

  it("shows a plane inside the edge", () => {
    const slice = sliceOf(chunk, spec);
    expect(slice).toMatchObject({ rows: 2, columns: 3, strideDown: 1, strideAlong: 1, minimum: 12, maximum: 18 });
    expect([...slice.values]).toEqual([12, 13, 14, 16, 17, 18]);
    const turned = sliceOf(chunk, { ...spec, rowDimension: 2, columnDimension: 0, fixed: [0, 1, 0] });
    expect([...turned.values]).toEqual([4, 16, 5, 17, 6, 18]);
    const line = sliceOf(chunk, { ...spec, rowDimension: undefined });
    expect([...line.values]).toEqual([12, 13, 14]);
  });

  it("shows cells as text, null past the edge", () => {
    const window = { ...spec, rows: { from: 1, to: 3 }, columns: { from: 1, to: 4 } };
    expect(cellsOf(chunk, window).texts).toEqual([
      ["17", "18", null],
      [null, null, null],
    ]);
    const scaling = { scaleFactor: 0.1, addOffset: 1, fillValues: ["17"] };
    expect(cellsOf({ ...chunk, scaling }, { ...window, scaled: true }).texts[0]).toEqual([null, "2.8", null]);
  });

  it("shows a scalar, and an empty array", () => {
    const scalar = {
      values: decodeValues(new Uint8Array(Float64Array.of(NaN).buffer), {
        dataType: floatType,
        chunks: [],
        order: "C",
      }),
      inside: [],
    };
    const none = { rowDimension: undefined, columnDimension: undefined, fixed: [], scaled: false };
    expect([...sliceOf(scalar, none).values]).toEqual([NaN]);
    expect(sliceOf(scalar, none).minimum).toBeUndefined();
    expect(cellsOf(scalar, { ...none, rows: { from: 0, to: 1 }, columns: { from: 0, to: 1 } }).texts).toEqual([
      ["nan"],
    ]);
    expect(sliceOf({ ...chunk, inside: [0, 3, 4] }, spec)).toMatchObject({ rows: 0, columns: 0 });
  });

  it("thins what is too much, the longer side first", () => {
    const big = chunkOf(new Uint8Array(3_000_000), 3_000_000, { dtype: "|u1", chunks: [2, 1_500_000] });
    const whole = { rowDimension: 0, columnDimension: 1, fixed: [0, 0], scaled: false };
    const slice = sliceOf(big, whole);
    expect(slice).toMatchObject({ rows: 2, columns: 500_000, strideDown: 1, strideAlong: 3 });
    const window = { ...whole, rows: { from: 0, to: 2 }, columns: { from: 0, to: 100_000 } };
    expect(() => cellsOf(big, window)).toThrow(expect.objectContaining({ code: "window-too-large" }));
  });

  it.each([
    { ...spec, fixed: [2, 0, 0] },
    { ...spec, fixed: [-1, 0, 0] },
    { ...spec, fixed: [0.5, 0, 0] },
    { ...spec, rowDimension: 3 },
    { ...spec, rowDimension: 2 },
  ])("refuses a plane that is none: %j", (wrong) => {
    expect(() => sliceOf(chunk, wrong)).toThrow(expect.objectContaining({ code: "slice-outside" }));
  });
});

const floatType = { kind: "float", itemSize: 8, byteOrder: "little", text: "<f8" } as const;

describe("runsInside", () => {
  it.each([
    [[], [], [[0, 1]]],
    [[4], [3], [[0, 3]]],
    [[2, 3], [2, 3], [[0, 6]]],
    [[3, 2, 2], [2, 2, 2], [[0, 8]]],
    [
      [2, 3, 4],
      [2, 2, 3],
      [
        [0, 3],
        [4, 7],
        [12, 15],
        [16, 19],
      ],
    ],
    [
      [2, 3, 4],
      [2, 2, 4],
      [
        [0, 8],
        [12, 20],
      ],
    ],
    [[2, 3], [0, 3], []],
  ])("%j inside %j", (shape, inside, runs) => {
    expect([...runsInside(shape, inside)].map(({ from, to }) => [from, to])).toEqual(runs);
  });
});
