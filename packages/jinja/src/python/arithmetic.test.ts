import fc from "fast-check";
import { expect, test } from "vitest";
import { Budget } from "../template-error.ts";
import { integer, Markup, Undefined, type Integer, type Value } from "../value.ts";
import { add, divide, floorDivide, modulo, multiply, negate, positive, power, subtract } from "./index.ts";
import { budget, float, list, raised, tuple } from "./testing/make.ts";

/** In place of a result: the exception class. */
const raises = (name: string): { readonly raises: string } => ({ raises: name });

const OPERATORS = { add, subtract, multiply, divide, floorDivide, modulo, power };

type Operator = keyof typeof OPERATORS;

// Recorded from CPython 3.11.
const CASES: readonly (readonly [Operator, Value, Value, Value | { readonly raises: string }])[] = [
  ["add", 1, 2, 3],
  ["add", 9007199254740991, 1, 9007199254740992n],
  ["add", true, true, 2],
  ["add", 1, float(1.5), float(2.5)],
  ["add", "a", "b", "ab"],
  ["add", list(1), list(2), list(1, 2)],
  ["add", tuple(1), tuple(2), tuple(1, 2)],
  ["add", "a", 1, raises("TypeError")],
  ["add", 1, "a", raises("TypeError")],
  ["add", list(1), tuple(2), raises("TypeError")],
  ["add", null, 1, raises("TypeError")],
  [
    "add",
    10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000n,
    float(1.0),
    raises("OverflowError"),
  ],
  ["subtract", 1, 2, -1],
  ["subtract", -9007199254740992n, 1, -9007199254740993n],
  ["subtract", "a", "b", raises("TypeError")],
  ["subtract", 5, true, 4],
  ["multiply", 1099511627776, 1099511627776, 1208925819614629174706176n],
  ["multiply", 0, -5, 0],
  ["multiply", "ab", 3, "ababab"],
  ["multiply", 3, "ab", "ababab"],
  ["multiply", list(1), 2, list(1, 1)],
  ["multiply", "a", -1, ""],
  ["multiply", tuple(1), 2, tuple(1, 1)],
  ["multiply", "a", "b", raises("TypeError")],
  ["multiply", "a", float(2.0), raises("TypeError")],
  ["multiply", true, float(2.5), float(2.5)],
  ["divide", 7, 2, float(3.5)],
  ["divide", 0, -5, float(-0)],
  ["divide", 1, 0, raises("ZeroDivisionError")],
  ["divide", float(1.0), 0, raises("ZeroDivisionError")],
  [
    "divide",
    10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000n,
    1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000n,
    float(10.0),
  ],
  [
    "divide",
    10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000n,
    3,
    raises("OverflowError"),
  ],
  [
    "divide",
    3,
    10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000n,
    float(0.0),
  ],
  ["divide", 1180591620717411303425n, 3, float(3.935305402391371e20)],
  [
    "divide",
    -1,
    1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000n,
    float(-0),
  ],
  ["floorDivide", 7, 2, 3],
  ["floorDivide", -7, 2, -4],
  ["floorDivide", 7, -2, -4],
  ["floorDivide", float(7.0), -2, float(-4.0)],
  ["floorDivide", float(0.0), -2, float(-0)],
  ["floorDivide", 1, 0, raises("ZeroDivisionError")],
  ["floorDivide", float(1.0), 0, raises("ZeroDivisionError")],
  ["floorDivide", -100000000000000000000n, 3, -33333333333333333334n],
  ["floorDivide", 1, float(0.1), float(9.0)],
  ["floorDivide", float(Infinity), 2, float(NaN)],
  ["floorDivide", 9007199254740991, -3, -3002399751580331],
  ["modulo", 7, 3, 1],
  ["modulo", -7, 3, 2],
  ["modulo", 7, -3, -2],
  ["modulo", float(-7.5), 2, float(0.5)],
  ["modulo", 5, -5, 0],
  ["modulo", float(5.0), -5, float(-0)],
  ["modulo", 1, 0, raises("ZeroDivisionError")],
  ["modulo", float(1.0), float(0.0), raises("ZeroDivisionError")],
  ["modulo", 100000000000000000000n, 7, 2],
  ["modulo", "%d", 5, "5"],
  ["modulo", float(5.0), float(Infinity), float(5.0)],
  ["modulo", float(-5.0), float(Infinity), float(Infinity)],
  ["power", 2, 10, 1024],
  ["power", 2, 100, 1267650600228229401496703205376n],
  ["power", -2, 3, -8],
  ["power", 2, -1, float(0.5)],
  ["power", 10, -3, float(0.001)],
  ["power", 0, 0, 1],
  ["power", 0, -1, raises("ZeroDivisionError")],
  ["power", float(0.0), float(-1.0), raises("ZeroDivisionError")],
  ["power", 2, float(0.25), float(1.189207115002721)],
  ["power", float(1.1), 100, float(13780.61233982238)],
  ["power", float(10.0), 400, raises("OverflowError")],
  ["power", float(-8.0), 3, float(-512.0)],
  ["power", -1, 1180591620717411303424n, 1],
  ["power", float(NaN), 0, float(1.0)],
  ["power", 1, float(NaN), float(1.0)],
  ["power", float(-1.0), float(Infinity), float(1.0)],
  ["power", float(0.5), 1074, float(5e-324)],
  ["power", float(0.5), 1075, float(0.0)],
  ["power", 2, float(1023.0), float(8.98846567431158e307)],
  ["power", true, true, 1],
  ["power", "a", 2, raises("TypeError")],
  ["power", -8, float(3.0), float(-512.0)],
  ["power", float(1e-300), float(0.1), float(9.999999999999962e-31)],
];

test.each(CASES)("%s of %o and %o", (name, a, b, expected) => {
  const operate = (): Value => OPERATORS[name](a, b, budget());
  if (expected !== null && typeof expected === "object" && "raises" in expected) {
    expect(raised(operate)).toBe(expected.raises);
  } else {
    expect(operate()).toStrictEqual(expected);
  }
});

test("signs", () => {
  expect([negate(5, budget()), negate(0, budget()), negate(true, budget()), positive(false, budget())]).toEqual([
    -5, 0, -1, 0,
  ]);
  expect(negate(float(0), budget())).toStrictEqual(float(-0));
  expect(negate(-(2n ** 60n), budget())).toBe(2n ** 60n);
  expect(raised(() => negate("a", budget()))).toBe("TypeError");
});

const whole = fc.oneof(fc.bigInt(), fc.maxSafeInteger().map(BigInt)).map(integer);

test("a == (a // b) * b + a % b, and the rest has the sign of b", () => {
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      fc.pre(b !== 0);
      const rest = modulo(a, b, budget()) as Integer;
      expect(add(multiply(floorDivide(a, b, budget()), b, budget()), rest, budget())).toBe(a);
      expect(rest === 0 || rest < 0 === b < 0).toBe(true);
      expect(b < 0 ? rest > b : rest < b).toBe(true);
    }),
  );
});

test("integers are exact, and numbers while they are safe", () => {
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      expect(add(a, b, budget())).toBe(integer(BigInt(a) + BigInt(b)));
      expect(multiply(a, b, budget())).toBe(integer(BigInt(a) * BigInt(b)));
    }),
  );
});

test("quotients of large integers are the nearest float", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), fc.nat(200), (a, b, shift) => {
      fc.pre(b !== 0 && a !== 0);
      const scale = 1n << BigInt(shift + 60);
      expect(divide(integer(BigInt(a) * scale), integer(BigInt(b) * scale), budget())).toStrictEqual(float(a / b));
    }),
  );
});

test("what is undefined cannot be calculated with; what is unsafe even less", () => {
  const missing = new Undefined("'x' is undefined");
  for (const operate of [add, divide, power]) {
    expect(raised(() => operate(missing, 1, budget()))).toBe("UndefinedError");
    expect(raised(() => operate("a", missing, budget()))).toBe("UndefinedError");
  }
  expect(raised(() => add(new Undefined("no", true), 1, budget()))).toBe("SecurityError");
});

test("text joined to safe text is escaped", () => {
  expect(add(new Markup("<b>"), "<", budget())).toStrictEqual(new Markup("<b>&lt;"));
  expect(add("<", new Markup("<b>"), budget())).toStrictEqual(new Markup("&lt;<b>"));
});

test("complex numbers are refused by name", () => {
  expect(raised(() => power(-8, float(0.5), budget()))).toBe("Unsupported");
});

test("large results are refused before they are made", () => {
  const small = new Budget({ characters: 1000, steps: 1000 });
  expect(raised(() => multiply("a", 1e9, small))).toBe("Budget");
  expect(raised(() => multiply(list(1), 1e9, small))).toBe("Budget");
  expect(raised(() => power(10, 10 ** 10, small))).toBe("Budget");
  expect(raised(() => multiply(1n << 700_000n, 1n << 700_000n, new Budget()))).toBe("Budget");
});
