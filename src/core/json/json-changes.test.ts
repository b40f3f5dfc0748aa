import { describe, expect, it } from "vitest";
import { jsonChanges } from "./json-changes.ts";
import { parseJson } from "./parse-json.ts";

const between = (before: string, after: string) => jsonChanges(parseJson(before).value, parseJson(after).value);

describe("changes between two JSON documents", () => {
  it("are listed member by member, with the values before and after", () => {
    const before = '{"dtype": "<i2", "filters": [{"id": "shuffle", "elementsize": 4}], "order": "C", "gone": null}';
    const after = '{"order": "C", "dtype": "<i2", "filters": [{"id": "shuffle", "elementsize": 2}], "a b": [1]}';
    expect(between(before, after)).toEqual([
      { path: "filters[0].elementsize", before: "4", after: "2" },
      { path: "gone", before: "null" },
      { path: '["a b"]', after: "[1]" },
    ]);
  });

  it("are none where only the order of members and the spaces differ", () => {
    expect(between('{"a": 1, "b": [1, 2]}', '{"b":[1,2],"a":1}')).toEqual([]);
  });

  it("report lists of other lengths, other kinds of values, and numbers that only look alike as one change", () => {
    expect(between("[1, 2]", "[1]")).toEqual([{ path: "", before: "[1,2]", after: "[1]" }]);
    expect(between('{"a": {}}', '{"a": []}')).toEqual([{ path: "a", before: "{}", after: "[]" }]);
    expect(between('{"n": 12345678901234567890}', '{"n": 12345678901234567891}')).toEqual([
      { path: "n", before: "12345678901234567890", after: "12345678901234567891" },
    ]);
    expect(between('{"f": NaN, "g": NaN}', '{"f": 0, "g": NaN}')).toEqual([{ path: "f", before: "NaN", after: "0" }]);
  });
});
