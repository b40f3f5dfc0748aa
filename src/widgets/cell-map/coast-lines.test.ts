import { expect, it, vi } from "vitest";
import { COASTS } from "./coast-data.ts";
import { coastPath, decodeCoasts, degreeAxis } from "./coast-lines.ts";

it("coasts are places on the globe, and none of them is where the map was cut", () => {
  const lines = decodeCoasts(COASTS);
  expect(lines.reduce((sum, line) => sum + line.length / 2, 0)).toBeGreaterThan(5000);
  for (const line of lines) {
    for (let at = 0; at < line.length; at += 2) {
      expect(Math.abs(line[at]!)).toBeLessThanOrEqual(180);
      expect(line[at + 1]!).toBeGreaterThan(-86);
      expect(line[at + 1]!).toBeLessThan(84);
    }
  }
});

it("a coordinate is a place among the cells, whichever way it counts and however unevenly", () => {
  expect(degreeAxis([10, 0, -10], false)!.placeOf(5)).toBeCloseTo(1);
  expect(degreeAxis([0, 1, 3, 7], false)!.placeOf(5)).toBeCloseTo(3);
  const shifted = degreeAxis([90, 150, -150, -90], true)!;
  expect([shifted.least, shifted.greatest]).toEqual([60, 300]);
  expect(shifted.placeOf(180)).toBeCloseTo(2);
  expect(degreeAxis([0, 2, 1], false)).toBeUndefined();
  expect(degreeAxis([0, Number.NaN, 1], true)).toBeUndefined();
  expect(degreeAxis([5], true)).toBeUndefined();
});

it("lines lie where their degrees are, for longitudes from 0 to 360, for rows that are turned, and for sides changed", () => {
  const points: number[][] = [];
  class Recorded {
    moveTo = (...at: number[]) => points.push(at);
    lineTo = this.moveTo;
  }
  vi.stubGlobal("Path2D", Recorded);
  const axis = (role: "latitude" | "longitude", numbers: readonly number[]) => ({
    array: role,
    role,
    units: undefined,
    values: { kind: "numbers" as const, numbers: Float64Array.from(numbers) },
  });
  const longitude = axis("longitude", [0, 90, 180, 270]);
  const latitude = axis("latitude", [-60, 0, 60]);
  const lines = [Float32Array.of(-90, 30, -90, 60)];
  coastPath(lines, { down: latitude, across: longitude, isTurned: false });
  expect(points).toEqual([
    [3.5, 2],
    [3.5, 2.5],
  ]);
  points.length = 0;
  coastPath(lines, { down: latitude, across: longitude, isTurned: true });
  expect(points[0]).toEqual([3.5, 1]);
  points.length = 0;
  coastPath(lines, { down: longitude, across: latitude, isTurned: false });
  expect(points[0]).toEqual([2, 3.5]);
  expect(coastPath(lines, { down: latitude, across: undefined, isTurned: false })).toBeUndefined();
  vi.unstubAllGlobals();
});
