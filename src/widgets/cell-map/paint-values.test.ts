import { describe, expect, it } from "vitest";
import { colormapTable } from "../values/colormap.ts";
import { paintValues, percentileRange, thinned } from "./paint-values.ts";

const table = colormapTable("viridis");
const pixel = (pixels: Uint8ClampedArray, index: number) => Array.from(pixels.subarray(index * 4, index * 4 + 4));

describe("paintValues", () => {
  it("leaves missing and infinite values transparent, and counts them", () => {
    const { pixels, missing } = paintValues(Float64Array.of(0, NaN, Infinity, 1), { minimum: 0, maximum: 1 }, table);
    expect(missing).toBe(2);
    expect(pixel(pixels, 1)).toEqual([0, 0, 0, 0]);
    expect(pixel(pixels, 0)).toEqual([0x44, 0x01, 0x54, 255]);
    expect(pixel(pixels, 3)).toEqual([0xfd, 0xe7, 0x25, 255]);
  });

  it("counts what lies outside the range and draws it in the end colours", () => {
    const { pixels, below, above } = paintValues(Float64Array.of(-5, 0.5, 9, 10), { minimum: 0, maximum: 1 }, table);
    expect([below, above]).toEqual([1, 2]);
    expect(pixel(pixels, 0)).toEqual([0x44, 0x01, 0x54, 255]);
    expect(pixel(pixels, 2)).toEqual([0xfd, 0xe7, 0x25, 255]);
  });

  it("draws values that are all alike in the middle colour", () => {
    const { pixels } = paintValues(Float64Array.of(7), { minimum: 7, maximum: 7 }, table);
    expect(pixel(pixels, 0)).toEqual([...table.slice(384, 387), 255]);
  });
});

describe("percentileRange", () => {
  it("cuts the tails and ignores missing values", () => {
    const values = Float64Array.from({ length: 101 }, (_, index) => index);
    expect(percentileRange(Float64Array.of(NaN, ...values), 2, 98)).toEqual({ minimum: 2, maximum: 98 });
  });
  it("has none where all is missing", () => {
    expect(percentileRange(Float64Array.of(NaN, NaN), 2, 98)).toBeUndefined();
  });
});

describe("thinned", () => {
  const pixels = (count: number) => Uint8ClampedArray.from({ length: count * 4 }, (_, index) => index >> 2);
  it("leaves alone what fits", () => {
    const painted = pixels(6);
    expect(thinned(painted, { rows: 2, columns: 3 }).pixels).toBe(painted);
  });
  it("takes every n-th row and column of what does not", () => {
    const kept = thinned(pixels(10), { rows: 2, columns: 5 }, 3);
    expect(kept).toMatchObject({ rows: 2, columns: 3, stepDown: 1, stepAlong: 2 });
    expect(Array.from({ length: 6 }, (_, index) => kept.pixels[index * 4])).toEqual([0, 2, 4, 5, 7, 9]);
  });
});
