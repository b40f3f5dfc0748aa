import { describe, expect, it } from "vitest";
import { pointInside } from "./use-value-view.ts";

describe("the element that is looked at", () => {
  it("is in the chunk that holds it, and in no other", () => {
    expect(pointInside([2, 31, 59], [0, 0, 0], [4, 40, 64])).toEqual([2, 31, 59]);
    expect(pointInside([5, 41, 64], [4, 40, 64], [4, 40, 64])).toEqual([1, 1, 0]);
    expect(pointInside([2, 31, 59], [4, 0, 0], [4, 40, 64])).toBeUndefined();
    expect(pointInside([2, 40, 59], [0, 0, 0], [4, 40, 64])).toBeUndefined();
    expect(pointInside([1], [0, 0], [4, 4])).toBeUndefined();
  });
});
