import { expect, it } from "vitest";
import { boxSpans, elementsOfBox } from "./box-spans.ts";

const GRID = { shape: [24, 90, 180], chunks: [4, 40, 64], dimensionNames: ["time", undefined, "lon"] };

it("a box is cut at the array's edge", () => {
  expect(elementsOfBox({ from: [5, 2, 2], to: [5, 2, 2] }, GRID)).toEqual([
    [20, 23],
    [80, 89],
    [128, 179],
  ]);
});

it("a box is told by the dimensions that it does not have as a whole, or by all", () => {
  const box = { from: [0, 2, 0], to: [5, 2, 2] };
  expect(boxSpans(box, GRID, [])).toEqual(["dimension 1: 80 – 89"]);
  expect(boxSpans(box, GRID, [], true)).toEqual(["time 0 – 23", "dimension 1: 80 – 89", "lon 0 – 179"]);
  expect(boxSpans({ from: [0, 0, 0], to: [5, 2, 2] }, GRID, [])).toEqual([]);
  const texts = Array.from({ length: 24 }, (_, at) => `day ${at}`);
  const axis = { name: "time", role: "other", values: { kind: "texts", texts } };
  expect(boxSpans({ from: [1, 0, 0], to: [1, 2, 2] }, GRID, [axis as never])).toEqual(["day 4 – day 7"]);
  const levels = Array.from({ length: 24 }, (_, at) => `${at} hPa`);
  const numbers = { ...axis, values: { ...axis.values, texts: levels } };
  expect(boxSpans({ from: [1, 0, 0], to: [1, 2, 2] }, GRID, [numbers as never])).toEqual(["time 4 hPa – 7 hPa"]);
});
