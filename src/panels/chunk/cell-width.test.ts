import { expect, it } from "vitest";
import { cellWidthFor } from "./cell-width.ts";

it("has room for the longest number of a type", () => {
  const room = (dtype: string) => Math.floor((cellWidthFor(dtype, false) - 18) / 7);
  expect(room("<f8")).toBeGreaterThanOrEqual("-2.2250738585072014e-308".length);
  expect(room(">f4")).toBeGreaterThanOrEqual("-3.4028235e+38".length);
  expect(room("<i8")).toBeGreaterThanOrEqual("-9223372036854775808".length);
  expect(room("|u1")).toBeGreaterThanOrEqual("255".length);
  expect(room("<M8[ns]")).toBeGreaterThanOrEqual("1970-01-01T00:00:00.000000001".length);
  // Any number may be a date, or a float, in the CF view.
  expect(cellWidthFor("<i2", true)).toBe(cellWidthFor("<M8[ns]", false));
});
