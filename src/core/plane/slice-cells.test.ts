/** Cells of types that are more than one number: structures by field, dates with the integers behind them, objects. */
import { expect, it } from "vitest";
import { parseDataTypeV2 } from "../metadata/parse-data-type.ts";
import { cellsOf } from "./slice.ts";
import { decodeValues } from "../values/values.ts";
import { variableElements, writeVariable } from "../values/variable-elements.ts";

const window = (rows: number, columns: number) => ({
  rowDimension: 0,
  columnDimension: undefined,
  fixed: [0],
  scaled: false,
  rows: { from: 0, to: rows },
  columns: { from: 0, to: columns },
});

it("gives a column a field where that is asked for", () => {
  const dataType = parseDataTypeV2([
    ["a", "|u1"],
    ["b", ">i2"],
  ]);
  const values = decodeValues(Uint8Array.of(1, 0, 2, 3, 255, 255), { dataType, chunks: [2], order: "C" });
  const chunk = { values, inside: [2] };
  expect(cellsOf(chunk, { ...window(2, 3), fields: true }).texts).toEqual([
    ["1", "2", null],
    ["3", "-1", null],
  ]);
  expect(cellsOf(chunk, window(2, 1)).texts).toEqual([["(1, 2)"], ["(3, -1)"]]);
});

it("gives the integers behind dates, and none for numbers", () => {
  const bytes = new Uint8Array(BigInt64Array.of(-(2n ** 63n), 86_400n).buffer);
  const cells = (dtype: string) => {
    const values = decodeValues(bytes, { dataType: parseDataTypeV2(dtype), chunks: [2], order: "C" });
    return cellsOf({ values, inside: [2] }, window(2, 1));
  };
  expect(cells("<M8[s]")).toEqual({
    texts: [["NaT"], ["1970-01-02T00:00:00"]],
    counts: [["-9223372036854775808"], ["86400"]],
  });
  expect(cells("<m8[s]").texts).toEqual([["NaT"], ["86400 seconds"]]);
  expect(cells("<i8")).toEqual({ texts: [["-9223372036854775808"], ["86400"]] });
});

it("gives objects as JSON, and no field of them", () => {
  const bytes = writeVariable(['"a"', "[1]"].map((text) => new TextEncoder().encode(text)));
  const texts = variableElements(bytes, "json")!;
  const values = decodeValues(bytes, { dataType: parseDataTypeV2("|O"), chunks: [2], order: "C" }, texts);
  const chunk = { values, inside: [2] };
  expect(cellsOf(chunk, { ...window(2, 1), fields: true }).texts).toEqual([['"a"'], ["[1]"]]);
});
