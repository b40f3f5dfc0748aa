/** The fast decoders against the plain ones: the same bytes, or the same error. */
import { isDeep, runs } from "#core/testing/runs.ts";
import { existsSync, readFileSync } from "node:fs";
import { constants, deflateRawSync, deflateSync, gzipSync, type ZlibOptions } from "node:zlib";
import Blosc from "numcodecs/blosc";
import LZ4 from "numcodecs/lz4";
import Zstd from "numcodecs/zstd";
import { afterEach, describe, expect, it, vi } from "vitest";
import { RefscopeError } from "#core/findings/finding.ts";
import { adler32, crc32, crc32c } from "../checksums/checksums.ts";
import * as fast from "../blosc/fast-blocks.ts";
import { LOADED } from "../testing/loaded-codecs.ts";
import { inflate } from "../deflate/inflate.ts";
import { finish, newOutput } from "../codec.ts";
import { unshuffleBits, unshuffleBytes } from "../blosc/unshuffle.ts";
import { fastInflater, fastLz4 } from "./decode.ts";
import { CRC32, CRC32C, decodeMemory, MAX_KEPT_BYTES, useWasm } from "./memory.ts";

vi.mock(import("../blosc/fast-blocks.ts"), { spy: true });

type Bytes = Uint8Array<ArrayBuffer>;

afterEach(() => {
  useWasm(true);
});

function both<T>(act: () => T): readonly [T, T] {
  useWasm(true);
  const fast = act();
  useWasm(false);
  const plain = act();
  useWasm(true);
  return [fast, plain];
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) % below;
  };
}

/** All kinds that compressors meet: noise, runs, short periods, text of few letters, far repetitions. */
function sampleBytes(seed: number, length: number): Bytes {
  const random = randomNumbers(seed);
  const bytes = new Uint8Array(length);
  let at = 0;
  while (at < length) {
    const run = Math.min(length - at, 1 + random(400));
    const kind = random(5);
    const [value, period] = [random(256), 1 + random(40)];
    for (let i = 0; i < run; i++, at++) {
      if (kind === 0) bytes[at] = random(256);
      else if (kind === 1) bytes[at] = value;
      else if (kind === 2) bytes[at] = at < period ? value : bytes[at - period]!;
      else if (kind === 3) bytes[at] = 97 + random(4);
      else bytes[at] = at < 20_000 ? random(16) : bytes[at - 20_000]!;
    }
  }
  return bytes;
}

const LENGTHS = [0, 1, 2, 15, 16, 17, 300, 1023, 4095, 4096, 4097, 33_000, 70_001, 300_000];

function outcome(act: () => Bytes): string {
  try {
    return Buffer.from(act()).toString("latin1");
  } catch (error) {
    if (error instanceof RefscopeError) return JSON.stringify(error.finding);
    throw error;
  }
}

async function outcomeOf(id: string, stored: Bytes, limit: number): Promise<string> {
  const dataType = { kind: "uint", itemSize: 1, byteOrder: "none", text: "|u1" } as const;
  const step = LOADED.findV2(id)!.prepare(new Map(), { dataType, chunkShape: [1], elements: 1 });
  try {
    const bytes = await step.decode(stored, limit, new AbortController().signal);
    return Buffer.from(bytes).toString("latin1");
  } catch (error) {
    if (error instanceof RefscopeError) return JSON.stringify(error.finding);
    throw error;
  }
}

describe("inflate", () => {
  const options: readonly ZlibOptions[] = [
    { level: 0 },
    { level: 1 },
    { level: 9 },
    { strategy: constants.Z_FIXED },
    { strategy: constants.Z_HUFFMAN_ONLY },
    { strategy: constants.Z_RLE },
    { level: 6, memLevel: 1 },
  ];

  it.each(options)("%o", (option) => {
    for (const length of LENGTHS) {
      const bytes = sampleBytes(length + 1, length);
      const stored = Buffer.concat([Buffer.from("ab"), deflateRawSync(bytes, option), Buffer.from("after")]);
      const done = fastInflater(stored)!.inflate(2, length, "crc32");
      expect(done).toMatchObject({ end: stored.length - 5, sum: both(() => crc32(bytes))[1] });
      expect(Buffer.from(done!.bytes).equals(bytes)).toBe(true);
      // One byte less than it needs.
      if (length > 0) expect(fastInflater(stored)!.inflate(2, length - 1, undefined)).toBeUndefined();
    }
  });

  it("says the same of cut and damaged streams", () => {
    const random = randomNumbers(7);
    for (let round = 0; round < runs(1500); round++) {
      const bytes = sampleBytes(round, random(3000));
      const stored = deflateRawSync(bytes, options[round % options.length]);
      const damaged = round % 3 === 0 ? stored.subarray(0, random(stored.length)) : Buffer.from(stored);
      for (let i = 0; i < round % 3 && damaged.length > 0; i++) damaged[random(damaged.length)] = random(256);
      const [fast, plain] = both(() =>
        outcome(() => {
          const output = newOutput("deflate", 4000, 0);
          const end = inflate(damaged, 0, output);
          return Uint8Array.from([...finish(output), end & 255, end >> 8]);
        }),
      );
      expect(fast).toBe(plain);
    }
  });

  it("stops noise as it stops bombs", () => {
    const random = randomNumbers(11);
    for (let round = 0; round < runs(3000); round++) {
      const noise = Uint8Array.from({ length: random(60) }, () => random(256));
      const [fast, plain] = both(() =>
        outcome(() => {
          const output = newOutput("deflate", 5000, 0);
          inflate(noise, 0, output);
          return finish(output);
        }),
      );
      expect(fast).toBe(plain);
    }
    const bomb = deflateRawSync(Buffer.alloc(50_000_000), { level: 9 });
    expect(fastInflater(bomb)!.inflate(0, 100_000, undefined)).toBeUndefined();
  });

  it("takes members one after another, without copying the input for each", async () => {
    const members = Array.from({ length: 3000 }, (_, at) => gzipSync(sampleBytes(at, at % 90)));
    const stored = new Uint8Array(Buffer.concat(members));
    const placed = decodeMemory()!.placed;
    const decoded = await outcomeOf("gzip", stored, 1_000_000);
    expect(decodeMemory()!.placed - placed).toBe(1);
    useWasm(false);
    expect(decoded === (await outcomeOf("gzip", stored, 1_000_000))).toBe(true);
  });
});

describe("LZ4", () => {
  it("gives the same, whole, cut and damaged", async () => {
    const random = randomNumbers(3);
    for (let round = 0; round < runs(600); round++) {
      const bytes = sampleBytes(round, 1 + random(round % 20 === 0 ? 90_000 : 3000));
      const stored = new Uint8Array(await LZ4.fromConfig({ id: "lz4" }).encode(bytes));
      const whole = fastLz4(stored.subarray(4), bytes.length);
      expect(Buffer.from(whole!).equals(bytes)).toBe(true);
      const damaged = round % 3 === 0 ? stored.slice(0, random(stored.length)) : stored.slice();
      for (let i = 0; i < round % 3; i++) damaged[random(damaged.length)] = random(256);
      const fast = await outcomeOf("lz4", damaged, bytes.length);
      useWasm(false);
      expect(fast).toBe(await outcomeOf("lz4", damaged, bytes.length));
      useWasm(true);
    }
  });
});

const COMPRESSORS = ["lz4", "zstd", "blosclz"] as const;

it("does not take a length that wraps for a short one", () => {
  // 15 and 255 × 16,843,009 are 2^32 + 14: 14 literals, were they summed up in 32 bits.
  const count = 16_843_009;
  const hostile = new Uint8Array(1 + count + 1 + 14).fill(255, 1, 1 + count);
  hostile[0] = 0xf0;
  expect(fastLz4(hostile, 14)).toBeUndefined();
});

describe("Blosc and zstd", () => {
  it.each([0, 1, 2])("give the same, shuffle %i, whole, cut and damaged", async (shuffle) => {
    const random = randomNumbers(shuffle + 5);
    for (const [round, cname] of Array.from(
      { length: runs(180, 60) },
      (_, at) => [at, COMPRESSORS[at % 3]!] as const,
    )) {
      const bytes = sampleBytes(round, 1 + random(round % 10 < 2 ? 600_000 : 9000));
      const codec = Blosc.fromConfig({ cname, clevel: 5, shuffle, blocksize: round % 3 === 0 ? 0 : 4096 } as never);
      const stored = new Uint8Array(await codec.encode(bytes));
      const damaged = stored.slice(0, round % 5 === 0 ? random(stored.length) : stored.length);
      for (let i = 0; i < round % 3; i++) damaged[random(damaged.length)] = random(256);
      for (const input of [stored, damaged]) {
        useWasm(true);
        const fast = await outcomeOf("blosc", input, bytes.length);
        useWasm(false);
        expect(fast === (await outcomeOf("blosc", input, bytes.length))).toBe(true);
      }
    }
  });

  it.each(COMPRESSORS)("blocks of %s are decoded in one memory", async (cname) => {
    const codec = Blosc.fromConfig({ cname, clevel: 5, shuffle: 1, blocksize: 4096 } as never);
    const stored = new Uint8Array(await codec.encode(Uint8Array.from({ length: 60_000 }, (_, at) => at >> 8)));
    const blocks = vi.mocked(fast.fastBlocks);
    blocks.mockClear();
    await outcomeOf("blosc", stored, 60_000);
    expect(blocks.mock.results.map(({ value }) => (value as Bytes | undefined)?.length)).toEqual([60_000]);
  });

  it("zstd gives the same in one go and step by step", async () => {
    const random = randomNumbers(9);
    for (let round = 0; round < runs(120); round++) {
      const bytes = sampleBytes(round, 1 + random(round % 10 === 0 ? 600_000 : 9000));
      const stored = new Uint8Array(await Zstd.fromConfig({ id: "zstd", level: 1 }).encode(bytes));
      const damaged = stored.slice();
      for (let i = 0; i < round % 3; i++) damaged[random(damaged.length)] = random(256);
      useWasm(true);
      const fast = await outcomeOf("zstd", damaged, bytes.length);
      useWasm(false);
      expect(fast === (await outcomeOf("zstd", damaged, bytes.length))).toBe(true);
    }
  });
});

describe("shuffles and checksums", () => {
  const sizes = [1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 100, 256, 257, 3000];

  it.each(sizes)("unshuffle elements of %i bytes alike", (size) => {
    for (const length of [...LENGTHS, 8 * size * 129, 16 * size * 33 + 5]) {
      const bytes = sampleBytes(length + size, length);
      for (const unshuffle of [unshuffleBytes, unshuffleBits]) {
        const [fast, plain] = both(() => {
          const target = new Uint8Array(length);
          unshuffle(bytes, size, target);
          return target;
        });
        expect(Buffer.from(fast).equals(plain)).toBe(true);
      }
    }
  });

  it("sum up alike", () => {
    for (const length of [...LENGTHS, 5290, 8191, 32_768, 32_769, 65_536, 65_539, 98_304 + 5275]) {
      for (const bytes of [sampleBytes(length, length), new Uint8Array(length).fill(255)]) {
        for (const sum of [adler32, crc32, crc32c]) {
          const [fast, plain] = both(() => sum(bytes));
          expect(fast).toBe(plain);
        }
      }
    }
  });

  it.each([
    { name: "CRC-32", polynomial: 0x04c1_1db7, crc: CRC32 },
    { name: "CRC-32C", polynomial: 0x1edc_6f41, crc: CRC32C },
  ])("the folds of $name are a multiple of its polynomial", ({ polynomial, crc: { folds } }) => {
    const [a, b, c] = folds;
    // Powers of x modulo the polynomial, by shifting.
    const power = (exponent: number) => {
      let value = 1;
      for (let i = 0; i < exponent; i++) value = (value << 1) ^ (value < 0 ? polynomial : 0);
      return value;
    };
    expect(power(8 * c) ^ power(8 * (c - a)) ^ power(8 * (c - b)) ^ 1).toBe(0);
    expect(Math.min(a, b, c)).toBeGreaterThanOrEqual(16);
  });
});

describe("memory", () => {
  it("is given up when it has become large", () => {
    const before = decodeMemory();
    const large = deflateSync(Buffer.alloc(MAX_KEPT_BYTES + 1));
    expect(fastInflater(large)!.inflate(2, MAX_KEPT_BYTES + 1, undefined)!.bytes).toHaveLength(MAX_KEPT_BYTES + 1);
    expect(decodeMemory()).not.toBe(before);
  });

  it("is not there for what is too large for it", () => {
    expect(decodeMemory()!.place([2 ** 32])).toBeUndefined();
    expect(fastLz4(new Uint8Array(9), 2 ** 33)).toBeUndefined();
  });
});

it.runIf(isDeep)("the compiled decoders are up to date", async () => {
  if (!existsSync(new URL("../../../node_modules/assemblyscript", import.meta.url))) {
    console.log("Skipped: assemblyscript is not installed.");
    return;
  }
  const tool = new URL("../../../tools/build-wasm.mjs", import.meta.url);
  const { compileDecoders } = (await import(tool.href)) as { compileDecoders: () => Promise<string> };
  const committed = readFileSync(new URL("decode.generated.ts", import.meta.url), "utf8");
  expect(committed).toBe(await compileDecoders());
});
