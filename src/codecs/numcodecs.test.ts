/**
 * Each codec against bytes that numcodecs decoded (fixtures/README.md), and against its JavaScript build's encoders.
 */
import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import Blosc from "numcodecs/blosc";
import LZ4 from "numcodecs/lz4";
import Zstd from "numcodecs/zstd";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../core/json/json.ts";
import { LOADED } from "./testing/loaded-codecs.ts";
import { recorded } from "./testing/numcodecs-cases.ts";

async function decode(id: string, stored: Uint8Array, limit: number, configuration: Record<string, JsonValue> = {}) {
  const outline = {
    dataType: { kind: "void", itemSize: 1, byteOrder: "none", text: "|V1" },
    chunkShape: [],
    elements: 1,
  };
  const step = LOADED.findV2(id)!.prepare(new Map(Object.entries(configuration)), outline as never);
  return step.decode(new Uint8Array(stored), limit, new AbortController().signal);
}

describe("codecs as numcodecs decodes them", () => {
  it.each(recorded)("$name", async ({ id, configuration, stored, decoded }) => {
    const expected = Buffer.from(decoded, "base64");
    const result = await decode(id, Buffer.from(stored, "base64"), expected.length, { ...configuration });
    expect(Buffer.from(result).equals(expected)).toBe(true);
  });
});

/** Bytes as compressors meet them: runs, small numbers, noise, repetitions. */
const content = fc
  .tuple(
    fc.integer({ min: 1, max: 30_000 }),
    fc.integer({ min: 1, max: 256 }),
    fc.integer({ min: 1, max: 5000 }),
    fc.nat(),
  )
  .map(([length, alphabet, period, seed]) => {
    let state = seed | 1;
    const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0) >>> 16;
    const pattern = Uint8Array.from({ length: period }, () => random() % alphabet);
    return Uint8Array.from({ length }, (_, i) => (random() % 50 === 0 ? random() : pattern[i % period]!) & 255);
  });

/** Through JSON: the package's type for `shuffle` is an enum that it does not export. */
function bloscConfig(cname: string, level: number): Parameters<typeof Blosc.fromConfig>[0] {
  return JSON.parse(JSON.stringify({ id: "blosc", cname, clevel: level, shuffle: level % 3 })) as never;
}

describe("what an encoder wrote decodes to what it was", () => {
  const laws: readonly [string, (bytes: Uint8Array, level: number) => Promise<Uint8Array> | Uint8Array][] = [
    ["zlib", (bytes, level) => deflateSync(bytes, { level, strategy: level % 5 })],
    ["gzip", (bytes, level) => gzipSync(bytes, { level })],
    ["lz4", (bytes) => LZ4.fromConfig({ id: "lz4" }).encode(bytes)],
    ["zstd", (bytes, level) => Zstd.fromConfig({ id: "zstd", level: level * 2 + 1 }).encode(bytes)],
    ...["blosclz", "lz4", "lz4hc", "zlib", "zstd", "snappy"].map(
      (cname) =>
        [
          "blosc",
          (bytes: Uint8Array, level: number) => Blosc.fromConfig(bloscConfig(cname, level)).encode(bytes),
        ] as const satisfies [string, unknown],
    ),
  ];
  it.each(laws.map(([id, encode], at) => ({ id, encode, at })))("$id ($at)", async ({ id, encode }) => {
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 9 }), async (bytes, level) => {
        const result = await decode(id, await encode(bytes, level), bytes.length);
        expect(Buffer.from(result).equals(bytes)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});
