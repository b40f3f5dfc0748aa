/** Made-up files of every kind, decoded as a plain reader of the format's description decodes them. */
import { describe, expect, it } from "vitest";
import { toFloat16 } from "#core/values/float16.ts";
import { decodePcodec } from "./decode.ts";
import { madeFile, randomBits } from "./testing/made-file.ts";
import type { MadeBins, MadeChunk, MadeDelta, MadeMode } from "./testing/made-file.ts";

const TYPES = [
  { typeByte: 10, width: 8, isFloat: false },
  { typeByte: 11, width: 8, isFloat: false },
  { typeByte: 7, width: 16, isFloat: false },
  { typeByte: 8, width: 16, isFloat: false },
  { typeByte: 9, width: 16, isFloat: true },
  { typeByte: 1, width: 32, isFloat: false },
  { typeByte: 3, width: 32, isFloat: false },
  { typeByte: 5, width: 32, isFloat: true },
  { typeByte: 2, width: 64, isFloat: false },
  { typeByte: 4, width: 64, isFloat: false },
  { typeByte: 6, width: 64, isFloat: true },
] as const;

/** Bits of the fraction of floats. */
const PRECISIONS: ReadonlyMap<number, number> = new Map([
  [16, 10],
  [32, 23],
  [64, 52],
]);

type Random = (count: number) => number;

const below = (random: Random, end: number) => random(30) % end;

function long(random: Random, width: number): bigint {
  return BigInt.asUintN(width, (BigInt(random(32)) << 32n) | BigInt(random(32)));
}

/** Bins of numbers below 2^`most`, where that is given, else any. */
function bins(random: Random, width: number, most?: number): MadeBins {
  const sizeLog = below(random, 8) === 0 ? 14 : below(random, 8);
  const size = 2 ** sizeLog;
  const count = sizeLog === 0 ? 1 : Math.min(size, 2 + below(random, 30));
  const widest = below(random, 2) === 0 ? Math.min(20, width) : width;
  let left = size;
  const made = Array.from({ length: count }, (_, i) => {
    const after = count - 1 - i;
    const weight = after === 0 ? left : 1 + below(random, Math.max(1, left - after));
    left -= weight;
    const offsetBits = most === undefined ? below(random, widest + 1) : below(random, most);
    const lower = most === undefined ? long(random, width) : 1n;
    return { weight, lower, offsetBits };
  });
  return { sizeLog, bins: made };
}

function modes(random: Random, { width, isFloat }: { readonly width: number; readonly isFloat: boolean }): MadeMode[] {
  const dictionary = Array.from({ length: 17 }, () => long(random, width));
  const plain = [{ kind: 0 }, { kind: 4, dictionary }] as const;
  if (!isFloat) return [...plain, { kind: 1, parameter: long(random, width) | 1n }, { kind: 1, parameter: 37n }];
  const precision = PRECISIONS.get(width) ?? 0;
  const quantized = Array.from(
    { length: 6 },
    () => ({ kind: 3, parameter: BigInt(1 + below(random, precision)) }) as const,
  );
  const bases = width === 64 ? [0.01, -7, 1e300] : width === 32 ? [0.1, -7, 1e30].map(Math.fround) : [0.1, -7, 600];
  return [...plain, ...quantized, ...bases.map((base) => ({ kind: 2, parameter: orderedFloat(base, width) }) as const)];
}

function orderedFloat(value: number, width: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (width === 64) view.setFloat64(0, value);
  else if (width === 16) view.setUint32(0, toFloat16(value));
  else view.setFloat32(0, value);
  const bits = width === 64 ? view.getBigUint64(0) : BigInt(view.getUint32(0));
  return value < 0 ? BigInt.asUintN(width, ~bits) : bits ^ (1n << BigInt(width - 1));
}

function deltas(random: Random, width: number): MadeDelta[] {
  const ofSecondary = below(random, 2) === 1;
  const weights = Array.from({ length: 1 + below(random, 32) }, () =>
    width === 32 ? random(26) - 2 ** 25 : width === 16 ? random(9) - 256 : random(2) - 2,
  );
  const bias = width === 32 ? long(random, 60) - (1n << 59n) : BigInt(random(width) - 2 ** (width - 1));
  return [
    { kind: 0 },
    { kind: 1, order: 1 + below(random, 7), ofSecondary },
    { kind: 2, windowLog: 5 + below(random, 8), stateLog: below(random, 6), ofSecondary },
    { kind: 2, windowLog: 11, stateLog: 10, ofSecondary },
    ...(width < 64 ? [{ kind: 3, shift: below(random, Math.min(32, width * 2)), bias, weights } as const] : []),
  ];
}

function chunksOf(type: (typeof TYPES)[number], random: Random): MadeChunk[] {
  return modes(random, type).flatMap((mode) => {
    const width = mode.kind === 4 ? 32 : type.width;
    return deltas(random, width).flatMap((delta): MadeChunk[] => {
      // Differences make any numbers, which are none of a dictionary.
      if (mode.kind === 4 && delta.kind !== 0) return [];
      const primary = mode.kind === 4 ? bins(random, 32, 4) : bins(random, width);
      const isSplit = mode.kind !== 0 && mode.kind !== 4;
      const count = [1, 3, 255, 256, 257, 600, 1100][below(random, 7)] ?? 1;
      return [
        {
          ...type,
          count,
          mode,
          delta,
          primary,
          ...(isSplit ? { secondary: bins(random, type.width) } : {}),
          ...(delta.kind === 2 ? { lookbacks: bins(random, 32, delta.windowLog) } : {}),
        },
      ];
    });
  });
}

function bitsOf(bytes: Uint8Array, width: number): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: (bytes.length * 8) / width }, (_, i) => {
    if (width === 64) return view.getBigUint64(i * 8, true);
    if (width === 32) return BigInt(view.getUint32(i * 4, true));
    return BigInt(width === 16 ? view.getUint16(i * 2, true) : view.getUint8(i));
  });
}

describe("made-up files decode as the format's description says", () => {
  it.each(TYPES.flatMap((type) => [1, 3].map((seed) => ({ ...type, seed }))))(
    "type $typeByte, $width bits ($seed)",
    ({ seed, ...type }) => {
      const random = randomBits(seed * 1000 + type.typeByte);
      for (const chunk of chunksOf(type, random)) {
        const { file, numbers } = madeFile([chunk, { ...chunk, count: 300 }], random);
        const found = bitsOf(decodePcodec(file, 0, 1e6), type.width);
        const kinds = { mode: chunk.mode.kind, delta: chunk.delta.kind, count: chunk.count };
        expect({ ...kinds, length: found.length }).toEqual({ ...kinds, length: numbers.length });
        const first = numbers.findIndex((bits, at) => bits !== found[at]);
        expect({ ...kinds, first, found: found[first] }).toEqual({ ...kinds, first: -1, found: undefined });
      }
    },
  );
});

it("refuses a file that is nothing but tables, after a bounded time", () => {
  const halves = [0, 1].map(() => ({ weight: 2 ** 13, lower: 0n, offsetBits: 0 }));
  const chunk: MadeChunk = {
    width: 8,
    typeByte: 10,
    count: 1,
    mode: { kind: 0 },
    delta: { kind: 0 },
    primary: { sizeLog: 14, bins: halves },
  };
  const { file } = madeFile([chunk], randomBits(1));
  const head = file.subarray(0, 9);
  const body = file.subarray(9, -1);
  const repeated = (times: number) =>
    Uint8Array.of(...head, ...Array.from({ length: times }, () => [...body]).flat(), 0);
  expect(decodePcodec(repeated(60), 0, 1e6)).toHaveLength(60);
  expect(() => decodePcodec(repeated(2000), 0, 1e6)).toThrow(
    expect.objectContaining({ finding: expect.objectContaining({ code: "decode-failed" }) as unknown }),
  );
});
