import { expect, test } from "vitest";
import { CONFIDENCE, sampleSize } from "./sample-size.ts";

test("as in the tables: 59 of very many for 5%, 299 for 1%", () => {
  expect(sampleSize(10_000_000, 0.05)).toBe(59);
  expect(sampleSize(10_000_000, 0.01)).toBe(299);
});

test("fewer of few: one wrong of twenty is met by nineteen of them", () => {
  expect(sampleSize(20, 0.05)).toBe(19);
  expect(sampleSize(1, 0.05)).toBe(1);
  expect(sampleSize(0, 0.05)).toBe(0);
});

test("drawn by chance, a sample of that size meets a wrong one as often as it says", () => {
  const [all, share, tries] = [400, 0.05, 4000];
  const wrong = all * share;
  const size = sampleSize(all, share);
  let state = 12_345;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  const meets = (drawn: number) => {
    const left = Array.from({ length: all }, (_, at) => at);
    for (let at = 0; at < drawn; at += 1) {
      const other = at + Math.floor(random() * (all - at));
      [left[at], left[other]] = [left[other] ?? 0, left[at] ?? 0];
      if ((left[at] ?? all) < wrong) return true;
    }
    return false;
  };
  const met = Array.from({ length: tries }, () => meets(size)).filter(Boolean).length;
  expect(met / tries).toBeGreaterThan(CONFIDENCE - 0.02);
  const half = Array.from({ length: tries }, () => meets(Math.floor(size / 2))).filter(Boolean).length;
  expect(half / tries).toBeLessThan(CONFIDENCE - 0.05);
});
