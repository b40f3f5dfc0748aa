import fc from "fast-check";
import { expect, test } from "vitest";
import { integer, Undefined } from "../value.ts";
import { floatFromText, integerText, intFromText, toFloat, toInt } from "./numbers.ts";
import { budget, float, raised } from "./testing/make.ts";

/** In place of a result: the exception class. */
const raises = (name: string): { readonly raises: string } => ({ raises: name });

type Outcome<T> = T | { readonly raises: string };

// Recorded from CPython 3.11; `true` stands for an integer too long to be written here.
const INTEGERS: readonly (readonly [string, number, Outcome<number | bigint | true>])[] = [
  ["12", 10, 12],
  [" 12\n", 10, 12],
  ["+5", 10, 5],
  ["-0", 10, 0],
  ["1_000", 10, 1000],
  ["1__0", 10, raises("ValueError")],
  ["_1", 10, raises("ValueError")],
  ["1_", 10, raises("ValueError")],
  ["0012", 10, 12],
  ["１２", 10, 12],
  ["٣٤", 10, 34],
  ["2.0", 10, raises("ValueError")],
  ["", 10, raises("ValueError")],
  [" ", 10, raises("ValueError")],
  ["1e3", 10, raises("ValueError")],
  ["0x10", 10, raises("ValueError")],
  ["0x1F", 16, 31],
  ["1f", 16, 31],
  ["0x_1f", 16, 31],
  ["0b11", 0, 3],
  ["0o17", 0, 15],
  ["010", 0, raises("ValueError")],
  ["0_0", 0, 0],
  ["00", 0, 0],
  ["z", 36, 35],
  ["12", 2, raises("ValueError")],
  ["9999999999999999999999999", 10, 9999999999999999999999999n],
  ["-9007199254740993", 10, -9007199254740993n],
  ["\u001c5", 10, raises("ValueError")],
  ["5", 10, 5],
  ["- 5", 10, raises("ValueError")],
  ["1 2", 10, raises("ValueError")],
  ["0x", 16, raises("ValueError")],
  ["9".repeat(4300), 10, true],
  ["9".repeat(4301), 10, raises("ValueError")],
  ["f".repeat(5000), 16, true],
  ["½", 10, raises("ValueError")],
  ["𝟙𝟚", 10, 12],
];

test.each(INTEGERS)("int(%j, %d)", (text, base, expected) => {
  if (typeof expected === "object") expect(raised(() => intFromText(text, base))).toBe(expected.raises);
  else if (expected === true) expect(typeof intFromText(text, base)).toBe("bigint");
  else expect(intFromText(text, base)).toBe(expected);
});

const FLOATS: readonly (readonly [string, Outcome<number>])[] = [
  ["1.5", 1.5],
  [" 1.5 ", 1.5],
  ["1", 1.0],
  ["1_0.5", 10.5],
  ["1._5", raises("ValueError")],
  ["1_.5", raises("ValueError")],
  ["inf", Infinity],
  ["-Infinity", -Infinity],
  ["nan", NaN],
  ["NaN", NaN],
  ["infinit", raises("ValueError")],
  ["1e5", 100000.0],
  ["1E-5", 1e-5],
  ["1e1_0", 10000000000.0],
  ["5.", 5.0],
  [".5", 0.5],
  [".", raises("ValueError")],
  ["e5", raises("ValueError")],
  ["٣.٥", 3.5],
  ["0x10", raises("ValueError")],
  ["1.5f", raises("ValueError")],
  ["", raises("ValueError")],
  ["+.5e+3", 500.0],
  ["1e400", Infinity],
  ["\u001c1", raises("ValueError")],
];

test.each(FLOATS)("float(%j)", (text, expected) => {
  if (typeof expected === "object") expect(raised(() => floatFromText(text))).toBe(expected.raises);
  else expect(floatFromText(text)).toBe(expected);
});

test("an integer's text reads back as the same integer, in every base", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: 2, max: 36 }), (value, base) => {
      expect(intFromText(integerText(integer(value), budget()))).toBe(integer(value));
      expect(intFromText(value.toString(base), base)).toBe(integer(value));
    }),
  );
});

test("int() and float() of other values", () => {
  expect([toInt(true), toInt(float(-2.9)), toInt(float(1e20)), toInt(" 7 ")]).toEqual([1, -2, 10n ** 20n, 7]);
  expect([toFloat(true), toFloat(3), toFloat("1e3")]).toEqual([1, 3, 1000]);
  expect(raised(() => toInt(null))).toBe("TypeError");
  expect(raised(() => toInt(float(NaN)))).toBe("ValueError");
  expect(raised(() => toInt(float(Infinity)))).toBe("OverflowError");
  expect(raised(() => toFloat(10n ** 400n))).toBe("OverflowError");
  expect(raised(() => toInt(new Undefined("'x' is undefined")))).toBe("UndefinedError");
});

test("an integer of over 4,300 digits has no text", () => {
  expect(integerText(10n ** 4299n, budget())).toHaveLength(4300);
  expect(raised(() => integerText(10n ** 4300n, budget()))).toBe("ValueError");
});
