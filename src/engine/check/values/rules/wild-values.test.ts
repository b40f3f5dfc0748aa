/** A turned bit is told from the tail of the data's own values. */
import { expect, it } from "vitest";
import { findingsOfSteps, type Value } from "../testing/step-set.ts";

const SIZE = [1, 14, 20] as const;
const CODES = ["value-wild", "chunk-unlike-others", "values-of-other-order"];

async function found(value: Value) {
  const findings = await findingsOfSteps(value, { steps: 12, size: SIZE, chunks: [3, 1, 14, 20] });
  return findings.map(({ code }) => code).filter((code) => CODES.includes(code));
}

/** Evenly between 0 and 1, by a hash of the place. */
function chance(seed: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

const seedOf = (set: number, [s, , y, x]: readonly [number, number, number, number]) =>
  ((set * 12 + s) * 14 + y) * 20 + x + 1;
const normal = (seed: number): number =>
  Math.sqrt(-2 * Math.log(1 - chance(2 * seed))) * Math.cos(2 * Math.PI * chance(2 * seed + 1));

it.each<readonly [string, (seed: number) => number]>([
  ["normal", normal],
  ["log-normal", (seed) => Math.exp(normal(seed))],
  ["log-normal over many powers", (seed) => Math.exp(3 * normal(seed))],
  ["exponential, to the fourth", (seed) => Math.log(1 - chance(seed)) ** 4],
  ["rain", (seed) => (chance(seed) < 0.8 ? 0 : Math.exp(2 * normal(seed)))],
  ["evenly distributed powers", (seed) => 10 ** (-12 + 15 * chance(seed))],
])("nothing is said of noise: %s", async (_, of) => {
  for (let set = 0; set < 12; set += 1) expect(await found((...at) => of(seedOf(set, at)))).toEqual([]);
});

const air: Value = (s, _, y, x) => 280 + 9 * Math.sin(0.45 * y) + 6 * Math.cos(0.4 * x + 0.1 * s);

it.each([2 ** 64, 2 ** 8, 2 ** -4, 2 ** -128])(
  "a value of which a bit makes it %s times as much is named",
  async (times) => {
    expect(await found((s, l, y, x) => air(s, l, y, x) * (s === 4 && y === 6 && x === 9 ? times : 1))).toEqual([
      "value-wild",
    ]);
  },
);
