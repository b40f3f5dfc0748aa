import { describe, expect, it } from "vitest";
import { parseJsonTree } from "#core/json/parse-json.ts";
import { copiedText, jsonRows, prettyJson, valueText } from "./MetadataPanel.tsx";

const value = (text: string) => parseJsonTree(text).root;
const ATTRIBUTES = value(
  '{"units": "K", "10": [1, 2], "nest": {"a\\"b": {"deep": NaN}}, "empty": {}, "big": 9007199254740993}',
);

describe("rows of a JSON value", () => {
  it("keep the order and name each place as Python would", () => {
    const { rows, more } = jsonRows(ATTRIBUTES, () => true, 100);
    expect(rows.map((row) => [row.level, row.path])).toEqual([
      [1, '["units"]'],
      [1, '["10"]'],
      [2, '["10"][0]'],
      [2, '["10"][1]'],
      [1, '["nest"]'],
      [2, '["nest"]["a\\"b"]'],
      [3, '["nest"]["a\\"b"]["deep"]'],
      [1, '["empty"]'],
      [1, '["big"]'],
    ]);
    expect(more).toBe(false);
    expect(rows[7]).toMatchObject({ expandable: false, position: 4, siblings: 5 });
  });

  it("fold, and stop at the limit, saying so", () => {
    expect(jsonRows(ATTRIBUTES, () => false, 100).rows).toHaveLength(5);
    expect(jsonRows(ATTRIBUTES, () => true, 3)).toMatchObject({ more: true, rows: { length: 3 } });
  });
});

describe("values", () => {
  it("are exact and short", () => {
    expect(valueText(value("9007199254740993"))).toBe("9007199254740993");
    expect(valueText(value("NaN"))).toBe("NaN");
    expect(valueText(value('["a", 1]'))).toBe('["a", 1]');
    expect(valueText(value("1.0"))).toBe("1.0");
    expect(valueText(value("1e20"))).toBe("1e20");
    expect(valueText(value("[[1], 2]"))).toBe("[ 2 items ]");
    expect(valueText(value('{"a": 1}'))).toBe("{ 1 member }");
    expect(valueText(value(JSON.stringify("x".repeat(1000)))).length).toBeLessThan(420);
  });

  it("are copied whole, strings without quotes", () => {
    expect(copiedText(value('"degrees_\\u006eorth"'), '"degrees_\\u006eorth"')).toBe("degrees_north");
    expect(copiedText(value("[1.0]"), "[1.0]")).toBe("[1.0]");
  });

  it("are laid out with their numbers as written", () => {
    const text = '{"a":[1.0,NaN],"b":{},"c":"é"}';
    expect(prettyJson(value(text), text)).toBe('{\n  "a": [\n    1.0,\n    NaN\n  ],\n  "b": {},\n  "c": "é"\n}');
  });
});
