import { expect, it } from "vitest";
import { isFolded, ranked, type ShownVariable } from "./shown-variables.ts";

const shown = (name: string, shape: readonly number[], role = "data", hasNumbers = true) =>
  ({ variable: { name, role, hasNumbers }, item: { shape } }) as unknown as ShownVariable;

it("variables are ranked by dimensions and size, coordinates by the order of the dimensions", () => {
  const all = [
    shown("algorithm", []),
    shown("lat", [90], "dimension"),
    shown("lon", [180], "dimension"),
    shown("mask", [90, 180]),
    shown("sst", [24, 90, 180]),
    shown("time", [24], "dimension"),
    shown("wind", [48, 90, 180]),
  ];
  const dimensions = ["time", "lat", "lon"].map((name) => ({ name, lengths: [1], hasCoordinate: true }));
  expect(ranked(all, dimensions).map(({ variable }) => variable.name)).toEqual([
    "wind",
    "sst",
    "mask",
    "time",
    "lat",
    "lon",
    "algorithm",
  ]);
});

it("single values and text are folded, coordinates are not", () => {
  expect(isFolded(shown("algorithm", []))).toBe(true);
  expect(isFolded(shown("names", [12], "other", false))).toBe(true);
  expect(isFolded(shown("sst", [24, 90]))).toBe(false);
  expect(isFolded(shown("height", [], "coordinate"))).toBe(false);
});
