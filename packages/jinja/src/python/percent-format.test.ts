import { expect, test } from "vitest";
import { Budget } from "../template-error.ts";
import { Undefined, type Value } from "../value.ts";
import { percentFormat } from "./percent-format.ts";
import { budget, dict, float, list, raised, tuple } from "./testing/make.ts";

/** In place of a result: the exception class. */
const raises = (name: string): { readonly raises: string } => ({ raises: name });

// Recorded from CPython 3.11.
const CASES: readonly (readonly [string, Value, string | { readonly raises: string }])[] = [
  ["%d", 42, "42"],
  ["%05d", -7, "-0007"],
  ["%+d", 3, "+3"],
  ["% d", 3, " 3"],
  ["%-6d|", 5, "5     |"],
  ["%06.2f", float(3.14259), "003.14"],
  ["%.3d", 5, "005"],
  ["%x", 255, "ff"],
  ["%#X", 255, "0XFF"],
  ["%#o", 8, "0o10"],
  ["%d", float(3.99), "3"],
  ["%d", float(-3.99), "-3"],
  ["%d", true, "1"],
  ["%i", 1180591620717411303424n, "1180591620717411303424"],
  ["%e", float(12345.678), "1.234568e+04"],
  ["%.0e", 15, "2e+01"],
  ["%g", float(1e-5), "1e-05"],
  ["%G", float(1e20), "1E+20"],
  ["%#g", float(1.0), "1.00000"],
  ["%.3g", float(1234.5), "1.23e+03"],
  ["%f", float(1e22), "10000000000000000000000.000000"],
  ["%.0f", float(0.5), "0"],
  ["%.0f", float(1.5), "2"],
  ["%.2f", float(2.675), "2.67"],
  ["%05f", float(NaN), "00nan"],
  ["%+f", float(Infinity), "+inf"],
  ["%F", float(Infinity), "INF"],
  ["%c", 65, "A"],
  ["%c", "é", "é"],
  ["%s", null, "None"],
  ["%r", "a'b", '"a\'b"'],
  ["%a", "é😀", "'\\xe9\\U0001f600'"],
  ["%s", list(1, "a", float(2.0)), "[1, 'a', 2.0]"],
  ["%.2s", "abc", "ab"],
  ["%5s|", "ab", "   ab|"],
  ["%-5s|", "ab", "ab   |"],
  ["%05s", "ab", "   ab"],
  ["%*d", tuple(6, 42), "    42"],
  ["%-*d|", tuple(6, 42), "42    |"],
  ["%*d|", tuple(-6, 42), "42    |"],
  ["%.*f", tuple(2, float(3.14259)), "3.14"],
  ["%s %s", tuple(1, 2), "1 2"],
  ["%(a)s-%(b)03d", dict(["a", 1], ["b", 2]), "1-002"],
  ["%(a)s", dict(["a", tuple(1, 2)]), "(1, 2)"],
  ["%%", tuple(), "%"],
  ["a", dict(["x", 1]), "a"],
  ["a", list(1), "a"],
  ["%s", tuple(), raises("TypeError")],
  ["%s", tuple(1, 2), raises("TypeError")],
  ["%d", "1", raises("TypeError")],
  ["%x", float(1.5), raises("TypeError")],
  ["%c", -1, raises("OverflowError")],
  ["%c", "ab", raises("TypeError")],
  ["%q", 1, raises("ValueError")],
  ["%", 1, raises("ValueError")],
  ["%(a)s", 1, raises("TypeError")],
  ["%(b)s", dict(["a", 1]), raises("KeyError")],
  ["%(a", dict(["a", 1]), raises("ValueError")],
  ["%5%", 1, raises("ValueError")],
  ["%hd", 5, "5"],
  ["%ld", 5, "5"],
  ["%*d", tuple("a", 1), raises("TypeError")],
  ["%d", null, raises("TypeError")],
  ["%d", float(NaN), raises("ValueError")],
  ["%d", float(Infinity), raises("OverflowError")],
  ["%.2s", "😀😀😀", "😀😀"],
  ["%3s|", "😀", "  😀|"],
  ["%.50f", float(0.1), "0.10000000000000000555111512312578270211815834045410"],
  ["%.17g", float(0.1), "0.10000000000000001"],
];

test.each(CASES)("%j with %o", (format, args, expected) => {
  if (typeof expected === "string") expect(percentFormat(format, args, budget())).toBe(expected);
  else expect(raised(() => percentFormat(format, args, budget()))).toBe(expected.raises);
});

test("an undefined argument prints as nothing, and is not a number", () => {
  const missing = new Undefined("'x' is undefined");
  expect(percentFormat("[%s]", missing, budget())).toBe("[]");
  expect(raised(() => percentFormat("%d", missing, budget()))).toBe("UndefinedError");
});

test("a width or precision beyond the budget is refused before anything is made", () => {
  const small = new Budget({ characters: 1000 });
  expect(raised(() => percentFormat("%999999999d", 1, small))).toBe("Budget");
  expect(raised(() => percentFormat("%.999999999f", float(1.5), small))).toBe("Budget");
});
