/** Missing cells by whole steps of a dimension, against looking at every step. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { cellCount, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { startPace } from "#engine/pace.ts";
import { Marks } from "#engine/table/marks.ts";
import { missingPattern } from "./missing-steps.ts";

const pace = startPace(CONTEXT, "", 1);

/** `most` of 0: as a list. */
function patternOf(present: readonly boolean[], grid: readonly number[], most = present.length) {
  const marks = new Marks(present.length, most);
  for (const [at, is] of present.entries()) if (is) marks.add(at);
  return missingPattern(marks, most, grid, pace);
}

it("counts what is missing, by step and besides", async () => {
  const grids = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 });
  const lost = fc.array(fc.tuple(fc.nat(2), fc.nat(4)), { maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(grids, lost, fc.nat(40), async (grid, steps, single) => {
      const cells = Array.from({ length: cellCount(grid) }, (_, at) => coordinatesOf(grid, at));
      const isLost = (at: readonly number[]) => steps.some(([axis, step]) => at[axis] === step);
      const present = cells.map((at, ordinal) => !isLost(at) && ordinal !== single);
      const found = await patternOf(present, grid);
      expect(await patternOf(present, grid, 0)).toEqual(found);
      expect(found.missing).toBe(present.filter((is) => !is).length);
      const isWhole = (axis: number, step: number) => cells.every((at, cell) => at[axis] !== step || !present[cell]);
      const whole = grid.map((length, axis) => Array.from({ length }, (_, step) => isWhole(axis, step)));
      const outside = cells.filter((at) => at.every((step, axis) => whole[axis]?.[step] === false));
      expect(found.outside).toBe(outside.length);
      const scattered = cells.filter((at, cell) => !present[cell] && outside.includes(at));
      expect(found.scattered).toBe(scattered.length);
    }),
  );
});

it("tells even distances from others", async () => {
  const every = async (text: string) =>
    (
      await patternOf(
        text.split("").map((one) => one === "1"),
        [text.length],
      )
    ).steps[0]?.every;
  expect(await every("10101010")).toBe(2);
  expect(await every("1101101101")).toBe(3);
  expect(await every("1101101")).toBeUndefined();
  expect(await every("010")).toBeUndefined();
  expect(await every("110110111")).toBeUndefined();
  expect(await every("11011")).toBeUndefined();
  expect(await every("1101010")).toBeUndefined();
});
