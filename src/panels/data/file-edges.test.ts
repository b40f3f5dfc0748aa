import { describe, expect, it } from "vitest";
import { fileEdges } from "./use-plane-map.ts";

const chunks = { rows: 2, columns: 3, at: () => [] };
const sides = { chunks, extent: { rows: 7, columns: 11 }, side: { down: 4, across: 4 }, isTurned: false };

describe("edges of files", () => {
  it("are where chunks of different targets meet, in one piece; what has no target has no edge", () => {
    // 1 1 2
    // 3 3 0
    expect(fileEdges([1, 1, 2, 3, 3, 0], sides)).toEqual([
      { from: { row: 4, column: 0 }, to: { row: 4, column: 8 } },
      { from: { row: 0, column: 8 }, to: { row: 4, column: 8 } },
    ]);
  });

  it("are turned with the rows, and none where all is one file", () => {
    const [line] = fileEdges([1, 1, 1, 2, 2, 2], { ...sides, isTurned: true });
    expect(line).toEqual({ from: { row: 3, column: 0 }, to: { row: 3, column: 11 } });
    expect(fileEdges([1, 1, 1, 1, 1, 1], sides)).toEqual([]);
  });
});
