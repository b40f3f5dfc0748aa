import { describe, expect, it } from "vitest";
import type { NodeSummary } from "../open-set.ts";
import { nodesByPath, placeOfKey } from "./chunk-of-key.ts";

const array = (path: string, grid: readonly number[]): NodeSummary => ({ kind: "array", path, name: path, grid });
const NODES = nodesByPath([
  { kind: "group", path: "", name: "/" },
  array("sst", [6, 3, 3]),
  { kind: "group", path: "deep", name: "deep" },
  array("deep/salt", [2, 2]),
  array("count", []),
]);

describe("where a key belongs", () => {
  it("finds chunks with either separator", () => {
    expect(placeOfKey("sst/2.0.1", NODES)).toEqual({ kind: "chunk", array: "sst", coordinates: [2, 0, 1] });
    expect(placeOfKey("sst/2/0/1", NODES)).toEqual({ kind: "chunk", array: "sst", coordinates: [2, 0, 1] });
    expect(placeOfKey("deep/salt/1.1", NODES)).toEqual({ kind: "chunk", array: "deep/salt", coordinates: [1, 1] });
    expect(placeOfKey("count/0", NODES)).toEqual({ kind: "chunk", array: "count", coordinates: [] });
  });

  it("finds the node of a stray or metadata key", () => {
    expect(placeOfKey("sst/9.0.0", NODES)).toEqual({ kind: "node", path: "sst", metadata: false });
    expect(placeOfKey("sst/2.0", NODES)).toEqual({ kind: "node", path: "sst", metadata: false });
    expect(placeOfKey("sst/.zattrs", NODES)).toEqual({ kind: "node", path: "sst", metadata: true });
    expect(placeOfKey(".zattrs", NODES)).toEqual({ kind: "node", path: "", metadata: true });
    expect(placeOfKey("deep/nothing/.zarray", NODES)).toEqual({ kind: "node", path: "deep", metadata: true });
    expect(placeOfKey("/", NODES)).toEqual({ kind: "node", path: "", metadata: false });
  });

  it("finds a bare root array's chunks, and nothing where there is nothing", () => {
    expect(placeOfKey("1.0", nodesByPath([array("", [2, 2])]))).toEqual({
      kind: "chunk",
      array: "",
      coordinates: [1, 0],
    });
    expect(placeOfKey("1.0", new Map())).toBeUndefined();
  });
});
