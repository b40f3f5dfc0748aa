import { describe, expect, it } from "vitest";
import type { ShownSlice } from "../core/plane/plane.ts";
import { elementIn, elementOn, oneSelection } from "./one-selection.ts";

const array = { shape: [24, 90, 180], chunks: [4, 40, 64], grid: [6, 3, 3] };
const all: ShownSlice["seen"] = new Map();
const slice = (time: number): ShownSlice => ({ plane: { row: 1, column: 2, at: [time, 0, 0] }, seen: all, given: all });

describe("one selection", () => {
  it("follows the element: chunk and slice are those that hold it", () => {
    const drifted = { chunk: [0, 1, 1], slice: slice(0), point: [12, 43, 72] };
    expect(oneSelection(drifted, array, "slice")).toEqual({ chunk: [3, 1, 1], slice: slice(12), point: [12, 43, 72] });
    const none = { chunk: undefined, slice: undefined, point: [12, 43, 72] };
    expect(oneSelection(none, array, "slice")).toEqual(none);
  });

  it("without an element follows what was chosen, the slice or the chunk", () => {
    const place = { chunk: [0, 1, 1], slice: slice(12), point: undefined };
    expect(oneSelection(place, array, "slice")).toEqual({ ...place, chunk: [3, 1, 1] });
    expect(oneSelection(place, array, "chunk")).toEqual({ ...place, slice: slice(0) });
    expect(oneSelection({ ...place, point: [12, 90, 0] }, array, "chunk")).toEqual({ ...place, slice: slice(0) });
  });

  it("keeps what agrees as the same objects", () => {
    const place = { chunk: [3, 1, 1], slice: slice(12), point: [12, 43, 72] };
    const { chunk, slice: now, point } = oneSelection(place, array, "slice");
    expect([chunk === place.chunk, now === place.slice, point === place.point]).toEqual([true, true, true]);
  });

  it("stands on the slice where nothing was chosen: where its chunk begins, else the array", () => {
    expect(elementOn(slice(12), [12, 40, 64])).toEqual([12, 40, 64]);
    expect(elementOn(slice(12), [0, 0, 0])).toEqual([12, 0, 0]);
    expect(elementOn(undefined, [0, 0, 0])).toEqual([0, 0, 0]);
    expect(elementOn(slice(12), [0])).toEqual([0]);
  });

  it("brings the element to another chunk, where it stays along all other dimensions", () => {
    expect(elementIn([1, 1, 1], [2, 43, 72], array.chunks)).toEqual([4, 43, 72]);
    expect(elementIn([0, 1, 1], [2, 43, 72], array.chunks)).toEqual([2, 43, 72]);
    expect(elementIn([1, 0, 0], [2, 43, 72], array.chunks)).toBeUndefined();
    expect(elementIn([1, 0, 0], undefined, array.chunks)).toBeUndefined();
  });
});
