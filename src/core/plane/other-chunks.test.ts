import { expect, it } from "vitest";
import { advisedShape, otherChunkShapes, otherWay } from "./other-chunks.ts";

// Ten years of hours, a map of 1 MB in each chunk.
const HOURLY = { shape: [87_600, 360, 720], chunks: [1, 360, 720], elementBytes: 1e6 / (360 * 720) };
const SERIES = { row: undefined, column: 0, at: [0, 0, 0] };

it("a series of single steps is told which chunks would read few, at which price for a map", () => {
  const map = otherWay(SERIES, HOURLY.shape);
  expect(map).toEqual({ row: 1, column: 2, at: [0, 0, 0] });
  const shapes = otherChunkShapes(HOURLY, SERIES, map);
  expect(shapes[0]).toMatchObject({ kind: "current", reads: 87_600, across: 1, readBytes: 87_600e6 });
  const longer = shapes.find(({ kind }) => kind === "longer");
  expect(longer).toMatchObject({ chunks: [16, 360, 720], reads: 5475, across: 1 });
  const balanced = shapes.find(({ kind }) => kind === "balanced");
  expect(balanced?.reads).toBeLessThan(400);
  expect(balanced?.across).toBeLessThan(800);
  expect(balanced?.bytes).toBeLessThanOrEqual(1.1e6);
  expect(advisedShape(shapes)).toBe(balanced);
});

it("a map is told of whole planes; what reads one chunk already is left as it is", () => {
  const array = { shape: [100, 400, 800], chunks: [50, 40, 80], elementBytes: 2 };
  const map = { row: 1, column: 2, at: [0, 0, 0] };
  const shapes = otherChunkShapes(array, map, otherWay(map, array.shape));
  expect(shapes[0]?.reads).toBe(100);
  expect(shapes.find(({ kind }) => kind === "whole")?.chunks).toEqual([1, 400, 800]);
  expect(advisedShape(shapes)).toBeDefined();
  expect(advisedShape(otherChunkShapes(HOURLY, map, SERIES))).toBeUndefined();
});
