/** Chunks in each other's place; and data that is like that by itself. */
import { describe, expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { findingsOfSteps, type Made, type Value } from "../testing/step-set.ts";

/** Three steps a chunk; two lines of chunks, by rows. */
const MADE: Made = { steps: 24, chunks: [3, 1, 4, 12], size: [1, 8, 12] };

const air: Value = (s, _, y, x) => 280 + 0.4 * s + 9 * Math.sin(0.45 * y + 0.03 * s) + 6 * Math.cos(0.4 * x);
/** Chunks in each other's place, where `isThere`. */
const swapped =
  (value: Value, one: number, other: number, isThere: (y: number) => boolean): Value =>
  (s, l, y, x) => {
    const chunk = Math.floor(s / 3);
    const from = !isThere(y) ? chunk : chunk === one ? other : chunk === other ? one : chunk;
    return value(3 * from + (s % 3), l, y, x);
  };

const chunksOf = async (value: Value, made: Made = MADE) =>
  (await findingsOfSteps(value, made)).map(({ code, places = [] }) => [
    code,
    ...places.map((place) => (place.kind === "chunk" ? place.coordinates.join(".") : place.kind)),
  ]);

it.each([
  [2, 5],
  [3, 4],
  [1, 6],
])("chunks %d and %d of one line in each other's place are named", async (one, other) => {
  const found = await findingsOfSteps(
    swapped(air, one, other, (y) => y > 3),
    MADE,
  );
  expect(await chunksOf(swapped(air, one, other, (y) => y > 3))).toEqual([
    ["chunks-swapped", `${one}.0.1.0`, `${other}.0.1.0`],
  ]);
  expect(found.map((each) => explained(each).message)).toMatchObject([/^Two chunks are in each other's place along/]);
});

it("whole steps are named once", async () => {
  expect(await chunksOf(swapped(air, 2, 5, () => true))).toEqual([
    ["chunks-swapped", "2.0.0.0", "5.0.0.0", "2.0.1.0", "5.0.1.0"],
  ]);
});

const chance = (at: number): number => Math.abs(Math.sin(12_345.678 * (at + 1)) * 43_758.5453) % 1;
const seed: Value = (s, l, y, x) => ((s * 3 + l) * 8 + y) * 12 + x;

/** Classes that stay within a chunk's steps, and change from one to the next. */
const classes: Value = (s) => [1, 2, 7, 4, 5, 6, 3, 8][Math.floor(s / 3)] ?? 0;

describe("nothing is said of", () => {
  it.each<readonly [string, Value, Made]>([
    ["a field that moves", air, MADE],
    ["noise", (...at) => 10 * chance(seed(...at)), MADE],
    ["a trend in noise", (...at) => 10 * chance(seed(...at)) + at[0], MADE],
    ["days and nights", (s, l, y, x) => air(0, l, y, x) + 8 * Math.sin((Math.PI * s) / 4), MADE],
    ["a season", (s, l, y, x) => air(0, l, y, x) - 10 * Math.cos((Math.PI * s) / 12), MADE],
    ["an event", (s, l, y, x) => air(s, l, y, x) + (s > 5 && s < 9 ? 12 : 0), MADE],
    ["two events", (s, l, y, x) => air(s, l, y, x) + ((s > 5 && s < 9) || (s > 14 && s < 18) ? 12 : 0), MADE],
    ["flags", classes, { ...MADE, attributes: { flag_values: [1, 2, 3, 4, 5, 6, 7, 8] } }],
    ["masks", classes, { ...MADE, attributes: { flag_masks: [1, 2, 4, 8] } }],
  ])("%s", async (_, value, made) => expect(await chunksOf(value, made)).toEqual([]));

  it("flags, which as quantities are out of order", async () =>
    expect((await chunksOf(classes)).map(([code]) => code)).toContain("chunks-swapped"));
});
