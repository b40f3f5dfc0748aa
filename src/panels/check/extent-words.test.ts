import { expect, it } from "vitest";
import { extentLines } from "./FindingDetails.tsx";

const SST = { kind: "array", path: "sst", name: "sst", cells: 96, dimensionNames: ["time", undefined] } as const;
const nodes = new Map([["sst", SST]]);

it("says which arrays, how many of how many chunks, and which span of which dimension", () => {
  const sst = { array: "sst", chunks: 24, from: [0, 1], to: [23, 1] };
  const root = { array: "", chunks: 1, from: [], to: [] };
  expect(extentLines({ arrays: [sst, root], moreArrays: 3 }, nodes)).toEqual([
    "sst: 24 of 96 chunks, time 0 to 23, dimension 1 1",
    "/: 1 chunk",
    "and 3 other arrays",
  ]);
  expect(extentLines({ arrays: [sst], moreArrays: 0 }, nodes)).toHaveLength(1);
});
