import fc from "fast-check";
import { expect, test } from "vitest";
import { Markup, PyRange, PyView, Undefined, type Value } from "../value.ts";
import { compare, contains, equal, hashKey, truth } from "./hash-key.ts";
import { repr } from "./text.ts";
import { budget, dict, float, list, raised, tuple } from "./testing/make.ts";

const VALUES: readonly Value[] = [
  1,
  float(1.0),
  true,
  0,
  false,
  1152921504606846976n,
  float(1.152921504606847e18),
  1152921504606846977n,
  float(0.5),
  float(NaN),
  float(Infinity),
  "a",
  "b",
  "",
  "",
  "😀",
  null,
  list(1),
  list(float(1.0)),
  list(1, 2),
  tuple(1),
  tuple(1, 2),
  list(float(NaN)),
  dict([1, 2]),
  dict([float(1.0), 2]),
  dict(["a", list(1)]),
  dict(),
];

// A row a value, a column a value, recorded from CPython 3.11. Equal or not: = and .; less or not: < and .; ! raises.
const EQUAL = [
  "===........................",
  "===........................",
  "===........................",
  "...==......................",
  "...==......................",
  ".....==....................",
  ".....==....................",
  ".......=...................",
  "........=..................",
  "...........................",
  "..........=................",
  "...........=...............",
  "............=..............",
  ".............=.............",
  "..............=............",
  "...............=...........",
  "................=..........",
  ".................==........",
  ".................==........",
  "...................=.......",
  "....................=......",
  ".....................=.....",
  "......................=....",
  ".......................==..",
  ".......................==..",
  ".........................=.",
  "..........................=",
];
const LESS = [
  ".....<<<..<!!!!!!!!!!!!!!!!",
  ".....<<<..<!!!!!!!!!!!!!!!!",
  ".....<<<..<!!!!!!!!!!!!!!!!",
  "<<<..<<<<.<!!!!!!!!!!!!!!!!",
  "<<<..<<<<.<!!!!!!!!!!!!!!!!",
  ".......<..<!!!!!!!!!!!!!!!!",
  ".......<..<!!!!!!!!!!!!!!!!",
  "..........<!!!!!!!!!!!!!!!!",
  "<<<..<<<..<!!!!!!!!!!!!!!!!",
  "...........!!!!!!!!!!!!!!!!",
  "...........!!!!!!!!!!!!!!!!",
  "!!!!!!!!!!!.<.<<!!!!!!!!!!!",
  "!!!!!!!!!!!...<<!!!!!!!!!!!",
  "!!!!!!!!!!!<<.<<!!!!!!!!!!!",
  "!!!!!!!!!!!....<!!!!!!!!!!!",
  "!!!!!!!!!!!.....!!!!!!!!!!!",
  "!!!!!!!!!!!!!!!!!!!!!!!!!!!",
  "!!!!!!!!!!!!!!!!!..<!!.!!!!",
  "!!!!!!!!!!!!!!!!!..<!!.!!!!",
  "!!!!!!!!!!!!!!!!!...!!.!!!!",
  "!!!!!!!!!!!!!!!!!!!!.<!!!!!",
  "!!!!!!!!!!!!!!!!!!!!..!!!!!",
  "!!!!!!!!!!!!!!!!!...!!.!!!!",
  "!!!!!!!!!!!!!!!!!!!!!!!!!!!",
  "!!!!!!!!!!!!!!!!!!!!!!!!!!!",
  "!!!!!!!!!!!!!!!!!!!!!!!!!!!",
  "!!!!!!!!!!!!!!!!!!!!!!!!!!!",
];

test("every value equals and precedes every other as in Python", () => {
  const row = (judge: (other: Value) => string): string => VALUES.map(judge).join("");
  // Python's nan is not equal to itself either, but two lists of one same nan are.
  expect(VALUES.map((a) => row((b) => (equal(a, b, budget()) ? "=" : ".")))).toEqual(EQUAL);
  const less = (a: Value, b: Value): string => {
    const error = raised(() => compare("<", a, b, budget()));
    return error === undefined ? (compare("<", a, b, budget()) ? "<" : ".") : error === "TypeError" ? "!" : "?";
  };
  expect(VALUES.map((a) => row((b) => less(a, b)))).toEqual(LESS);
});

test("keys are the same exactly where values are equal", () => {
  const hashable = VALUES.filter((value) => raised(() => hashKey(value, budget())) === undefined);
  expect(hashable).toHaveLength(19);
  for (const a of hashable) {
    for (const b of hashable) {
      const isSameKey = hashKey(a, budget()) === hashKey(b, budget());
      expect(isSameKey, `${repr(a, budget())} ${repr(b, budget())}`).toBe(equal(a, b, budget()) || a === b);
    }
  }
  expect(hashKey(tuple("a", "b"), budget())).not.toBe(hashKey(tuple("a1 sb"), budget()));
  expect(raised(() => hashKey(tuple(list()), budget()))).toBe("TypeError");
});

test("text orders by code points", () => {
  const order = (a: readonly number[], b: readonly number[]): number => {
    for (let i = 0; i < a.length && i < b.length; i += 1) if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0);
    return a.length - b.length;
  };
  const codes = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const text = fc.string({ unit: fc.constantFrom("a", "\ud7ff", "\ue000", "\uffff", "😀", "😁", "𐀀") });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(compare("<", a, b, budget())).toBe(order(codes(a), codes(b)) < 0);
      expect(compare(">=", a, b, budget())).toBe(order(codes(a), codes(b)) >= 0);
    }),
  );
});

test("what is in what", () => {
  const nan = float(NaN);
  expect(contains(nan, list(nan), budget())).toBe(true);
  expect(contains(nan, list(float(NaN)), budget())).toBe(false);
  expect(contains("b", "abc", budget())).toBe(true);
  expect(contains(1, dict([true, 0]), budget())).toBe(true);
  expect(contains(float(4), new PyRange(1, 9, 3), budget())).toBe(true);
  expect(contains(10n ** 30n, new PyRange(0, 10n ** 40n, 10), budget())).toBe(true);
  expect(contains(tuple("a", 1), new PyView("items", dict(["a", float(1)])), budget())).toBe(true);
  expect(contains(1, new Undefined("'x' is undefined"), budget())).toBe(false);
  expect(raised(() => contains(1, "1", budget()))).toBe("TypeError");
  expect(raised(() => contains(1, 1, budget()))).toBe("TypeError");
  expect(raised(() => contains(list(), dict(), budget()))).toBe("TypeError");
});

test("undefined values equal each other, and have no order", () => {
  const missing = new Undefined("'x' is undefined");
  expect(equal(missing, new Undefined("'y' is undefined"), budget())).toBe(true);
  expect(equal(missing, null, budget())).toBe(false);
  expect(raised(() => compare("<", 1, missing, budget()))).toBe("UndefinedError");
});

test("ranges and views", () => {
  expect(equal(new PyRange(0, 3, 2), new PyRange(0, 4, 2), budget())).toBe(true);
  expect(equal(new PyRange(3, 0, 1), new PyRange(5, 5, 7), budget())).toBe(true);
  expect(hashKey(new PyRange(0, 3, 2), budget())).toBe(hashKey(new PyRange(0, 4, 2), budget()));
  const [keys, items] = [new PyView("keys", dict([1, 2])), new PyView("items", dict([1, 2]))];
  expect(equal(keys, new PyView("keys", dict([true, 3])), budget())).toBe(true);
  expect(equal(items, new PyView("items", dict([1, float(2)])), budget())).toBe(true);
  expect(equal(keys, items, budget())).toBe(false);
  expect(raised(() => compare("<", keys, keys, budget()))).toBe("Unsupported");
});

test("truth", () => {
  const empty = [
    "",
    0,
    float(0),
    float(-0),
    null,
    false,
    list(),
    tuple(),
    dict(),
    new PyRange(3, 0, 1),
    new Markup(""),
  ];
  expect(empty.map(truth)).toEqual(empty.map(() => false));
  expect(truth(new Undefined("'x' is undefined"))).toBe(false);
  const full = ["0", -1, float(NaN), true, list(0), tuple(""), dict([0, 0]), new PyRange(0, 1, 1), 10n ** 20n];
  expect(full.map(truth)).toEqual(full.map(() => true));
});
