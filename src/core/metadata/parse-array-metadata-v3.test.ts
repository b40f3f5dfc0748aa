import { runs } from "../testing/runs.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codecTraits } from "#codecs/find-codec.ts";
import { dataTypeTextV2 } from "./data-type.ts";
import { RefscopeError } from "../findings/finding.ts";
import type { JsonValue } from "../json/json.ts";
import type { ParsedArrayMetadata } from "./parse-array-metadata.ts";
import { parseArrayMetadataV3 } from "./parse-array-metadata-v3.ts";
import { corpus, corpusFiles, recordedIn } from "../testing/corpus.ts";
import { explained } from "../findings/explain.ts";

const BYTES = { name: "bytes", configuration: { endian: "little" } };
const CRC = { name: "crc32c" };
const PLAIN = {
  zarr_format: 3,
  node_type: "array",
  shape: [10, 4],
  data_type: "int16",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [6, 4] } },
  chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  fill_value: 0,
  codecs: [BYTES],
};

function parse(change: object = {}): ParsedArrayMetadata {
  return parseArrayMetadataV3(JSON.stringify({ ...PLAIN, ...change }), codecTraits);
}

function codes(change: object): readonly string[] {
  return parse(change).findings.map((finding) => finding.code);
}

function refusal(text: string): RefscopeError {
  try {
    parseArrayMetadataV3(text, codecTraits);
  } catch (error) {
    if (error instanceof RefscopeError) return error;
    throw error;
  }
  throw new Error("it was read");
}

const sharding = (change: object = {}): object => ({
  name: "sharding_indexed",
  configuration: {
    chunk_shape: [3, 2],
    codecs: [BYTES, { name: "gzip", configuration: { level: 5 } }],
    index_codecs: [BYTES, CRC],
    index_location: "start",
    ...change,
  },
});

describe("parseArrayMetadataV3", () => {
  it("reads a plain document without findings", () => {
    const { metadata, findings } = parse({
      attributes: { units: "K" },
      storage_transformers: [],
      dimension_names: ["y", null],
      codecs: [
        { name: "transpose", configuration: { order: [1, 0] } },
        { name: "bytes", configuration: { endian: "big" } },
        { name: "numcodecs.shuffle", configuration: { elementsize: 2 } },
        "crc32c",
      ],
    });
    expect(findings).toEqual([]);
    expect(metadata).toEqual({
      zarrFormat: 3,
      shape: [10, 4],
      chunks: [6, 4],
      dataType: { kind: "int", itemSize: 2, byteOrder: "big", text: "int16" },
      decoding: [
        { id: "crc32c", configuration: new Map() },
        { id: "numcodecs.shuffle", configuration: new Map([["elementsize", 2]]) },
        { id: "bytes", configuration: new Map([["endian", "big"]]) },
        { id: "transpose", configuration: new Map([["order", [1, 0]]]) },
      ],
      order: "C",
      separator: "c/",
      fillValue: 0,
      dimensionNames: ["y", undefined],
    });
  });

  it.each([
    [{ name: "default" }, "c/"],
    ["default", "c/"],
    [{ name: "default", configuration: { separator: "." } }, "c."],
    [{ name: "v2" }, "."],
    ["v2", "."],
    [{ name: "v2", configuration: { separator: "/" } }, "/"],
  ])("reads the chunk key encoding %j", (chunk_key_encoding, separator) => {
    expect(parse({ chunk_key_encoding }).metadata.separator).toBe(separator);
    expect(codes({ chunk_key_encoding })).toEqual([]);
  });

  it("reads scalars and empty arrays", () => {
    const grid = (chunk_shape: readonly number[]): object => ({ name: "regular", configuration: { chunk_shape } });
    expect(parse({ shape: [], chunk_grid: grid([]), dimension_names: [] }).metadata.chunks).toEqual([]);
    expect(codes({ shape: [0], chunk_grid: grid([0]) })).toEqual(["chunk-length-zero"]);
    expect(codes({ shape: [0], chunk_grid: grid([5]) })).toEqual([]);
  });

  it.each([
    [{ fill_value: undefined }, "fill-value-missing", "warning"],
    [{ fill_value: null }, "fill-value-odd", "warning"],
    [{ chunk_key_encoding: undefined }, "member-missing", "warning"],
    [{ codecs: null }, "member-missing", "warning"],
    [{ codecs: [BYTES, { id: "zlib", level: 1 }] }, "codec-spelling", "warning"],
    [{ codecs: [{ ...BYTES, name: "endian" }] }, "codec-spelling", "info"],
    [{ codecs: ["bytes"] }, "codec-endian-missing", "warning"],
    [{ codecs: [BYTES, BYTES] }, "codec-order", "warning"],
    [{ codecs: ["gzip"] }, "codec-order", "warning"],
    [{ codecs: ["gzip", BYTES] }, "codec-order", "warning"],
    [{ codecs: [BYTES, { name: "numcodecs.delta" }] }, "codec-order", "warning"],
    [{ codecs: [{ name: "transpose", configuration: { order: "F" } }, BYTES] }, "codec-spelling", "info"],
    [{ codecs: [BYTES, { name: "xyz", must_understand: false }] }, "extension-optional", "info"],
    [{ data_type: "quaternion" }, "dtype-unknown", "warning"],
    [{ data_type: ">i2" }, "dtype-spelling", "warning"],
    [{ dimension_names: ["x"] }, "dimension-names-rank", "warning"],
    [{ dimension_names: "x" }, "dimension-names-odd", "warning"],
    [{ dimension_names: ["x", 3] }, "dimension-names-odd", "warning"],
    [{ storage_transformers: ["chunk-manifest-json"] }, "storage-transformers", "warning"],
    [{ "a/b": { must_understand: false } }, "metadata-extension", "info"],
    [{ "a/b": { must_understand: true } }, "metadata-must-understand", "error"],
    [{ extra: 1 }, "metadata-must-understand", "error"],
  ])("tolerates %j and says so", (change, code, severity) => {
    const { findings } = parse(change);
    expect(findings).toMatchObject([{ code }]);
    expect(explained(findings[0]!).severity).toBe(severity);
  });

  it("says where, with a JSON pointer", () => {
    expect(parse({ "a/b~": 1 }).findings[0]?.place).toMatchObject({ pointer: "/a~1b~0" });
    const inner = parse({ codecs: [sharding({ codecs: ["bytes"] })], ...shards([6, 4]) }).findings[0];
    expect(inner?.place).toMatchObject({ pointer: "/codecs/0/configuration/codecs/0" });
    const text = JSON.stringify(PLAIN).replace("[10,4]", "[1e1,4]");
    expect(parseArrayMetadataV3(text, codecTraits).findings[0]).toMatchObject({
      place: { pointer: "/shape/0" },
      facts: { written: "1e1" },
    });
  });

  it("reads the old orders of dimensions as lists", () => {
    const order = (written: string): JsonValue | undefined =>
      parse({
        codecs: [{ name: "transpose", configuration: { order: written } }, BYTES],
      }).metadata.decoding[1]?.configuration.get("order");
    expect([order("C"), order("F")]).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it("keeps storage transformers as written", () => {
    const manifest = { name: "chunk-manifest-json", configuration: { manifest: "./manifest.json" } };
    expect(parse({ storage_transformers: [manifest] }).metadata.storageTransformers).toEqual([
      { id: "chunk-manifest-json", configuration: new Map([["manifest", "./manifest.json"]]) },
    ]);
  });

  it.each([
    [{ zarr_format: 2 }, "/zarr_format", "2"],
    [{ node_type: "group" }, "/node_type", '"group"'],
    [{ shape: undefined }, "/shape", "nothing"],
    [{ shape: [10, -1] }, "/shape/1", "-1"],
    [{ data_type: undefined }, "/data_type", "nothing"],
    [{ data_type: 7 }, "/data_type", "7"],
    [{ data_type: "" }, "/data_type", '""'],
    [{ data_type: { configuration: {} } }, "/data_type/name", "nothing"],
    [{ data_type: "r7" }, "/data_type", '"r7"'],
    [{ data_type: { name: "raw_bytes" } }, "/data_type/configuration/length_bytes", "nothing"],
    [{ data_type: time("fortnight") }, "/data_type/configuration/unit", '"fortnight"'],
    [{ data_type: time("s", 0) }, "/data_type/configuration/scale_factor", "0"],
    [{ data_type: { name: "struct", configuration: { fields: [] } } }, "/data_type/configuration/fields", "[]"],
    [{ data_type: struct([["a"]]) }, "/data_type/configuration/fields/0", '["a"]'],
    [{ data_type: struct([["a", "r1"]]) }, "/data_type/configuration/fields/0/1", '"r1"'],
    [{ chunk_grid: undefined }, "/chunk_grid", "nothing"],
    [{ chunk_grid: "regular" }, "/chunk_grid/configuration/chunk_shape", "nothing"],
    [shards([6]), "/chunk_grid/configuration/chunk_shape", "[6]"],
    [shards([6, 0]), "/chunk_grid/configuration/chunk_shape/1", "0"],
    [
      { chunk_key_encoding: { name: "v2", configuration: { separator: "-" } } },
      "/chunk_key_encoding/configuration/separator",
      '"-"',
    ],
    [{ codecs: {} }, "/codecs", "{}"],
    [{ codecs: [BYTES, 3] }, "/codecs/1", "3"],
    [{ codecs: [BYTES, {}] }, "/codecs/1/name", "nothing"],
    [{ codecs: [{ name: "bytes", configuration: [] }] }, "/codecs/0/configuration", "[]"],
    [
      { codecs: [{ name: "bytes", configuration: { endian: "middle" } }] },
      "/codecs/0/configuration/endian",
      '"middle"',
    ],
    [{ codecs: [{ name: "transpose" }, BYTES] }, "/codecs/0/configuration/order", "nothing"],
    [
      { codecs: [{ name: "transpose", configuration: { order: [0, 0] } }, BYTES] },
      "/codecs/0/configuration/order",
      "[0,0]",
    ],
    [{ codecs: [{ name: "transpose", configuration: { order: [0] } }, BYTES] }, "/codecs/0/configuration/order", "[0]"],
    [{ storage_transformers: {} }, "/storage_transformers", "{}"],
    [{ codecs: [sharding({ chunk_shape: 3 })] }, "/codecs/0/configuration/chunk_shape", "3"],
    [{ codecs: [sharding({ chunk_shape: [3] })] }, "/codecs/0/configuration/chunk_shape", "[3]"],
    [{ codecs: [sharding({ chunk_shape: [3, 0] })] }, "/codecs/0/configuration/chunk_shape/1", "0"],
    [{ codecs: [sharding({ index_location: "middle" })] }, "/codecs/0/configuration/index_location", '"middle"'],
    [{ codecs: [sharding({ index_codecs: [BYTES, "zstd"] })] }, "/codecs/0/configuration/index_codecs/1", '"zstd"'],
  ])("refuses %j and says where", (change, pointer, found) => {
    const { finding } = refusal(JSON.stringify({ ...PLAIN, ...change }));
    expect(finding).toMatchObject({
      code: "metadata-invalid",
      place: { pointer },
      facts: { document: "zarr.json", found },
    });
  });
});

it("names an encoding of chunk keys that is not read", () => {
  const { finding } = refusal(JSON.stringify({ ...PLAIN, chunk_key_encoding: { name: "zigzag" } }));
  expect(finding).toMatchObject({
    code: "chunk-keys-unsupported",
    place: { pointer: "/chunk_key_encoding/name" },
    facts: { found: "zigzag" },
  });
});

it("names a chunk grid that is not read", () => {
  const { finding } = refusal(JSON.stringify({ ...PLAIN, chunk_grid: { name: "hexagonal", configuration: {} } }));
  expect(finding).toMatchObject({
    code: "chunk-grid-unsupported",
    place: { pointer: "/chunk_grid/name" },
    facts: { found: '"hexagonal"' },
  });
});

describe("hostile documents", () => {
  const whole = { ...PLAIN, codecs: [{ name: "transpose", configuration: { order: [0, 1] } }, sharding(), "crc32c"] };

  it("are read or refused with a reason, whatever stands in a member's place", () => {
    const places = placesIn(whole);
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(
        -1,
        0,
        1.5,
        1e300,
        "",
        "bytes",
        "sharding_indexed",
        [],
        {},
        [[]],
        null,
        "r8",
        "__proto__",
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...places), odd, (place, value) => {
        const text = JSON.stringify(replaced(whole, place, value));
        try {
          expect(parseArrayMetadataV3(text, codecTraits).metadata.zarrFormat).toBe(3);
        } catch (error) {
          if (!(error instanceof RefscopeError)) throw error;
          expect([
            "metadata-invalid",
            "chunk-grid-unsupported",
            "chunk-keys-unsupported",
            "shard-chunks-uneven",
          ]).toContain(error.code);
          expect(error.finding?.place).toMatchObject({ pointer: expect.stringMatching(/^\//) });
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});

type Place = readonly string[];

function placesIn(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== "object" || value === null) return [at];
  const inside = Object.entries(value).flatMap(([key, member]) => placesIn(member, [...at, key]));
  return at.length === 0 ? inside : [at, ...inside];
}

function replaced(value: unknown, [key, ...rest]: Place, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === key ? replaced(item, rest, by) : item));
  const members = Object.entries(value as object).map(([each, member]): [string, unknown] =>
    each === key ? [each, replaced(member, rest, by)] : [each, member],
  );
  return Object.fromEntries(members);
}

function shards(chunk_shape: readonly number[]): object {
  return { chunk_grid: { name: "regular", configuration: { chunk_shape } } };
}

function time(unit: string, scale_factor = 1): object {
  return { name: "numpy.datetime64", configuration: { unit, scale_factor } };
}

function struct(fields: readonly unknown[]): object {
  return { name: "struct", configuration: { fields } };
}

describe("sharding", () => {
  it("alone makes the inner chunks the array's chunks", () => {
    const codec = sharding({ codecs: [{ name: "bytes", configuration: { endian: "big" } }, "zstd"] });
    const { metadata, findings } = parse({ codecs: [codec] });
    expect(findings).toEqual([]);
    expect(metadata).toMatchObject({
      chunks: [3, 2],
      separator: ".",
      dataType: { byteOrder: "big" },
      sharding: { shape: [6, 4], indexLocation: "start", separator: "c/" },
    });
    expect(metadata.decoding.map(({ id }) => id)).toEqual(["zstd", "bytes"]);
    expect(metadata.sharding?.indexCodecs.map(({ id }) => id)).toEqual(["crc32c", "bytes"]);
  });

  it("beside another codec is a codec like any, of whole shards", () => {
    const turned = [{ name: "transpose", configuration: { order: [1, 0] } }, sharding({ chunk_shape: [2, 3] })];
    const { metadata, findings } = parse({ codecs: turned });
    expect(findings).toEqual([]);
    expect(metadata).toMatchObject({ chunks: [6, 4], separator: "c/", dataType: { byteOrder: "little" } });
    expect(metadata.sharding).toBeUndefined();
    expect(metadata.decoding.map(({ id }) => id)).toEqual(["sharding_indexed", "transpose"]);
    expect(codes({ codecs: [sharding(), "gzip"] })).toEqual([]);
  });

  it("inside sharding is a codec of the inner chunks, its lists all objects", () => {
    const inside = sharding({ chunk_shape: [1, 2], codecs: ["bytes"], index_location: undefined });
    const { metadata, findings } = parse({ data_type: "uint8", codecs: [sharding({ codecs: [inside] })] });
    expect(findings).toEqual([]);
    expect(metadata.chunks).toEqual([3, 2]);
    const [nested] = metadata.decoding;
    expect(nested?.id).toBe("sharding_indexed");
    expect(nested?.configuration.get("index_location")).toBe("end");
    expect(nested?.configuration.get("codecs")).toEqual([
      new Map<string, JsonValue>([
        ["name", "bytes"],
        ["configuration", new Map()],
      ]),
    ]);
  });

  it("has the usual index where nothing says which", () => {
    const { metadata, findings } = parse({ codecs: [sharding({ index_codecs: undefined })] });
    expect(findings).toMatchObject([{ code: "member-missing" }]);
    expect(metadata.sharding?.indexCodecs).toEqual([
      { id: "crc32c", configuration: new Map() },
      { id: "bytes", configuration: new Map([["endian", "little"]]) },
    ]);
  });

  it.each([
    ["by itself", [sharding({ chunk_shape: [4, 2] })], "/codecs/0/configuration/chunk_shape"],
    [
      "after transpose",
      [{ name: "transpose", configuration: { order: [1, 0] } }, sharding()],
      "/codecs/1/configuration/chunk_shape",
    ],
    [
      "inside sharding",
      [sharding({ codecs: [sharding({ chunk_shape: [2, 2] })] })],
      "/codecs/0/configuration/codecs/0/configuration/chunk_shape",
    ],
  ])("that does not come out even is refused: %s", (_, codecs, where) => {
    expect(refusal(JSON.stringify({ ...PLAIN, codecs })).finding).toMatchObject({
      code: "shard-chunks-uneven",
      place: { pointer: where },
    });
  });

  it("many levels deep is read or refused, never a crash", () => {
    let codec: object = BYTES;
    for (let level = 0; level < 100; level += 1) codec = sharding({ codecs: [codec] });
    expect(parse({ codecs: [codec] }).metadata.chunks).toEqual([3, 2]);
    for (let level = 0; level < 200; level += 1) codec = sharding({ codecs: [codec] });
    expect(refusal(JSON.stringify({ ...PLAIN, codecs: [codec] })).code).toBe("json-too-deep");
  });
});

const SHARDED = join(import.meta.dirname, "../../engine/testing/sharded");

describe(`${corpus.title}, and shards`, () => {
  const files = [...corpusFiles().map((path) => join(corpus.folder, path)), ...filesIn(SHARDED)].filter((path) =>
    /[/\\]zarr\.json$/.test(path),
  );

  it("is read, but for the shards that do not come out even", () => {
    const refused: string[] = [];
    const odd = new Map<string, number>();
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      if (!/"node_type":\s*"array"/.test(text)) continue;
      try {
        for (const { code } of parseArrayMetadataV3(text, codecTraits).findings)
          odd.set(code, (odd.get(code) ?? 0) + 1);
      } catch (error) {
        if (!(error instanceof RefscopeError)) throw error;
        refused.push(`${file.split("/").at(-2)} ${error.code}`);
      }
    }
    expect(files.length).toBeGreaterThan(corpus.isWhole ? 100 : 70);
    expect(refused).toEqual(["bad_uneven_config shard-chunks-uneven"]);
    expect(Object.fromEntries(odd)).toMatchObject({
      "storage-transformers": corpus.isWhole ? 14 : 4,
      "dtype-unknown": 2,
    });
  });

  const expected = ["zarr-java-v3", "zarrs-v2-v3"].flatMap((name) => expectedArrays(name));
  it("has the shapes, types and chunks that zarr-python says", () => {
    for (const { file, about } of expected) {
      const { metadata } = parseArrayMetadataV3(readFileSync(file, "utf8"), codecTraits);
      const { shape, dataType, chunks, sharding } = metadata;
      expect(dataType.kind).not.toBe("structured");
      const dtype = dataType.kind === "structured" ? "" : dataTypeTextV2(dataType);
      expect({ file, shape, dtype, chunks, shards: sharding?.shape ?? null }).toEqual({ file, ...about });
    }
    expect(expected.length).toBeGreaterThan(15);
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
}

interface Recorded {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly chunks: readonly number[];
  readonly shards: readonly number[] | null;
  readonly zarr_format?: number;
}

function expectedArrays(name: string): readonly { readonly file: string; readonly about: Recorded }[] {
  const all = recordedIn<Record<string, Recorded>>(name);
  return Object.entries(all["zarr_read_with_zarr-python_3.4.1"] ?? {}).flatMap(([store, arrays]) =>
    Object.entries(arrays).flatMap(([path, { shape, dtype, chunks, shards, zarr_format }]) => {
      const file = join(corpus.folder, store, path, "zarr.json");
      return zarr_format === 3 ? [{ file, about: { shape, dtype, chunks, shards } }] : [];
    }),
  );
}
