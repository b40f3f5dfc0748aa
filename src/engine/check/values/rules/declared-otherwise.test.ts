/** Elements in another order than declared, where chunks have one step: and what only looks so. */
import { expect, it } from "vitest";
import { findingsOfSteps, type Value } from "../testing/step-set.ts";

async function found(value: Value, order: "C" | "F") {
  const size = [1, 24, 36] as const;
  const findings = await findingsOfSteps(value, { steps: 6, size, chunks: [1, ...size], order });
  return findings.map(({ code }) => code).filter((code) => code === "values-of-other-order");
}

const air: Value = (s, _, y, x) => 280 + 6 * Math.sin(x / 5 + s) + 5 * Math.cos(y / 4);

it("chunks of one step in C order that are declared F are told", async () => {
  expect(await found(air, "F")).toEqual(["values-of-other-order"]);
  expect(await found(air, "C")).toEqual([]);
});

it.each<readonly [string, Value]>([
  ["a gradient", (s, _, y, x) => 20 * y + 3 * x + s],
  ["bands that differ", (s, _, y) => Math.sin(977 * y) + 0.01 * s],
  ["columns that differ", (s, _l, _y, x) => Math.sin(977 * x) + 0.01 * s],
  ["columns that alternate", (s, _l, y, x) => (x % 2 === 0 ? 5 : 80) + Math.sin(y / 3) + s],
  ["a chequerboard", (_s, _l, y, x) => (x + y) % 2],
  ["stripes", (s, _, y, x) => ((x + 2 * y) % 5) + 0.01 * s],
])("nothing is said of %s", async (_, value) => {
  expect(await found(value, "C")).toEqual([]);
});
