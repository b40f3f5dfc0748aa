import { describe, expect, it } from "vitest";
import {
  firstShown,
  fitShown,
  lineSpec,
  mapSpec,
  slidDimensions,
  tableSpec,
  withColumn,
  withRow,
} from "./shown-dimensions.ts";

describe("shown dimensions", () => {
  it("begin with the last two that are longer than one", () => {
    expect(firstShown([4, 40, 64])).toEqual({ row: 1, column: 2, cursor: [0, 0, 0] });
    expect(firstShown([30, 40, 1])).toEqual({ row: 0, column: 1, cursor: [0, 0, 0] });
    expect(firstShown([30, 1, 1])).toEqual({ row: 0, column: 2, cursor: [0, 0, 0] });
    expect(firstShown([30])).toEqual({ row: undefined, column: 0, cursor: [0] });
    expect(firstShown([])).toEqual({ row: undefined, column: undefined, cursor: [] });
  });

  it("change places rather than show one dimension twice", () => {
    const shown = firstShown([4, 40, 64]);
    expect(withRow(shown, 2)).toMatchObject({ row: 2, column: 1 });
    expect(withRow(shown, 0)).toMatchObject({ row: 0, column: 2 });
    expect(withColumn(shown, 1)).toMatchObject({ row: 2, column: 1 });
  });

  it("are kept for a smaller chunk with the cursor inside it, and begin afresh for another rank", () => {
    const shown = { row: 0, column: 2, cursor: [3, 39, 63] };
    expect(fitShown(shown, [4, 10, 52])).toEqual({ row: 0, column: 2, cursor: [3, 9, 51] });
    expect(fitShown(shown, [7])).toEqual(firstShown([7]));
    expect(fitShown(undefined, [7])).toEqual(firstShown([7]));
  });

  it("slide what is neither shown nor single", () => {
    expect(slidDimensions([1, 2], [4, 40, 64])).toEqual([0]);
    expect(slidDimensions([1, 2], [1, 40, 64])).toEqual([]);
  });
});

describe("slices", () => {
  const shown = { row: 1, column: 2, cursor: [3, 12, 6] };
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
    expect(tableSpec(7, firstShown([30]), false)).toMatchObject({ rowDimension: 0, columnDimension: undefined });
    expect(tableSpec(7, shown, false)).toEqual(mapSpec(7, shown, false));
  });
});
