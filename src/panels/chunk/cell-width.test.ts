import { expect, it } from "vitest";
import type { ValuesReport } from "#core/reading.ts";
import { cellWriter, ownRange, tintOf } from "./values/painting.ts";
import { cellWidthFor } from "./values/ValuesTab.tsx";

const packed: ValuesReport = {
  shape: [4],
  inside: [4],
  dtype: "<i2",
  numeric: true,
  scaling: { scaleFactor: 0.002, addOffset: 10, fillValues: ["-32768"], units: "degC" },
  raw: { count: 4, missing: 0, equalToFill: 1, minimum: "-32768", maximum: "8381" },
  scaled: { count: 4, missing: 1, equalToFill: 1, minimum: "-4.958", maximum: "26.762" },
};
const plain = (dtype: string, minimum: string, maximum: string): ValuesReport => ({
  ...packed,
  dtype,
  scaling: undefined as never,
  raw: { count: 4, missing: 0, equalToFill: 0, minimum, maximum },
});

it("gives five columns of packed values room beside their heads", () => {
  const { write, characters } = cellWriter(packed, true);
  expect(["-4.1240000000000006", "26.264000000000003", "0.0"].map(write)).toEqual(["−4.12", "26.26", "0.00"]);
  expect(5 * cellWidthFor("<i2", characters, ["125°W", "117°W"])).toBeLessThanOrEqual(272 - 45);
  expect(cellWriter(packed, false)).toMatchObject({ characters: 6 });
  expect(["-32768", "8132"].map(cellWriter(packed, false).write)).toEqual(["−32768", "8132"]);
});

it("writes whatever number a type holds", () => {
  const kelvin = cellWriter(plain("<f4", "271.15002", "303.9"), false);
  expect(["271.15002", "nan", "1e+20"].map(kelvin.write)).toEqual(["271.2", "nan", "1.00e20"]);
  const small = cellWriter(plain("<f8", "-8.090848711894694e-06", "8e-06"), false);
  expect(["8.090848711894694e-06", "0.0"].map(small.write)).toEqual(["8.09e−6", "0.00"]);
  const long = cellWriter(plain("<i8", "-9223372036854775808", "1"), false);
  expect(long.characters).toBe("-9223372036854775808".length);
  expect(cellWidthFor("<M8[ns]", undefined, [])).toBeGreaterThan(29 * 6);
});

it("paints raw values over the range of those that are not missing", () => {
  expect(ownRange(packed, true)).toMatchObject({ minimum: -4.958, maximum: 26.762 });
  expect(Math.round(ownRange(packed, false)?.minimum ?? 0)).toBe(-7479);
  const look = { colormap: "viridis", range: { minimum: 1, maximum: 10, logarithmic: true }, isTurned: true } as const;
  expect([tintOf(look, 1), tintOf(look, 10), tintOf(look, NaN)]).toEqual([
    "rgb(68 1 84 / 30%)",
    "rgb(253 231 37 / 30%)",
    undefined,
  ]);
  expect(tintOf(look, -5)).toBe("rgb(68 1 84 / 30%)");
});
