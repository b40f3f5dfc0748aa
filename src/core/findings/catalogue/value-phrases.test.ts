import { expect, it } from "vitest";
import { fillNumber, number, range, stored } from "./value-phrases.ts";

it.each([
  ['"NaN"', "NaN"],
  ['"-Infinity"', "-Infinity"],
  ["9.969209968386869e+36", "9.969209968386869e+36"],
  ["-999.9", "-999.9"],
  ["-999.0", "-999"],
  ["-32768", "-32768"],
  ["9223372036854775807", "9223372036854775807"],
  ['"N/A"', '"N/A"'],
  ["null", "null"],
])("a fill value %s is told as %s", (text, told) => expect(fillNumber(text)).toBe(told));

it.each([
  ["100000002004087730000.0", "1e+20"],
  ["9.969209968386869e+36", "9.96921e+36"],
  ["-999.9000244140625", "-999.9"],
])("a fill value %s of 32-bit floats is told as %s", (text, told) => expect(fillNumber(text, true)).toBe(told));

it("numbers have six digits, whole ones all, large ones an exponent", () => {
  expect([1e20, -1.23456789e15, 271.1500001, 0, 1_500_000_060, Number.NaN, Infinity].map((one) => number(one))).toEqual(
    ["1e+20", "-1.23457e+15", "271.15", "0", "1500000060", "NaN", "Infinity"],
  );
});

it("numbers beside each other are told apart", () => {
  expect(range([271.15, 271.1500001])).toBe("271.15 to 271.1500001");
  expect(range([9.96921e36, 9.969209968386869e36])).toBe("9.96921e+36 to 9.96920997e+36");
  expect(range([0.1, 0.1 + Number.EPSILON])).toBe("0.1 to 0.1000000000000002");
  expect(range([271.15, 271.15])).toBe("271.15 to 271.15");
});

it("stored values have the digits that tell them from the next of their type", () => {
  const fill = Math.fround(9.96921e36);
  expect([stored(fill), stored(fill, true), stored(-999), stored(1e20)]).toEqual([
    "9.969209968386869e+36",
    "9.96921e+36",
    "-999",
    "1e+20",
  ]);
});
