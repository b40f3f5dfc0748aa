import { expect, it } from "vitest";
import { ratioText } from "./stage-words.ts";

it("says how much a stage made of its bytes, and nothing where it kept their number", () => {
  expect(ratioText(6851, 20_480)).toBe(" · 3.0×");
  expect(ratioText(100, 50)).toBe(" · 0.50×");
  expect(ratioText(10, 12_345)).toBe(" · 1235×");
  expect(ratioText(1004, 1000)).toBe(" · 0.996×");
  expect(ratioText(20_480, 20_480)).toBe("");
  expect(ratioText(0, 10)).toBe("");
});
