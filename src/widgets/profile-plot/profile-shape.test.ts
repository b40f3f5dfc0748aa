import { expect, test } from "vitest";
import { bandPath, barPath, binAt, binUnder, extentOf, runsOf, scaleOf, stepPath } from "./profile-shape.ts";

const box = { width: 100, height: 50 };
const y = scaleOf({ minimum: 0, maximum: 10 }, box);
const column = (...values: readonly number[]) => Float64Array.from(values);

test("the extent is of what is finite, and nothing of nothing", () => {
  expect(extentOf(column(NaN, 3, -Infinity), [7])).toEqual({ minimum: 3, maximum: 7 });
  expect(extentOf(column(NaN, NaN))).toBeUndefined();
});

test("bins fill the width, and a place within is of the bin that is drawn there", () => {
  const bins = 7;
  for (let bin = 0; bin < bins; bin += 1) {
    const { x, width } = binAt(bin, bins, box.width);
    expect(binUnder(x + width / 2, bins, box.width)).toBe(bin);
  }
  expect([binUnder(-5, bins, 100), binUnder(500, bins, 100), binUnder(3, bins, 0)]).toEqual([0, 6, 0]);
});

test("great values are high; what lies outside stands at the edge; values all the same in the middle", () => {
  expect([y(0), y(10), y(5), y(Infinity), y(-3)]).toEqual([50, 0, 25, 0, 50]);
  expect(scaleOf({ minimum: 4, maximum: 4 }, box)(4)).toBe(25);
});

test("a band is a rectangle a bin, none where nothing is known, and never too thin to be seen", () => {
  expect(bandPath(column(0, NaN), column(5, NaN), { box, y })).toBe("M0 25h50v25h-50z");
  expect(bandPath(column(10, 0), column(10, 0), { box, y })).toBe("M0 0h50v1.5h-50zM50 48.5h50v1.5h-50z");
});

test("levels are joined where they follow each other", () => {
  expect(stepPath(column(0, 10, NaN, 5), { box, y })).toBe("M0 50H25V0H50M75 25H100");
  expect(stepPath(column(0, 10, 5, 5), { box, y, only: (bin) => bin === 1 })).toBe("M25 0H50");
});

test("a bar of 0 is a line, and no bar is nothing", () => {
  expect(barPath(column(0, NaN), { box, y })).toBe("M0 49h49v1h-49z");
});

test("bins that follow each other are one run", () => {
  expect(runsOf(new Set([5, 1, 2]))).toEqual([
    { from: 1, to: 3 },
    { from: 5, to: 6 },
  ]);
});
