import { describe, expect, test } from "vitest";
import { parseJson } from "#core/json/parse-json.ts";
import type { JsonObject } from "#core/json/json.ts";
import { keyAt, nodeAt, placeText, RefscopeError } from "#core/findings/finding.ts";
import { readManifest } from "./read.ts";
import { codes, read, rowsOf, tableOf } from "./testing.ts";

const rows = (text: string, grid?: readonly number[]) => rowsOf(tableOf(read(text, grid), grid));
const one = (entry: string) => rows(`{"0.0": ${entry}}`)[0]?.slice(1);
const ENTRY = '{"path": "x.nc", "offset": 1, "length": 2}';

describe("keys", () => {
  test.each(["1.2", "1/2", "c/1/2", "c.1.2"])("%s", (key) => {
    expect(rows(`{"${key}": ${ENTRY}}`)).toEqual([["a/1.2", "range", "x.nc", 1, 2]]);
  });

  test.each(["0", "c"])("a scalar's: %s", (key) => {
    expect(rows(`{"${key}": ${ENTRY}}`, [])).toEqual([["a/0", "range", "x.nc", 1, 2]]);
  });

  test.each(["3", "c/3", "c.3"])("of one dimension: %s", (key) => {
    expect(rows(`{"${key}": ${ENTRY}}`, [4])).toEqual([["a/3", "range", "x.nc", 1, 2]]);
  });

  test.each([
    ["2.0", "key-outside-grid"],
    ["0.3", "key-outside-grid"],
    ["0.9999999999999999", "key-outside-grid"],
    ["0.0.0", "key-wrong-rank"],
    ["0", "key-wrong-rank"],
    ["c/0", "key-wrong-rank"],
    ["0.00", "key-not-a-chunk"],
    ["0.1/0", "key-not-a-chunk"],
    ["-1.0", "key-not-a-chunk"],
    ["a/0.0", "key-not-a-chunk"],
    ["C/0/0", "key-not-a-chunk"],
    ["__proto__", "key-not-a-chunk"],
    ["c/c/0/0", "key-not-a-chunk"],
  ])("%s is none: %s", (key, code) => {
    const manifest = read(`{"${key}": ${ENTRY}}`);
    expect(codes(manifest)).toEqual([code]);
    expect(rowsOf(tableOf(manifest))).toEqual([[`a/${key}`, "range", "x.nc", 1, 2]]);
  });

  test("a stray key twice is one row, and the last counts", () => {
    const text = `{"x": ${ENTRY}, "x": {"path": "y.nc"}}`;
    expect(rows(text)).toEqual([["a/x", "whole", "y.nc"]]);
  });

  test.each(["", "c", "c/", "0/", "0.", "c.1.", "c/1"])("%j stands for many chunks", (key) => {
    const manifest = read(`{"${key}": {"path": "old/"}, "0.0": ${ENTRY}}`);
    expect(codes(manifest)).toEqual(["manifest-prefix-entry"]);
    expect(manifest.prefixes).toMatchObject([{ key, value: { kind: "path", path: "old/" } }]);
    expect(rowsOf(tableOf(manifest))).toEqual([["a/0.0", "range", "x.nc", 1, 2]]);
  });

  test.each([
    ["c/2/", "key-outside-grid"],
    ["0/0/", "key-not-a-chunk"],
    ["/", "key-not-a-chunk"],
    ["x/", "key-not-a-chunk"],
    ["c//", "key-not-a-chunk"],
  ])("%j is neither a chunk's nor a prefix: %s", (key, code) => {
    const manifest = read(`{"${key}": {"path": "old/"}}`);
    expect(codes(manifest)).toEqual([code]);
    expect(manifest.prefixes).toEqual([]);
  });

  test("what is of one chunk can be of no prefix", () => {
    const manifest = read(`{"c/": ${ENTRY}, "0/": {"data": "YWJj"}, "1/": {"path": 5}, "c/1": ${ENTRY}}`);
    expect(codes(manifest)).toEqual([
      "manifest-prefix-entry ×3",
      "manifest-prefix-unusable ×2",
      "reference-malformed",
      "key-wrong-rank",
    ]);
    expect(manifest.prefixes.map(({ value }) => value.kind)).toEqual(["refused", "refused", "refused"]);
  });

  test("an array without chunks has only keys outside its grid", () => {
    expect(codes(read(`{"0.0": ${ENTRY}}`, [0, 3]))).toEqual(["key-outside-grid"]);
  });
});

describe("repeated chunks", () => {
  test("under one key: the last counts", () => {
    const manifest = read(`{"0.1": ${ENTRY}, "0.0": ${ENTRY}, "0.1": {"path": "y.nc"}}`);
    expect(codes(manifest)).toEqual(["manifest-duplicate-key"]);
    expect(rowsOf(tableOf(manifest))).toEqual([
      ["a/0.0", "range", "x.nc", 1, 2],
      ["a/0.1", "whole", "y.nc"],
    ]);
  });

  test("under several spellings: the last counts, with another finding", () => {
    const manifest = read(`{"0.1": ${ENTRY}, "c/0/1": {"path": "y.nc"}, "0/1": {"path": "z.nc"}}`);
    expect(codes(manifest)).toEqual(["manifest-duplicate-chunk ×2"]);
    expect(manifest.findings[0]?.place).toEqual(keyAt("a/0.1"));
    expect(rowsOf(tableOf(manifest))).toEqual([["a/0.1", "whole", "z.nc"]]);
  });

  test("an empty entry takes back the one before it", () => {
    expect(rows(`{"0.1": ${ENTRY}, "0.1": {}}`)).toEqual([]);
  });
});

describe("entries", () => {
  test.each([
    ['{"path": "x.nc", "offset": 100, "length": 10}', ["range", "x.nc", 100, 10]],
    ['{"length": 10, "path": "x.nc", "offset": 100}', ["range", "x.nc", 100, 10]],
    ['{"path": "a\\u0062\\/\\"c.nc", "offset": 100, "length": 10}', ["range", 'ab/"c.nc', 100, 10]],
    ['{"path": "ä\u2028 [x].nc","offset":0,"length":0}', ["range", "ä\u2028 [x].nc", 0, 0]],
    ['{"path": "x.nc", "offset": 5000000000, "length": 6000000000}', ["range", "x.nc", 5e9, 6e9]],
    ['{"path": "x.nc", "length": 10}', ["range", "x.nc", 0, 10]],
    ['{"path": "x.nc"}', ["whole", "x.nc"]],
    ['{"path": "x.nc", "offset": 0}', ["whole", "x.nc"]],
    ['{"path": "x.nc", "offset": null, "length": null}', ["whole", "x.nc"]],
  ])("%s", (entry, expected) => {
    expect(one(entry)).toEqual(expected);
  });

  test("explicitly empty ones are missing chunks", () => {
    const manifest = read('{"0.0": {}, "0.1": {"path": "", "offset": 0, "length": 0}, "0.2": {"path": ""}}');
    expect(codes(manifest)).toEqual(["manifest-empty-entry ×3"]);
    expect(tableOf(manifest).rows).toBe(0);
    expect(manifest.prefixes).toEqual([]);
  });

  test.each([
    ['{"path": "x.nc", "offset": 5}', "reference-length-absent", { offset: 5 }],
    ['{"path": "x.nc", "offset": -5, "length": 1}', "reference-offset-negative", { written: "-5" }],
    ['{"path": "x.nc", "offset": 5, "length": -1}', "reference-length-negative", { written: "-1" }],
    ['{"path": "x.nc", "offset": 0.5, "length": 1}', "reference-offset-fractional", { written: "0.5" }],
    ['{"path": "x.nc", "offset": "5", "length": 1}', "reference-offset-not-a-number", { written: "a string" }],
    ['{"path": "x.nc", "offset": 5, "length": true}', "reference-length-not-a-number", { written: "a boolean" }],
    [
      '{"path": "x.nc", "offset": 9007199254740992, "length": 1}',
      "reference-offset-too-large",
      { written: "9007199254740992" },
    ],
    [
      '{"path": "x.nc", "offset": 9007199254740991, "length": 1}',
      "reference-end-too-large",
      { written: "9007199254740991 + 1" },
    ],
    ['{"path": "x.nc", "offset": 1e400, "length": 1}', "reference-offset-not-a-number", { written: "Infinity" }],
    ['{"path": null, "offset": 5, "length": 1}', "reference-malformed", { found: "an object whose “path” is null" }],
    ['{"offset": 5, "length": 1}', "reference-malformed", { found: "an object without it" }],
    ['{"path": ["x.nc"]}', "reference-malformed", { found: "an object whose “path” is an array" }],
    ['["x.nc", 0, 5]', "reference-malformed", { found: "an array" }],
    ['"x.nc"', "reference-malformed", { found: "a string" }],
    ["null", "reference-malformed", { found: "null" }],
    ['{"path": "__inlined__", "offset": 0, "length": 4}', "inline-malformed", { found: undefined }],
  ])("%s is bad: %s", (entry, code, facts) => {
    const manifest = read(`{"0.0": ${entry}}`);
    const place = keyAt("a/0.0");
    expect(manifest.findings.find((one) => one.code === code)).toMatchObject({ place, facts });
    expect(rowsOf(tableOf(manifest))[0]?.[1]).toBe("bad");
  });

  test("a fault's text is kept short", () => {
    const table = tableOf(read(`{"0.0": [${"1,".repeat(5000)}1]}`));
    expect(table.bad.get(0)?.written).toHaveLength(501);
  });

  test("a checksum is noted, not verified", () => {
    const manifest = read(`{"0.0": {"path": "x.nc", "offset": 1, "length": 2, "checksum": "abc"}}`);
    expect(codes(manifest)).toEqual(["manifest-checksum-unverified"]);
    expect(rowsOf(tableOf(manifest))).toEqual([["a/0.0", "range", "x.nc", 1, 2]]);
  });

  test("unknown members are noted", () => {
    expect(codes(read(`{"0.0": {"path": "x.nc", "etag": "e", "__proto__": {}}}`))).toEqual(["manifest-member-unknown"]);
  });
});

describe("inline data", () => {
  test.each([
    ['{"path": "__inlined__", "data": "AAEC/w=="}', "base64:AAEC/w==", "manifest-inline-base64"],
    [
      '{"path": "__inlined__", "offset": 0, "length": 4, "data": "base64:AAEC/w=="}',
      "base64:AAEC/w==",
      "manifest-inline-base64",
    ],
    ['{"data": "AAEC/w=="}', "base64:AAEC/w==", "manifest-inline-base64"],
    ['"base64:AAEC/w=="', "base64:AAEC/w==", "manifest-inline-base64"],
    ['{"data": "a \\"text\\"\\u0000"}', '"a \\"text\\"\\u0000"'.slice(1, -1), "manifest-inline-text"],
    ['{"data": "AA=A"}', "AA=A", "manifest-inline-text"],
  ])("%s", (entry, text, code) => {
    const manifest = read(`{"0.0": ${entry}}`);
    expect(codes(manifest)).toEqual([code]);
    expect(rowsOf(tableOf(manifest))).toEqual([["a/0.0", "inline", text]]);
  });

  test.each([
    ['{"data": "base64:AAE"}', "inline-bad-base64"],
    ['{"data": 5}', "inline-malformed"],
    ['{"data": "\\ud800"}', "reference-malformed"],
    ['{"data": [1, 2]}', "inline-malformed"],
  ])("%s is bad: %s", (entry, code) => {
    expect(one(entry)?.[0]).toBe("bad");
    expect(codes(read(`{"0.0": ${entry}}`))).toEqual([code]);
  });

  test("beside a path the bytes are used, and it is said", () => {
    const manifest = read('{"0.0": {"path": "x.nc", "offset": 0, "length": 4, "data": "AAEC/w=="}}');
    expect(codes(manifest)).toContain("manifest-data-and-path");
    expect(rowsOf(tableOf(manifest))).toEqual([["a/0.0", "inline", "base64:AAEC/w=="]]);
  });
});

describe("the document", () => {
  test("paths are kept once, in the order met", () => {
    const manifest = read('{"0.0": {"path": "b"}, "0.1": {"path": "a"}, "0.2": {"path": "b"}, "1.0": {"path": "a"}}');
    expect(manifest.paths).toEqual(["b", "a"]);
    expect(tableOf(manifest).targets.count).toBe(2);
  });

  test("inline in the metadata it means the same", () => {
    const text = `{"0.0": ${ENTRY}, "c/0/1": {"path": "y.nc"}, "1.0": {}, "1/1": {"data": "AAAA"}, "z": 5}`;
    const value = parseJson(text).value as JsonObject;
    const inline = readManifest({ kind: "inline", value }, { array: "a", grid: [2, 3] });
    expect(rowsOf(tableOf(inline))).toEqual(rows(text));
    expect(inline.findings).toEqual(read(text).findings);
  });

  test("an empty manifest says that every chunk is missing", () => {
    expect(read(" { } ")).toMatchObject({ prefixes: [], findings: [], paths: [] });
  });

  test("what is odd about the JSON is said with its place", () => {
    const manifest = read(`\ufeff{"0.0": {"path": "x.nc", "path": "y.nc"},\n"0.1": {"path": "x", "offset": NaN},}`);
    expect(manifest.findings.map(({ code }) => code)).toEqual([
      "reference-offset-not-a-number",
      "json-byte-order-mark",
      "json-duplicate-key",
      "json-not-finite",
      "json-trailing-comma",
    ]);
    expect(manifest.findings.find(({ code }) => code === "json-not-finite")).toMatchObject({
      place: keyAt("a/manifest.json"),
      facts: { line: 2, column: 32 },
    });
  });

  test.each([
    ["", "chunk-manifest-not-an-object", ""],
    ["[]", "chunk-manifest-not-an-object", ""],
    ["<html>", "chunk-manifest-not-an-object", ""],
    [`{"0.0": ${ENTRY}`, "json-invalid", "offset 50"],
    [`{"0.0": ${ENTRY} "0.1": ${ENTRY}}`, "json-invalid", "offset 51"],
    [`{"0.0": ${ENTRY}}}`, "json-invalid", "offset 51"],
    [`{"0.0": ${ENTRY},\n "0.1": {"path": 'x'}}`, "json-invalid", "line 2, column 18"],
    [`{"0.0" ${ENTRY}}`, "json-invalid", "offset 7"],
    [`{0: ${ENTRY}}`, "json-invalid", "offset 1"],
    [`{"0.0": {"path": "x"]}`, "json-invalid", "offset 20"],
    [`{"0.0": }`, "json-invalid", "offset 8"],
    [`{"0.0`, "json-invalid", "offset 5"],
    [`{"0.0": ${"[".repeat(600)}`, "json-too-deep", "offset"],
    ['{"fields": ["size"], "entries": {}}', "chunk-manifest-other-kind", ""],
  ])("%s is refused: %s", (text, code, where) => {
    const error = failure(() => read(text));
    expect(error.code).toBe(code);
    expect(whereOf(error)).toContain(where);
  });

  /** Those of JSON have their position as facts. */
  function whereOf({ finding: { facts, place } }: RefscopeError): string {
    const { line, column } = facts as { readonly line?: number; readonly column?: number };
    return line === undefined ? placeText(place) : `line ${line}, column ${column}, offset ${Number(column) - 1}`;
  }

  test("more than the limits is refused", () => {
    const text = `{"0.0": ${ENTRY}, "0.1": ${ENTRY}, "0.2": {}}`;
    const within = (bytes: number, entries: number) =>
      readManifest({ kind: "text", text }, { array: "a", grid: [2, 3] }, { bytes, entries, prefixes: 1, strays: 1 });
    expect(within(text.length, 3).entries.count).toBe(3);
    const tooLarge = (facts: object) => ({ code: "chunk-manifest-too-large", place: nodeAt("a"), facts });
    const entries = { what: "entries", limit: 2 };
    const bytes = { what: "bytes", limit: text.length - 1 };
    expect(failure(() => within(text.length, 2)).finding).toMatchObject(tooLarge(entries));
    expect(failure(() => within(text.length - 1, 3)).finding).toMatchObject(tooLarge(bytes));
    const prefixes = () =>
      readManifest(
        { kind: "text", text: '{"c/0/": {}, "c/1/": {}}' },
        { array: "a", grid: [2, 3] },
        { bytes: 99, entries: 3, prefixes: 1, strays: 1 },
      );
    expect(failure(prefixes).finding).toMatchObject(tooLarge({ what: "prefixes", limit: 1 }));
    const strays = () =>
      readManifest(
        { kind: "text", text },
        { array: "a", grid: [1] },
        { bytes: text.length, entries: 3, prefixes: 1, strays: 2 },
      );
    expect(failure(strays).finding).toMatchObject({ code: "too-many-stray-keys", facts: { strays: 3, limit: 2 } });
  });
});

function failure(run: () => unknown): RefscopeError {
  try {
    run();
  } catch (error) {
    if (error instanceof RefscopeError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
