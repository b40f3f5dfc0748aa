import { describe, expect, it } from "vitest";
import { CHUNK_SCALE, FIT, cellAt, panned, zoomAt, type CellView } from "./camera.ts";
import { holdOf } from "./gestures.ts";

describe("what fingers do", () => {
  it("one moves", () => {
    expect(holdOf([{ x: 10, y: 20 }], [{ x: 15, y: 18 }])).toEqual({
      across: 5,
      down: -2,
      factor: 1,
      at: { x: 10, y: 20 },
    });
  });

  it("two magnify about their middle, and move with it", () => {
    const from = [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
    ];
    const to = [
      { x: 0, y: 5 },
      { x: 30, y: 5 },
    ];
    expect(holdOf(from, to)).toEqual({ across: 10, down: 5, factor: 3, at: { x: 5, y: 0 } });
  });

  it("two on the same point do not magnify without end", () => {
    const both = [
      { x: 4, y: 4 },
      { x: 4, y: 4 },
    ];
    expect(holdOf(both, both).factor).toBe(1);
  });

  it("the cell between two fingers stays between them", () => {
    const view: CellView = {
      extent: { rows: 1000, columns: 1000 },
      area: { width: 800, height: 600 },
      scale: CHUNK_SCALE,
      camera: FIT,
    };
    const from = [
      { x: 300, y: 200 },
      { x: 320, y: 240 },
    ];
    const to = [
      { x: 250, y: 150 },
      { x: 450, y: 550 },
    ];
    const { across, down, factor, at } = holdOf(from, to);
    const after = panned(zoomAt(view, factor, at), -across, -down);
    const place = cellAt(view, at);
    const found = cellAt(after, { x: at.x + across, y: at.y + down });
    expect(Math.abs((found?.row ?? -9) - (place?.row ?? 0))).toBeLessThanOrEqual(1);
    expect(Math.abs((found?.column ?? -9) - (place?.column ?? 0))).toBeLessThanOrEqual(1);
  });
});
