/** The picture of two statements: which texts have room. */
import { expect, it } from "vitest";
import { labelledPlaces } from "./StatementsEvidence.tsx";

it("the text of what differs has room before all others, which never overlap it or each other", () => {
  const lefts = [10, 30, 50, 70, 90];
  const texts = lefts.map((one) => `${one}°N`);
  const labels = labelledPlaces({ lefts, texts, first: 2, width: 100 });
  expect(labels[0]?.slice(0, 2)).toEqual([2, 50]);
  const ends = labels.map(([, left, half]) => [left - half, left + half]).toSorted(([a = 0], [b = 0]) => a - b);
  expect(ends.every(([from = 0], at) => at === 0 || from > (ends[at - 1]?.[1] ?? 0))).toBe(true);
  expect(ends[0]?.[0]).toBeGreaterThanOrEqual(0);
  expect(ends.at(-1)?.[1]).toBeLessThanOrEqual(100);
});
