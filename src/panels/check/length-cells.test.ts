import { expect, test } from "vitest";
import { lengthCells, MAP } from "./length-cells.ts";

const raster = { width: 2, height: 2, values: Float64Array.from([0, 100, -1, 25]), minimum: 0, maximum: 100 };

test("cells fill the map, the longest stands out most, and what has no reference is left out", () => {
  const cells = lengthCells(raster, false);
  expect(cells.map(({ share }) => share)).toEqual([0, 1, 0.5]);
  expect(cells[2]).toMatchObject({ x: MAP.width / 2, y: MAP.height / 2 });
});

test("turned, the first row is the lowest", () => {
  expect(lengthCells(raster, true).map(({ y }) => y)).toEqual([MAP.height / 2, MAP.height / 2, 0]);
});

test("lengths that are all the same are neither long nor short", () => {
  const [cell] = lengthCells(
    { ...raster, values: Float64Array.from([7]), width: 1, height: 1, minimum: 7, maximum: 7 },
    false,
  );
  expect(cell?.share).toBe(0.5);
});
