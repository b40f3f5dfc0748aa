import fc from "fast-check";
import { expect, test } from "vitest";
import { EXHAUSTED, Markup, PyCallable, PyIterator, PyRange, PyView, Undefined, type Value } from "../value.ts";
import { attributeOrItem, getAttribute, itemOrAttribute } from "./index.ts";
import { callValue } from "./call.ts";
import { getItem, getSlice } from "./items.ts";
import { iterate, length, rangeLength } from "./iterate.ts";
import { budget, dict, list, raised, tuple } from "./testing/make.ts";

// Recorded from CPython 3.11.
const SLICES: readonly (readonly [Value, Value, Value, Value, Value])[] = [
  ["abcdef", 1, 3, null, "bc"],
  ["abcdef", null, null, -1, "fedcba"],
  ["abcdef", -3, null, null, "def"],
  ["abcdef", 4, 1, null, ""],
  ["abcdef", 5, 0, -2, "fdb"],
  ["a😀b😀c", 1, 4, null, "😀b😀"],
  ["a😀b😀c", null, null, 2, "abc"],
  [list(1, 2, 3, 4), 1, -1, null, list(2, 3)],
  [tuple(1, 2, 3), null, null, -2, tuple(3, 1)],
  [list(1, 2, 3), 1000000000000000000000000000000n, null, null, list()],
  [list(1, 2, 3), null, -1000000000000000000000000000000n, -1, list(3, 2, 1)],
  [list(1, 2, 3), true, null, null, list(2, 3)],
];

test.each(SLICES)("%o from %o to %o by %o", (object, from, to, step, expected) => {
  expect(getSlice(object, from, to, step, budget())).toEqual(expected);
});

test("slices of a range are what slices of its list are", () => {
  const bound = fc.option(fc.integer({ min: -15, max: 15 }));
  const step = fc.integer({ min: -4, max: 4 }).filter((value) => value !== 0);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9 }), step, bound, bound, step, (stop, by, from, to, cut) => {
      const range = new PyRange(by > 0 ? 0 : stop, by > 0 ? stop : 0, by);
      const items = [...iterate(range, budget())];
      const sliced = getSlice(range, from, to, cut, budget());
      expect(list(...iterate(sliced, budget()))).toEqual(getSlice(list(...items), from, to, cut, budget()));
    }),
  );
});

test("what cannot be cut", () => {
  expect(raised(() => getSlice("abc", 0, 1, 0, budget()))).toBe("ValueError");
  expect(raised(() => getSlice("abc", "a", null, null, budget()))).toBe("TypeError");
  expect(raised(() => getSlice(dict(), 0, 1, null, budget()))).toBe("TypeError");
  expect(raised(() => getSlice(1, 0, 1, null, budget()))).toBe("TypeError");
  expect(raised(() => getSlice(new Undefined("'x' is undefined"), 0, 1, null, budget()))).toBe("UndefinedError");
});

test("items", () => {
  const item = (object: Value, key: Value): Value | undefined => getItem(object, key, budget());
  expect([item("a😀b", 1), item("a😀b", -1), item("abc", true), item("abc", 3), item("abc", "0")]).toEqual([
    "😀",
    "b",
    "b",
    undefined,
    undefined,
  ]);
  expect([item(list(1, 2), -2), item(tuple(1), -2), item(new PyRange(0, 9, 4), -1)]).toEqual([1, undefined, 8]);
  expect([item(dict([1, "a"]), true), item(dict([1, "a"]), list()), item(5, 0)]).toEqual(["a", undefined, undefined]);
  expect(item(new Markup("<b>"), 0)).toEqual(new Markup("<"));
  expect(raised(() => item(new Undefined("'x' is undefined"), 0))).toBe("UndefinedError");
});

test("a dot prefers the attribute, brackets the item", () => {
  const entries = dict(["items", 9], ["x", 1]);
  expect(attributeOrItem(entries, "items", budget())).toBeInstanceOf(PyCallable);
  expect(itemOrAttribute(entries, "items", budget())).toBe(9);
  expect(attributeOrItem(entries, "x", budget())).toBe(1);
  expect(itemOrAttribute("abc", "upper", budget())).toBeInstanceOf(PyCallable);
});

test("what is missing says so, as Jinja2 does", () => {
  const message = (value: Value): string => (value as Undefined).message;
  expect(message(attributeOrItem("a", "x", budget()))).toBe("'str object' has no attribute 'x'");
  expect(message(attributeOrItem(null, "x", budget()))).toBe("'None' has no attribute 'x'");
  expect(message(itemOrAttribute(tuple(1), 5, budget()))).toBe("tuple object has no element 5");
});

test("the sandbox refuses internal attributes, and keys like them stay keys", () => {
  for (const object of ["a", 1, list(), dict(), tuple(), null, new PyCallable("<function f at 0x..>", () => null)]) {
    const found = attributeOrItem(object, "__class__", budget());
    expect((found as Undefined).unsafe).toBe(true);
    expect(raised(() => attributeOrItem(found, "mro", budget()))).toBe("SecurityError");
  }
  for (const name of ["constructor", "__proto__", "prototype", "toString", "valueOf", "hasOwnProperty"]) {
    for (const object of ["a", 1, true, list(), dict(), new PyRange(0, 1, 1), new PyView("keys", dict())]) {
      expect(getAttribute(object, name, budget()), name).toBe(undefined);
    }
    expect(attributeOrItem(dict([name, "key"]), name, budget())).toBe("key");
  }
  expect((attributeOrItem(dict(["__len__", 1]), "__len__", budget()) as Undefined).unsafe).toBe(true);
});

test("walking", () => {
  const walked = (value: Value): Value[] => [...iterate(value, budget())];
  expect(walked("a😀")).toEqual(["a", "😀"]);
  expect(walked(dict(["k", 1]))).toEqual(["k"]);
  expect(walked(new PyView("items", dict(["k", 1])))).toEqual([tuple("k", 1)]);
  expect(walked(new PyRange(5, 0, -2))).toEqual([5, 3, 1]);
  expect(walked(new Undefined("'x' is undefined"))).toEqual([]);
  const queue: Value[] = [1, 2];
  const once = new PyIterator(() => queue.shift() ?? EXHAUSTED, "<generator>");
  expect([walked(once), walked(once)]).toEqual([[1, 2], []]);
  expect(raised(() => walked(5))).toBe("TypeError");
  expect(raised(() => walked(new PyRange(0, 10 ** 12, 1)))).toBe("Budget");
});

test("lengths", () => {
  expect([length("a😀"), length(dict([1, 1])), length(new PyRange(0, 10, 3)), length(new Markup("é"))]).toEqual([
    2, 1, 4, 1,
  ]);
  expect(rangeLength(new PyRange(0, 10n ** 30n, 7))).toBe((10n ** 30n - 1n) / 7n + 1n);
  expect(raised(() => length(5))).toBe("TypeError");
});

test("calling what cannot be called", () => {
  const none = { positional: [], named: new Map<string, Value>() };
  expect(raised(() => callValue(5, none, budget()))).toBe("TypeError");
  expect(raised(() => callValue(new Undefined("'x' is undefined"), none, budget()))).toBe("UndefinedError");
});
