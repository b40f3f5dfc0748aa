/** Steps that are lost at an end of a chunk, where writers shared it: and gaps that are none. */
import { expect, it } from "vitest";
import { findingsOfSteps, type Value } from "../testing/step-set.ts";

const air: Value = (s, _, y, x) => 280 + 0.3 * s + 6 * Math.sin(x / 5) + 5 * Math.cos(y / 4);
const without =
  (isLost: (...at: Parameters<Value>) => boolean): Value =>
  (...at) =>
    isLost(...at) ? NaN : air(...at);

async function found(value: Value) {
  const findings = await findingsOfSteps(value, { steps: 16, size: [1, 8, 12], chunks: [4, 1, 8, 6] });
  return findings.filter(({ code }) => code === "chunk-all-missing");
}

it.each([
  ["first", 8, 2],
  ["last", 10, 2],
  ["last but the first", 9, 3],
])("the %s steps of a chunk that are lost are told", async (_, from, count) => {
  const lost = without((s, _l, _y, x) => s >= from && s < from + count && x < 6);
  expect(await found(lost)).toMatchObject([{ count: 1, facts: { isSure: true, steps: [count, 4] } }]);
});

it.each<readonly [string, (...at: Parameters<Value>) => boolean]>([
  ["in the middle of a chunk", (s, _l, _y, x) => s === 9 && x < 6],
  ["at the begin of the array", (s, _l, _y, x) => s < 2 && x < 6],
  ["at the end of the array", (s, _l, _y, x) => s > 13 && x < 6],
  ["everywhere", (s) => s === 8],
  ["beside other gaps", (s, _l, y, x) => x < 6 && (s === 8 || y === 0)],
])("nothing is said of steps without values %s", async (_, isLost) => {
  expect(await found(without(isLost))).toEqual([]);
});
