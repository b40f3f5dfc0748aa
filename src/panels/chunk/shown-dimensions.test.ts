import { describe, expect, it } from "vitest";
import { firstPlane } from "#widgets/cell-map/plane.ts";
import { fitShown, lineSpec, mapSpec, tableSpec } from "./shown-dimensions.ts";

describe("shown dimensions", () => {
  it("are kept for a smaller chunk with the cursor inside it, and begin afresh for another rank", () => {
    const shown = { row: 0, column: 2, at: [3, 39, 63] };
    expect(fitShown(shown, [4, 10, 52])).toEqual({ row: 0, column: 2, at: [3, 9, 51] });
    expect(fitShown(shown, [7])).toEqual(firstPlane([7]));
    expect(fitShown(undefined, [7])).toEqual(firstPlane([7]));
  });
});

describe("slices", () => {
  const shown = { row: 1, column: 2, at: [3, 12, 6] };
  it("do not depend on where the cursor stands in what they show", () => {
    expect(mapSpec(7, shown, true)).toEqual({
      reading: 7,
      rowDimension: 1,
      columnDimension: 2,
      fixed: [3, 0, 0],
      scaled: true,
    });
    expect(lineSpec(7, shown, false)).toMatchObject({ rowDimension: undefined, columnDimension: 2, fixed: [3, 12, 0] });
  });
  it("run down the rows of a table where there is one dimension", () => {
    expect(tableSpec(7, firstPlane([30]), false)).toMatchObject({ rowDimension: 0, columnDimension: undefined });
    expect(tableSpec(7, shown, false)).toEqual(mapSpec(7, shown, false));
  });
});
