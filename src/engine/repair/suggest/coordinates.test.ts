/**
 * Coordinates and masks: too small, or too uniform, for entropy to say anything, but of a shape that nothing has by
 * chance.
 */
import { describe, expect, it } from "vitest";
import { isDeep } from "#core/testing/runs.ts";
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import { parseDataTypeV2 } from "#core/metadata/parse-data-type.ts";
import { suggestRepairs } from "../suggest.ts";
import { evenStep } from "./values-of.ts";
import { flagsTogether } from "./find-values.ts";
import { context, openMade, withReference, type RangeReference } from "./testing/damaged-set.ts";
import { shuffled } from "./testing/encode.ts";
import { sampleSet } from "./testing/made-sets.ts";
import { seeded } from "./testing/random.ts";

const typed = (dtype: string) => ({ dataType: parseDataTypeV2(dtype) }) as ChunkMetadata;
const bytesIn = ({ buffer }: { readonly buffer: ArrayBuffer }) => new Uint8Array(buffer);

describe("an even step", () => {
  it("is found in counters and coordinates, whatever their type and rounding", () => {
    expect(evenStep(typed("<i4"), bytesIn(Int32Array.from({ length: 20 }, (_, at) => 5 - 3 * at)))).toBe(-3);
    expect(evenStep(typed("<f8"), bytesIn(Float64Array.from({ length: 90 }, (_, at) => at * 0.1)))).toBeCloseTo(0.1);
    expect(evenStep(typed("<f4"), bytesIn(Float32Array.from({ length: 360 }, (_, at) => at * 0.25)))).toBe(0.25);
    const days = BigInt64Array.from({ length: 30 }, (_, at) => 1_767_225_600_000_000_000n + BigInt(at) * 100n);
    expect(evenStep(typed("<M8[ns]"), bytesIn(days))).toBeUndefined(); // Lost in rounding: nothing is said.
    expect(
      evenStep(
        typed(">i2"),
        new Uint8Array(40).map((_, at) => (at % 2 === 1 ? at >> 1 : 0)),
      ),
    ).toBe(1);
  });

  it("is not found in constants, few elements, irregular ones, or text", () => {
    expect(evenStep(typed("<i4"), new Uint8Array(80))).toBeUndefined();
    expect(evenStep(typed("<i4"), bytesIn(Int32Array.of(1, 2, 3, 4, 5, 6, 7)))).toBeUndefined();
    expect(evenStep(typed("<i4"), bytesIn(Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 10)))).toBeUndefined();
    expect(evenStep(typed("<f8"), bytesIn(Float64Array.from({ length: 9 }, () => NaN)))).toBeUndefined();
    expect(
      evenStep(
        typed("|S1"),
        new Uint8Array(20).map((_, at) => at),
      ),
    ).toBeUndefined();
  });
});

describe("offsets of the sample's uncompressed arrays", () => {
  const sample = sampleSet();
  const chunks = [
    ["lat", "0"],
    ["lon", "0"],
    ["sparse", "0.0"],
    ["sparse", "3.3"],
  ] as const;

  it.each(chunks)("%s/%s is found wherever it is looked for", async (array, key) => {
    const [url, offset, length] = sample.references[`${array}/${key}`] as RangeReference;
    const wrong: number[] = [];
    for (let by = -64; by <= 64; by += isDeep ? 3 : 15) {
      if (by === 0) continue;
      const set = await openMade(withReference(sample, `${array}/${key}`, [url, offset + by, length]));
      const { suggestions } = await suggestRepairs(set, array, key.split(".").map(Number), context());
      if (suggestions[0]?.trial.shift !== -by) wrong.push(by);
    }
    expect(wrong).toEqual([]);
  });
});

describe("flags", () => {
  const random = seeded(1);
  const mask = bytesIn(Int32Array.from({ length: 2000 }, () => (random.next() < 0.1 ? 1 : 0)));
  // Stored by 4 bytes, taken for 2: flags two bytes apart.
  const read = shuffledBack(shuffled(mask, 4), 2);

  it("lie together in the right reading, and are not asked for in the other direction", () => {
    expect(flagsTogether(typed("<i4"), read, mask)?.evidence).toMatchObject({ kind: "flags", places: 2 });
    expect(flagsTogether(typed("<i4"), mask, read)).toBeUndefined();
    expect(flagsTogether(typed("<i4"), mask, mask)).toBeUndefined();
    expect(flagsTogether(typed("<f4"), read, mask)).toBeUndefined();
  });
});

function shuffledBack(bytes: Uint8Array, size: number): Uint8Array {
  const count = bytes.length / size;
  return bytes.map((_, at) => bytes[(at % size) * count + Math.floor(at / size)] as number);
}
