/**
 * Adaptive entropy coding as libaec decodes it; damaged and hostile streams end in an error, in bounded time and
 * memory.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { RefscopeError } from "#core/findings/finding.ts";
import { flagshipBytes, flagshipCases, type FlagshipCase } from "#core/testing/flagship.ts";
import { decodeAec, type AecParameters } from "./decode.ts";

interface Coding {
  readonly bits_per_sample: number;
  readonly block_size: number;
  readonly rsi: number;
  readonly flags: number;
  readonly samples: number;
}

interface Recorded {
  readonly name: string;
  readonly aec: Coding;
  readonly stored: string;
  readonly sha256: string;
}

interface AecCase extends FlagshipCase {
  readonly aec: Coding;
  readonly expected: { readonly sha256: string };
}

const path = resolve(import.meta.dirname, "../fixtures/aec.json");
const recorded = (JSON.parse(readFileSync(path, "utf8")) as readonly Recorded[]).map(({ stored, ...rest }) => ({
  ...rest,
  stored: new Uint8Array(Buffer.from(stored, "base64")),
}));
const flagship = flagshipCases("ccsds-aec") as readonly AecCase[];

function parametersOf({ bits_per_sample, block_size, rsi, flags }: Coding): AecParameters {
  return { codec: "aec", bits: bits_per_sample, blockSize: block_size, interval: rsi, flags };
}

function decode(stored: Uint8Array, coding: Coding, limit = coding.samples * 8) {
  return decodeAec(stored, parametersOf(coding), { count: coding.samples, limit });
}

/** SHA-256 of samples as little-endian int64. */
function hash(samples: Float64Array): string {
  const longs = BigInt64Array.from(Array.from(samples, BigInt));
  return createHash("sha256").update(new Uint8Array(longs.buffer)).digest("hex");
}

function errorOf(run: () => unknown): RefscopeError {
  try {
    run();
  } catch (error) {
    if (error instanceof RefscopeError) return error;
    throw error;
  }
  throw new Error("expected a RefscopeError");
}

function foundBy(run: () => unknown): unknown {
  return errorOf(run).finding?.facts?.["found"];
}

describe("what libaec decodes, bit for bit", () => {
  it.each(recorded)("$name", ({ stored, aec, sha256 }) => {
    expect(hash(decode(stored, aec))).toBe(sha256);
  });

  it.skipIf(flagship.length === 0)("all recorded cases beside the project", () => {
    expect(flagship.length).toBeGreaterThanOrEqual(24);
    const wrong = flagship.filter((one) => hash(decode(flagshipBytes(one), one.aec)) !== one.expected.sha256);
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it("whatever follows the samples, and fewer of them", () => {
    for (const { stored, aec, sha256 } of recorded) {
      expect(hash(decode(new Uint8Array([...stored, 255, 0, 255]), aec))).toBe(sha256);
      const whole = decode(stored, aec);
      for (const samples of [0, 1, 2, 3, aec.block_size, aec.block_size + 1, aec.samples - 1]) {
        if (samples > aec.samples) continue;
        expect(decode(stored, { ...aec, samples })).toEqual(whole.slice(0, samples));
      }
    }
  });
});

/** A stream from bits that are written down; spaces are for the reader. */
function streamOf(...parts: readonly string[]): Uint8Array {
  const bits = parts.join("").replaceAll(" ", "");
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, "0");
  return Uint8Array.from({ length: padded.length / 8 }, (_, i) => Number.parseInt(padded.slice(i * 8, i * 8 + 8), 2));
}

const PLAIN: Coding = { bits_per_sample: 8, block_size: 8, rsi: 2, flags: 0, samples: 8 };
const PREDICTED: Coding = { ...PLAIN, flags: 8 };

describe("streams by hand (CCSDS 121.0-B-3, §3)", () => {
  it("each way to code a block", () => {
    const split = streamOf("010", "01 1 1 1 001 1 1 1", "1 0 1 0 1 0 1 0");
    expect([...decode(split, PLAIN)]).toEqual([3, 0, 1, 0, 5, 0, 1, 0]);
    const pairs = streamOf("000 1", "1 01 001 0001");
    expect([...decode(pairs, PLAIN)]).toEqual([0, 0, 1, 0, 0, 1, 2, 0]);
    const plain = streamOf("111", ...[1, 2, 4, 8, 16, 32, 64, 128].map((n) => n.toString(2).padStart(8, "0")));
    expect([...decode(plain, PLAIN)]).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
    expect([...decode(streamOf("000 0 1"), PLAIN)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("differences to the sample before, on both sides up to the nearer end", () => {
    // Above the top is nothing: from 253, differences are 0, -1, 1, -2, 2 and then -3, -4, …
    const stream = streamOf("001", "11111101", "1 01 01 1 000001 0000001 1");
    expect([...decode(stream, PREDICTED)]).toEqual([253, 253, 252, 251, 251, 248, 251, 251]);
    const signed = streamOf("001", "11111111", "01 001 1 1 1 1 1");
    expect([...decode(signed, { ...PREDICTED, flags: 9 })]).toEqual([-1, -2, -1, -1, -1, -1, -1, -1]);
  });

  it("runs up to the end of 64 blocks, or of the interval", () => {
    const long = { ...PREDICTED, rsi: 100, samples: 100 * 8 };
    const next = "001 01 1 1 1 1 1 1 1";
    // The run begins with block 0 and ends with block 63; the one after it with block 99.
    const stream = streamOf("000 0", "00000111", "00001", next, "000 0 00001");
    expect([...decode(stream, long)]).toEqual([...Array<number>(512).fill(7), ...Array<number>(288).fill(6)]);
  });

  it("intervals that are filled up to a byte", () => {
    const padded = { ...PLAIN, rsi: 1, flags: 32, samples: 16 };
    expect([...decode(Uint8Array.of(0b0000_1000, 0b0000_1000), padded)]).toEqual(Array<number>(16).fill(0));
  });
});

describe("damage", () => {
  it("says what is missing or wrong", () => {
    expect(foundBy(() => decode(new Uint8Array(), PLAIN))).toBe("0 samples, then the end of the data");
    const long = { ...PLAIN, samples: 24 };
    expect(foundBy(() => decode(streamOf("000 0 01"), long))).toBe("16 samples, then the end of the data");
    // The interval has two blocks, the run six.
    expect(foundBy(() => decode(streamOf("000 0 0000001"), PLAIN))).toMatch(/^0 samples, then no sample/u);
    const beyondPairs = streamOf("000 1", "0".repeat(91), "1");
    expect(foundBy(() => decode(beyondPairs, PLAIN))).toMatch(/^0 samples, then no sample/u);
    const beyondBits = streamOf("001", "0".repeat(256), "1", "1".repeat(7));
    expect(foundBy(() => decode(beyondBits, PLAIN))).toMatch(/^0 samples, then no sample/u);
    expect(foundBy(() => decode(new Uint8Array(1000), PLAIN))).toBe("0 samples, then the end of the data");
  });

  it("of parameters", () => {
    const found = (change: Partial<Coding>) => foundBy(() => decode(new Uint8Array(9), { ...PLAIN, ...change }));
    expect(found({ bits_per_sample: 33 })).toBe("33 bits");
    expect(found({ bits_per_sample: 0 })).toBe("0 bits");
    expect(found({ block_size: 0 })).toBe("blocks of 0");
    expect(found({ block_size: 7 })).toBe("blocks of 7");
    expect(found({ rsi: 0 })).toBe("every 0 blocks");
    expect(found({ flags: 16 })).toBe("8 bits");
  });

  it("takes no memory beyond its budget", () => {
    const many = { ...PLAIN, samples: 4_294_967_295 };
    expect(errorOf(() => decode(new Uint8Array(9), many, 1e6)).code).toBe("decode-too-large");
    expect(errorOf(() => decode(new Uint8Array(9), PLAIN, 63)).code).toBe("decode-too-large");
    expect(decode(streamOf("000 0 1"), PLAIN, 64)).toHaveLength(8);
  });

  it("cut short anywhere: what is there, or an error", () => {
    for (const { stored, aec } of recorded) {
      const whole = decode(stored, aec);
      for (let length = 0; length < stored.length; length += Math.ceil(stored.length / 60)) {
        try {
          expect(decode(stored.subarray(0, length), aec)).toEqual(whole);
        } catch (error) {
          if (!(error instanceof RefscopeError)) throw error;
          expect(error.code).toBe("decode-failed");
        }
      }
    }
  });

  it("changed anywhere: samples in range, or an error", () => {
    let state = 1;
    const random = (below: number) => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff) % below;
    for (let round = 0; round < 600; round++) {
      const { stored, aec } = recorded[round % recorded.length] as (typeof recorded)[number];
      const damaged = new Uint8Array(stored);
      for (let i = 0; i <= round % 3; i++) damaged[random(damaged.length)] = random(256);
      const isSigned = (aec.flags & 1) !== 0;
      const [least, most] = isSigned ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** aec.bits_per_sample - 1];
      try {
        const samples = decode(damaged, aec);
        expect(samples).toHaveLength(aec.samples);
        expect(samples.every((sample) => sample >= least && sample <= most)).toBe(true);
      } catch (error) {
        if (!(error instanceof RefscopeError)) throw error;
        expect(error.code).toBe("decode-failed");
      }
    }
  });
});
