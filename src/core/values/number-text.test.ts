import { describe, expect, it } from "vitest";
import { distinctTexts, packedDecimals, readableNumber } from "./number-text.ts";

describe("numbers that people read", () => {
  it.each([
    ["-4.1240000000000006", 3, "−4.124"],
    ["26.264000000000003", 3, "26.264"],
    ["10.0", 3, "10"],
    ["-32768", undefined, "−32768"],
    ["8.090848711894694e-06", undefined, "0.000008090849"],
    ["8.090848711894694e-09", undefined, "8.090849e−9"],
    ["0.9999903709156", undefined, "0.9999904"],
    ["17.052001", undefined, "17.052001"],
    ["-0.00012345679", undefined, "−0.00012345679"],
    ["2026-01-03T00:00:00", undefined, "2026-01-03T00:00:00"],
    ["nan", undefined, "nan"],
  ])("%s with %s decimals is %s", (exact, decimals, text) => {
    expect(readableNumber(exact, decimals)).toBe(text);
  });

  it("have the decimals of what packs them", () => {
    const of = (scaleFactor: number, addOffset = 0) => packedDecimals({ scaleFactor, addOffset });
    expect([of(0.002, 10), of(0.01, 273.15), of(1, 0.5), of(1e-5), of(10)]).toEqual([3, 2, 1, 5, 0]);
    expect([of(Math.fround(0.01)), of(0.0018243021, 273.15), of(1)]).toEqual([2, 3, undefined]);
  });
});

it("tells values apart that differ in their last digits", () => {
  expect(distinctTexts([1, 1.0000002, 1.0000004])).toEqual(["1", "1.0000002", "1.0000004"]);
  expect(distinctTexts([0.1, 0.25])).toEqual(["0.1", "0.25"]);
  // Equal values need no more digits: the search for them ends.
  expect(distinctTexts([2, 2])).toEqual(["2", "2"]);
});
