/** Suggestions for single chunks: what is suggested, on which evidence, and when nothing is. */
import { describe, expect, it } from "vitest";
import { suggestRepairs } from "../suggest.ts";
import { bytesOf, REAL } from "./testing/data.ts";
import { context, openMade, valuesOf, type MadeSet, type RangeReference } from "./testing/damaged-set.ts";
import { encode, type Filter } from "./testing/encode.ts";

const [temperature] = REAL;
const values = bytesOf(temperature!, 64, 64, 1);
const shuffle = { id: "shuffle", elementsize: 4 } as const;
const zlib = { id: "zlib" } as const;
const little = { name: "bytes", configuration: { endian: "little" } };
const v3 = (name: string, configuration: Record<string, unknown> = {}) => ({ name, configuration });

interface Case {
  readonly stored: Uint8Array;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly offset?: number;
  readonly lengthen?: number;
  /** Bytes of the file after the chunk. */
  readonly tail?: number;
}

/** A file of one chunk, 1000 bytes after its beginning. */
async function setOf({ stored, metadata, offset = 0, lengthen = 0, tail = 500 }: Case) {
  const file = new Uint8Array(1000 + stored.length + tail).fill(77);
  file.set(stored, 1000);
  const reference: RangeReference = ["f.bin", 1000 + offset, stored.length + lengthen];
  const isThree = metadata.zarr_format === 3;
  const references = isThree
    ? {
        "zarr.json": '{"zarr_format":3,"node_type":"group","attributes":{}}',
        "a/zarr.json": JSON.stringify(metadata),
        "a/c/0/0": reference,
      }
    : { ".zgroup": '{"zarr_format":2}', "a/.zarray": JSON.stringify(metadata), "a/0.0": reference };
  const made: MadeSet = { references, files: new Map([["f.bin", file]]) };
  return openMade(made);
}

const two = (filters: readonly Filter[], changes: Readonly<Record<string, unknown>> = {}) => ({
  shape: [64, 64],
  chunks: [64, 64],
  dtype: "<f4",
  filters: filters.length === 0 ? null : filters,
  compressor: null,
  fill_value: 0,
  order: "C",
  zarr_format: 2,
  ...changes,
});

const three = (...codecs: readonly unknown[]) => ({
  zarr_format: 3,
  node_type: "array",
  shape: [64, 64],
  data_type: "float32",
  chunk_grid: v3("regular", { chunk_shape: [64, 64] }),
  chunk_key_encoding: v3("default", { separator: "/" }),
  fill_value: 0,
  codecs,
  attributes: {},
});

/** The first suggestion reads the values as they were. */
async function firstOf(one: Case) {
  const set = await setOf(one);
  const { suggestions, declared } = await suggestRepairs(set, "a", [0, 0], context());
  const [first] = suggestions;
  if (first === undefined) throw new Error(`nothing suggested: ${declared}`);
  const read = await valuesOf(set, "a", [0, 0], first.trial);
  expect(read !== undefined && Buffer.from(read).equals(Buffer.from(values))).toBe(true);
  return first;
}

describe("in Zarr v2", () => {
  it("an undeclared compressor is known by its signature", async () => {
    for (const id of ["zlib", "gzip", "zstd", "blosc", "lz4"]) {
      const first = await firstOf({ stored: await encode(values, [{ id }]), metadata: two([]) });
      expect(first).toMatchObject({ change: { kind: "codec-undeclared", codec: id } });
    }
  });

  it("an undeclared compressor over shuffled bytes brings the shuffle with it", async () => {
    const first = await firstOf({ stored: await encode(values, [shuffle, zlib]), metadata: two([]) });
    expect(first.change).toEqual({ kind: "codec-undeclared", codec: "zlib", detail: { kind: "with-shuffle" } });
  });

  it("codecs in the wrong order are put in order", async () => {
    const first = await firstOf({ stored: await encode(values, [shuffle, zlib]), metadata: two([zlib, shuffle]) });
    expect(first.change.kind).toBe("codec-order");
  });

  it.each([4, 100, 400])("a stream cut short by %i bytes is read to its end", async (cut) => {
    for (const id of ["zlib", "gzip", "zstd", "blosc", "lz4"]) {
      const first = await firstOf({ stored: await encode(values, [{ id }]), metadata: two([{ id }]), lengthen: -cut });
      expect(first).toMatchObject({ change: { kind: "move" }, trial: { lengthen: cut } });
    }
  });

  it("a reference that is too long for a codec that minds ends where the stream does", async () => {
    const first = await firstOf({
      stored: await encode(values, [{ id: "zstd" }]),
      metadata: two([{ id: "zstd" }]),
      lengthen: 9,
    });
    expect(first).toMatchObject({ change: { kind: "move" }, trial: { lengthen: -9 } });
  });

  it("a chunk at the end of its target is looked for within the target", async () => {
    const stored = await encode(values, [zlib]);
    const first = await firstOf({ stored, metadata: two([zlib]), offset: 20, tail: 0 });
    expect(first).toMatchObject({ change: { kind: "move" }, trial: { shift: -20 } });
    expect(first.evidence).toContainEqual({ kind: "checksum-holds", codecs: ["zlib"] });
    expect(first.evidence.at(-1)).toEqual({ kind: "exact-size", bytes: 16_384 });
  });

  it("byte-swapped values in shuffled, F-ordered bytes are found", async () => {
    const set = await setOf({
      stored: await encode(values, [shuffle, zlib]),
      metadata: two([shuffle, zlib], { dtype: ">f4", order: "F" }),
    });
    const { suggestions } = await suggestRepairs(set, "a", [0, 0], context());
    expect(suggestions.map(({ trial }) => trial)).toEqual([{ byteOrder: "little" }]);
  });
});

describe("in Zarr v3", () => {
  const sets: readonly (readonly [string, readonly Filter[], readonly unknown[], string])[] = [
    [
      "byte order",
      [shuffle, zlib],
      [v3("bytes", { endian: "big" }), v3("numcodecs.shuffle", { elementsize: 4 }), v3("numcodecs.zlib")],
      "byte-order",
    ],
    [
      "element size",
      [shuffle, zlib],
      [little, v3("numcodecs.shuffle", { elementsize: 8 }), v3("numcodecs.zlib")],
      "element-size",
    ],
    [
      "shuffle not applied",
      [zlib],
      [little, v3("numcodecs.shuffle", { elementsize: 4 }), v3("numcodecs.zlib")],
      "codec-not-applied",
    ],
    ["shuffle undeclared", [shuffle, zlib], [little, v3("numcodecs.zlib")], "codec-undeclared"],
    ["zlib undeclared", [zlib], [little], "codec-undeclared"],
    [
      "gzip declared as zstd",
      [{ id: "gzip" }],
      [little, v3("zstd", { level: 1, checksum: false })],
      "codec-undeclared",
    ],
  ];
  it.each(sets)("%s", async (_, filters, codecs, kind) => {
    const first = await firstOf({ stored: await encode(values, filters), metadata: three(...codecs) });
    expect(first.change.kind).toBe(kind);
  });

  it("an undeclared checksum is declared by the name that Zarr v3 has for it", async () => {
    const stored = await encode(values, [zlib, { id: "fletcher32" }]);
    const first = await firstOf({ stored, metadata: three(little, v3("numcodecs.zlib")) });
    expect(first.trial.steps?.[0]?.id).toBe("numcodecs.fletcher32");
  });
});

describe("nothing is suggested", () => {
  it("where the chunk decodes as declared", async () => {
    const set = await setOf({ stored: await encode(values, [shuffle, zlib]), metadata: two([shuffle, zlib]) });
    const found = await suggestRepairs(set, "a", [0, 0], context());
    expect(found).toMatchObject({
      suggestions: [],
      declared: "decodes",
    });
  });

  it("where nothing gives the chunk's bytes, which is said", async () => {
    const noise = values.map((_, at) => (at * 7919 + (at >> 3) * 31) & 255).subarray(0, 5000);
    const set = await setOf({ stored: noise, metadata: two([shuffle, zlib]) });
    const found = await suggestRepairs(set, "a", [0, 0], context());
    expect(found).toMatchObject({ suggestions: [], declared: "fails", expected: 16_384 });
    expect(found.tried).toBeGreaterThan(0);
  });

  it("for chunks without a reference, and for bytes that cannot be had", async () => {
    const document = JSON.stringify(two([]));
    const references = {
      ".zgroup": '{"zarr_format":2}',
      "a/.zarray": document,
      "b/.zarray": document,
      "b/0.0": ["gone.bin", 0, 16_384] as const,
    };
    const set = await openMade({ references, files: new Map() });
    expect((await suggestRepairs(set, "a", [0, 0], context())).declared).toBe("no-reference");
    expect((await suggestRepairs(set, "b", [0, 0], context())).declared).toBe("no-bytes");
  });
});

it("stops when it is aborted, and knows no arrays that are not there", async () => {
  const set = await setOf({ stored: await encode(values, [zlib]), metadata: two([zlib]) });
  const aborted = { ...context(), signal: AbortSignal.abort() };
  await expect(suggestRepairs(set, "a", [0, 0], aborted)).rejects.toMatchObject({ name: "AbortError" });
  await expect(suggestRepairs(set, "none", [0, 0], context())).rejects.toMatchObject({ code: "no-such-array" });
  await expect(suggestRepairs(set, "a", [5, 5], context())).rejects.toMatchObject({ code: "outside-grid" });
});
