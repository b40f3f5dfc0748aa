import { describe, expect, it } from "vitest";
import { chunkToSelect, firstToSelect } from "./changed-chunk.ts";

describe("a changed chunk", () => {
  it("is selected where the open array has it", () => {
    const node = { grid: [2, 3], chunks: [4, 4] };
    expect(chunkToSelect(node, [1, 2])).toEqual([1, 2]);
    expect(chunkToSelect(node, [2, 0])).toBeUndefined();
    expect(chunkToSelect(node, [1])).toBeUndefined();
    expect(chunkToSelect({}, [1, 2])).toBeUndefined();
    expect(chunkToSelect({ grid: [], chunks: [] }, [])).toEqual([]);
  });

  it("is a shard in a sharded array: its first chunk stands for it", () => {
    const node = { grid: [4, 6], chunks: [2, 2], shardShape: [4, 6] };
    expect(chunkToSelect(node, [1, 1])).toEqual([2, 3]);
    expect(chunkToSelect(node, [2, 0])).toBeUndefined();
  });

  it("comes first where the open array has it", () => {
    const changed = [[5, 0], [1], [0, 2], [1, 0]].map((coordinates) => ({ coordinates, kind: "set" as const }));
    expect(firstToSelect({ grid: [2, 3], chunks: [4, 4] }, changed)).toEqual([0, 2]);
    expect(firstToSelect({ grid: [1, 1], chunks: [4, 4] }, changed)).toBeUndefined();
    expect(firstToSelect({ grid: [2, 3], chunks: [4, 4] }, [])).toBeUndefined();
  });
});
