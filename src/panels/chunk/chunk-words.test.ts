import { describe, expect, it } from "vitest";
import type { NodeSummary } from "#core/open-set.ts";
import {
  chunkArrayOf,
  chunkTitle,
  edgeWords,
  isInGrid,
  keyHint,
  neighbour,
  neighbourByKey,
  rangeWords,
} from "./chunk-words.ts";

const node: NodeSummary = {
  kind: "array",
  path: "sst",
  name: "sst",
  shape: [24, 90, 180],
  chunks: [4, 40, 64],
  grid: [6, 3, 3],
  dtype: "<i2",
  dimensionNames: ["time", "lat", undefined],
};
const sst = chunkArrayOf(node)!;

describe("a chunk in words", () => {
  it("says which indices it covers", () => {
    expect(rangeWords(sst, [2, 0, 1])).toBe("time 8–11 · lat 0–39 · dimension 2: 64–127");
    expect(chunkTitle(sst, [2, 0, 1])).toBe("sst / 2.0.1");
  });
  it("cuts at the array's edge and says what lies beyond", () => {
    expect(rangeWords(sst, [5, 2, 2])).toBe("time 20–23 · lat 80–89 · dimension 2: 128–179");
    expect(edgeWords(sst, [5, 2, 2])).toBe("30 of 40 along lat, 12 of 64 along dimension 2");
    expect(edgeWords(sst, [0, 0, 0])).toBeUndefined();
  });
  it("writes one index where there is one", () => {
    const one = { ...sst, chunks: [1, 90, 180], grid: [24, 1, 1] };
    expect(rangeWords(one, [7, 0, 0])).toBe("time 7 · lat 0–89 · dimension 2: 0–179");
  });
  it("knows scalars and the root array", () => {
    const scalar = chunkArrayOf({ kind: "array", path: "", name: "/", shape: [], chunks: [], grid: [] })!;
    expect(rangeWords(scalar, [])).toBe("the only value of a scalar array");
    expect(chunkTitle(scalar, [])).toBe("0");
  });
  it("has nothing for groups", () => {
    expect(chunkArrayOf({ kind: "group", path: "", name: "/" })).toBeUndefined();
    expect(chunkArrayOf(undefined)).toBeUndefined();
  });
});

describe("neighbours", () => {
  it("stops at the edges of the grid", () => {
    expect(neighbour(sst.grid, [0, 0, 0], 0, -1)).toBeUndefined();
    expect(neighbour(sst.grid, [5, 0, 0], 0, 1)).toBeUndefined();
    expect(neighbour(sst.grid, [4, 0, 0], 0, 1)).toEqual([5, 0, 0]);
  });
  it("moves by key along the dimensions that have several chunks", () => {
    expect(neighbourByKey("ArrowRight", [6, 3, 1], [0, 0, 0])).toEqual([0, 1, 0]);
    expect(neighbourByKey("ArrowDown", [6, 3, 1], [0, 0, 0])).toEqual([1, 0, 0]);
    expect(neighbourByKey("PageDown", [6, 3, 1], [0, 0, 0])).toBeUndefined();
    expect(neighbourByKey("x", [6, 3, 1], [0, 0, 0])).toBeUndefined();
    expect(keyHint([6, 3, 1], 1, -1)).toBe("Alt+←");
    expect(keyHint([6, 3, 1], 0, 1)).toBe("Alt+↓");
    expect(keyHint([2, 2, 2, 2], 0, 1)).toBe("");
  });
});

it("says of a chunk outside the grid, or with another number of dimensions, that it is not in it", () => {
  expect(isInGrid([6, 3], [5, 2])).toBe(true);
  expect(isInGrid([6, 3], [6, 0])).toBe(false);
  expect(isInGrid([6, 3], [0, -1])).toBe(false);
  expect(isInGrid([6, 3], [0])).toBe(false);
  expect(isInGrid([], [])).toBe(true);
});
