/** Names that differ in a number, and how it counts on. */
import { expect, it } from "vitest";
import { expectedFiles, fileNumbers } from "./file-numbers.ts";

it.each([
  ["numbers", ["a9.nc", "a10.nc"], [9, 10], "a11.nc"],
  ["numbers with zeros", ["a.009", "a.010"], [9, 10], "a.011"],
  ["months", ["x_202011.nc", "x_202012.nc"], [24_250, 24_251], "x_202101.nc"],
  ["dates", ["x/20201231", "x/20210101"], [18_627, 18_628], "x/20210102"],
  ["days of the year", ["swe_2012365.nc", "swe_2012366.nc"], [15_704, 15_705], "swe_2013001.nc"],
])("%s are counted as they are", (_, names, counts, next) => {
  const numbers = fileNumbers(names);
  expect(numbers?.counts).toEqual(counts);
  expect(numbers?.nameOf((counts[1] ?? 0) + 1)).toBe(next);
  expect(counts.map((count) => numbers?.nameOf(count))).toEqual(names);
});

it("names that differ in more than a number have none", () => {
  expect(fileNumbers(["a_1_x.nc", "a_2_y.nc"])).toBeUndefined();
  expect(fileNumbers(["ocean-a.nc", "ocean-b.nc"])).toBeUndefined();
  expect(fileNumbers(["a.nc", "a.nc"])).toBeUndefined();
  expect(fileNumbers(["2020/a1", "2021/a2"])).toBeUndefined();
});

it("the file of a step follows from those of the others", () => {
  const names = ["f3", "f5", "f7", "f9"];
  const nameOf = (target: number) => names[target] ?? "";
  const expected = expectedFiles([0, -1, 2, 3].entries(), [], nameOf);
  expect(expected?.(1)).toBe("f5");
  expect(expectedFiles([0, 0, 2].entries(), [], nameOf)).toBeUndefined();
  expect(expectedFiles([3, 0, 2].entries(), [], nameOf)).toBeUndefined();
});
