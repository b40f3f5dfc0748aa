/** Places, costs and colours in words and numbers. */
import { describe, expect, it } from "vitest";
import { type Axis, isNorthLast } from "#core/cf/axis.ts";
import type { PlaneCost } from "#core/plane/plane.ts";
import { ordinal } from "#core/values/number-text.ts";
import { axisTicks, placeText } from "#widgets/plane/axis-words.ts";
import { colourRange, histogram, shareOf, valueAtShare } from "#widgets/plane/colour-range.ts";
import { isFree } from "#core/plane/plane-budget.ts";
import { costText, freeStride } from "./CostDialog.tsx";
import { xmlText } from "./slide.ts";
import { valueText } from "#core/values/value-text.ts";

const numbers = (role: Axis["role"], values: readonly number[], units?: string): Axis => ({
  array: "x",
  role,
  units,
  values: { kind: "numbers", numbers: Float64Array.from(values) },
});
const LATITUDES = numbers(
  "latitude",
  Array.from({ length: 90 }, (_, at) => -89 + 2 * at),
);

describe("a place", () => {
  it("is said in degrees with their side, in dates, or in units; by number where nothing stands there", () => {
    expect([placeText(LATITUDES, 0), placeText(LATITUDES, 60)]).toEqual(["89°S", "31°N"]);
    expect([190, 180, 0].map((one) => placeText(numbers("longitude", [one]), 0))).toEqual(["170°W", "180°", "0°"]);
    expect(placeText(numbers("other", [-1.5], "m"), 0)).toBe("−1.5 m");
    const days = BigInt64Array.of(0n, 3_600_000_000_000n, -(2n ** 63n));
    const time: Axis = { array: "t", role: "time", units: undefined, values: { kind: "dates", nanoseconds: days } };
    expect([0, 1, 2].map((at) => placeText(time, at))).toEqual(["1970-01-01", "1970-01-01 01:00", "no value"]);
    expect(placeText(undefined, 1234)).toBe("1,234");
    expect([isNorthLast(LATITUDES), isNorthLast(numbers("latitude", [3, 2])), isNorthLast(undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("has ticks at round values, also where rows are turned round and part of them is seen", () => {
    const turned = axisTicks(LATITUDES, 90, "down", (at) => 89 - at);
    const ticks = turned({ from: 0, to: 90 }, 5);
    expect(ticks.map(({ text }) => text)).toContain("0°");
    const equator = ticks.find(({ text }) => text === "0°");
    expect(equator?.at).toBeCloseTo(45, 5);
    expect(turned({ from: 0, to: 10 }, 40).every(({ text }) => text.endsWith("°N"))).toBe(true);
    expect(axisTicks(undefined, 1000, "across", (at) => at)({ from: 0, to: 1000 }, 1).length).toBeLessThan(20);
  });
});

const COST: PlaneCost = {
  chunks: 1440,
  missing: 0,
  kept: 0,
  unknown: 0,
  requests: 96,
  bytes: 410_000_000,
  ofUnknownLength: 0,
  targets: 2,
};

describe("what a slice costs", () => {
  it("is said in chunks, files, requests and bytes", () => {
    expect(costText(COST)).toBe("1,440 chunks of 2 files: 96 requests, 410 MB");
    expect(costText({ ...COST, unknown: 4 })).toContain("4 chunks with references not read yet");
    expect([isFree(COST), isFree({ ...COST, requests: 64, bytes: 1000 })]).toEqual([false, true]);
    expect(freeStride(COST)).toBe(4);
    expect([1, 2, 3, 11, 22, 103].map(ordinal)).toEqual(["1st", "2nd", "3rd", "11th", "22nd", "103rd"]);
  });
});

describe("colours", () => {
  const plane = { values: Float64Array.of(-2, 0, 1, 10, Number.NaN), minimum: -2, maximum: 10 };
  const range = (mode: "slice" | "symmetric" | "fixed", logarithmic = false, ends = {}) =>
    colourRange({ mode, logarithmic, ...ends }, plane);

  it("run over the slice, evenly about 0, or as typed; a logarithm begins above 0", () => {
    expect(range("slice")).toEqual({ minimum: -2, maximum: 10, logarithmic: false });
    expect(range("symmetric")).toMatchObject({ minimum: -10, maximum: 10 });
    expect(range("fixed", false, { low: 0, high: 5 })).toMatchObject({ minimum: 0, maximum: 5 });
    expect(range("fixed", false, { low: 5, high: 5 })).toMatchObject({ minimum: -2, maximum: 10 });
    expect(range("slice", true)).toEqual({ minimum: 1, maximum: 10, logarithmic: true });
    const classes = new Map([
      [4, 1],
      [9, 2],
    ]);
    const byClass = colourRange({ mode: "slice", logarithmic: true }, plane, classes)!;
    expect([4, 9, 5].map((value) => shareOf(byClass, value))).toEqual([0.5, 1, 0]);
    expect(colourRange({ mode: "slice", logarithmic: false }, { ...plane, minimum: undefined })).toBeUndefined();
  });

  it("give back the value that they were taken from", () => {
    for (const logarithmic of [false, true]) {
      const one = range("fixed", logarithmic, { low: 0.5, high: 50 })!;
      for (const value of [0.5, 3, 50]) expect(valueAtShare(one, shareOf(one, value))).toBeCloseTo(value, 9);
      expect([shareOf(one, 0.1), shareOf(one, 99)]).toEqual([0, 1]);
    }
  });

  it("are counted in bins, every value once", () => {
    expect(histogram(plane)?.counts.reduce((sum, count) => sum + count, 0)).toBe(4);
    expect(histogram({ values: Float64Array.of(3, 3), minimum: 3, maximum: 3 })?.counts[24]).toBe(2);
  });

  it("say values with their units", () => {
    const about = { numeric: true, title: undefined, units: "degC", auxiliaries: [] };
    expect(valueText(-1.23456789, about, true)).toBe("−1.23457 °C");
    expect(valueText(2, about, false)).toBe("2");
  });
});

it("a picture's words are without the characters that XML has not, and otherwise as they are", () => {
  expect(xmlText("°C · 海 😀\t\n")).toBe("°C · 海 😀\t\n");
  expect(xmlText("a\0b\u0001c\uD800d\uDC00\uFFFE")).toBe("a\uFFFDb\uFFFDc\uFFFDd\uFFFD\uFFFD");
});
