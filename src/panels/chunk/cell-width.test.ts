import { expect, it } from "vitest";
import { cellWidthFor } from "./cell-width.ts";

it("has room for the longest number of a type", () => {
  const room = (dtype: string) => Math.floor((cellWidthFor(dtype, false) - 18) / 7);
  expect(room("<f8")).toBeGreaterThanOrEqual("-2.2250738585072014e-308".length);
  expect(room(">f4")).toBeGreaterThanOrEqual("-3.4028235e+38".length);
  expect(room("<i8")).toBeGreaterThanOrEqual("-9223372036854775808".length);
  expect(room("|u1")).toBeGreaterThanOrEqual("255".length);
  expect(cellWidthFor("<i2", true)).toBe(cellWidthFor("<f8", false));
});
