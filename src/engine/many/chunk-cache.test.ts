/** The laws of the cache, against a plain list of what was kept, in the order of its last use. */
import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseArrayMetadataV2 } from "#core/metadata/parse-array-metadata.ts";
import { decodeValues } from "#core/values/values.ts";
import { chunkCache, type CachedChunk } from "./chunk-cache.ts";

const MISSING = { kind: "missing" } as const;
/** Memory of an entry beside its bytes. */
const OVERHEAD = 400;

function chunkOf(bytes: number): CachedChunk {
  const common = { zarr_format: 2, dtype: "|u1", fill_value: 0, order: "C", compressor: null, filters: null };
  const { metadata } = parseArrayMetadataV2(JSON.stringify({ ...common, shape: [bytes], chunks: [bytes] }));
  return { kind: "values", values: decodeValues(new Uint8Array(bytes), metadata) };
}

interface Step {
  readonly what: "keep" | "get" | "has" | "forget";
  readonly set: number;
  readonly ordinal: number;
  /** 0: missing. */
  readonly bytes: number;
}

const step = fc.record<Step>({
  what: fc.constantFrom("keep", "keep", "keep", "get", "get", "has", "forget"),
  set: fc.integer({ min: 1, max: 12 }),
  ordinal: fc.nat(7),
  bytes: fc.nat(3000),
});

interface Entry {
  readonly set: number;
  readonly ordinal: number;
  readonly size: number;
  readonly chunk: CachedChunk;
}

/** Least recently used first. */
class PlainList {
  entries: Entry[] = [];
  readonly limit: number;
  constructor(limit: number) {
    this.limit = limit;
  }

  take(set: number, ordinal: number): Entry | undefined {
    const found = this.entries.find((one) => one.set === set && one.ordinal === ordinal);
    this.entries = this.entries.filter((one) => one !== found);
    return found;
  }
  get(set: number, ordinal: number): CachedChunk | undefined {
    const found = this.take(set, ordinal);
    if (found !== undefined) this.entries.push(found);
    return found?.chunk;
  }
  keep(entry: Entry): void {
    this.take(entry.set, entry.ordinal);
    if (entry.size > this.limit) return;
    this.entries.push(entry);
    while (this.total() > this.limit) this.entries.shift();
  }
  total(): number {
    return this.entries.reduce((sum, { size }) => sum + size, 0);
  }
}

describe("the cache of decoded chunks", () => {
  it("never holds more than its bound, and drops those used longest ago, and no others", () => {
    const law = fc.property(fc.integer({ min: 0, max: 12_000 }), fc.array(step, { maxLength: 80 }), (limit, steps) => {
      const cache = chunkCache(0, limit);
      const plain = new PlainList(limit);
      for (const { what, set, ordinal, bytes } of steps) {
        const chunk = bytes === 0 ? MISSING : chunkOf(bytes);
        if (what === "get") expect(cache.get(set, "a", ordinal)).toBe(plain.get(set, ordinal));
        if (what === "keep") {
          cache.keep(set, "a", ordinal, chunk);
          plain.keep({ set, ordinal, size: OVERHEAD + bytes, chunk });
        }
        if (what === "forget") {
          cache.forget(set);
          plain.entries = plain.entries.filter((one) => one.set !== set);
        }
        // Looking is no use.
        for (let other = 0; other < 8; other += 1) {
          const isKept = plain.entries.some((one) => one.set === set && one.ordinal === other);
          expect(cache.has(set, "a", other)).toBe(isKept);
        }
        expect(plain.total()).toBeLessThanOrEqual(limit);
      }
    });
    fc.assert(law, { numRuns: runs(200) });
  });

  it("counts the memory that a chunk holds on to, and what was made of it", () => {
    const { values } = chunkOf(1000) as Extract<CachedChunk, { kind: "values" }>;
    const among = { ...values, bytes: new Uint8Array(new ArrayBuffer(5000), 0, 1000) };
    const widened = { ...values, numbers: new Float32Array(1000) };
    for (const [kept, size] of [
      [values, 1000],
      [among, 6000],
      [widened, 5000],
    ] as const) {
      for (const spare of [0, -1]) {
        const cache = chunkCache(0, OVERHEAD + size + spare);
        cache.keep(1, "a", 0, { kind: "values", values: kept });
        expect(cache.has(1, "a", 0)).toBe(spare === 0);
      }
    }
  });

  it("holds more of chunks with several steps, and neither kind takes the room of the other", () => {
    const cache = chunkCache(10_000, 2000);
    const { values } = chunkOf(1000) as Extract<CachedChunk, { kind: "values" }>;
    for (let ordinal = 0; ordinal < 5; ordinal += 1) {
      cache.keep(1, "steps", ordinal, { kind: "values", values: { ...values, shape: [10, 10, 10] } });
      cache.keep(1, "picture", ordinal, { kind: "values", values: { ...values, shape: [1, 100, 10] } });
    }
    const kept = (array: string) => [0, 1, 2, 3, 4].filter((ordinal) => cache.has(1, array, ordinal));
    expect([kept("steps"), kept("picture")]).toEqual([[0, 1, 2, 3, 4], [4]]);
  });

  it("tells arrays and sets apart", () => {
    const cache = chunkCache(0, 10_000);
    cache.keep(1, "a", 0, MISSING);
    for (const [set, array, ordinal] of [
      [1, "a/b", 0],
      [1, "", 0],
      [11, "a", 0],
      [1, "a", 1],
    ] as const) {
      expect(cache.has(set, array, ordinal)).toBe(false);
    }
    cache.keep(11, "a", 0, MISSING);
    cache.forget(1);
    expect([cache.has(1, "a", 0), cache.has(11, "a", 0)]).toEqual([false, true]);
  });
});
