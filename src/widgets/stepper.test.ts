import { expect, test } from "vitest";
import { steppedBy, wholeNumber } from "./controls/Stepper.tsx";

test("whole numbers as people type them", () => {
  expect(["12", " 1,234 ", "1_000", "−3", "+4"].map((text) => wholeNumber(text, -10))).toEqual([12, 1234, 1000, -3, 4]);
  expect(["", "1.5", "x", "-3", "99999999999999999999"].map((text) => wholeNumber(text, 0))).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});

test("keys move by the smaller step, with Shift by the larger", () => {
  expect(steppedBy("ArrowUp", false, [1, 4])).toBe(1);
  expect(steppedBy("ArrowDown", true, [1, 4])).toBe(-4);
  expect(steppedBy("PageUp", false, [1, 4])).toBe(64);
  expect(steppedBy("Home", false, [1, 4])).toBeUndefined();
});
