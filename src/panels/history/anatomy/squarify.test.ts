import { expect, it } from "vitest";
import { squarified } from "./squarify.ts";

const ROOM = { x: 0, y: 0, width: 600, height: 400 };

it("fills the room with boxes of the given areas, none of them outside", () => {
  const sizes = [600, 600, 400, 300, 200, 200, 100, 1];
  const boxes = squarified(sizes, ROOM);
  const scale = (600 * 400) / sizes.reduce((sum, size) => sum + size, 0);
  for (const [at, { x, y, width, height }] of boxes.entries()) {
    expect(width * height).toBeCloseTo((sizes[at] as number) * scale, 3);
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThan(600.001);
    expect(y + height).toBeLessThan(400.001);
  }
  const overlap = boxes.some((one, at) =>
    boxes.slice(at + 1).some((other) => {
      const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
      const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
      return across > 0.001 && down > 0.001;
    }),
  );
  expect(overlap).toBe(false);
});

it("makes equal sizes nearly square, and has nothing to lay out of none", () => {
  const boxes = squarified([1, 1, 1, 1, 1, 1], ROOM);
  for (const { width, height } of boxes) expect(Math.max(width / height, height / width)).toBeLessThan(1.6);
  expect(squarified([], ROOM)).toEqual([]);
});
