import { expect, it } from "vitest";
import { cellWidthFor } from "./values/ValuesTab.tsx";

it("has room for the longest number of a type", () => {
  const room = (dtype: string) => Math.floor((cellWidthFor(dtype) - 18) / 7);
  expect(room("<f8")).toBeGreaterThanOrEqual("-2.225074e-308".length);
  expect(room(">f4")).toBeGreaterThanOrEqual("-3.402824e+38".length);
  expect(room("<i8")).toBeGreaterThanOrEqual("-9223372036854775808".length);
  expect(room("|u1")).toBeGreaterThanOrEqual("255".length);
  expect(room("<M8[ns]")).toBeGreaterThanOrEqual("1970-01-01T00:00:00.000000001".length);
  // Any number may be a date, or a float, in the CF view.
  expect(cellWidthFor("<i2", "dates")).toBe(cellWidthFor("<M8[ns]"));
  expect(cellWidthFor("<i2", "numbers")).toBe(cellWidthFor("<f8"));
  expect(cellWidthFor("<i8", "numbers")).toBe(cellWidthFor("<i8"));
});
