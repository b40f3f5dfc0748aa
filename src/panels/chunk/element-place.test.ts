import { describe, expect, it } from "vitest";
import type { ChunkArray } from "./chunk-words.ts";
import { elementPlace } from "./values/ElementReadout.tsx";

const sst: ChunkArray = {
  path: "sst",
  shape: [24, 90, 180],
  chunks: [4, 40, 64],
  grid: [6, 3, 3],
  dimensions: ["time", "lat", "lon"],
  dtype: "<i2",
  itemSize: 2,
};

describe("elementPlace", () => {
  it("is in coordinates as far as these are known", () => {
    const numbers = Float64Array.from({ length: 90 }, (_, at) => at * 2 - 89);
    const lat = { array: "lat", role: "latitude", units: undefined, values: { kind: "numbers", numbers } } as const;
    const at = { coordinates: [2, 1, 0], element: [1, 9, 0] };
    expect(elementPlace(sst, { ...at, axes: [undefined, lat] })).toBe("9°N");
    expect(elementPlace(sst, { ...at, axes: [] })).toBeUndefined();
  });
});
