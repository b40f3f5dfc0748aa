import { expect, test } from "vitest";
import { edgesOf } from "#core/metadata/chunk-grid.ts";
import { spacingOf } from "#widgets/cell-map/spacing.ts";
import { lengthCells, MAP } from "./CausePicture.tsx";

const raster = {
  width: 2,
  height: 2,
  values: Float64Array.from([0, 100, -1, 25]),
  minimum: 0,
  maximum: 100,
  cellsDown: 1,
  cellsAlong: 1,
};

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

test("unequal chunks are to scale, also where several share a pixel", () => {
  const edges = (lengths: readonly number[]) =>
    spacingOf(
      lengths.reduce((sum, one) => sum + one, 0),
      edgesOf(
        lengths.reduce((sum, one) => sum + one, 0),
        lengths.map((length) => ({ length, count: 1 })),
      ) ?? 1,
    );
  const spacing = { rows: edges([1, 3]), columns: edges([2, 1, 5]) };
  const [first, second] = lengthCells({ ...raster, cellsAlong: 2 }, true, spacing);
  // The upper row is the second: three quarters of the height.
  expect(first).toMatchObject({ x: 0, y: (MAP.height * 3) / 4 });
  expect(second?.x).toBeCloseTo((MAP.width * 3) / 8, 9);
});
