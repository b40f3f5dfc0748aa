import { describe, expect, it } from "vitest";
import { jsonTree } from "./testing/json-tree.ts";
import { Budget } from "./template-error.ts";
import { valueOfJson } from "./json-value.ts";
import { repr } from "./python/index.ts";

describe("JSON as Python reads it", () => {
  it.each([
    ["[1, 1.0, 1e3, -0, -0.0]", "[1, 1.0, 1000.0, 0, -0.0]"],
    ["[9007199254740993, 1e400, NaN, -Infinity]", "[9007199254740993, inf, nan, -inf]"],
    ['{"b": 1, "a": [true, null], "b": 2}', "{'b': 2, 'a': [True, None]}"],
    ['{"1": "x", "__proto__": {}}', "{'1': 'x', '__proto__': {}}"],
  ])("%s", (json, expected) => {
    expect(repr(valueOfJson(jsonTree(json)), new Budget())).toBe(expected);
  });
});
