import { expect, test } from "vitest";
import { fittedHeight } from "./workspace-parts.tsx";

test("Problems is as high as its content, but neither jumps for the first lines nor takes the screen for many", () => {
  expect(fittedHeight(0)).toBe(fittedHeight(32 + 2 * 29));
  expect(fittedHeight(32 + 3 * 29)).toBe(119);
  expect(fittedHeight(5000)).toBeLessThan(200);
});
