import { expect, test } from "vitest";
import { Budget } from "../../template-error.ts";
import { Markup, PyRange, type PyCallable, type Value } from "../../value.ts";
import { attributeOrItem, getAttribute } from "../index.ts";
import { callValue } from "../call.ts";
import { budget, dict, float, list, raised, tuple } from "../testing/make.ts";
import { getMethod } from "./get-method.ts";

/** In place of a result: the exception class. */
const raises = (name: string): { readonly raises: string } => ({ raises: name });

type Outcome = Value | { readonly raises: string };

const isRaising = (outcome: Outcome): outcome is { readonly raises: string } =>
  outcome !== null && typeof outcome === "object" && "raises" in outcome;

function call(
  self: Value,
  name: string,
  positional: readonly Value[],
  named: readonly (readonly [string, Value])[] = [],
): Value {
  const method = attributeOrItem(self, name, budget());
  return callValue(method, { positional, named: new Map(named) }, budget());
}

// Recorded from CPython 3.11.
const CASES: readonly (readonly [Value, string, readonly Value[], Outcome])[] = [
  ["a,b,,c", "split", [","], list("a", "b", "", "c")],
  ["  a b  c ", "split", [], list("a", "b", "c")],
  ["  a b  c ", "split", [null, 1], list("a", "b  c ")],
  ["a,b,c", "split", [",", 1], list("a", "b,c")],
  ["a", "split", [""], raises("ValueError")],
  ["", "split", [], list()],
  ["", "split", [","], list("")],
  ["a\u001cb c", "split", [], list("a", "b", "c")],
  ["a,b,c", "rsplit", [",", 1], list("a,b", "c")],
  [" a b  c ", "rsplit", [null, 1], list(" a b", "c")],
  ["aXXbXX", "rsplit", ["XX"], list("a", "b", "")],
  ["x\ny\r\nzw\n", "splitlines", [], list("x", "y", "z", "w")],
  ["x\ny\r\n", "splitlines", [true], list("x\n", "y\r\n")],
  ["a.b.c", "partition", ["."], tuple("a", ".", "b.c")],
  ["a.b.c", "rpartition", ["."], tuple("a.b", ".", "c")],
  ["abc", "rpartition", ["."], tuple("", "", "abc")],
  [" x\u001c ", "strip", [], "x"],
  ["xxaxx", "strip", ["x"], "a"],
  ["xyaxy", "lstrip", ["yx"], "axy"],
  ["aé", "rstrip", ["é"], "a"],
  ["abc", "strip", [1], raises("TypeError")],
  ["-5", "zfill", [4], "-005"],
  ["5", "zfill", [-1], "5"],
  ["😀", "zfill", [3], "00😀"],
  ["ab", "center", [5], "  ab "],
  ["ab", "center", [5, "*"], "**ab*"],
  ["abc", "center", [6], " abc  "],
  ["a", "center", [4, "😀"], "😀a😀😀"],
  ["a", "ljust", [3, "xy"], raises("TypeError")],
  ["a", "rjust", [3], "  a"],
  ["a", "rjust", ["3"], raises("TypeError")],
  ["a\tb\n\tc", "expandtabs", [], "a       b\n        c"],
  ["a\tb", "expandtabs", [4], "a   b"],
  ["\t", "expandtabs", [0], ""],
  ["aXbX", "replace", ["X", "-"], "a-b-"],
  ["aXbX", "replace", ["X", "-", 1], "a-bX"],
  ["ab", "replace", ["", "-"], "-a-b-"],
  ["ab", "replace", ["", "-", 2], "-a-b"],
  ["ab", "replace", ["a"], raises("TypeError")],
  ["a😀b😀", "find", ["😀", 2], 3],
  ["😀a", "find", ["a"], 1],
  ["abc", "find", ["d"], -1],
  ["abc", "find", ["", 3], 3],
  ["abc", "find", ["", 4], -1],
  ["abcabc", "rfind", ["b", 0, -2], 1],
  ["abc", "index", ["d"], raises("ValueError")],
  ["aaa", "count", ["aa"], 1],
  ["aaa", "count", [""], 4],
  ["😀😀", "count", [""], 3],
  ["abc", "startswith", [tuple("x", "ab")], true],
  ["abc", "startswith", ["b", 1], true],
  ["abc", "endswith", ["", 9], false],
  ["abc", "endswith", [1], raises("TypeError")],
  ["ÀÉ", "lower", [], "àé"],
  ["straße ﬁ ŉ", "upper", [], "STRASSE FI ʼN"],
  ["ΑΣ ΣΑ", "lower", [], "ας σα"],
  ["hello world's ǆ", "title", [], "Hello World'S ǅ"],
  ["ﬁx ΑΣ", "capitalize", [], "Fix ας"],
  // The iota stays below: alpha, perispomeni, ypogegrammeni.
  ["\u1fb7", "title", [], "\u0391\u0342\u0345"],
  ["aB ßΣ", "swapcase", [], "Ab SSς"],
  ["Straße Ꭰ İ", "casefold", [], "strasse Ꭰ i̇"],
  ["İ", "lower", [], "i̇"],
  ["abc", "isalpha", [], true],
  ["", "isalpha", [], false],
  ["²", "isdigit", [], true],
  ["²", "isdecimal", [], false],
  ["½", "isnumeric", [], true],
  ["一", "isnumeric", [], true],
  ["٣", "isdecimal", [], true],
  ["a1", "isalnum", [], true],
  [" \u001c", "isspace", [], true],
  ["A1", "isupper", [], true],
  ["ǅ", "isupper", [], false],
  ["a1", "islower", [], true],
  ["Ab Cd", "istitle", [], true],
  ["AB", "istitle", [], false],
  ["_a1", "isidentifier", [], true],
  ["1a", "isidentifier", [], false],
  ["a\n", "isprintable", [], false],
  ["é", "isascii", [], false],
  ["abc", "removeprefix", ["a"], "bc"],
  ["abc", "removesuffix", ["c"], "ab"],
  ["abc", "removesuffix", [""], "abc"],
  [",", "join", [list("a", "b")], "a,b"],
  [",", "join", [dict(["x", 1], ["y", 2])], "x,y"],
  [",", "join", [list(1)], raises("TypeError")],
  ["-", "join", ["ab"], "a-b"],
  ["abc", "translate", [dict([97, "X"], [98, null], [99, 100])], "Xd"],
  ["abc", "translate", ["xyz"], "abc"],
  ["", "maketrans", ["ab", "xy", "z"], dict([97, 120], [98, 121], [122, null])],
  ["", "maketrans", ["ab", "x"], raises("ValueError")],
  ["abc", "upper", [1], raises("TypeError")],
  [5, "bit_length", [], 3],
  [18446744073709551616n, "bit_length", [], 65],
  [-3, "bit_count", [], 2],
  [true, "conjugate", [], 1],
  [7, "as_integer_ratio", [], tuple(7, 1)],
  [float(1.5), "is_integer", [], false],
  [float(1.5), "hex", [], "0x1.8000000000000p+0"],
  [float(-0), "hex", [], "-0x0.0p+0"],
  [float(5e-324), "hex", [], "0x0.0000000000001p-1022"],
  [float(0.1), "as_integer_ratio", [], tuple(3602879701896397, 36028797018963968n)],
  [float(NaN), "as_integer_ratio", [], raises("ValueError")],
  [list(1, 2, 1), "index", [1, 1], 2],
  [list(1, 2), "index", [3], raises("ValueError")],
  [list(1, float(1.0), true), "count", [1], 3],
  [list(1, 2), "copy", [], list(1, 2)],
  [tuple(1, 2), "index", [2], 1],
  [tuple(1, 2), "count", [2], 1],
  [list(), "pop", [], raises("IndexError")],
  [list(1, 2), "pop", [0], 1],
  [list(1, 2), "pop", [5], raises("IndexError")],
  [dict(["a", 1]), "get", ["a"], 1],
  [dict(["a", 1]), "get", ["b", 2], 2],
  [dict(["a", 1]), "get", [list(1)], raises("TypeError")],
  [dict(["a", null]), "pop", ["a"], null],
  [dict(["a", 1]), "pop", ["b"], raises("KeyError")],
  [dict(["a", 1]), "setdefault", ["b"], null],
  [dict([1, 2]), "popitem", [], tuple(1, 2)],
  [dict(), "popitem", [], raises("KeyError")],
  [dict([1, 2]), "copy", [], dict([1, 2])],
  [dict(), "fromkeys", ["ab", 0], dict(["a", 0], ["b", 0])],
];

test.each(CASES)("%o: %s(%o)", (self, name, given, expected) => {
  if (isRaising(expected)) expect(raised(() => call(self, name, given))).toBe(expected.raises);
  else expect(call(self, name, given)).toEqual(expected);
});

// What the object is afterwards.
const CHANGES: readonly (readonly [Value, string, readonly Value[], Outcome])[] = [
  [list(3, 1, 2), "sort", [], list(1, 2, 3)],
  [list(1), "append", [2], list(1, 2)],
  [list(1), "extend", ["ab"], list(1, "a", "b")],
  [list(1, 2), "insert", [-1, 9], list(1, 9, 2)],
  [list(1, 2, 1), "remove", [1], list(2, 1)],
  [list(1, 2), "reverse", [], list(2, 1)],
  [list(1), "clear", [], list()],
  [list(1, "a"), "sort", [], raises("TypeError")],
  [dict(["a", 1]), "update", [dict(["b", 2])], dict(["a", 1], ["b", 2])],
  [dict(["a", 1]), "update", [list(list("c", 3))], dict(["a", 1], ["c", 3])],
  [dict(["a", 1]), "update", [list("abc")], raises("ValueError")],
  [dict(["a", 1]), "clear", [], dict()],
];

test.each(CHANGES)("%o: %s(%o) changes it", (self, name, given, expected) => {
  if (isRaising(expected)) {
    expect(raised(() => call(self, name, given))).toBe(expected.raises);
  } else {
    expect(call(self, name, given)).toBe(null);
    expect(self).toEqual(expected);
  }
});

test("arguments by name, where Python takes them", () => {
  expect(
    call(
      "a,b,c",
      "split",
      [],
      [
        ["maxsplit", 1],
        ["sep", ","],
      ],
    ),
  ).toEqual(list("a", "b,c"));
  expect(call("a\nb\n", "splitlines", [], [["keepends", true]])).toEqual(list("a\n", "b\n"));
  const numbers = list(1, 3, 2);
  call(numbers, "sort", [], [["reverse", true]]);
  expect(numbers).toEqual(list(3, 2, 1));
  const made = dict(["a", 1]);
  call(
    made,
    "update",
    [],
    [
      ["b", 2],
      ["a", 0],
    ],
  );
  expect(made).toEqual(dict(["a", 0], ["b", 2]));
  expect(raised(() => call("a", "strip", [], [["chars", "a"]]))).toBe("TypeError");
  expect(raised(() => call("a", "split", [","], [["sep", ","]]))).toBe("TypeError");
  expect(raised(() => call("a", "split", [], [["nope", 1]]))).toBe("TypeError");
});

test("ranges", () => {
  const range = new PyRange(1, 10, 3);
  expect([call(range, "index", [4]), call(range, "count", [5]), call(range, "count", [float(7)])]).toEqual([1, 0, 1]);
  expect(["start", "stop", "step"].map((name) => getAttribute(range, name, budget()))).toEqual([1, 10, 3]);
  expect(raised(() => call(range, "index", [5]))).toBe("ValueError");
});

test("safe text stays safe, and escapes what it is given", () => {
  const safe = new Markup("<b>");
  expect(call(safe, "upper", [])).toEqual(new Markup("<B>"));
  expect(call(safe, "replace", ["b", "<"])).toEqual(new Markup("<&lt;>"));
  expect(call(safe, "join", [list("<", safe)])).toEqual(new Markup("&lt;<b><b>"));
  expect(call(safe, "split", ["b"])).toEqual(list(new Markup("<"), new Markup(">")));
  expect(call(safe, "find", ["b"])).toBe(1);
  expect(raised(() => call(safe, "format", []))).toBe("Unsupported");
});

test("bound methods print as Python's, without their address", () => {
  expect(getMethod("a", "upper", budget())?.text).toBe("<built-in method upper of str object at 0x..>");
  expect(getMethod(true, "conjugate", budget())?.text).toBe("<built-in method conjugate of bool object at 0x..>");
  expect(getMethod(dict(), "fromkeys", budget())?.text).toBe("<built-in method fromkeys of type object at 0x..>");
  expect(getMethod("a", "nope", budget())).toBe(undefined);
});

test("bytes are refused by name", () => {
  expect(raised(() => call("a", "encode", []))).toBe("Unsupported");
  expect(raised(() => call(1, "to_bytes", [2, "big"]))).toBe("Unsupported");
});

test("methods ask the budget before they make much", () => {
  const small = new Budget({ steps: 1000, characters: 1000 });
  const wide: readonly (readonly [Value, string, readonly Value[]])[] = [
    ["a", "center", [1e9]],
    ["1", "zfill", [1e9]],
    ["\t", "expandtabs", [1e9]],
    ["a".repeat(100), "replace", ["", "b".repeat(100)]],
    ["b".repeat(100), "join", ["a".repeat(100)]],
    ["a ".repeat(2000), "split", []],
    [list(), "extend", [new PyRange(0, 1e9, 1)]],
  ];
  for (const [self, name, positional] of wide) {
    small.reset();
    const method = getMethod(self, name, small) as PyCallable;
    expect(
      raised(() => method.call({ positional, named: new Map() })),
      name,
    ).toBe("Budget");
  }
});
