import { describe, expect, it } from "vitest";
import { colormapTable } from "./colormap.ts";
import { canvasOf, cellAt, movedCell, paintValues, percentileRange, pictureSize } from "./heat-map.ts";

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

describe("pictureSize", () => {
  it("keeps cells square and within the space", () => {
    expect(pictureSize({ rows: 40, columns: 64 }, 364)).toEqual({ width: 364, height: 228, square: true });
    const tall = pictureSize({ rows: 1000, columns: 100 }, 364);
    expect(tall).toEqual({ width: 36, height: 360, square: true });
  });
  it("does not blow up few cells", () => {
    expect(pictureSize({ rows: 1, columns: 1 }, 600)).toEqual({ width: 28, height: 28, square: true });
  });
  it("stretches, and says so, what would be too thin to see", () => {
    expect(pictureSize({ rows: 1, columns: 10_000 }, 364)).toEqual({ width: 364, height: 28, square: false });
  });
});

describe("cells", () => {
  it("finds the cell under a point, also at the very edge", () => {
    expect(cellAt(0, 0, { rows: 4, columns: 8 })).toEqual({ row: 0, column: 0 });
    expect(cellAt(1, 1, { rows: 4, columns: 8 })).toEqual({ row: 3, column: 7 });
    expect(cellAt(0.5, 0.49, { rows: 4, columns: 8 })).toEqual({ row: 1, column: 4 });
  });
  it("moves by key and stays inside", () => {
    const size = { rows: 40, columns: 8 };
    expect(movedCell("ArrowLeft", false, { row: 0, column: 0 }, size)).toEqual({ row: 0, column: 0 });
    expect(movedCell("End", false, { row: 2, column: 0 }, size)).toEqual({ row: 2, column: 7 });
    expect(movedCell("End", true, { row: 2, column: 0 }, size)).toEqual({ row: 39, column: 7 });
    expect(movedCell("PageDown", false, { row: 2, column: 0 }, size)).toEqual({ row: 6, column: 0 });
    expect(movedCell("x", false, { row: 2, column: 0 }, size)).toBeUndefined();
  });
});

describe("canvasOf", () => {
  const pixels = (count: number) => Uint8ClampedArray.from({ length: count * 4 }, (_, index) => index >> 2);
  it("leaves alone what fits", () => {
    const painted = pixels(6);
    expect(canvasOf(painted, { rows: 2, columns: 3 }).pixels).toBe(painted);
  });
  it("takes every n-th row and column of what does not", () => {
    const canvas = canvasOf(pixels(10), { rows: 2, columns: 5 }, 3);
    expect(canvas).toMatchObject({ rows: 2, columns: 3, stepDown: 1, stepAlong: 2 });
    expect(Array.from({ length: 6 }, (_, index) => canvas.pixels[index * 4])).toEqual([0, 2, 4, 5, 7, 9]);
  });
});
