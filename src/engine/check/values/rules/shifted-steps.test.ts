/** Steps that lie some cells away are named; fields that move by themselves, coasts, tides and noise are not. */
import { describe, expect, it } from "vitest";
import { findingsOfSteps, type Made, type Value } from "../testing/step-set.ts";

const [ROWS, COLUMNS] = [14, 20];
const SIZE = [1, ROWS, COLUMNS] as const;

async function shifted(value: Value, made: Made = {}) {
  const times = Array.from({ length: made.steps ?? 10 }, (_, step) => step);
  const findings = await findingsOfSteps(value, { steps: 10, size: SIZE, times, ...made });
  return findings.filter(({ code }) => code === "steps-shifted");
}

const noise = (seed: number): number => Math.abs(Math.sin(12_345.678 * (seed + 1))) - 0.5;
const noiseAt: Value = (s, _, y, x) => noise(s * 977 + y * 37 + x);

/** Land and sea, which stay; weather, which does not. */
const air = (s: number, y: number, x: number): number =>
  280 +
  9 * Math.sin(0.45 * y - 0.8) +
  6 * Math.cos(0.4 * x + 0.2 * y) +
  0.3 * Math.sin(0.7 * x + s) +
  0.1 * noiseAt(s, 0, y, x);

describe("steps that are shifted are named", () => {
  it.each<readonly [string, Value, Made, object]>([
    [
      "one along x",
      (s, _, y, x) => air(s, y, s === 4 ? x - 3 : x),
      {},
      { dimensions: ["x"], cells: [3], steps: [4, 4] },
    ],
    [
      "some along y",
      (s, _, y, x) => air(s, s > 3 && s < 7 ? y + 2 : y, x),
      {},
      { dimensions: ["y"], cells: [-2], steps: [4, 6] },
    ],
    [
      "the last along both",
      (s, _, y, x) => air(s, s > 6 ? y + 2 : y, s > 6 ? x - 3 : x),
      {},
      { cells: [-2, 3], steps: [7, 9] },
    ],
    ["the first", (s, _, y, x) => air(s, y, s < 3 ? x - 3 : x), {}, { cells: [3], steps: [0, 2] }],
    [
      "in chunks along x",
      (s, _, y, x) => air(s, y, s === 4 ? x - 3 : x),
      { chunks: [2, 1, 7, 10] },
      { cells: [3], steps: [4, 4] },
    ],
    [
      "half around",
      (s, _, y, x) => air(s, y, s > 6 ? (x + 10) % 20 : x),
      {},
      { wraps: true, cells: [10], steps: [7, 9] },
    ],
  ])("%s", async (_, value, made, about) => {
    const found = await shifted(value, made);
    expect(found).toMatchObject([{ facts: about }]);
    const { declared = 0, shifted: left = 0 } = (found[0] as (typeof found)[0]).facts as Record<string, number>;
    expect(declared).toBeGreaterThan(3 * left);
  });
});

const storm = (y: number, x: number): number => 40 * Math.exp(-(((y - 7) ** 2 + (x - 10) ** 2) / 8));
const isLand = (y: number, x: number): boolean => x + Math.round(2 * Math.sin(y)) < 8;
const wave = (x: number): number => Math.sin((2 * Math.PI * x) / 20) + 0.5 * Math.cos((4 * Math.PI * x) / 20);

describe("nothing is said", () => {
  it.each<readonly [string, Value] | readonly [string, Value, Made]>([
    ["of air", (s, _, y, x) => air(s, y, x)],
    ["of a constant", () => 5],
    ["of noise", noiseAt, { steps: 24 }],
    ["of noise that stays", (_, __, y, x) => noise(y * 37 + x)],
    ["of a field that moves by a cell a step", (s, _, y, x) => air(0, y, x + s)],
    ["of one that moves, and jumps where a step is left out", (s, _, y, x) => air(0, y, x + (s > 4 ? s + 6 : s))],
    [
      "of one that moves slowly over a gap in time",
      (s, _, y, x) => air(0, y, x + 0.2 * (s > 4 ? s + 15 : s)),
      { times: [0, 1, 2, 3, 4, 20, 21, 22, 23, 24] },
    ],
    [
      "of one that moves slowly over a gap that nobody knows",
      (s, _, y, x) => air(0, y, x + 0.2 * (s > 4 ? s + 15 : s)),
      { times: undefined },
    ],
    ["of a tide", (s, _, __, x) => 3 * Math.cos(0.3 * x - 0.5 * s), { steps: 24 }],
    [
      "of half a day in between",
      (s, _, y, x) => 10 * wave(x + (s > 4 ? 10 : 0)) + 0.1 * y + 0.1 * noiseAt(s, 0, y, x),
      { times: [0, 0.05, 0.1, 0.15, 0.2, 0.7, 0.75, 0.8, 0.85, 0.9] },
    ],
    ["of a storm", (s, _, y, x) => 280 + storm(y - s + 5, x + s - 5)],
    [
      "of a storm that jumps",
      (s, _, y, x) => 280 + storm(y, s === 4 ? x - 4 : x) + 0.1 * noiseAt(s, 0, y, x) + (s === 5 ? 4 : 0),
    ],
    ["of a sea that is stirred beside a coast", (s, _, y, x) => (isLand(y, x) ? NaN : air(0, y, s === 4 ? x - 3 : x))],
    ["of a season that begins", (s, _, y, x) => air(s, y, x) + (s > 5 ? 12 : 0)],
    ["of steps of which each is another field", (s, _, y, x) => air(0, y + 3 * s, x + 5 * s)],
    ["of passes", (s, _, y, x) => ((x + 5 * s) % 20 < 8 ? NaN : air(s, y, x)), { steps: 20 }],
    [
      "of places that come with each step",
      (s, _, y, x) => air(0, y, s === 4 ? x - 3 : x),
      { attributes: { units: "degrees_north" } },
    ],
    ["of two steps", (s, _, y, x) => air(s, y, s === 1 ? x - 3 : x), { steps: 2 }],
  ])("%s", async (...[, value, made]) => {
    expect(await shifted(value, made)).toEqual([]);
  });
});
