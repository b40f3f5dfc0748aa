/** A step that repeats the one before it is noted; fields that rest, or have few values, are not. */
import { expect, it } from "vitest";
import { findingsOfSteps, type Made, type Value } from "../testing/step-set.ts";

async function repeated(value: Value, made: Made = {}) {
  const findings = await findingsOfSteps(value, { steps: 12, size: [1, 8, 12], ...made });
  return findings.filter(({ code }) => code === "step-repeated");
}

const noise = (seed: number): number => Math.abs(Math.sin(12_345.678 * (seed + 1)));
const air: Value = (s, _, y, x) => 280 + y + Math.cos(0.4 * x + 0.1 * s) + 0.2 * noise(s * 977 + y * 37 + x);

it("of a store, and within a chunk", async () => {
  const value: Value = (s, l, y, x) => air(s === 7 ? 6 : s, l, y, x);
  expect(await repeated(value)).toMatchObject([{ facts: { steps: [7] }, count: 1 }]);
  expect(await repeated(value, { chunks: [4, 1, 8, 12] })).toMatchObject([{ facts: { steps: [7] } }]);
});

it.each<readonly [string, Value]>([
  ["all steps differ", air],
  ["each stands twice", (s, ...at) => air(s >> 1, ...at)],
  ["none differs", (_, ...at) => air(0, ...at)],
  ["it rains seldom", (s, _, y, x) => (noise(s * 31 + y * 7 + x) < 0.9 ? 0 : s)],
  ["there are few values", (s, _, y, x) => ((s === 7 ? 6 : s) + y + x) % 3],
  ["a field is all the same for a while", (s, ...at) => (s > 5 && s < 8 ? 0 : air(s, ...at))],
  ["the same comes again a year later", (s, ...at) => air(s % 6, ...at)],
])("nothing is said where %s", async (_, value) => {
  expect(await repeated(value)).toEqual([]);
});
