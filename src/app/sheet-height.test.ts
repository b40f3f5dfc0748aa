import { expect, test } from "vitest";
import { nearestHeight, nextHeight } from "./ChunkSheet.tsx";

test("a step up or down, and no further than the ends", () => {
  expect(nextHeight("peek", 1)).toBe("half");
  expect(nextHeight("half", 1)).toBe("full");
  expect(nextHeight("full", 1)).toBe("full");
  expect(nextHeight("full", -1)).toBe("half");
  expect(nextHeight("peek", -1)).toBe("peek");
});

test("let go of, the sheet goes to the nearest height", () => {
  expect(nearestHeight(0, 700)).toBe("peek");
  expect(nearestHeight(220, 700)).toBe("peek");
  expect(nearestHeight(250, 700)).toBe("half");
  expect(nearestHeight(500, 700)).toBe("half");
  expect(nearestHeight(540, 700)).toBe("full");
  expect(nearestHeight(10, 0)).toBe("peek");
});
