import { expect, test } from "vitest";
import { Budget } from "../template-error.ts";
import { EXHAUSTED, Markup, PyIterator, PyList, PyRange, PyView, Undefined, type Value } from "../value.ts";
import { budget, dict, float, list, raised, tuple } from "./testing/make.ts";
import { ascii, repr, str } from "./text.ts";

// Recorded from CPython 3.11: the value, its repr, its ascii.
const CASES: readonly (readonly [Value, string, string])[] = [
  [null, "None", "None"],
  [true, "True", "True"],
  [5, "5", "5"],
  [1180591620717411303424n, "1180591620717411303424", "1180591620717411303424"],
  [float(1.0), "1.0", "1.0"],
  ["a", "'a'", "'a'"],
  ["it's", '"it\'s"', '"it\'s"'],
  ['"', "'\"'", "'\"'"],
  ["'\"", "'\\'\"'", "'\\'\"'"],
  ["\\", "'\\\\'", "'\\\\'"],
  ["\n\t\r\u0000", "'\\n\\t\\r\\x00\\x7f\\x85'", "'\\n\\t\\r\\x00\\x7f\\x85'"],
  ["é", "'é'", "'\\xe9'"],
  ["​", "'\\u200b'", "'\\u200b'"],
  ["퟿", "'\\ud7ff\\ue000'", "'\\ud7ff\\ue000'"],
  ["😀", "'😀'", "'\\U0001f600'"],
  ["󠀁", "'\\U000e0001'", "'\\U000e0001'"],
  [list(1, "a", list(null)), "[1, 'a', [None]]", "[1, 'a', [None]]"],
  [tuple(1), "(1,)", "(1,)"],
  [tuple(1, 2), "(1, 2)", "(1, 2)"],
  [tuple(), "()", "()"],
  [dict(), "{}", "{}"],
  [dict(["a", 1], [2, list(3)]), "{'a': 1, 2: [3]}", "{'a': 1, 2: [3]}"],
  [list(float(1.5), float(NaN)), "[1.5, nan]", "[1.5, nan]"],
  [dict([tuple(1, 2), dict()]), "{(1, 2): {}}", "{(1, 2): {}}"],
];

test.each(CASES)("repr and ascii of %o", (value, shown, plain) => {
  expect(repr(value, budget())).toBe(shown);
  expect(ascii(value, budget())).toBe(plain);
  expect(str(value, budget())).toBe(typeof value === "string" ? value : shown);
});

test("values that only templates have", () => {
  const missing = new Undefined("'x' is undefined");
  expect([str(missing, budget()), repr(missing, budget()), str(list(missing), budget())]).toEqual([
    "",
    "Undefined",
    "[Undefined]",
  ]);
  const safe = new Markup("<'>");
  expect([str(safe, budget()), str(list(safe), budget())]).toEqual(["<'>", `[Markup("<'>")]`]);
  const generator = new PyIterator(() => EXHAUSTED, "<generator object sync_do_map at 0x..>");
  expect(str(generator, budget())).toBe("<generator object sync_do_map at 0x..>");
});

test("ranges and views", () => {
  const entries = dict(["a", 1], [2, list()]);
  expect(str(new PyRange(0, 3, 1), budget())).toBe("range(0, 3)");
  expect(str(new PyRange(0, 9, -2), budget())).toBe("range(0, 9, -2)");
  expect(str(new PyView("keys", entries), budget())).toBe("dict_keys(['a', 2])");
  expect(str(new PyView("items", entries), budget())).toBe("dict_items([('a', 1), (2, [])])");
});

test("containers that hold themselves", () => {
  const items: Value[] = [1];
  const loop = new PyList(items);
  items.push(loop, tuple(loop), dict(["me", loop]));
  expect(str(loop, budget())).toBe("[1, [...], ([...],), {'me': [...]}]");
});

test("what is too deep or too long is refused", () => {
  let deep: Value = list();
  for (let i = 0; i < 10_000; i += 1) deep = list(deep);
  expect(raised(() => str(deep, budget()))).toBe("RecursionError");
  let wide: Value = list(1);
  for (let i = 0; i < 100; i += 1) wide = list(wide, wide);
  expect(raised(() => str(wide, new Budget({ characters: 10_000, steps: 10_000 })))).toBe("Budget");
  expect(raised(() => str(float(1), new Budget({ steps: 0 })))).toBe("Budget");
});
