import { expect, it } from "vitest";
import { planeChunks } from "#core/plane/plane.ts";
import { pictureOf } from "./read-variable.ts";

const chunks = planeChunks({ row: 0, column: 1, at: [0, 0] }, [2, 2], [2, 2]);
const PLANE = {
  rows: 3,
  columns: 4,
  values: Float64Array.from([0, 0, 1, 1, 0, 0, 1, 1, 5, 5, Number.NaN, Number.NaN]),
  minimum: 0,
  maximum: 5,
  extent: { rows: 3, columns: 4 },
  chunks,
  side: { down: 2, across: 2 },
  outcomes: ["values", "values", "values", "failed"] as const,
  isTurned: false,
};

it("keeps the place of what has no values, turned round with the rest", () => {
  const plain = pictureOf(PLANE);
  expect(plain.gaps).toEqual([{ kind: "failed", top: 2 / 3, height: 1 / 3, left: 0.5, width: 0.5 }]);
  const picture = pictureOf({ ...PLANE, isTurned: true });
  expect(picture.gaps).toEqual([expect.objectContaining({ height: 1 / 3, left: 0.5 })]);
  expect(picture.gaps[0]?.top).toBeCloseTo(0, 12);
  if (plain.kind !== "image" || picture.kind !== "image") throw new Error("not an image");
  const alpha = (pixels: Uint8ClampedArray) => [...pixels].filter((_, at) => at % 4 === 3);
  expect(alpha(plain.pixels)).toEqual([255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0]);
  expect(alpha(picture.pixels)).toEqual([255, 255, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]);
});

it("draws one row as a line", () => {
  const one = planeChunks({ row: undefined, column: 0, at: [0] }, [1], [3]);
  const picture = pictureOf({
    ...PLANE,
    rows: 1,
    columns: 3,
    values: Float64Array.from([0, 5, 1]),
    extent: { rows: 1, columns: 3 },
    chunks: one,
    side: { down: 1, across: 3 },
    outcomes: ["values"],
  });
  expect(picture).toMatchObject({ kind: "line", gaps: [] });
});
