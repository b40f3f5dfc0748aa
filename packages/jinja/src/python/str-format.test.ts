import { expect, test } from "vitest";
import { Budget } from "../template-error.ts";
import { Undefined, type PyCallable, type Value } from "../value.ts";
import { attributeOrItem } from "./index.ts";
import { budget, dict, float, list, raised } from "./testing/make.ts";

/** In place of a result: the exception class. */
const raises = (name: string): { readonly raises: string } => ({ raises: name });

type Named = Readonly<Record<string, Value>>;

function format(text: string, positional: readonly Value[], named: Named, given: Budget = budget()): Value {
  const method = attributeOrItem(text, "format", given) as PyCallable;
  return method.call({ positional, named: new Map(Object.entries(named)) });
}

// Recorded from the sandbox of Jinja2 3.1.2, which does not call str.format itself.
const CASES: readonly (readonly [string, readonly Value[], Named, string | { readonly raises: string }])[] = [
  ["{}-{}", [1, 2], {}, "1-2"],
  ["{0}{1}{0}", ["a", "b"], {}, "aba"],
  ["{a}{b!r}", [], { a: 1, b: "x" }, "1'x'"],
  ["{{}}", [], {}, "{}"],
  ["{:>5}|{:<5}|", [1, "a"], {}, "    1|a    |"],
  ["{:{}}|", ["a", 4], {}, "a   |"],
  ["{:{w}.{p}f}", [float(3.14259)], { w: 8, p: 2 }, "    3.14"],
  ["{!s:>4}", [null], {}, "None"],
  ["{!a}", ["é"], {}, "'\\xe9'"],
  ["{0[1]}", [list(1, 2)], {}, "2"],
  ["{a[x]}", [], { a: dict(["x", 7]) }, "7"],
  ["{a.x}", [], { a: dict(["x", 7]) }, "7"],
  ["{0[-1]}", ["abc"], {}, ""],
  ["{0.real}", [5], {}, "5"],
  ["{0.__class__}", ["a"], {}, ""],
  ["{0.nope}", ["a"], {}, ""],
  ["{} {0}", [1], {}, raises("ValueError")],
  ["{0} {}", [1], {}, raises("ValueError")],
  ["{.real}", [1], {}, raises("KeyError")],
  ["{[0]}", [list(1)], {}, raises("KeyError")],
  ["{", [], {}, raises("ValueError")],
  ["}", [], {}, raises("ValueError")],
  ["{a", [], {}, raises("ValueError")],
  ["{!x}", [1], {}, raises("ValueError")],
  ["{!}", [1], {}, raises("ValueError")],
  ["{a!r", [], { a: 1 }, raises("ValueError")],
  ["{}", [], {}, raises("IndexError")],
  ["{a}", [], {}, raises("KeyError")],
  ["{0[}", [1], {}, raises("ValueError")],
  ["{0]}", [1], {}, raises("KeyError")],
  ["{0..x}", [1], {}, raises("ValueError")],
  ["{:d}", ["a"], {}, raises("ValueError")],
  ["{:5}", [null], {}, raises("TypeError")],
  ["{٠}", ["x"], {}, "x"],
  ["{:{:{}}}", [1, 2, 3], {}, raises("ValueError")],
  ["{:{:{:{}}}}", [1, 2, 3, 4], {}, raises("ValueError")],
  ["{0[a]b}", [dict(["a", 1])], {}, raises("ValueError")],
  ["{é}", [], { é: "ok" }, "ok"],
  ["a}}b{{c", [], {}, "a}b{c"],
];

test.each(CASES)("%j of %o and %o", (text, positional, named, expected) => {
  if (typeof expected === "string") expect(format(text, positional, named)).toBe(expected);
  else expect(raised(() => format(text, positional, named))).toBe(expected.raises);
});

test("undefined arguments print as nothing", () => {
  const missing = new Undefined("'x' is undefined");
  expect(format("[{}]", [missing], {})).toBe("[]");
  expect(format("[{!r}]", [missing], {})).toBe("[Undefined]");
  expect(raised(() => format("{:5}", [missing], {}))).toBe("TypeError");
  expect(raised(() => format("{0.x}", [missing], {}))).toBe("UndefinedError");
});

test("format_map takes one mapping", () => {
  const method = attributeOrItem("{a}{b}", "format_map", budget()) as PyCallable;
  const call = (...positional: readonly Value[]): Value => method.call({ positional, named: new Map() });
  expect(call(dict(["a", 1], ["b", 2]))).toBe("12");
  expect(raised(() => call(dict(["a", 1])))).toBe("KeyError");
  expect(raised(() => call())).toBe("TypeError");
  expect(raised(() => call(1))).toBe("TypeError");
  expect(method.text).toBe("<function str.format_map at 0x..>");
});

test("no field makes more than the budget allows", () => {
  expect(raised(() => format("{:999999999}", [1], {}, new Budget({ characters: 100 })))).toBe("Budget");
  expect(
    raised(() =>
      format(
        "{}".repeat(1000),
        Array.from({ length: 1000 }, () => 1),
        {},
        new Budget({ steps: 100 }),
      ),
    ),
  ).toBe("Budget");
});
