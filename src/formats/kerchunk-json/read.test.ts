import { describe, expect, test, vi } from "vitest";
import { RefscopeError } from "#core/findings/finding.ts";
import { plainRows, readSet, readText } from "./testing.ts";
import { explained } from "#core/findings/explain.ts";

const ZARRAY = (shape: number[], chunks: number[], extra = {}) =>
  JSON.stringify({
    zarr_format: 2,
    shape,
    chunks,
    dtype: "<f4",
    compressor: null,
    filters: null,
    order: "C",
    ...extra,
  });
const codes = (findings: readonly { code: string }[]) => findings.map((finding) => finding.code);
const v1 = (refs: Record<string, unknown>, rest = {}) => JSON.stringify({ version: 1, refs, ...rest });
const SCANNERS = ["js", "wasm"] as const;

async function failure(work: Promise<unknown>): Promise<RefscopeError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RefscopeError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

test("a browser that has no place for another WebAssembly memory reads all the same", async () => {
  const instance = vi.spyOn(WebAssembly, "Instance").mockImplementation(function full() {
    throw new RangeError("WebAssembly.Instance(): Out of memory");
  });
  const reading = readSet(v1({ "a/.zarray": ZARRAY([4], [4]), "a/0": ["s3://b/x.nc", 10, 20] }), { scanner: "wasm" });
  const set = await reading.finally(() => instance.mockRestore());
  expect(plainRows(set.table)).toHaveLength(1);
});

describe.each(SCANNERS)("readKerchunkJson, %s scanner", (scanner) => {
  const read = (document: string | Uint8Array) => readSet(document, { scanner });
  const rows = async (document: string) => plainRows((await read(document)).table);

  test("reads a small Version 1 set", async () => {
    const set = await read(
      v1({
        ".zgroup": '{"zarr_format":2}',
        "a/.zarray": ZARRAY([4, 4], [2, 2]),
        "a/0.0": ["s3://b/x.nc", 10, 20],
        "a/0.1": ["s3://b/x.nc", 30, 20],
        "a/1.0": ["s3://b/y.nc"],
        "a/1.1": "base64:AAAA",
      }),
    );
    expect(set.version).toBe(1);
    expect(set.keys).toBe(6);
    expect(set.findings).toEqual([]);
    expect(set.metadata.map((entry) => entry.key)).toEqual([".zgroup", "a/.zarray"]);
    expect(plainRows(set.table)).toEqual([
      ["a/0.0", ["s3://b/x.nc", 10, 20]],
      ["a/0.1", ["s3://b/x.nc", 30, 20]],
      ["a/1.0", ["s3://b/y.nc"]],
      ["a/1.1", "base64:AAAA"],
    ]);
    expect(set.table.targets.count).toBe(2);
    expect(set.table.strays).toEqual([]);
  });

  test("reads Version 0, slashes in keys, bare root arrays and scalars", async () => {
    const v0 = { ".zarray": ZARRAY([4], [2]), "0": ["u", 0, 1], "1": ["u", 1, 1] };
    expect(await rows(JSON.stringify(v0))).toEqual([
      ["0", ["u", 0, 1]],
      ["1", ["u", 1, 1]],
    ]);
    const refs = {
      "a/.zarray": ZARRAY([4, 4], [2, 2], { dimension_separator: "/" }),
      "a/0/0": ["u", 0, 1],
      "a/1/1": ["u", 1, 1],
      "s/.zarray": ZARRAY([], []),
      "s/0": ["u", 5, 5],
    };
    const set = await read(v1(refs));
    expect(set.findings).toEqual([]);
    expect(plainRows(set.table).map(([key]) => key)).toEqual(["a/0/0", "a/1/1", "s/0"]);
  });

  test("settles keys whose metadata come later, nested and slash-separated too", async () => {
    const refs = {
      "2020/0.1": ["u", 1, 1],
      "g/2020/0/1": ["u", 2, 1],
      "g/1": ["u", 3, 1],
      "0.0": ["u", 4, 1],
      "2020/.zarray": ZARRAY([4, 4], [2, 2]),
      "g/2020/.zarray": ZARRAY([4, 4], [2, 2], { dimension_separator: "/" }),
      "g/.zarray": ZARRAY([4], [2]),
      ".zarray": ZARRAY([4, 4], [2, 2]),
    };
    const set = await read(v1(refs));
    expect(set.findings).toEqual([]);
    expect(set.table.strays).toEqual([]);
    expect(plainRows(set.table).map(([key]) => key)).toEqual(["2020/0.1", "g/2020/0/1", "g/1", "0.0"]);
    expect(set.table.arrays.map((array) => array.path).sort()).toEqual(["", "2020", "g", "g/2020"]);
  });

  test("keeps stray keys with the reason", async () => {
    const refs = {
      "a/.zarray": ZARRAY([4, 4], [2, 2]),
      "a/0.0": ["u", 0, 1],
      "a/0.2": ["u", 1, 1],
      "a/0.0.0": ["u", 2, 1],
      "a/00.0": ["u", 3, 1],
      "a/99999999999999.0": ["u", 3, 1],
      "b/0.0": ["u", 4, 1],
      "a/c/0/0": ["u", 5, 1],
      readme: "hello",
    };
    const set = await read(v1(refs));
    expect(set.table.strays.map(({ key, reason }) => [key, reason])).toEqual([
      ["a/0.2", "outside-grid"],
      ["a/0.0.0", "wrong-rank"],
      ["a/00.0", "not-a-chunk-key"],
      ["a/99999999999999.0", "outside-grid"],
      ["b/0.0", "no-array"],
      ["a/c/0/0", "not-a-chunk-key"],
      ["readme", "not-a-chunk-key"],
    ]);
    expect(codes(set.findings)).toEqual([
      "key-outside-grid",
      "key-wrong-rank",
      "key-not-a-chunk",
      "key-not-a-chunk",
      "key-without-array",
    ]);
    expect(set.keys).toBe(9);
  });

  test("duplicate keys: the last value in the place of the first", async () => {
    const z = JSON.stringify(ZARRAY([8], [1]));
    const document = `{"version":1,"refs":{"a/.zarray":${z},"a/0":["u",0,1],"a/1":["u",1,1],"x":"1","a/0":["u",2,2],
      "x":"2","a/2":[null,3],"a/2":["u",3,5000000000],"a/.zarray":${z},"a/\\u0031":["v",7,7]}}`;
    const set = await read(document);
    expect(plainRows(set.table)).toEqual([
      ["a/0", ["u", 2, 2]],
      ["a/1", ["v", 7, 7]],
      ["x", "2"],
      ["a/2", ["u", 3, 5_000_000_000]],
    ]);
    expect(set.table.bad.size).toBe(0);
    expect(set.keys).toBe(5);
    const duplicates = set.findings.filter((finding) => finding.code === "duplicate-key");
    expect(duplicates.map((finding) => finding.count)).toEqual([1, 4]);
  });

  test("an array whose metadata are written twice gets the last grid", async () => {
    const document = `{"version":1,"refs":{"a/.zarray":${JSON.stringify(ZARRAY([4, 4], [2, 2]))},"a/0.1":["u",0,1],
      "a/1.1":["u",1,1],"a/.zarray":${JSON.stringify(ZARRAY([2, 8], [2, 2]))},"a/0.3":["u",2,1]}}`;
    const set = await read(document);
    expect(plainRows(set.table).map(([key]) => key)).toEqual(["a/0.1", "a/1.1", "a/0.3"]);
    expect(set.table.strays.map((stray) => stray.key)).toEqual(["a/1.1"]);
  });

  test("grids of more cells than 32 bits count", async () => {
    const refs = {
      "a/.zarray": ZARRAY([1e6, 1e6], [1, 1]),
      "a/0.7": ["u", 0, 1],
      "a/999999.999999": ["u", 1, 1],
      "a/0.8": ["u", 1, 1],
    };
    const set = await read(v1(refs));
    expect(plainRows(set.table).map(([key]) => key)).toEqual(["a/0.7", "a/999999.999999", "a/0.8"]);
    expect([...set.table.wideOrdinals]).toEqual([[1, 999_999_999_999]]);
  });

  test.each([
    ['["u",-1,2]', "reference-offset-negative"],
    ['["u",1,-2]', "reference-length-negative"],
    ['["u",1.5,2]', "reference-offset-fractional"],
    ['["u",1e3,2]', "reference-offset-fractional"],
    ['["u",9007199254740993,2]', "reference-offset-too-large"],
    ['["u",9007199254740991,2]', "reference-end-too-large"],
    ['["u","1",2]', "reference-offset-not-a-number"],
    ['["u",null,null]', "reference-offset-not-a-number"],
    ['["u",0,null]', "reference-length-not-a-number"],
    ['["u",true,2]', "reference-offset-not-a-number"],
    ['["u",1]', "reference-malformed"],
    ['["u",1,2,3]', "reference-malformed"],
    ["[]", "reference-malformed"],
    ["[5,1,2]", "reference-malformed"],
    ["[{},1,2]", "reference-malformed"],
    ["null", "reference-malformed"],
    ["5", "reference-malformed"],
    ["true", "reference-malformed"],
    ['"\\ud800"', "reference-malformed"],
    ['"base64:AAA"', "inline-bad-base64"],
    ['"base64:A"', "inline-bad-base64"],
    ['"base64:AA_A"', "inline-bad-base64"],
  ])("%s is bad: %s", async (value, code) => {
    const zarray = JSON.stringify(ZARRAY([4], [2]));
    // Twice, so that the second is met by the fast path.
    const document = `{"version":1,"refs":{"a/.zarray":${zarray},"a/0":["u",0,1],"a/1":${value}}}`;
    const set = await read(document);
    expect(codes(set.findings)).toEqual([code]);
    expect(plainRows(set.table)[1]).toEqual(["a/1", { bad: value }]);
    expect(set.table.bad.get(1)?.reason.code).toBe(code);
  });

  test.each([
    ['["u",0,0]', ["u", 0, 0]],
    ['["u",-0,3]', ["u", 0, 3]],
    ["[null]", [null]],
    ["[null,5,6]", [null, 5, 6]],
    ['[ "u" , 5 , 6 ]', ["u", 5, 6]],
    ['["u",123456789012345,4294967294]', ["u", 123_456_789_012_345, 4_294_967_294]],
    ['["u",1234567890,4294967295]', ["u", 1_234_567_890, 4_294_967_295]],
    ['["u",9007199254740000,900]', ["u", 9_007_199_254_740_000, 900]],
    ['["",0,4]', ["", 0, 4]],
    ['["s3:\\/\\/a\\/b.nc",0,4]', ["s3://a/b.nc", 0, 4]],
    ['["s3://a/\\u00e9\\".nc",0,4]', ['s3://a/é".nc', 0, 4]],
    ['["s3://a/é.nc",0,4]', ["s3://a/é.nc", 0, 4]],
    ['""', ""],
    ['"base64:"', "base64:"],
    ['"base64:AA=="', "base64:AA=="],
    ['"base64:A\\/A="', "base64:A/A="],
    ['"base64:A A A A"', "base64:A A A A"],
    ['"a\\u0000\\n"', "a\0\n"],
    ['{"a": [1, 2]}', '{"a": [1, 2]}'],
  ])("%s is read as it is meant", async (value, expected) => {
    const zarray = JSON.stringify(ZARRAY([4], [2]));
    const set = await read(`{"version":1,"refs":{"a/.zarray":${zarray},"a/0":["u",0,1],"a/1":${value}}}`);
    expect(plainRows(set.table)[1]).toEqual(["a/1", expected]);
    expect(set.findings).toEqual([]);
  });

  // Expected: `json.dumps(json.loads(value))` of Python 3.11, which fsspec puts in the object's place.
  test.each([
    [String.raw`{"a":[1,{"b" : null}], "c":{}, "d":[]}`, String.raw`{"a": [1, {"b": null}], "c": {}, "d": []}`],
    [
      String.raw`{"é/\u0001\/\"":"\ud83d\ude00 😀 \u007f\t \ud800"}`,
      String.raw`{"\u00e9/\u0001/\"": "\ud83d\ude00 \ud83d\ude00 \u007f\t \ud800"}`,
    ],
    [
      String.raw`{"n":[1.0,-0,-0.0,1e5,1E400,1e-7,123456789012345678901234567890,0.1,1e16,100000.0]}`,
      String.raw`{"n": [1.0, 0, -0.0, 100000.0, Infinity, 1e-07, 123456789012345678901234567890, 0.1, 1e+16, 100000.0]}`,
    ],
    [String.raw`{"b":1,"a":2,"b":3,"1":true}`, String.raw`{"b": 3, "a": 2, "1": true}`],
  ])("the object %s is the text that Python writes of it", async (value, expected) => {
    const zarray = JSON.stringify(ZARRAY([4], [2]));
    const set = await read(`{"version":1,"refs":{"a/.zarray":${zarray},"a/0":["u",0,1],"a/1":${value}}}`);
    expect(plainRows(set.table)[1]).toEqual(["a/1", expected]);
    expect(set.findings).toEqual([]);
  });

  test("one URL spelled in two ways is one target", async () => {
    const zarray = JSON.stringify(ZARRAY([4], [1]));
    const set = await read(
      `{"version":1,"refs":{"a/.zarray":${zarray},"a/0":["s3://long/name.nc",0,1],"a/1":["s3:\\/\\/long\\/name.nc",1,1],
        "a\\/2":["s3:\\u002f/long/name.nc",2,1],"a/3":["s3://other/name.nc",3,1]}}`,
    );
    expect(set.table.targets.count).toBe(2);
    expect(plainRows(set.table).map(([, value]) => (Array.isArray(value) ? (value as unknown[])[0] : value))).toEqual([
      ...Array.from({ length: 3 }, () => "s3://long/name.nc"),
      "s3://other/name.nc",
    ]);
  });

  test("`refs` before `version`, other members, templates and gen", async () => {
    const set = await read(
      JSON.stringify({
        comment: "x",
        refs: { "a/.zarray": ZARRAY([4], [2]), "a/0": ["{{u}}", 0, 1] },
        templates: { u: "s3://x" },
        gen: [{ key: "a/{{i}}" }],
        version: 1,
      }),
    );
    expect(codes(set.findings)).toEqual(["member-unknown"]);
    expect(set.otherMembers).toEqual(["comment"]);
    expect(set.templates).toBe('{"u":"s3://x"}');
    expect(plainRows(set.table)).toEqual([["a/0", ["{{u}}", 0, 1]]]);
  });

  test("empty templates and gen say nothing", async () => {
    const set = await read(v1({ "a/.zarray": ZARRAY([4], [2]), "a/0": ["{{u}}", 0, 1] }, { templates: {}, gen: [] }));
    expect(set.findings).toEqual([]);
  });

  test.each(["1.0", "true"])("version %s is 1", async (version) => {
    expect((await read(`{"version":${version},"refs":{".zgroup":"{}"}}`)).findings).toEqual([]);
  });

  test.each(["2", '"1"', "0", "false"])("version %s is unknown", async (version) => {
    const set = await read(`{"version":${version},"refs":{".zgroup":"{}"}}`);
    expect(codes(set.findings)).toEqual(["version-unknown"]);
  });

  test("without version the document is Version 0, as for Python", async () => {
    const set = await read(JSON.stringify({ refs: { "a/0": ["u", 0, 1] } }));
    expect(set.version).toBe(0);
    expect(set.keys).toBe(1);
    expect(codes(set.findings)).toEqual(["version-missing", "key-not-a-chunk"]);
    const mixed = await read(
      JSON.stringify({
        ".zgroup": "{}",
        "a/.zarray": ZARRAY([4], [2]),
        "a/0": ["u", 0, 1],
        refs: { b: "c" },
        "a/1": ["u"],
      }),
    );
    expect(plainRows(mixed.table).map(([key]) => key)).toEqual(["a/0", "a/1", "refs"]);
  });

  test("user keys of any kind", async () => {
    const keys = [
      "__proto__/0",
      "constructor/0",
      "with space/0",
      "é/0",
      "a\\b/0",
      "../x/0",
      '"quoted"/0',
      "//0",
      "x//0",
    ];
    const refs = Object.fromEntries(
      keys.flatMap((key) => [
        [`${key.slice(0, -2)}/.zarray`, ZARRAY([4], [2])],
        [key, ["u", 0, 1]],
        [key.replace(/0$/, "1"), ["u", 1, 1]],
      ]),
    );
    const set = await read(v1(refs));
    expect(set.findings).toEqual([]);
    expect(plainRows(set.table).map(([key]) => key)).toEqual(keys.flatMap((key) => [key, key.replace(/0$/, "1")]));
  });

  test("NaN, trailing commas, byte order mark", async () => {
    const zarray = JSON.stringify(ZARRAY([4], [2]));
    const set = await read(
      `\ufeff{"version":1,"refs":{"a/.zarray":${zarray},"a/.zattrs":{"x":NaN,"y":[-Infinity,],},"a/0":["u",0,1],},}`,
    );
    expect(codes(set.findings)).toEqual(["json-byte-order-mark", "json-not-finite", "json-trailing-comma"]);
    expect(set.findings.map((finding) => finding.count)).toEqual([1, 2, 4]);
    expect(set.keys).toBe(3);
  });

  test("UTF-8 that is none is said", async () => {
    const bytes = new TextEncoder().encode(
      v1({ "a/0": ["s3://bucket/name.nc", 0, 1], "a/1": ["s3://bucket/name.nc"] }),
    );
    bytes[bytes.indexOf("n".charCodeAt(0), 40)] = 0xff;
    expect(codes((await read(bytes)).findings)).toContain("not-utf-8");
  });

  test.each([
    ['{"version":1,"refs":{"a/0":["u",0,1] "a/1":["u",1,1]}}', 'a comma or "}"'],
    ['{"version":1,"refs":{"a/0":["u",0,1],,"a/1":["u",1,1]}}', "a key in double quotes"],
    ['{"version":1,"refs":{"a/0":["u",0,1]}} x', "nothing after the end of the document"],
    ['{"version":1,"refs":{"a/0":["u",00,1]}}', "a JSON value"],
    ['{"version":1,"refs":{"a/0":["u",0,01]}}', "a JSON value"],
    ['{"version":1,"refs":{"a/0":["u" 0,1]}}', 'a comma or "]"'],
    ['{"version":1,"refs":{"a/0" ["u",0,1]}}', "a colon after the key"],
    ['{"version":1,"refs":{"a/0":[\'u\',0,1]}}', "a JSON value"],
    ['{"version":1,"refs":{a:1}}', "a key in double quotes"],
    ['{"version":1,"refs":{"a/0":"x\ny"}}', "no control character"],
    ['{"version":1,"refs":{"a/0":"x\\qy"}}', "a JSON escape"],
    ['{"version":1,"refs":{"a/0":"x\\u12g4"}}', "hexadecimal"],
    ['{"version":1,"refs":{"a/0":undefined}}', "a JSON value"],
    [`{"version":1,"refs":{"a/0":${"[".repeat(600)}}}`, "512 levels"],
  ])("%s is not JSON", async (document, expected) => {
    const error = await failure(readText(document, { scanner }));
    expect(error.code).toBe("json-malformed");
    const facts = error.finding?.facts;
    expect(facts).toMatchObject({ expected: expect.stringContaining(expected) as unknown, line: 1 });
    expect(facts?.["byte"]).toBeGreaterThan(0);
  });

  test("an error names line and byte, also with small reads", async () => {
    const document = `{"version":1,\n"refs":{\n${'"x":"y",\n'.repeat(5000)}oops}}`;
    const error = await failure(readText(document, { scanner }, 1000));
    expect(error.finding?.facts).toMatchObject({ line: 5003, byte: document.indexOf("oops") });
  });

  test("a document cut anywhere is said to be cut, with the count", async () => {
    const document = v1({ "a/.zarray": ZARRAY([4], [2]), "a/0": ["s3://some/url", 10, 1], "a/1": "base64:AAAA" });
    for (let length = 1; length < document.length; length += 1) {
      const error = await failure(readText(document.slice(0, length), { scanner }));
      expect(error.code).toBe("json-truncated");
    }
    const error = await failure(readText(document.slice(0, -20), { scanner }));
    expect(error.finding?.facts).toMatchObject({ bytes: document.length - 20, read: 2 });
  });
});

test("lists of sets, file→set maps and STAC items offer a choice", async () => {
  const one = { version: 1, refs: { ".zgroup": "{}", "u/.zarray": ZARRAY([4], [2]), "u/0": ["x", 0, 1] } };
  const two = { version: 1, refs: { ".zgroup": "{}", "v/.zarray": ZARRAY([4], [2]), "v/1": ["y", 5, 1] } };
  const documents: [unknown, string[]][] = [
    [
      [one, two],
      ["0", "1"],
    ],
    [{ "a.nc": one, "b/c.nc": two }, ["a.nc", "b/c.nc"]],
    [
      { type: "Feature", stac_version: "1.0.0", properties: {}, assets: { x: { href: "x", kerchunk: one }, y: [two] } },
      ["assets/x/kerchunk", "assets/y/0"],
    ],
  ];
  for (const [document, ids] of documents) {
    const text = JSON.stringify(document);
    const read = await readText(text);
    if (read.kind !== "choose") throw new Error(JSON.stringify(read));
    expect(read.choices.map((choice) => choice.id)).toEqual(ids);
    expect(read.choices.map((choice) => choice.label)).toEqual([`${ids[0]}: u`, `${ids[1]}: v`]);
    const set = await readSet(text, { choice: ids[1] ?? "" });
    expect(plainRows(set.table)).toEqual([["v/1", ["y", 5, 1]]]);
    expect((await failure(readText(text, { choice: "none" }))).code).toBe("choice-unknown");
  }
});

test.each([
  ["", "document-empty", "empty"],
  ["  \n ", "document-empty", "empty"],
  ["<!DOCTYPE html><html></html>", "web-page", "HTML"],
  ["<!-- x -->\n<html><title>Sign in &amp;\nwait</title>", "web-page", "“Sign in & wait”"],
  ["<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>", "not-json", "NoSuchKey"],
  ["\x89HDF\r\n\x1a\n", "not-json", "begins with"],
  ["CDF\x01", "not-json", "netCDF-3"],
  ["hello", "not-json", "hello"],
  ["%PDF-1.7", "not-json", "a PDF file"],
  ['"text"', "not-json", "begins with"],
  ["[]", "not-a-reference-set", "empty JSON list"],
  ["[1,2,3]", "not-a-reference-set", "3 items"],
  ['[["/.zgroup","eyJ6"],["/0/.zarray","ewog"]]', "not-a-reference-set", "pairs"],
  ['{"type":"FeatureCollection","features":[]}', "not-a-reference-set", "GeoJSON"],
  ['{"stac_version":"1.0.0","assets":{}}', "not-a-reference-set", "STAC"],
  ['{"zarr_format":3,"node_type":"group"}', "not-a-reference-set", "zarr.json"],
  [ZARRAY([1], [1]), "not-a-reference-set", ".zarray"],
  ['{"0.0":{"path":"x","offset":1,"length":2}}', "not-a-reference-set", "chunk manifest"],
  ['{"hello":"world"}', "not-a-reference-set", "hello"],
  ['{"version":"1.2","name":"package"}', "not-a-reference-set", "version"],
])("%j is not a set: %s", async (document, code, words) => {
  for (const piece of [1, 7, undefined]) {
    const read = await readText(document, {}, piece);
    if (read.kind !== "other") throw new Error(JSON.stringify(read));
    expect(read.finding.code).toBe(code);
    expect(explained(read.finding).message).toContain(words);
  }
});

test.each(["{}", '{"version":1,"refs":{}}', '{"version":1}'])("%s is an empty set", async (document) => {
  const set = await readSet(document);
  expect(set.keys).toBe(0);
  expect(codes(set.findings)).toEqual(["set-empty"]);
});

test("`refs` twice: the last counts", async () => {
  const set = await readSet('{"version":1,"refs":{"a":"1"},"refs":{"b":"2"},"x":1}');
  expect(plainRows(set.table)).toEqual([["b", "2"]]);
  expect(codes(set.findings)).toContain("json-duplicate-key");
});
