import { describe, expect, it } from "vitest";
import type { NodeSummary } from "../open-set.ts";
import { hasCheapAxis } from "./cheap-axis.ts";

function array(path: string, dimensionNames: readonly (string | undefined)[], shape: readonly number[], chunks = 1) {
  const grid = shape.map(() => chunks);
  return { kind: "array", path, name: path, dimensionNames, shape, grid } as NodeSummary;
}

describe("hasCheapAxis", () => {
  it("finds the array of the dimension's name, in the group or above it", () => {
    const nodes = [
      array("g/sst", ["time", "lat"], [24, 90]),
      array("time", ["time"], [24]),
      array("g/lat", ["lat"], [90]),
    ];
    expect(hasCheapAxis(nodes, "g/sst", 0)).toBe(true);
    expect(hasCheapAxis(nodes, "g/sst", 1)).toBe(true);
    expect(hasCheapAxis(nodes, "g/sst", 2)).toBe(false);
  });

  it("is not one of many chunks, of another length, or the array itself", () => {
    const of = (...others: readonly NodeSummary[]) => hasCheapAxis([array("sst", ["t"], [24]), ...others], "sst", 0);
    expect(of(array("t", ["t"], [24], 5))).toBe(false);
    expect(of(array("t", ["t"], [25]))).toBe(false);
    expect(hasCheapAxis([array("t", ["t"], [24])], "t", 0)).toBe(false);
    expect(hasCheapAxis([array("sst", [undefined], [24])], "sst", 0)).toBe(false);
  });
});
