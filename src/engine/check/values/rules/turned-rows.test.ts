/**
 * Steps that are reversed along any dimension are named; what merely looks so, in weather, noise and seasons, is not.
 */
import { describe, expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { chunkAt, finding } from "#core/findings/finding.ts";
import { findingsOfSteps, type Made, type Value } from "../testing/step-set.ts";

async function turned(value: Value, made?: Made) {
  const findings = await findingsOfSteps(value, made);
  return findings.filter(({ code }) => code === "rows-turned");
}

const noise = (seed: number): number => Math.abs(Math.sin(12_345.678 * (seed + 1))) - 0.5;
const noiseAt: Value = (step, level, y, x) => noise(step * 977 + level * 331 + y * 37 + x);

/** Cold above, a pattern that moves, and what is never the same. */
const air: Value = (step, level, y, x) =>
  290 - 18 * level + 4 * Math.cos(0.3 * y - 0.4) + Math.sin(0.5 * x + 0.1 * step) + 0.1 * noiseAt(step, level, y, x);

describe("steps in reverse order are named", () => {
  it.each<readonly [string, Value, Made, object]>([
    [
      "the last along level",
      (s, l, y, x) => air(s, s === 7 ? 4 - l : l, y, x),
      {},
      { dimension: "level", steps: [[7, 7]] },
    ],
    ["the first two", (s, l, y, x) => air(s, s < 2 ? 4 - l : l, y, x), {}, { dimension: "level", steps: [[0, 1]] }],
    [
      "one in the middle along y",
      (s, l, y, x) => air(s, l, s === 3 ? 7 - y : y, x),
      {},
      { dimension: "y", steps: [[3, 3]] },
    ],
    [
      "one in the middle along x",
      (s, l, y, x) => air(s, l, y, s === 3 ? 11 - x : x),
      {},
      { dimension: "x", steps: [[3, 3]] },
    ],
    [
      "the last within a chunk",
      (s, l, y, x) => air(s, s === 7 ? 4 - l : l, y, x),
      { chunks: [4, 5, 8, 12] },
      { steps: [[7, 7]] },
    ],
    [
      "where all lies in one chunk",
      (s, l, y, x) => air(s, l, s === 3 ? 7 - y : y, x),
      { chunks: [8, 5, 8, 12] },
      { dimension: "y", steps: [[3, 3]] },
    ],
    [
      "where levels are in chunks of their own",
      (s, l, y, x) => air(s, s === 7 ? 4 - l : l, y, x),
      { chunks: [2, 1, 4, 12] },
      { dimension: "level", steps: [[7, 7]] },
    ],
  ])("%s", async (_, value, made, about) => {
    const found = await turned(value, made);
    expect(found).toMatchObject([{ facts: about }]);
    const { declared, reversed, usual } = (found[0] as (typeof found)[0]).facts as Record<string, number>;
    expect(reversed).toBeLessThan(2 * (usual ?? 0));
    expect(declared).toBeGreaterThan(3 * (reversed ?? NaN));
  });

  it("with both differences, and of a store that was appended to whose coordinate it is", () => {
    const facts = {
      dimension: "level",
      along: "time",
      steps: [[7, 7]],
      moreRuns: 0,
      isAbout: false,
      declared: 40.25,
      reversed: 0.05,
      usual: 0.0625,
      target: undefined,
      chunks: 1,
      isAppended: true,
    };
    const { message, remedy } = explained(finding("rows-turned", chunkAt("t", [7, 0, 0, 0]), facts));
    expect(message).toContain("step 7 (counted from 0) is in reverse order along level");
    expect(message).toContain("the mean difference is 0.05 instead of 40.25 (0.0625 between other steps)");
    expect(message).toContain("Appending overwrites the coordinate level");
    expect(remedy).toMatch(/^Write the coordinate level/);
  });
});

const [NORTH, SOUTH] = [20, 20 + 180];
const season = (day: number): number => 15 * Math.sin((2 * Math.PI * day) / 365);

describe("nothing is said", () => {
  it.each<readonly [string, Value] | readonly [string, Value, Made]>([
    ["of air", air],
    ["of noise", noiseAt, { steps: 20 }],
    ["of noise over many powers of ten", (...at) => 10 ** (12 * noiseAt(...at)), { steps: 20, chunks: [5, 5, 4, 6] }],
    ["of a storm", (s, _, y, x) => 280 + 50 * Math.exp(-((y - s / 2) ** 2 + (x - 11 + s / 2) ** 2) / 6), { steps: 20 }],
    [
      "of a storm that comes and goes",
      (s, _, y, x) => air(s, 0, y, x) + (s === 4 ? 40 * Math.exp(-((y - 1) ** 2 + x ** 2) / 9) : 0),
    ],
    [
      "of fields that are their own mirror",
      (s, _, y) => 20 * Math.cos(y - 3.5) + 0.01 * noise(s * 8 + y),
      { steps: 12 },
    ],
    [
      "of a symmetrical field that grows at once",
      (s, _, y) => (s > 5 ? 3 : 1) * Math.abs(y - 3.5) + 0.01 * noise(s * 8 + y),
    ],
    [
      "of fields that the seasons mirror",
      (s, l, y, x) => season(30 * s) * (y - 3.5) + 0.1 * noiseAt(s, l, y, x),
      { steps: 36 },
    ],
    [
      "of one season and the other",
      (s, l, y, x) => season((s < 5 ? NORTH : SOUTH) + s) * (y - 3.5) + 0.1 * noiseAt(s, l, y, x),
      { steps: 10, times: Array.from({ length: 10 }, (_, s) => (s < 5 ? NORTH : SOUTH) + s) },
    ],
    ["of two steps", (s, l, y, x) => air(s, s === 1 ? 4 - l : l, y, x), { steps: 2 }],
    ["of passes that run this way and that", (s, l, y, x) => air(s, l, s % 2 === 0 ? y : 7 - y, x)],
    ["of latitudes themselves", (s, _, y) => (s < 4 ? y : 7 - y), { attributes: { units: "degrees_north" } }],
  ])("%s", async (...[, value, made]) => {
    expect(await turned(value, made)).toEqual([]);
  });
});
