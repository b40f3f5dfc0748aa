import { describe, expect, it } from "vitest";
import { rangeFor, rangeProblem, shortNumber } from "./value-range.ts";

const slice = {
  rows: 1,
  columns: 3,
  strideDown: 1,
  strideAlong: 1,
  values: Float64Array.of(1, 2, NaN),
  minimum: 1,
  maximum: 2,
};
const statistics = { count: 9, missing: 0, minimum: "-5", maximum: "12.5", mean: "1", equalToFill: 0 };
const typed = (from: string, to: string) => ({ mode: "typed", from, to }) as const;

describe("rangeFor", () => {
  it("takes the slice's, the chunk's or the typed range", () => {
    expect(rangeFor({ mode: "slice", from: "", to: "" }, slice, statistics)).toEqual({ minimum: 1, maximum: 2 });
    expect(rangeFor({ mode: "chunk", from: "", to: "" }, slice, statistics)).toEqual({ minimum: -5, maximum: 12.5 });
    expect(rangeFor(typed("−1", "1e3"), slice, statistics)).toEqual({ minimum: -1, maximum: 1000 });
  });
  it("falls back to the slice where what was typed is not a range", () => {
    for (const choice of [typed("", ""), typed("a", "2"), typed("3", "2")]) {
      expect(rangeFor(choice, slice, statistics)).toEqual({ minimum: 1, maximum: 2 });
      expect(rangeProblem(choice)).toBeTruthy();
    }
    expect(rangeProblem(typed("1", "1"))).toBeUndefined();
  });
  it("has none where nothing has a value", () => {
    const { minimum: _, maximum: __, ...rest } = slice;
    const empty = { ...rest, minimum: undefined, maximum: undefined, values: Float64Array.of(NaN) };
    expect(rangeFor({ mode: "percentile", from: "", to: "" }, empty, statistics)).toBeUndefined();
  });
});

describe("shortNumber", () => {
  it("keeps six digits", () => {
    expect([14.210000038, -32768, 1e-7, 1e21, 0].map(shortNumber)).toEqual(["14.21", "-32768", "1e-7", "1e21", "0"]);
  });
});
