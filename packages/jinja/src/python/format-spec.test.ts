import { expect, test } from "vitest";
import { Budget } from "../template-error.ts";
import type { Value } from "../value.ts";
import { formatValue } from "./str-format.ts";
import { budget, float, list, raised, tuple } from "./testing/make.ts";

/** In place of a result: the exception class. */
const raises = (name: string): { readonly raises: string } => ({ raises: name });

// Recorded from CPython 3.11.
const CASES: readonly (readonly [Value, string, string | { readonly raises: string }])[] = [
  ["a", ">5", "    a"],
  ["a", "<5", "a    "],
  ["ab", "^5", " ab  "],
  ["ab", "*^7", "**ab***"],
  ["a", "05", "a0000"],
  ["abc", ".2", "ab"],
  ["a", "=", raises("ValueError")],
  ["a", "=5", raises("ValueError")],
  ["a", "+", raises("ValueError")],
  ["a", "d", raises("ValueError")],
  ["a", ",", raises("ValueError")],
  ["a", "#", raises("ValueError")],
  ["😀", "😀>3", "😀😀😀"],
  [5, "03d", "005"],
  [5, "+d", "+5"],
  [-5, "=5d", "-   5"],
  [1234567, ",", "1,234,567"],
  [1234567, "_", "1_234_567"],
  [1234567, "012,", "0,001,234,567"],
  [1, "04,", "0,001"],
  [255, "#x", "0xff"],
  [255, "#010b", "0b11111111"],
  [65535, "_x", "ffff"],
  [65, "c", "A"],
  [5, "5", "    5"],
  [true, "d", "1"],
  [true, "", "True"],
  [true, "5", "    1"],
  [5, ".2", raises("ValueError")],
  [5, "z", raises("ValueError")],
  [5, ",_", raises("ValueError")],
  [5, "s", raises("ValueError")],
  [5, "q", raises("ValueError")],
  [5, ".2f", "5.00"],
  [18446744073709551616n, ",", "18,446,744,073,709,551,616"],
  [18446744073709551616n, "e", "1.844674e+19"],
  [float(3.14259), ".2f", "3.14"],
  [float(3.0), "", "3.0"],
  [float(3.0), "g", "3"],
  [float(1e16), "", "1e+16"],
  [float(1234.5), ".2", "1.2e+03"],
  [float(12345.0), ".5", "1.2345e+04"],
  [float(1.0), ".1", "1e+00"],
  [float(0.0001), "g", "0.0001"],
  [float(0.5), "%", "50.000000%"],
  [float(0.125), ".1%", "12.5%"],
  [float(-0), "z.1f", "0.0"],
  [float(-0.04), "z.1f", "0.0"],
  [float(1234567.891), ",.2f", "1,234,567.89"],
  [float(1234567.891), "015,.1f", "0,001,234,567.9"],
  [float(NaN), "05", "00nan"],
  [float(Infinity), "+", "+inf"],
  [float(NaN), "010,", "0000000nan"],
  [float(1.5), "d", raises("ValueError")],
  [float(1.5), "x", raises("ValueError")],
  [float(1.5), "n", "1.5"],
  [float(2.5), ".0f", "2"],
  [float(3.5), ".0f", "4"],
  [float(1.5), "#.0f", "2."],
  [float(1.0), "#g", "1.00000"],
  [float(1.5), ".", raises("ValueError")],
  [float(1.5), "E", "1.500000E+00"],
  [float(1.5), ">10", "       1.5"],
  [float(1.5), "010", "00000001.5"],
  [null, "5", raises("TypeError")],
  [list(1), "5", raises("TypeError")],
  [list(1), "", "[1]"],
  [null, "", "None"],
  [tuple(1), "s", raises("TypeError")],
];

test.each(CASES)("format(%o, %j)", (value, spec, expected) => {
  if (typeof expected === "string") expect(formatValue(value, spec, budget())).toBe(expected);
  else expect(raised(() => formatValue(value, spec, budget()))).toBe(expected.raises);
});

test("widths and precisions beyond the budget are refused before anything is made", () => {
  for (const spec of ["999999999", ".999999999f", "0999999999,", ".999999999e"]) {
    expect(
      raised(() => formatValue(float(1.5), spec, new Budget({ characters: 1000 }))),
      spec,
    ).toBe("Budget");
  }
});
