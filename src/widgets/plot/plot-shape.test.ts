import { describe, expect, it } from "vitest";
import {
  bandPath,
  barPath,
  binAt,
  binUnder,
  extentOf,
  indexAt,
  lineShape,
  movedPlace,
  placeOf,
  runsOf,
  scaleOf,
  stepPath,
} from "./plot-shape.ts";

const box = { width: 100, height: 50 };

describe("lineShape", () => {
  it("breaks the line at missing values and draws a lonely value as a dot", () => {
    const { line, gaps } = lineShape(Float64Array.of(0, 1, NaN, 2, NaN), box);
    expect(line).toBe("M0.0 50.0h0L25.0 25.0M75.0 0.0h0");
    expect(gaps).toBe("M50 50v-5M100 50v-5");
  });

  it("draws the whole extent where many values share a pixel: a single spike is seen", () => {
    const values = new Float64Array(100_000);
    values[54_321] = 1000;
    const { line, extent } = lineShape(values, box);
    expect(extent?.maximum).toBe(1000);
    expect(line).toContain("L54.0 0.0");
    expect(line.length).toBeLessThan(5000);
  });

  it("keeps gaps also where values are crowded", () => {
    const values = new Float64Array(1000).fill(1, 0, 500).fill(NaN, 500, 520).fill(2, 520);
    expect(lineShape(values, box).line.match(/M/g)?.length).toBe(2);
  });

  it("draws nothing of nothing", () => {
    const shape = lineShape(Float64Array.of(NaN, NaN), box);
    expect(shape.line).toBe("");
    expect(shape.extent).toBeUndefined();
    expect(lineShape(new Float64Array(0), box)).toMatchObject({ line: "", middle: "", gaps: "" });
  });

  it("runs equal values along the middle", () => {
    expect(lineShape(Float64Array.of(3, 3), box).line).toBe("M0.0 25.0h0L100.0 25.0");
  });
});

describe("places", () => {
  it("goes from place to index and back", () => {
    for (let index = 0; index < 24; index += 1) expect(indexAt(placeOf(index, 24, 333), 24, 333)).toBe(index);
    expect(indexAt(-5, 24, 333)).toBe(0);
    expect(indexAt(999, 24, 333)).toBe(23);
    expect(indexAt(20, 1, 333)).toBe(0);
  });
  it("moves by key", () => {
    expect(movedPlace("ArrowLeft", 0, 10)).toBe(0);
    expect(movedPlace("End", 0, 10)).toBe(9);
    expect(movedPlace("PageDown", 0, 100)).toBe(10);
    expect(movedPlace("a", 0, 100)).toBeUndefined();
  });
});
const y = scaleOf({ minimum: 0, maximum: 10 }, box);
const column = (...values: readonly number[]) => Float64Array.from(values);

it("the extent is of what is finite, and nothing of nothing", () => {
  expect(extentOf(column(NaN, 3, -Infinity), [7])).toEqual({ minimum: 3, maximum: 7 });
  expect(extentOf(column(NaN, NaN))).toBeUndefined();
});

it("bins fill the width, and a place within is of the bin that is drawn there", () => {
  const bins = 7;
  for (let bin = 0; bin < bins; bin += 1) {
    const { x, width } = binAt(bin, bins, box.width);
    expect(binUnder(x + width / 2, bins, box.width)).toBe(bin);
  }
  expect([binUnder(-5, bins, 100), binUnder(500, bins, 100), binUnder(3, bins, 0)]).toEqual([0, 6, 0]);
});

it("great values are high; what lies outside stands at the edge; values all the same in the middle", () => {
  expect([y(0), y(10), y(5), y(Infinity), y(-3)]).toEqual([50, 0, 25, 0, 50]);
  expect(scaleOf({ minimum: 4, maximum: 4 }, box)(4)).toBe(25);
});

it("a band is a rectangle a bin, none where nothing is known, and never too thin to be seen", () => {
  expect(bandPath(column(0, NaN), column(5, NaN), { box, y })).toBe("M0 25h50v25h-50z");
  expect(bandPath(column(10, 0), column(10, 0), { box, y })).toBe("M0 0h50v1.5h-50zM50 48.5h50v1.5h-50z");
});

it("levels are joined where they follow each other", () => {
  expect(stepPath(column(0, 10, NaN, 5), { box, y })).toBe("M0 50H25V0H50M75 25H100");
  expect(stepPath(column(0, 10, 5, 5), { box, y, only: (bin) => bin === 1 })).toBe("M25 0H50");
});

it("a bar of 0 is a line, and no bar is nothing", () => {
  expect(barPath(column(0, NaN), { box, y })).toBe("M0 49h49v1h-49z");
});

it("bins that follow each other are one run", () => {
  expect(runsOf(new Set([5, 1, 2]))).toEqual([
    { from: 1, to: 3 },
    { from: 5, to: 6 },
  ]);
});
