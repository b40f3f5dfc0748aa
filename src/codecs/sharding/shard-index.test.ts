/** Indexes of shards: any codecs of fixed size, either end, and what is not an index. */
import { describe, expect, it } from "vitest";
import { LOADED } from "../testing/loaded-codecs.ts";
import type { CodecConfiguration, ShardLayout } from "#core/metadata/array-metadata.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import type { JsonValue } from "#core/json/json.ts";
import { adler32, crc32c, fletcher32 } from "../checksums/checksums.ts";
import { decodeShardIndex, indexByteLength, indexRange } from "./shard-index.ts";

const codec = (id: string, configuration: Record<string, JsonValue> = {}): CodecConfiguration => ({
  id,
  configuration: new Map(Object.entries(configuration)),
});
const little = codec("bytes", { endian: "little" });

/** Codecs in the order of encoding. */
function layoutOf(codecs: readonly CodecConfiguration[], indexLocation: "start" | "end" = "end"): ShardLayout {
  return { shape: [4, 3], indexLocation, indexCodecs: codecs.toReversed(), separator: "c/" };
}

const GRID = [2, 3];
const EMPTY = 2n ** 64n - 1n;
const ENTRIES = [0n, 5n, EMPTY, EMPTY, 5n, 7n, 12n, 1n, 2n ** 40n, 3n, 13n, 4n];
const DECODED = {
  offsets: Float64Array.of(0, -1, 5, 12, 2 ** 40, 13),
  lengths: Float64Array.of(5, -1, 7, 1, 3, 4),
};
const table = (entries: readonly bigint[] = ENTRIES) => new Uint8Array(BigUint64Array.from(entries).buffer);
const number = (value: number) => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255);

const stopped = (code: string, facts: object) =>
  expect.objectContaining({ finding: expect.objectContaining({ code, facts }) as unknown }) as Error;

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RefscopeError) return error.code;
    throw error;
  }
  throw new Error("expected a RefscopeError");
}

describe("decodeShardIndex", () => {
  it("undoes any codecs of fixed size", () => {
    const bigEndian = new Uint8Array(Buffer.from(table()).swap64());
    const turned = BigUint64Array.from({ length: 12 }, (_, i) => ENTRIES[2 * (i % 6) + Math.floor(i / 6)]!);
    const turnedBytes = new Uint8Array(turned.buffer);
    const cases: [readonly CodecConfiguration[], Uint8Array][] = [
      [[little], table()],
      [
        [codec("bytes", { endian: "big" }), codec("crc32c")],
        Uint8Array.from([...bigEndian, ...number(crc32c(bigEndian))]),
      ],
      [[little, codec("numcodecs.fletcher32")], Uint8Array.from([...table(), ...number(fletcher32(table()))])],
      [[little, codec("numcodecs.adler32")], Uint8Array.from([...number(adler32(table())), ...table()])],
      [[codec("transpose", { order: [2, 0, 1] }), little], turnedBytes],
    ];
    for (const [codecs, bytes] of cases) {
      const layout = layoutOf(codecs);
      expect(indexByteLength(layout, 6, LOADED)).toBe(bytes.length);
      expect(decodeShardIndex(new Uint8Array(bytes), layout, GRID, LOADED)).toEqual(DECODED);
    }
  });

  it("takes bytes from the middle of a buffer", () => {
    const bytes = new Uint8Array([9, ...table()]).subarray(1);
    expect(decodeShardIndex(bytes, layoutOf([little]), GRID, LOADED)).toEqual(DECODED);
  });

  it("refuses a wrong checksum, and codecs without a fixed size or in a wrong order", () => {
    const layout = layoutOf([little, codec("crc32c")]);
    const bytes = Uint8Array.from([...table(), 1, 2, 3, 4]);
    expect(codeOf(() => decodeShardIndex(bytes, layout, GRID, LOADED))).toBe("shard-index-checksum");
    expect(codeOf(() => decodeShardIndex(bytes, layoutOf([little, codec("gzip")]), GRID, LOADED))).toBe(
      "shard-index-codecs",
    );
    const reversed = layoutOf([codec("crc32c"), little]);
    expect(codeOf(() => decodeShardIndex(bytes, reversed, GRID, LOADED))).toBe("shard-index-codecs");
    expect(codeOf(() => decodeShardIndex(bytes.slice(1), layout, GRID, LOADED))).toBe("shard-truncated");
  });

  it("distinguishes a damaged index from the end of a shard that was cut short", () => {
    const entries = [0n, 24n, 24n, 24n, 48n, 24n, 72n, 24n];
    const whole = (at: bigint) => table(entries.map((value, i) => (i === 0 ? at : value)));
    const summed = layoutOf([little, codec("crc32c")]);
    const damaged = Uint8Array.from([...whole(999n), 0, 0, 0, 0]);
    expect(codeOf(() => decodeShardIndex(damaged, summed, [4], LOADED, 164))).toBe("shard-index-checksum");
    for (const cut of [1, 4, 8, 16, 20, 32, 40, 60, 68, 80]) {
      const data = new Uint8Array(Int32Array.from({ length: 24 }, (_, i) => 100 + i).buffer);
      const shard = Uint8Array.from([...data, ...table(entries), ...number(crc32c(table(entries)))]).slice(0, -cut);
      expect(codeOf(() => decodeShardIndex(shard.slice(-68), summed, [4], LOADED, shard.length))).toBe(
        "shard-truncated",
      );
      const plain = Uint8Array.from([...data, ...table(entries)]).slice(0, -cut);
      const read = () => decodeShardIndex(plain.slice(-64), layoutOf([little]), [4], LOADED, plain.length);
      expect(codeOf(read)).toBe("shard-truncated");
    }
    const good = Uint8Array.from([...whole(999n), ...number(crc32c(whole(999n)))]);
    expect(decodeShardIndex(good, summed, [4], LOADED, 164).offsets[0]).toBe(999);
  });
});

describe("indexRange", () => {
  it("lies at the start or at the end of the shard", () => {
    const codecs = [little, codec("crc32c")];
    expect(indexRange(500, layoutOf(codecs), 6, LOADED)).toEqual({ offset: 400, length: 100 });
    expect(indexRange(500, layoutOf(codecs, "start"), 6, LOADED)).toEqual({ offset: 0, length: 100 });
    expect(() => indexRange(99, layoutOf(codecs), 6, LOADED)).toThrow(
      stopped("shard-truncated", { problem: "size", needed: 100, found: 99, entries: 6 }),
    );
    expect(() => indexRange(2 ** 50, layoutOf(codecs), 2 ** 40, LOADED)).toThrow(
      stopped("shard-index-too-large", { entries: 2 ** 40, limit: 2 ** 25 }),
    );
  });
});
