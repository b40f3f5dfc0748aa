import { expect, it } from "vitest";
import { tagPlace } from "./PointTag.tsx";

const FRAME = { x: 0, y: 0, width: 900, height: 600 };

it("the words at a point stand beside it, inside of the frame, and over no card", () => {
  expect(tagPlace({ x: 100, y: 300 }, FRAME, [])).toBe("116px 286px");
  expect(tagPlace({ x: 800, y: 300 }, FRAME, [])).toBe("calc(784px - 100%) 286px");
  expect(tagPlace({ x: 100, y: 598 }, FRAME, [])).toBe("116px 552px");
  const card = { x: 300, y: 290, width: 300, height: 36 };
  expect(tagPlace({ x: 250, y: 300 }, FRAME, [card])).toBe("102px 240px");
  // The band of the ticks is no place for it.
  expect(tagPlace({ x: 60, y: 300 }, { ...FRAME, x: 42, width: 300 }, [])).toBe("46px 240px");
  // Without any room it stays in the frame.
  expect(tagPlace({ x: 150, y: 20 }, { x: 0, y: 0, width: 300, height: 60 }, [])).toBe("4px 6px");
});
