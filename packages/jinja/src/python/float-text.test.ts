import fc from "fast-check";
import { expect, test } from "vitest";
import { floatText, parts, styledFloat } from "./float-text.ts";
import { floatFromText } from "./numbers.ts";

// Recorded from CPython 3.11.
const REPRS: readonly (readonly [number, string])[] = [
  [0.0, "0.0"],
  [-0, "-0.0"],
  [1.0, "1.0"],
  [-1.5, "-1.5"],
  [0.1, "0.1"],
  [100.0, "100.0"],
  [1000000000000000.0, "1000000000000000.0"],
  [1e16, "1e+16"],
  [1.2345678901234568e17, "1.2345678901234568e+17"],
  [1e22, "1e+22"],
  [0.0001, "0.0001"],
  [1e-5, "1e-05"],
  [0.00012345, "0.00012345"],
  [5e-324, "5e-324"],
  [1.7976931348623157e308, "1.7976931348623157e+308"],
  [Infinity, "inf"],
  [-Infinity, "-inf"],
  [NaN, "nan"],
  [0.3333333333333333, "0.3333333333333333"],
  [0.6666666666666666, "0.6666666666666666"],
  [1e21, "1e+21"],
  [9007199254740992.0, "9007199254740992.0"],
  [-1e-7, "-1e-07"],
];

test.each(REPRS)("repr of %d", (value, text) => {
  expect(floatText(value)).toBe(text);
});

test("what is printed reads back as the same float", () => {
  fc.assert(
    fc.property(fc.double(), (value) => {
      expect(floatFromText(floatText(value))).toBe(value);
    }),
  );
});

test("a float is its parts", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e300, noNaN: true }), (value) => {
      const { mantissa, exponent } = parts(value);
      expect(Number(mantissa) * 2 ** exponent).toBe(value);
    }),
  );
});

test("17 significant digits read back as the same float, in every style", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (value) => {
      for (const letter of ["e", "g", "short"] as const) {
        expect(Number(styledFloat(value, { letter, precision: 17, alternate: false }))).toBe(value);
      }
    }),
  );
});

test("digits of a float just below a power of ten, whose shortest digits are that power", () => {
  const styled = (letter: "e" | "g", value: number, precision: number): string =>
    styledFloat(value, { letter, precision, alternate: false });
  expect(styled("e", 1e-21, 20)).toBe("9.99999999999999907537e-22");
  expect(styled("g", 1e28, 20)).toBe("9.9999999999999995831e+27");
  expect(styled("e", 1e-21, 5)).toBe("1.00000e-21");
});

test("decimals are rounded half to even by the exact value", () => {
  const fixed = (value: number, precision: number): string =>
    styledFloat(value, { letter: "f", precision, alternate: false });
  expect([fixed(0.5, 0), fixed(1.5, 0), fixed(2.5, 0), fixed(0.125, 2), fixed(2.675, 2), fixed(1e23, 0)]).toEqual([
    "0",
    "2",
    "2",
    "0.12",
    "2.67",
    "99999999999999991611392",
  ]);
  expect(fixed(5e-324, 1100)).toHaveLength(1102);
});
