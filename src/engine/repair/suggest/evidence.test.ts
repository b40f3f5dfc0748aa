/**
 * Tests of the evidence that the search weighs: streams' ends, entropy of planes, order of bytes, neighbours, seams.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import { parseDataTypeV2 } from "#core/metadata/parse-data-type.ts";
import { seamColumn } from "./values-of.ts";
import { mayBegin, recognised, streamEnd } from "./codec-roles.ts";
import { planeEntropy, regularity } from "./planes.ts";
import { bytesOf, REAL } from "./testing/data.ts";
import { encode, shuffled } from "./testing/encode.ts";
import { seeded } from "./testing/random.ts";
import { unitReport, unitsOf } from "./order.ts";

const CODECS = ["zlib", "gzip", "zstd", "blosc", "lz4"] as const;

describe("a stream's end", () => {
  it.each(CODECS)("of %s is found, whatever follows", async (id) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 3000 }),
        fc.uint8Array({ maxLength: 80 }),
        async (data, more) => {
          const stored = await encode(data, [{ id }]);
          const bytes = new Uint8Array([...stored, ...more]);
          expect(await streamEnd(id, bytes, 10_000)).toBe(stored.length);
          expect(mayBegin(id, bytes, 0)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each(CODECS)("of %s is not made up for any bytes", async (id) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const end = await streamEnd(id, new Uint8Array(bytes), 100_000);
        expect(end === undefined || (end > 0 && end <= bytes.length)).toBe(true);
      }),
    );
  });

  it("is not within a stream that is cut", async () => {
    for (const id of CODECS) {
      const stored = await encode(bytesOf(REAL[0]!, 20, 20, 1), [{ id }]);
      expect(await streamEnd(id, new Uint8Array(stored.subarray(0, -4)), 10_000)).toBeUndefined();
    }
  });
});

it("signatures name the compressor", async () => {
  const data = bytesOf(REAL[0]!, 20, 20, 1);
  for (const id of CODECS) expect(recognised(await encode(data, [{ id }]), data.length)).toContain(id);
});

describe("order among bytes", () => {
  const layout = { width: 4, row: 48, big: false };

  it("is greatest when elements are taken as they are", () => {
    const right = bytesOf(REAL[0]!, 32, 48, 1);
    const wrong = shuffled(right, 4);
    const [one, two] = [planeEntropy(right, layout), planeEntropy(wrong, layout)];
    expect(two!.bits - one!.bits).toBeGreaterThan(0.5);
    expect(regularity(right, 4)).toBeGreaterThan(regularity(wrong, 4));
  });

  it("is the same for noise, however it is taken", () => {
    const random = seeded(3);
    const noise = Uint8Array.from({ length: 40_000 }, () => random.whole(0, 255));
    const [one, two] = [planeEntropy(noise, layout), planeEntropy(shuffled(noise, 4), layout)];
    expect(Math.abs(one!.bits - two!.bits)).toBeLessThan(0.02);
  });

  it("is unknown for few elements, and nothing for a constant", () => {
    expect(planeEntropy(new Uint8Array(20), layout)).toBeUndefined();
    expect(planeEntropy(new Uint8Array(4000), layout)?.bits).toBeLessThan(0.01);
  });
});

it("byte-swapped floats make numbers that no measurement gives", () => {
  const bytes = bytesOf(REAL[0]!, 32, 48, 1);
  const [right] = unitsOf(parseDataTypeV2("<f4"));
  const [wrong] = unitsOf(parseDataTypeV2(">f4"));
  expect(unitReport(bytes, right!, 4).absurd).toBe(0);
  expect(unitReport(bytes, wrong!, 4).absurd).toBeGreaterThan(100);
});

it("a jump inside the rows shows by how much a chunk is read too early", () => {
  const field = Float32Array.from({ length: 41 * 30 }, (_, at) => Math.floor(at / 30) / 100 + (at % 30));
  const metadata = { dataType: parseDataTypeV2("<f4"), chunks: [40, 30], order: "C" } as unknown as ChunkMetadata;
  const readFrom = (element: number) => new Uint8Array(field.buffer, element * 4, 40 * 30 * 4);
  expect(seamColumn(metadata, readFrom(0))).toBeUndefined();
  expect(seamColumn(metadata, readFrom(7))).toBe(23);
});
