import { expect, it } from "vitest";
import { fillNumber, number } from "./value-phrases.ts";

it.each([
  ['"NaN"', "NaN"],
  ['"-Infinity"', "-Infinity"],
  ["100000002004087730000.0", "1e+20"],
  ["9.969209968386869e+36", "9.96921e+36"],
  ["-999.0", "-999"],
  ["-32768", "-32768"],
  ["9223372036854775807", "9223372036854775807"],
  ['"N/A"', '"N/A"'],
  ["null", "null"],
])("a fill value %s is told as %s", (text, told) => expect(fillNumber(text)).toBe(told));

it("numbers have six digits, large ones an exponent", () => {
  expect([1e20, -1.23456789e15, 271.1500001, 0, Number.NaN, Infinity].map(number)).toEqual([
    "1e+20",
    "-1.23457e+15",
    "271.15",
    "0",
    "NaN",
    "Infinity",
  ]);
});
