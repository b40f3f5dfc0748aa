/** Lengths that a chunk cannot have, and what they would be right for. */
import { describe, expect, it } from "vitest";
import { alarmsOf, arrayAt, findingsOf, ZLIB, type Refs } from "../testing/made-set.ts";

/** Four chunks that follow each other, of the given lengths. */
function chunks(path: string, lengths: readonly number[]): Refs {
  let offset = 100;
  return Object.fromEntries(
    lengths.map((length, at) => {
      offset += length;
      return [`${path}/${at}`, ["a.nc", offset - length, length]];
    }),
  );
}

const line = (of: object = {}) => arrayAt("a", { shape: [40], chunks: [10], ...of });

describe("chunks without compression", () => {
  it("that are too short or too long are named, each way once", async () => {
    const found = await findingsOf({ ...line(), ...chunks("a", [40, 12, 44, 40]) });
    expect(found).toMatchObject([
      {
        code: "chunk-length-wrong",
        place: { coordinates: [1] },
        facts: { problem: "short", length: 12, expected: 40 },
      },
      { code: "chunk-length-wrong", place: { coordinates: [2] }, facts: { problem: "long", length: 44, right: 3 } },
    ]);
    expect(await alarmsOf({ ...line(), ...chunks("a", [40, 12, 40, 40]) })).toEqual([
      "error chunk-length-wrong: A chunk of 10 elements of <f4 has 40 bytes uncompressed; the reference has 12, so the chunk is truncated: 28 bytes are missing. 3 other chunks of the array have that length.",
    ]);
  });

  it("have the bytes of their checksums, too, and of filters that keep the size", async () => {
    const filters = [{ id: "shuffle", elementsize: 4 }, { id: "fletcher32" }];
    expect(await alarmsOf({ ...line({ filters }), ...chunks("a", [44, 44, 44, 44]) })).toEqual([]);
    expect(await findingsOf({ ...line({ filters }), ...chunks("a", [40, 40, 40, 40]) })).toMatchObject([
      { code: "chunk-lengths-fit-other", facts: { fits: "checksum", missing: false } },
    ]);
  });

  it("may be of any length where a filter changes the type", async () => {
    const filters = [{ id: "delta", dtype: "<f4", astype: "<f8" }];
    expect(await alarmsOf({ ...line({ filters }), ...chunks("a", [80, 80, 80, 80]) })).toEqual([]);
  });

  it.each([
    ["of another type", [80, 80, 80, 80], { fits: "type", itemSize: 8 }],
    ["with a checksum", [44, 44, 44, 44], { fits: "checksum", missing: true }],
    ["compressed", [31, 30, 29, 33], { fits: "compressor", least: 29, most: 33 }],
    ["of no known kind", [100, 100, 100, 100], { fits: "nothing" }],
  ])("all of which are %s are one finding about the metadata", async (_, lengths, facts) => {
    const found = await findingsOf({ ...line(), ...chunks("a", lengths) });
    expect(found).toMatchObject([{ code: "chunk-lengths-fit-other", count: 4, facts }]);
  });

  it("all of another chunk shape are known by the keys that there are", async () => {
    const half = await findingsOf({ ...line(), ...chunks("a", [80, 80]) });
    expect(half[0]).toMatchObject({ code: "chunk-lengths-fit-other", facts: { fits: "chunks", chunks: [20] } });
    const wide = await findingsOf({ ...line({ chunks: [80] }), "a/0": ["a.nc", 0, 160] });
    expect(wide[0]).toMatchObject({ code: "chunk-lengths-fit-other", facts: { fits: "chunks", chunks: [40] } });
  });

  it("one alone may be cut, or compressed", async () => {
    const one = (length: number) => findingsOf({ ...line({ shape: [10] }), ...chunks("a", [length]) });
    expect(await one(36)).toMatchObject([{ code: "chunk-length-wrong", facts: { problem: "short" } }]);
    expect(await one(31)).toMatchObject([{ code: "chunk-lengths-fit-other", facts: { fits: "compressor" } }]);
  });
});

describe("compressed chunks", () => {
  it("are cut where no stream could say so much in so few bytes", async () => {
    const big = { ...arrayAt("a", { shape: [400_000], chunks: [100_000], compressor: ZLIB }) };
    expect(await findingsOf({ ...big, ...chunks("a", [500, 12, 600, 500]) })).toMatchObject([
      { code: "compressed-length-impossible", place: { coordinates: [1] }, facts: { problem: "short", length: 12 } },
    ]);
  });

  it("are no longer than uncompressed, all of them; one alone is its neighbours' business", async () => {
    const metadata = line({ compressor: ZLIB });
    expect(await findingsOf({ ...metadata, ...chunks("a", [9000, 9000, 9100, 30]) })).toMatchObject([
      { code: "compressed-length-impossible", count: 3, facts: { problem: "long", codec: "zlib" } },
    ]);
    expect(await alarmsOf({ ...metadata, ...chunks("a", [30, 30, 30, 9000]) })).toEqual([]);
  });
});

it("references of no bytes are found whatever the codecs", async () => {
  const refs = { ...line({ compressor: { id: "mafisc" } }), ...chunks("a", [5, 0, 7, 0]) };
  expect((await findingsOf(refs)).filter(({ code }) => code === "range-empty")).toMatchObject([
    { code: "range-empty", count: 2, places: [{ coordinates: [1] }, { coordinates: [3] }], facts: { others: 2 } },
  ]);
});

it("inline values have as many elements as the chunk", async () => {
  const refs = { ...line({ shape: [20] }), "a/0": `base64:${btoa("x".repeat(36))}`, "a/1": "y".repeat(40) };
  expect(await alarmsOf(refs)).toEqual([
    "error inline-length-wrong: Expected 10 elements of <f4 (40 bytes); the inline value has 36 bytes (9 elements).",
  ]);
});

it("inline text without the zeros at its end is said to be cut, unless its chunk reaches past the array", async () => {
  const text = (shape: number[], value: string) =>
    findingsOf({ ...arrayAt("a", { shape, chunks: [1, 8], dtype: "|S1" }), "a/0.0": value });
  expect(await text([1, 8], "1980")).toMatchObject([{ code: "inline-length-wrong", facts: { cut: "characters" } }]);
  expect((await text([1, 4], "1980"))[0]).toHaveProperty("facts.cut", undefined);
  const number = { ...line({ shape: [10], dtype: "<i4" }), "a/0": "\u0001\u0000\u0000\u0000\u0002" };
  expect(await findingsOf(number)).toMatchObject([{ code: "inline-length-wrong", facts: { cut: "numbers" } }]);
});

describe("unequal chunks", () => {
  /** Five, three and four elements of four bytes; the last chunk reaches past the array. */
  const unequal = (codecs: readonly unknown[]): Refs => ({
    "zarr.json": '{"zarr_format":3,"node_type":"group"}',
    "a/zarr.json": JSON.stringify({
      zarr_format: 3,
      node_type: "array",
      shape: [11],
      data_type: "float32",
      chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[5, 3, 4]] } },
      chunk_key_encoding: { name: "v2", configuration: { separator: "." } },
      fill_value: 0,
      codecs,
    }),
  });
  const little = { name: "bytes", configuration: { endian: "little" } };

  it("have each its own length", async () => {
    expect(await alarmsOf({ ...unequal([little]), ...chunks("a", [20, 12, 16]) })).toEqual([]);
    expect(await alarmsOf({ ...unequal([little, { name: "crc32c" }]), ...chunks("a", [24, 16, 20]) })).toEqual([]);
    const inline = { "a/0": "base64:AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "a/1": "base64:AAAAAAAAAAAAAAAA" };
    expect(await alarmsOf({ ...unequal([little]), ...chunks("a", [20, 12, 16]), ...inline })).toEqual([]);
  });

  it("that are too short or too long are named with what they must have, and nothing is said of others", async () => {
    const found = await findingsOf({ ...unequal([little]), ...chunks("a", [20, 16, 12]) });
    expect(found).toMatchObject([
      {
        code: "chunk-length-wrong",
        place: { coordinates: [2] },
        facts: { problem: "short", chunkShape: [4], expected: 16, right: 0 },
      },
      {
        code: "chunk-length-wrong",
        place: { coordinates: [1] },
        facts: { problem: "long", chunkShape: [3], expected: 12, right: 0 },
      },
    ]);
    // All of them wrong says nothing of the metadata: no length is theirs in common.
    const all = await findingsOf({ ...unequal([little]), ...chunks("a", [40, 24, 32]) });
    expect(all).toMatchObject([{ code: "chunk-length-wrong", count: 3, facts: { chunkShape: [5], expected: 20 } }]);
    const value = { "a/1": "base64:AAAAAAAAAAA=" };
    expect(await findingsOf({ ...unequal([little]), ...chunks("a", [20, 12, 16]), ...value })).toMatchObject([
      { code: "inline-length-wrong", place: { coordinates: [1] }, facts: { chunkShape: [3], expected: 12, length: 8 } },
    ]);
  });

  it("that are compressed may be of any length that their own allows", async () => {
    const gzip = [little, { name: "gzip", configuration: { level: 5 } }];
    expect(await alarmsOf({ ...unequal(gzip), ...chunks("a", [21, 9, 15]) })).toEqual([]);
    expect(await findingsOf({ ...unequal(gzip), ...chunks("a", [21, 5000, 15]) })).toEqual([]);
  });

  it("with keys past their grid are told without a length that chunks would have", async () => {
    const found = await findingsOf({ ...unequal([little]), ...chunks("a", [20, 12, 16, 16]) });
    expect(found).toMatchObject([
      { code: "keys-past-grid", facts: { chunks: 3, chunk: undefined, chunkFits: undefined } },
    ]);
  });
});
