import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { startPace } from "../pace.ts";
import { isTied, placesInOrder, radixSort } from "./radix.ts";

const word = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.constant(0xffff_ffff),
);
const shortWord = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1000 }));
const keys = fc.oneof(
  fc.array(fc.tuple(word, word), { maxLength: 200 }),
  fc.array(fc.tuple(word, shortWord), { maxLength: 200 }),
  fc.array(fc.tuple(word, fc.constant(0)), { minLength: 900, maxLength: 2000 }),
);
type Pairs = readonly (readonly [low: number, high: number])[];

const pace = (count: number) => startPace(CONTEXT, "Sorting", count);

/** The sort of the platform, which is stable. */
function plainly(count: number, valueOf: (at: number) => bigint | number): readonly number[] {
  const order = (a: number, b: number): number => (valueOf(a) < valueOf(b) ? -1 : Number(valueOf(a) > valueOf(b)));
  return Array.from({ length: count }, (_, at) => at).sort(order);
}

async function checkSort(words: Pairs, isWide: boolean): Promise<void> {
  const values = words.map(([low, high]) => BigInt(low) + (isWide ? BigInt(high) << 32n : 0n));
  const columns = {
    pairs: Uint32Array.from(words.flatMap(([low], at) => [low, at])),
    high: isWide ? Uint32Array.from(words, ([, high]) => high) : undefined,
    count: words.length,
  };
  const { entries, ties } = await radixSort(columns, pace(words.length), words.length + 3);
  const expected = plainly(words.length, (at) => values[at] ?? 0n);
  expect(entries).toHaveLength(words.length + 3);
  expect([...entries.subarray(0, words.length)]).toEqual(expected);
  const sameAsBefore = expected.map((entry, at) => at > 0 && values[entry] === values[expected[at - 1] ?? -1]);
  expect(expected.map((_, at) => isTied(ties, at))).toEqual(sameAsBefore);
}

it("sorts stably by 32 and 64 bits, and says which keys are the same", async () => {
  await fc.assert(fc.asyncProperty(keys, fc.boolean(), checkSort), { numRuns: runs(500) });
});

/** Large enough to be parted, some of the parts again. */
const LARGE = 300_000;

const LARGE_KEYS: Readonly<Record<string, (at: number, random: number) => number>> = {
  "at random": (_, random) => random,
  "few different": (_, random) => random % 5,
  "nearly all in one part": (at, random) => (at % 1000 === 0 ? random : random % 100_000),
  "all the same": () => 7,
  "in order": (at) => at * 1000,
  "in reverse": (at) => (LARGE - at) * 1000,
  "above 32 bits": (_, random) => random * 1024 + (random % 1000),
  "above 49 bits": (at, random) => random * 2 ** 20 + (at % 3),
};

it.each(Object.keys(LARGE_KEYS))("sorts many keys: %s", async (name) => {
  let random = 1;
  const values = Float64Array.from({ length: LARGE }, (_, at) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return LARGE_KEYS[name]?.(at, random) ?? 0;
  });
  const places = await placesInOrder(values, pace(LARGE));
  const expected = Uint32Array.from(values.keys()).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
  expect(Buffer.from(places.buffer).equals(Buffer.from(expected.buffer))).toBe(true);
});
