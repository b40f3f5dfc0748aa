import { expect, it } from "vitest";
import { tagPlace } from "./PointTag.tsx";

const FRAME = { x: 0, y: 0, width: 900, height: 600 };

it("the words at a point stand beside it, inside of the frame, and over no card", () => {
  expect(tagPlace({ x: 100, y: 300 }, FRAME, [])).toEqual({ left: 116, top: 286 });
  expect(tagPlace({ x: 800, y: 300 }, FRAME, [])).toEqual({ right: 116, top: 286 });
  expect(tagPlace({ x: 100, y: 598 }, FRAME, [])).toEqual({ left: 116, top: 552 });
  const card = { x: 300, y: 290, width: 300, height: 36 };
  expect(tagPlace({ x: 250, y: 300 }, FRAME, [card])).toEqual({ left: 102, top: 240 });
  // The band of the ticks is no place for it.
  expect(tagPlace({ x: 60, y: 300 }, { ...FRAME, x: 42, width: 300 }, [])).toEqual({ left: 46, top: 240 });
  // Without any room it stays in the frame.
  const { left, top } = tagPlace({ x: 150, y: 20 }, { x: 0, y: 0, width: 300, height: 60 }, []);
  expect([left, top]).toEqual([4, 6]);
});
