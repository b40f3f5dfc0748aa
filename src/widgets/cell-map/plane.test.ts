import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  coordinatesAt,
  elementSpan,
  extentOf,
  firstPlane,
  movedPlace,
  placeOf,
  slidDimensions,
  withDimension,
} from "./plane.ts";

describe("the plane", () => {
  it.each([
    [[], { row: undefined, column: undefined }],
    [[7], { row: undefined, column: 0 }],
    [[3, 4], { row: 0, column: 1 }],
    [[6, 3, 3], { row: 1, column: 2 }],
    [[24, 1, 1], { row: 0, column: 2 }],
    [[24, 1, 5, 1], { row: 0, column: 2 }],
    [[1, 1], { row: 0, column: 1 }],
  ])("of %j shows %j at first", (grid, shown) => {
    expect(firstPlane(grid)).toMatchObject(shown);
  });

  it("maps places to coordinates and back", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 }), fc.nat(), (grid, seed) => {
        const chunk = grid.map((count, dimension) => (seed + dimension * 7) % count);
        const plane = firstPlane(grid, chunk);
        const place = placeOf(plane, chunk);
        expect(place).toBeDefined();
        expect(coordinatesAt(plane, place!)).toEqual(chunk);
        const extent = extentOf(grid, plane);
        expect(place!.row < extent.rows && place!.column < extent.columns).toBe(true);
      }),
    );
  });

  it("does not place a chunk of another slice", () => {
    expect(placeOf({ row: 1, column: 2, at: [0, 0, 0] }, [1, 0, 0])).toBeUndefined();
    expect(placeOf({ row: 1, column: 2, at: [0, 0, 0] }, [0, 0])).toBeUndefined();
  });

  it("swaps the two dimensions when one is chosen for both", () => {
    const plane = firstPlane([6, 3, 3]);
    expect(withDimension(plane, "row", 2)).toMatchObject({ row: 2, column: 1 });
    expect(withDimension(plane, "row", 0)).toMatchObject({ row: 0, column: 2 });
    expect(slidDimensions([6, 3, 3], [1, 2])).toEqual([0]);
    expect(slidDimensions([1, 3, 3], [1, 2])).toEqual([]);
  });

  it("moves the cursor inside the grid only", () => {
    const extent = { rows: 4, columns: 5 };
    const press = (key: string, ctrl = false) => ({ key, ctrl });
    expect(movedPlace({ row: 0, column: 0 }, press("ArrowUp"), extent, 3)).toEqual({ row: 0, column: 0 });
    expect(movedPlace({ row: 0, column: 0 }, press("PageDown"), extent, 2)).toEqual({ row: 2, column: 0 });
    expect(movedPlace({ row: 1, column: 1 }, press("End"), extent, 3)).toEqual({ row: 1, column: 4 });
    expect(movedPlace({ row: 1, column: 1 }, press("End", true), extent, 3)).toEqual({ row: 3, column: 4 });
    expect(movedPlace({ row: 1, column: 1 }, press("Home", true), extent, 3)).toEqual({ row: 0, column: 0 });
    expect(movedPlace({ row: 2, column: 1 }, press("ArrowUp", true), extent, 3)).toEqual({ row: 0, column: 1 });
    expect(movedPlace({ row: 1, column: 1 }, press("PageDown"), extent, 0)).toEqual({ row: 2, column: 1 });
    expect(movedPlace({ row: 1, column: 1 }, press("x"), extent, 3)).toBeUndefined();
  });

  it("names the elements of a chunk, cut at the edge", () => {
    expect(elementSpan(24, 4, 2)).toBe("8–11");
    expect(elementSpan(90, 40, 2)).toBe("80–89");
    expect(elementSpan(24, 1, 5)).toBe("5");
  });
});
