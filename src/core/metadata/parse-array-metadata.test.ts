import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RefscopeError } from "../findings/finding.ts";
import { fillBytes } from "../values/fill-bytes.ts";
import type { JsonValue } from "../json/json.ts";
import { parseArrayMetadataV2 } from "./parse-array-metadata.ts";
import { parseJson } from "../json/parse-json.ts";
import { corpus, corpusFiles } from "../testing/corpus.ts";
import { explained } from "../findings/explain.ts";

const PLAIN = {
  zarr_format: 2,
  shape: [10, 4],
  chunks: [5, 4],
  dtype: "<i2",
  order: "C",
  fill_value: 0,
  compressor: null,
  filters: null,
};

/** Members to change; `undefined` leaves one out. */
function parse(change: Record<string, unknown>, attributes?: string): ReturnType<typeof parseArrayMetadataV2> {
  return parseArrayMetadataV2(
    JSON.stringify({ ...PLAIN, ...change }),
    attributes === undefined ? undefined : parseJson(attributes).value,
  );
}

function codes(change: Record<string, unknown>, attributes?: string): readonly string[] {
  return parse(change, attributes).findings.map((finding) => finding.code);
}

function refusal(text: string): RefscopeError {
  try {
    parseArrayMetadataV2(text);
  } catch (error) {
    if (error instanceof RefscopeError) return error;
  }
  throw new Error("was read");
}

describe("parseArrayMetadataV2", () => {
  it("takes names of dimensions from NCZarr where xarray's are not there", () => {
    const names = (members: Record<string, unknown>, attributes: string) =>
      parse(members, attributes).metadata.dimensionNames;
    const nczarr = { _NCZARR_ARRAY: { dimrefs: ["/y", "/g/x"], storage: "chunked" } };
    expect(names(nczarr, "{}")).toEqual(["y", "x"]);
    expect(names(nczarr, '{"_ARRAY_DIMENSIONS": ["b", "a"]}')).toEqual(["b", "a"]);
    expect(names({}, '{"_nczarr_array": {"dimension_references": ["/y", "/x"]}}')).toEqual(["y", "x"]);
    expect(names({ _NCZARR_ARRAY: { dimrefs: ["/y"] } }, "{}")).toBeUndefined();
  });

  it("reads metadata as zarr-python writes it, without findings", () => {
    const filters = [
      { id: "shuffle", elementsize: 2 },
      { id: "delta", dtype: "<i2" },
    ];
    const compressor = { id: "blosc", cname: "lz4", clevel: 5 };
    const { metadata, findings } = parse(
      { filters, compressor, order: "F", dimension_separator: "/" },
      '{"_ARRAY_DIMENSIONS": ["y", "x"]}',
    );
    expect(findings).toEqual([]);
    expect(metadata).toEqual({
      zarrFormat: 2,
      shape: [10, 4],
      chunks: [5, 4],
      dataType: { kind: "int", itemSize: 2, byteOrder: "little", text: "<i2" },
      decoding: [
        {
          id: "blosc",
          configuration: new Map<string, unknown>([
            ["cname", "lz4"],
            ["clevel", 5],
          ]),
        },
        { id: "delta", configuration: new Map([["dtype", "<i2"]]) },
        { id: "shuffle", configuration: new Map([["elementsize", 2]]) },
      ],
      order: "F",
      separator: "/",
      fillValue: 0,
      dimensionNames: ["y", "x"],
    });
  });

  it("reads what Kerchunk writes since 0.2: compressors among the filters", () => {
    const filters = [
      { id: "shuffle", elementsize: 4 },
      { id: "zlib", level: 4 },
    ];
    expect(parse({ filters }).metadata.decoding.map((codec) => codec.id)).toEqual(["zlib", "shuffle"]);
    expect(codes({ filters })).toEqual([]);
  });

  it("reads scalars, empty arrays, chunks larger than the array, and unknown members", () => {
    expect(codes({ shape: [], chunks: [] }, '{"_ARRAY_DIMENSIONS": []}')).toEqual([]);
    expect(codes({ shape: [3], chunks: [1024] })).toEqual([]);
    expect(codes({ node_type: "array", _NCZARR_ARRAY: {} })).toEqual([]);
    expect(parse({ shape: [0, 4], chunks: [0, 4] }).metadata.chunks).toEqual([1, 4]);
    expect(codes({ shape: [0, 4], chunks: [0, 4] })).toEqual(["chunk-length-zero"]);
  });

  it.each([
    [{ fill_value: undefined }, "fill-value-missing"],
    [{ compressor: undefined }, "member-missing"],
    [{ filters: undefined }, "member-missing"],
    [{ order: undefined }, "member-missing"],
    [{ dimension_separator: "-" }, "dimension-separator-unknown"],
    [{ dimension_separator: null }, "dimension-separator-unknown"],
    [{ dtype: "int16" }, "dtype-spelling"],
  ])("tolerates %j and says so", (change, code) => {
    expect(codes(change)).toEqual([code]);
  });

  it("says what is odd in the text itself", () => {
    const text =
      '{"zarr_format":2.0,"shape":[10.0],"shape":[1e1],"chunks":[5],"dtype":"<f4","order":"C","fill_value":NaN,"compressor":null,"filters":[],}';
    const { metadata, findings } = parseArrayMetadataV2(text);
    expect(findings.map((finding) => finding.code)).toEqual([
      "json-duplicate-key",
      "json-not-finite",
      "json-trailing-comma",
      "integer-as-float",
      "integer-as-float",
    ]);
    expect(findings[4]).toMatchObject({ place: { pointer: "/shape/0" }, facts: { written: "1e1" } });
    expect(metadata.shape).toEqual([10]);
    expect(metadata.fillValue).toBeNaN();
  });

  it.each([
    [{ zarr_format: 3 }, "/zarr_format", "3"],
    [{ zarr_format: "2" }, "/zarr_format", '"2"'],
    [{ zarr_format: undefined }, "/zarr_format", "nothing"],
    [{ shape: undefined }, "/shape", "nothing"],
    [{ shape: 10 }, "/shape", "10"],
    [{ shape: [10, -4] }, "/shape/1", "-4"],
    [{ shape: [10, 4.5] }, "/shape/1", "4.5"],
    [{ shape: ["10", 4] }, "/shape/0", '"10"'],
    [{ shape: [10, null] }, "/shape/1", "null"],
    [{ shape: [10, 1e300] }, "/shape/1", "1e+300"],
    [{ shape: Array(65).fill(1) }, "/shape", "65"],
    [{ chunks: [5] }, "/chunks", "[5]"],
    [{ chunks: [0, 4] }, "/chunks/0", "0"],
    [{ chunks: null }, "/chunks", "null"],
    [{ dtype: "<i3" }, "/dtype", '"<i3"'],
    [{ dtype: undefined }, "/dtype", "nothing"],
    [{ order: "c" }, "/order", '"c"'],
    [{ compressor: "zlib" }, "/compressor", '"zlib"'],
    [{ compressor: { level: 1 } }, "/compressor/id", "nothing"],
    [{ filters: { id: "zlib" } }, "/filters", '{"id":"zlib"}'],
    [{ filters: [null] }, "/filters/0", "null"],
    [{ filters: [{ id: 7 }] }, "/filters/0/id", "7"],
  ])("refuses %j and says where", (change, pointer, found) => {
    const { finding } = refusal(JSON.stringify({ ...PLAIN, ...change }));
    expect(finding).toMatchObject({ code: "metadata-invalid", place: { pointer }, facts: { found } });
  });

  it("refuses what is not a JSON object, and lengths of 2^53 and more", () => {
    expect(refusal("[]").finding).toMatchObject({ code: "metadata-invalid", facts: { found: "an array" } });
    expect(refusal('{"shape": [').finding).toMatchObject({
      code: "metadata-invalid",
      facts: { line: 1, column: 12 },
    });
    expect(refusal('{"zarr_format":2,"shape":[9007199254740992],"chunks":[1]}').finding?.facts?.["found"]).toBe(
      "9007199254740992",
    );
  });

  it.each([
    ["[10]", "dimension-names-rank"],
    ["[]", "dimension-names-rank"],
    ['"x y"', "dimension-names-odd"],
    ['["y", 7]', "dimension-names-odd"],
  ])("checks _ARRAY_DIMENSIONS %s", (names, code) => {
    expect(codes({}, `{"_ARRAY_DIMENSIONS": ${names}}`)).toEqual([code]);
  });

  it("takes null for an unnamed dimension", () => {
    const { metadata, findings } = parse({}, '{"_ARRAY_DIMENSIONS": ["y", null]}');
    expect([metadata.dimensionNames, findings]).toEqual([["y", undefined], []]);
  });
});

describe("fill values", () => {
  it.each([
    ["<f4", 1.5],
    ["<f4", "NaN"],
    ["<f8", "-Infinity"],
    ["<i8", 0],
    ["|u1", 255],
    ["|b1", true],
    ["<c8", ["NaN", "NaN"]],
    ["<c8", [0.5, 1]],
    ["|S1", "IA=="],
    ["|S16", "IA=="],
    ["|S3", ""],
    ["|V2", "AAA="],
    ["<U3", "äöü"],
    ["<U1", "😀"],
    ["<M8[s]", 0],
    ["<M8[s]", "NaT"],
    ["|O", 0],
    ["|O", "text"],
    ["<f4", null],
    [
      [
        ["a", ">i4"],
        ["n", "|S5"],
      ],
      "AAAAADAAAAAA",
    ],
  ])("of %j may be %j", (dtype, fill_value) => {
    expect(codes({ dtype, fill_value })).toEqual([]);
  });

  // Values that zarr-python 2.13 reads: `np.array(text, dtype)`.
  it.each([
    ["|u1", "0", 0],
    ["<i2", " -7 ", -7],
    ["<i4", "1_000", 1000],
    ["<i4", "+5", 5],
    ["<i8", "9223372036854775807", 2n ** 63n - 1n],
    ["<f4", "0", 0],
    ["<f4", "1.5", 1.5],
    ["<f8", ".5e1_0", 5e9],
    ["<f8", "1.", 1],
    ["<f2", "nan", "NaN"],
    ["<f4", "-inf", "-Infinity"],
    ["<f4", "+infinity", "Infinity"],
  ])("of %j is the number in the text %j", (dtype, fill_value, expected) => {
    const { metadata, findings } = parse({ dtype, fill_value });
    const bytes = (value: JsonValue) => fillBytes(value, metadata.dataType);
    expect(bytes(metadata.fillValue)).toEqual(bytes(expected));
    expect(bytes(expected)).toBeDefined();
    expect(findings).toEqual([]);
  });

  it.each([
    ["<f4", "1,5", "warning"],
    ["<f8", "0x10", "warning"],
    ["<i2", "1.5", "warning"],
    ["|u1", "300", "warning"],
    ["<i4", "", "warning"],
    ["<f4", [1], "warning"],
    ["<i2", 40000, "warning"],
    ["<i2", 1.5, "warning"],
    ["<i2", "NaN", "warning"],
    ["|u1", -1, "warning"],
    ["|b1", "false", "warning"],
    ["<c8", [0], "warning"],
    ["|S1", "IAA=", "warning"],
    ["|S9", "not base64", "warning"],
    ["|V4", "AAA=", "warning"],
    ["<U3", "äöüß", "warning"],
    ["<c8", [0.5, "NaN"], "info"],
    ["<c8", [0.5, "-Infinity"], "info"],
    ["<U3", 0, "info"],
    ["|S3", 0, "info"],
  ])("of %j cannot be %j", (dtype, fill_value, severity) => {
    const { findings } = parse({ dtype, fill_value });
    expect(findings).toMatchObject([{ code: "fill-value-odd" }]);
    expect(explained(findings[0]!).severity).toBe(severity);
  });

  it.each([
    ["|u1", -128, "128"],
    ["<i2", 40000, "-25536"],
    ["|u1", 300, undefined],
    ["|u1", -129, undefined],
  ])("of %j, %j has the bits of %j", (dtype, fill_value, meant) => {
    expect(parse({ dtype, fill_value }).findings).toMatchObject([{ facts: { problem: "misfit", meant } }]);
  });

  it.each([
    ["|S3", [0x30, 0, 0]],
    ["<U2", [0x30, 0, 0, 0, 0, 0, 0, 0]],
  ])("of %s is the text 0 where 0 is written, as in zarr-python 2, and says what other versions do", (dtype, bytes) => {
    const { metadata, findings } = parse({ dtype, fill_value: 0 });
    expect([...(fillBytes(metadata.fillValue, metadata.dataType) ?? [])]).toEqual(bytes);
    expect(findings).toMatchObject([{ code: "fill-value-odd", facts: { problem: "zero-text", written: "0", dtype } }]);
  });

  it("in a list are odd, and the number in it is meant", () => {
    const { metadata, findings } = parse({ dtype: "<i4", fill_value: [-32767] });
    expect(metadata.fillValue).toBe(-32767);
    expect(findings).toMatchObject([{ code: "fill-value-odd", facts: { written: "[-32767]" } }]);
    expect(parse({ dtype: "<i4", fill_value: [1, 2] }).metadata.fillValue).toEqual([1, 2]);
  });

  it("are exact beyond 2^53", () => {
    const text = (fill: string): string =>
      JSON.stringify({ ...PLAIN, dtype: "<i8" }).replace('"fill_value":0', `"fill_value":${fill}`);
    expect(parseArrayMetadataV2(text("4611686018427387904"))).toMatchObject({
      metadata: { fillValue: 4611686018427387904n },
      findings: [],
    });
    expect(parseArrayMetadataV2(text("9223372036854775808")).findings).toMatchObject([{ code: "fill-value-odd" }]);
  });
});

describe(corpus.title, () => {
  const documents = metadataTexts();
  it("parses, or is refused with a place and a reason", () => {
    const refused = new Map<string, string>();
    const odd = new Map<string, number>();
    for (const [where, text] of documents) {
      try {
        for (const { code } of parseArrayMetadataV2(text).findings) odd.set(code, (odd.get(code) ?? 0) + 1);
      } catch (error) {
        if (!(error instanceof RefscopeError)) throw error;
        refused.set(where, error.message);
      }
    }
    expect(documents.length).toBeGreaterThan(corpus.isWhole ? 900 : 100);
    expect([...refused.keys()]).toEqual(["gdal-zarr-v2-all/array_attrs.zarr/.zarray"]);
    expect([...refused.values()][0]).toContain("single quote");
    expect([...odd]).toEqual([["dtype-spelling", 1]]);
  });
});

/** Every `.zarray` of every JSON document, and every `.zarray` file. */
function metadataTexts(): readonly (readonly [string, string])[] {
  return corpusFiles().flatMap((file) => {
    if (file.endsWith(".zarray")) return [[file, readFileSync(join(corpus.folder, file), "utf8")] as const];
    return file.endsWith(".json") ? membersOf(file) : [];
  });
}

function membersOf(file: string): readonly (readonly [string, string])[] {
  const texts: (readonly [string, string])[] = [];
  const note = (key: string, value: unknown): unknown => {
    if (!/(?:^|\/)\.zarray$/.test(key) || Array.isArray(value)) return value;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    texts.push([`${file}#${key}`, text.startsWith("base64:") ? Buffer.from(text.slice(7), "base64").toString() : text]);
    return value;
  };
  try {
    JSON.parse(readFileSync(join(corpus.folder, file), "utf8"), note);
  } catch {
    // Documents that are not JSON are another test's matter.
  }
  return texts;
}
