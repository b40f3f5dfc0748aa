/** Chains of Zarr v3, and whole shards decoded by them; shards are written here, after the specification. */
import { withEqualChunks } from "#core/testing/equal-chunks.ts";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { codecTraits } from "../find-codec.ts";
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import { cellCount, coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import { parseArrayMetadataV3 } from "#core/metadata/parse-array-metadata-v3.ts";
import { statistics } from "#core/values/statistics.ts";
import { decodeValues, elementText } from "#core/values/values.ts";
import { writeVariable } from "#core/values/variable-elements.ts";
import { crc32c } from "../checksums/checksums.ts";
import { codecLabels, runPipeline, undecodable } from "../pipeline.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Codec = string | { readonly name: string; readonly configuration?: Record<string, unknown> };

const signal = new AbortController().signal;
const little = { name: "bytes", configuration: { endian: "little" } };
const big = { name: "bytes", configuration: { endian: "big" } };
const sharded = (chunk_shape: readonly number[], codecs: readonly Codec[], more: Record<string, unknown> = {}) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape, codecs, index_codecs: [little, { name: "crc32c" }], index_location: "end", ...more },
});
const turned = (...order: number[]) => ({ name: "transpose", configuration: { order } });

function metadataOf(codecs: readonly Codec[], members: Record<string, unknown> = {}): ChunkMetadata {
  const shape = (members["shape"] as number[] | undefined) ?? [4, 6];
  const { metadata } = parseArrayMetadataV3(
    JSON.stringify({
      zarr_format: 3,
      node_type: "array",
      shape,
      data_type: "int16",
      chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
      chunk_key_encoding: { name: "default" },
      fill_value: -2,
      codecs,
      attributes: {},
      ...members,
    }),
    codecTraits,
  );
  return withEqualChunks(metadata);
}

const withSum = (bytes: Uint8Array) => {
  const sum = crc32c(bytes);
  return Uint8Array.from([...bytes, ...[0, 8, 16, 24].map((shift) => (sum >>> shift) & 255)]);
};

/** `undefined` for an empty inner chunk; `entries` by hand where they are to be wrong. */
function shardOf(chunks: readonly (Uint8Array | undefined)[], entries?: readonly (readonly [bigint, bigint])[]): Bytes {
  const index = new BigUint64Array(2 * chunks.length).fill(2n ** 64n - 1n);
  let at = 0;
  chunks.forEach((chunk, i) => {
    if (chunk === undefined) return;
    index.set([BigInt(at), BigInt(chunk.length)], 2 * i);
    at += chunk.length;
  });
  entries?.forEach((entry, i) => index.set(entry, 2 * i));
  const data = chunks.flatMap((chunk) => [...(chunk ?? [])]);
  return Uint8Array.from([...data, ...withSum(new Uint8Array(index.buffer))]);
}

/** Inner chunks of an array that counts 0, 1, 2, … in C order. */
function counted(shape: readonly number[], inner: readonly number[]): Uint8Array[] {
  const grid = gridOf(shape, inner);
  return Array.from({ length: cellCount(grid) }, (_, ordinal) => {
    const origin = coordinatesOf(grid, ordinal).map((at, d) => at * inner[d]!);
    const values = Array.from({ length: cellCount(inner) }, (_, i) =>
      coordinatesOf(inner, i).reduce((sum, at, d) => sum * shape[d]! + at + origin[d]!, 0),
    );
    return new Uint8Array(Int16Array.from(values).buffer);
  });
}

/** Whole shards: a codec beside the sharding keeps its inner chunks from being chunks. */
const wholeOf = (codec: Codec) => [turned(0, 1), codec];

async function numbersOf(metadata: ChunkMetadata, stored: Bytes): Promise<number[]> {
  const { bytes, error } = await runPipeline(metadata, stored, signal);
  expect(error).toBeUndefined();
  return Array.from(decodeValues(bytes!, metadata).numbers!, Number);
}

const failure = async (metadata: ChunkMetadata, stored: Bytes) => (await runPipeline(metadata, stored, signal)).error!;
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

describe("transpose", () => {
  it("turns back, before sharding and inside", async () => {
    const square = metadataOf([turned(1, 0), little]);
    const stored = Int16Array.from(upTo(24), (i) => (i % 4) * 6 + Math.floor(i / 4));
    expect(await numbersOf(square, new Uint8Array(stored.buffer))).toEqual(upTo(24));
    const outside = metadataOf([turned(1, 0), sharded([3, 2], [little])]);
    expect(outside.sharding).toBeUndefined();
    expect(await numbersOf(outside, shardOf(counted([6, 4], [3, 2])))).toEqual(
      upTo(24).map((i) => (i % 6) * 4 + Math.floor(i / 6)),
    );
    const cube = metadataOf([turned(2, 0, 1), turned(0, 2, 1), little], { shape: [2, 3, 4] });
    const once = (at: readonly number[]) => (at[0]! * 3 + at[1]!) * 4 + at[2]!;
    const twice = upTo(24).map((i) => {
      const [a, b, c] = coordinatesOf([4, 3, 2], i);
      return once([c!, b!, a!]);
    });
    expect(await numbersOf(cube, new Uint8Array(Int16Array.from(twice).buffer))).toEqual(upTo(24));
  });

  it("says F and C as drafts did, and refuses what is not an order", async () => {
    expect(
      (await codecLabels(metadataOf([{ name: "transpose", configuration: { order: "F" } }, little]))).map(
        (c) => c.label,
      ),
    ).toEqual(["bytes, little-endian", "transpose, [1, 0]"]);
    const metadata = metadataOf([turned(1, 0), little]);
    const broken = { ...metadata, decoding: [{ id: "transpose", configuration: new Map([["order", [0, 0]]]) }] };
    expect((await undecodable({ ...broken, decoding: [metadata.decoding[0]!, ...broken.decoding] }))!.code).toBe(
      "codec-configuration",
    );
  });
});

describe("a whole shard", () => {
  const inner = [2, 3];
  const chunks = counted([4, 6], inner);

  it("puts inner chunks together, empty ones as the fill value", async () => {
    const metadata = metadataOf(wholeOf(sharded(inner, [little])));
    expect(await numbersOf(metadata, shardOf(chunks))).toEqual(upTo(24));
    const holes = await numbersOf(metadata, shardOf([undefined, ...chunks.slice(1)]));
    expect(holes).toEqual(upTo(24).map((i) => (i % 6 < 3 && i < 12 ? -2 : i)));
  });

  it("keeps the byte order of the array, in the fill value too", async () => {
    const metadata = metadataOf(wholeOf(sharded(inner, [big])));
    expect(metadata.dataType).toMatchObject({ byteOrder: "big" });
    const swapped = chunks.map((chunk) => new Uint8Array(Buffer.from(chunk).swap16()));
    const found = await numbersOf(metadata, shardOf([undefined, ...swapped.slice(1)]));
    expect(found).toEqual(upTo(24).map((i) => (i % 6 < 3 && i < 12 ? -2 : i)));
  });

  it("reads shards in shards, and codecs after them", async () => {
    const nested = sharded([2, 6], [sharded([1, 3], [little, "gzip"]), "crc32c"]);
    const pieces = counted([4, 6], [1, 3]).map((piece) => gzipSync(piece));
    const halves = [pieces.slice(0, 4), pieces.slice(4)].map((half) => withSum(shardOf(half)));
    const stored = new Uint8Array(gzipSync(shardOf(halves)));
    expect(await numbersOf(metadataOf([nested, "gzip"]), stored)).toEqual(upTo(24));
    const asOnlyCodec = metadataOf([nested]);
    expect(asOnlyCodec.chunks).toEqual([2, 6]);
    expect(await numbersOf(asOnlyCodec, halves[0]!)).toEqual(upTo(12));
  });

  it("gives an error that names the inner chunk and what is wrong with it, and no values", async () => {
    const metadata = metadataOf(wholeOf(sharded(inner, [little, "crc32c"])));
    const sums = chunks.map(withSum);
    const flipped = sums.map((chunk, i) => (i === 2 ? chunk.map((byte, at) => (at === 3 ? byte ^ 1 : byte)) : chunk));
    expect(await failure(metadata, shardOf(flipped))).toMatchObject({
      code: "checksum-mismatch",
      facts: { codec: "crc32c", inner: [1, 0] },
    });
    expect(await failure(metadata, shardOf(sums, [[0n, 3n]]))).toMatchObject({ code: "decode-failed" });
    const wrong: [string, [bigint, bigint][]][] = [
      ["shard-past-end", [[2n ** 60n, 16n]]],
      ["shard-half-empty", [[2n ** 64n - 1n, 16n]]],
      ["shard-zero-length", [[0n, 0n]]],
      ["shard-into-index", [[60n, 16n]]],
      [
        "shard-overlap",
        [
          [0n, 16n],
          [8n, 16n],
        ],
      ],
    ];
    for (const [code, entries] of wrong) expect((await failure(metadata, shardOf(sums, entries))).code).toBe(code);
    const whole = shardOf(sums);
    expect((await failure(metadata, whole.slice(0, 50))).code).toBe("shard-truncated");
    expect(
      (
        await failure(
          metadata,
          whole.map((byte, at) => (at === whole.length - 1 ? byte ^ 1 : byte)),
        )
      ).code,
    ).toBe("shard-index-checksum");
  });

  it("holds text", async () => {
    const metadata = metadataOf(wholeOf(sharded([1, 2], ["vlen-utf8"])), {
      shape: [2, 4],
      data_type: "string",
      fill_value: "–",
    });
    const text = (...parts: string[]) => writeVariable(parts.map((part) => new TextEncoder().encode(part)));
    const stored = shardOf([text("a", "żółć"), undefined, text("", "日本"), text("x", "y")]);
    const { texts, bytes } = await runPipeline(metadata, stored, signal);
    expect(upTo(texts!.length).map((i) => texts!.at(i))).toEqual(["a", "żółć", "–", "–", "", "日本", "x", "y"]);
    const values = decodeValues(bytes!, metadata, texts);
    expect(elementText(values, 5)).toBe("日本");
    expect(statistics(values, [2, 4], { fillValue: "–", scaled: false })).toEqual({
      count: 8,
      missing: 0,
      equalToFill: 2,
    });
  });

  it("stays within its limits", async () => {
    const huge = metadataOf(wholeOf(sharded([2 ** 20, 2 ** 15], [little])), { shape: [2 ** 20, 2 ** 15] });
    expect((await failure(huge, shardOf([undefined]))).code).toBe("chunk-too-large");
    const deep = upTo(9).reduce((codec: Codec) => sharded([4, 6], [codec]), little as Codec);
    const metadata = metadataOf(wholeOf(deep));
    expect((await failure(metadata, shardOf([undefined]))).code).toBe("codec-configuration");
    expect((await undecodable(metadata))!.facts).toMatchObject({ found: "more of them" });
  });

  it("stops when aborted", async () => {
    const many = metadataOf(wholeOf(sharded([1, 1], [little, "gzip"])), { shape: [300, 300] });
    const one = gzipSync(new Uint8Array(2));
    const index = new BigUint64Array(2 * 90_000).map((_, i) => (i % 2 === 0 ? 0n : BigInt(one.length)));
    const stored = Uint8Array.from([...one, ...withSum(new Uint8Array(index.buffer))]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    await expect(runPipeline(many, stored, stop.signal)).rejects.toThrow(
      expect.objectContaining({ name: "AbortError" }),
    );
  });
});

describe("lists of codecs", () => {
  it("must go from array to bytes once", async () => {
    for (const codecs of [["gzip"], [little, little], ["gzip", little], [little, turned(1, 0)]]) {
      const metadata = metadataOf(codecs);
      const { stages, error } = await runPipeline(metadata, new Uint8Array(48), signal);
      expect(error!.code).toBe("codec-chain");
      expect(stages.at(-1)!.error).toBe(error);
      expect(await undecodable(metadata)).toEqual(error);
    }
    expect((await failure(metadataOf(wholeOf(sharded([2, 3], ["gzip"]))), shardOf(counted([4, 6], [2, 3])))).code).toBe(
      "codec-chain",
    );
  });

  it("names unknown codecs, at any depth, and what their configuration lacks", async () => {
    const stored = new Uint8Array(48);
    expect((await failure(metadataOf([little, "zfp9"]), stored)).code).toBe("codec-unknown");
    const inside = metadataOf(wholeOf(sharded([2, 3], [little, { name: "zfp9" }])));
    expect((await failure(inside, shardOf(counted([4, 6], [2, 3])))).code).toBe("codec-unknown");
    expect((await codecLabels(inside))[0]!.error!.code).toBe("codec-unknown");
  });

  it("checks the length where `bytes` stands, but after filters that change the type", async () => {
    const short = await runPipeline(metadataOf([little, "gzip"]), new Uint8Array(gzipSync(new Uint8Array(46))), signal);
    expect(short.stages.at(-1)).toMatchObject({
      id: "bytes",
      error: { code: "decode-failed", facts: { found: "46 bytes" } },
    });
    const delta = { name: "numcodecs.delta", configuration: { dtype: "<i2", astype: "|i1" } };
    expect(await numbersOf(metadataOf([delta, little]), new Uint8Array(24).fill(1))).toEqual(
      upTo(24).map((i) => i + 1),
    );
  });
});

describe("vlen-utf8 and vlen-bytes", () => {
  const metadata = (codec: string) =>
    metadataOf([codec], { shape: [2], data_type: codec === "vlen-utf8" ? "string" : "bytes", fill_value: "" });

  it("refuse what is not text, other counts and bytes that end early", async () => {
    const bad = [
      Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0xff, 0, 0, 0, 0),
      Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0),
      Uint8Array.of(2, 0, 0, 0, 9, 0, 0, 0, 65),
      Uint8Array.of(255, 255, 255, 255),
      Uint8Array.of(),
    ];
    for (const stored of bad) expect((await failure(metadata("vlen-utf8"), stored)).code).toBe("decode-failed");
    const { texts } = await runPipeline(metadata("vlen-bytes"), bad[0]!, signal);
    expect([texts!.at(0), texts!.at(1), texts!.at(2)]).toEqual([Uint8Array.of(0xff), new Uint8Array(0), undefined]);
  });

  it("need elements of no fixed size, as `bytes` needs others", async () => {
    expect((await undecodable(metadataOf(["vlen-utf8"])))!.code).toBe("codec-configuration");
    expect((await undecodable(metadataOf([little], { data_type: "string", fill_value: "" })))!.code).toBe(
      "codec-configuration",
    );
  });
});
