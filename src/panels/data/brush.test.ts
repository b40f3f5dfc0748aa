import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brushScale, movedBy, shareOn, valueOn, withEnd } from "./Colours.tsx";

const SCALE = { minimum: -10, maximum: 10 };

describe("the handles of the histogram", () => {
  it("stand where their value is; what lies outside the slice widens the histogram", () => {
    expect(shareOn(SCALE, 5)).toBe(0.75);
    expect(shareOn(SCALE, 99)).toBe(1);
    expect(valueOn(SCALE, 0.75)).toBe(5);
    expect(brushScale({ minimum: -2, maximum: 3 }, { minimum: -3, maximum: 3 })).toEqual({ minimum: -3, maximum: 3 });
  });

  it("go by keys, and not past the histogram", () => {
    expect(movedBy("ArrowRight", 0, SCALE)).toBeCloseTo(0.2);
    expect(movedBy("PageDown", 0, SCALE)).toBe(-2);
    expect(movedBy("ArrowLeft", -10, SCALE)).toBe(-10);
    expect(movedBy("End", 0, SCALE)).toBe(10);
    expect(movedBy("Enter", 0, SCALE)).toBeUndefined();
  });

  it("never meet, wherever one is taken", () => {
    const ends = { minimum: -1, maximum: 2 };
    fc.assert(
      fc.property(fc.double({ min: -10, max: 10, noNaN: true }), fc.constantFrom("low", "high"), (value, end) => {
        const { low, high } = withEnd(ends, end, value, SCALE);
        expect(low).toBeLessThan(high);
        expect(end === "low" ? high : low).toBe(end === "low" ? 2 : -1);
      }),
    );
  });
});
