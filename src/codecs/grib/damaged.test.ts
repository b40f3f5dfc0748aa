/**
 * 2,000 damaged messages, or more with REFSCOPE_DAMAGED: each ends in an error that has a name, or in values of the
 * chunk's size, in little time and memory.
 */
import { damagedRounds, MOST_MILLISECONDS } from "#core/testing/runs.ts";
import { describe, expect, it } from "vitest";
import { decodePublished, smallCases, type PublishedCase } from "../testing/published-grib.ts";
import { gribSections } from "./sections.ts";

const { cases, messageOf } = smallCases();
const whole = cases.filter((example) => example.error === undefined);
/** Share of 2,000 messages to damage; REFSCOPE_DAMAGED is their number. */
const TIMES = damagedRounds(2000) / 2000;

/** Numbers that come out the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

async function outcome(example: PublishedCase, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const began = performance.now();
  const result = await decodePublished(example, bytes);
  expect(performance.now() - began).toBeLessThan(MOST_MILLISECONDS);
  if (result.error !== undefined) return result.error.code;
  const elements = example.array.chunk_shape.reduce((product, length) => product * length, 1);
  expect(result.bytes?.length).toBe(elements * 8);
  return "values";
}

const NAMED = new Set([
  "checksum-mismatch",
  "chunk-size-mismatch",
  "decode-failed",
  "decode-too-large",
  "grib-bitmap-unsupported",
  "grib-grid-unsupported",
  "grib-not-a-message",
  "grib-packing-unsupported",
]);

type Damage = (bytes: Uint8Array<ArrayBuffer>, random: (below: number) => number) => Uint8Array<ArrayBuffer>;

function sectionsOf(bytes: Uint8Array) {
  return gribSections(bytes).sections.filter(({ number }) => number >= 1 && number <= 7);
}

const cut: Damage = (bytes, random) => bytes.subarray(0, random(bytes.length));

const sectionLength: Damage = (bytes, random) => {
  const sections = sectionsOf(bytes);
  const { offset = 16, length = 0 } = sections[random(sections.length)] ?? {};
  const wrong = [0, length - 1, length + 1, bytes.length, 0xffffffff][random(5)] ?? 0;
  new DataView(bytes.buffer).setUint32(offset, wrong);
  return bytes;
};

const sectionNumber: Damage = (bytes, random) => {
  const sections = sectionsOf(bytes);
  const { offset = 16, number = 0 } = sections[random(sections.length)] ?? {};
  bytes[offset + 4] = (number + 1 + random(250)) % 256;
  return bytes;
};

/** Numbers of points and values, counts of groups, in the sections that say how to decode. */
const hugeNumber: Damage = (bytes, random) => {
  const places: readonly (readonly [section: number, at: number])[] = [
    [3, 6],
    [3, 30],
    [3, 34],
    [5, 5],
  ];
  const [section, at] = places[random(places.length)] ?? [3, 6];
  const { offset = 16 } = sectionsOf(bytes).find(({ number }) => number === section) ?? {};
  new DataView(bytes.buffer).setUint32(offset + at, 0x7fffffff + random(0x7fffffff));
  return bytes;
};

const anyBytes: Damage = (bytes, random) => {
  for (let i = 0; i <= random(4); i++) bytes[random(bytes.length)] = random(256);
  return bytes;
};

/** Damages sections with templates, where one byte has the most effect. */
const header: Damage = (bytes, random) => {
  const sections = sectionsOf(bytes).filter(({ number }) => number === 3 || number === 5);
  const { offset = 16, length = 5 } = sections[random(sections.length)] ?? {};
  bytes[offset + 5 + random(length - 5)] = random(256);
  return bytes;
};

async function damaged(rounds: number, damage: Damage): Promise<ReadonlyMap<string, number>> {
  const random = numbers(rounds + 1);
  const tally = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const example = whole[round % whole.length];
    if (example === undefined) throw new Error("no messages");
    const code = await outcome(example, damage(messageOf(example), random));
    tally.set(code, (tally.get(code) ?? 0) + 1);
  }
  for (const code of tally.keys()) expect([...NAMED, "values"]).toContain(code);
  return tally;
}

describe("damaged messages", () => {
  it.each([
    ["cut short", 500 * TIMES, cut],
    ["a section of another length", 300 * TIMES, sectionLength],
    ["a section of another number", 200 * TIMES, sectionNumber],
  ])("%s: a named error, each of %i", async (_, rounds, damage) => {
    expect((await damaged(rounds, damage)).get("values")).toBeUndefined();
  });

  it("more points and values than there can be: a named error, or no difference to what is read, each of 200", async () => {
    const tally = await damaged(200 * TIMES, hugeNumber);
    expect(tally.get("values") ?? 0).toBeLessThan(100 * TIMES);
  });

  it.each([
    ["bytes anywhere", 400 * TIMES, anyBytes],
    ["bytes of a template", 400 * TIMES, header],
  ])("%s: a named error, or values of the chunk's size, each of %i", async (_, rounds, damage) => {
    const tally = await damaged(rounds, damage);
    expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBe(rounds);
  });
});
