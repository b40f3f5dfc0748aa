import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSlice, sliceText } from "./slice-text.ts";

const SHAPE = [24, 90, 180];

describe("a slice as text", () => {
  it("says which dimensions are shown, where the others stand, and which part is seen", () => {
    expect(parseSlice("5,:,:", SHAPE, [0, 7, 8])).toEqual({
      plane: { row: 1, column: 2, at: [5, 7, 8] },
      spans: new Map(),
    });
    expect(parseSlice("0:5,:,3", SHAPE, [1, 2, 3])).toEqual({
      plane: { row: 0, column: 1, at: [1, 2, 3] },
      spans: new Map([[0, { from: 0, to: 5 }]]),
    });
    expect(parseSlice("3,4,10:20", SHAPE, [0, 0, 12])?.plane).toEqual({ row: undefined, column: 2, at: [3, 4, 12] });
  });

  it("is none where it is not one of the array, or not shown as it says", () => {
    for (const text of ["24,:,:", ":,:,:", "0,5:5,:", "0,::2,:", "0,1,2,3"]) {
      expect(parseSlice(text, SHAPE, [0, 0, 0])).toBeUndefined();
    }
  });

  it("comes back from what is written", () => {
    const span = (length: number) =>
      fc
        .tuple(fc.nat(length - 2), fc.nat(length - 1))
        .map(([from, more]) => ({ from, to: Math.min(length, from + 1 + more) }));
    fc.assert(
      fc.property(fc.nat(23), span(90), span(180), (time, rows, columns) => {
        const plane = { row: 1, column: 2, at: [time, 0, 0] };
        const spans = new Map([
          [1, rows],
          [2, columns],
        ]);
        const text = sliceText(plane, SHAPE, spans);
        const back = parseSlice(text, SHAPE, plane.at);
        expect(back?.plane).toEqual(plane);
        expect(sliceText(plane, SHAPE, back?.spans)).toBe(text);
      }),
    );
  });
});
