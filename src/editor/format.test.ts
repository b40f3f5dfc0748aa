import { describe, expect, test } from "vitest";
import type { TextEdit } from "../core/studio.ts";
import { formatEdits } from "./format.ts";

function applied(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let end = 0;
  for (const edit of edits) {
    expect(text.slice(edit.start, edit.end).trim()).toBe("");
    result += text.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return result + text.slice(end);
}

function format(text: string): string | undefined {
  const edits = formatEdits(text, "\n");
  return edits === undefined ? undefined : applied(text, edits);
}

describe("laying out", () => {
  const laidOut = `{
  "version": 1,
  "templates": {
    "u": "s3://bucket",
    "f": "{{c}}"
  },
  "gen": [
    {
      "key": "a/{{i}}",
      "url": "{{u}}/{{i}}",
      "offset": "{{(i + 1) * 1000}}",
      "length": "1000",
      "dimensions": { "i": { "stop": 5 } }
    }
  ],
  "refs": {
    "key0": "data",
    "key1": ["http://target_url", 10000, 100],
    "empty": [],
    "none": {}
  }
}`;

  test("from one line", () => {
    expect(format(JSON.stringify(JSON.parse(laidOut)))).toBe(laidOut);
  });

  test("what is laid out stays, its end too", () => {
    expect(formatEdits(laidOut, "\n")).toEqual([]);
    expect(formatEdits(`${laidOut}\n`, "\n")).toEqual([]);
  });

  test("a reference stays on its line however long its URL", () => {
    const url = "x".repeat(300);
    expect(format(`{"a":["${url}",1,2]}`)).toBe(`{\n  "a": ["${url}", 1, 2]\n}`);
  });

  test("long lists are broken", () => {
    const list = Array.from({ length: 60 }, (_, index) => index);
    expect(format(JSON.stringify({ a: list }))?.split("\n")).toHaveLength(64);
  });

  test("numbers, escapes, NaN and repeated keys stay as typed", () => {
    const text = String.raw`{"a" : 1.0e+05,"a":[NaN, -Infinity,12345678901234567890], "\u0041\/":"\ud83d"}`;
    expect(format(text)?.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
  });

  test("objects that were broken stay broken", () => {
    const text = '{\n  "a": {\n    "b": {\n      "c": 1\n    }\n  }\n}';
    expect(format(text)).toBe(text);
  });

  test("laying out twice is laying out once", () => {
    for (const text of ['{"a":[[1,2],[3,{"b":{}}]],"c":{"d":[]}}', "[]", "1", '[{"a":1},{"b":2}]', ""]) {
      const once = format(text) ?? "?";
      expect(format(once)).toBe(once);
    }
  });

  test("line ends of the text", () => {
    expect(formatEdits('{"a":1}', "\r\n")).toEqual([
      { start: 1, end: 1, text: "\r\n  " },
      { start: 5, end: 5, text: " " },
      { start: 6, end: 6, text: "\r\n" },
    ]);
  });

  test("brackets that do not match, open strings and comments are left alone", () => {
    for (const text of ['{"a": [1}', '{"a": "b}', "{", "}", '{"a": 1 // x\n}', "[1 /* x */]"]) {
      expect(formatEdits(text, "\n"), text).toBeUndefined();
    }
  });
});
