import { describe, expect, it } from "vitest";
import type { ChunkArray } from "./chunk-words.ts";
import { elementPlaces } from "./values/ElementReadout.tsx";

const sst: ChunkArray = {
  path: "sst",
  shape: [24, 90, 180],
  chunks: [4, 40, 64],
  grid: [6, 3, 3],
  dimensions: ["time", "lat", "lon"],
  dtype: "<i2",
  itemSize: 2,
};

describe("elementPlaces", () => {
  it("is in coordinates as far as these are known", () => {
    const numbers = Float64Array.from({ length: 90 }, (_, at) => at * 2 - 89);
    const lat = { array: "lat", role: "latitude", units: undefined, values: { kind: "numbers", numbers } } as const;
    expect(elementPlaces(sst, [9, 49, 0], [undefined, lat])).toEqual(["time 9", "9°N", "lon 0"]);
    expect(elementPlaces(sst, [9, 49, 0], [])).toEqual(["time 9", "lat 49", "lon 0"]);
  });
});
