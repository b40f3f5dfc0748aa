import { expect, it } from "vitest";
import { advisedShape, otherChunkShapes, otherWay } from "./other-chunks.ts";

// Ten years of hours, a map of 1 MB in each chunk.
const HOURLY = { shape: [87_600, 360, 720], chunks: [1, 360, 720], elementBytes: 1e6 / (360 * 720) };
const SERIES = { row: undefined, column: 0, at: [0, 0, 0] };

it("a series of single steps is told which chunks would read few, at which price for a map", () => {
  expect(otherWay(SERIES, HOURLY.shape)).toEqual({ row: 1, column: 2, at: [0, 0, 0] });
  const shapes = otherChunkShapes(HOURLY, SERIES);
  expect(shapes[0]).toMatchObject({ bytes: 1e6, reads: 87_600, across: 1 });
  expect(shapes[1]).toMatchObject({ chunks: [16, 360, 720], reads: 5475, across: 1 });
  const balanced = shapes[2];
  expect(balanced?.reads).toBeLessThan(400);
  expect(balanced?.across).toBeLessThan(800);
  expect(balanced?.bytes).toBeLessThanOrEqual(1.1e6);
  expect(advisedShape(shapes)).toBe(balanced);
});

it("a map is told of whole planes; what reads one chunk already is left as it is", () => {
  const array = { shape: [100, 400, 800], chunks: [50, 40, 80], elementBytes: 2 };
  const map = { row: 1, column: 2, at: [0, 0, 0] };
  const shapes = otherChunkShapes(array, map);
  expect(shapes[0]?.reads).toBe(100);
  expect(shapes.at(-1)?.chunks).toEqual([1, 400, 800]);
  expect(advisedShape(shapes)).toBeDefined();
  expect(advisedShape(otherChunkShapes(HOURLY, map))).toBeUndefined();
});
