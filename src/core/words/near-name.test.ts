import { expect, it } from "vitest";
import { editDistance, nearName } from "./near-name.ts";

it("counts added, removed, replaced and swapped characters, up to a limit", () => {
  expect(editDistance("ocean-b.nc", "oceanb.nc", 3)).toBe(1);
  expect(editDistance("ocean-b.nc", "ocaen-b.nc", 3)).toBe(1);
  expect(editDistance("kitten", "sitting", 3)).toBe(3);
  expect(editDistance("abcdef", "uvwxyz", 2)).toBe(3);
});

it("names the one that is near, and none where two are equally near or all are far", () => {
  const there = ["ocean-a.nc", "ocean-b.nc"];
  expect(nearName("oceanb.nc", there)).toBe("ocean-b.nc");
  expect(nearName("ocean-c.nc", there)).toBeUndefined();
  expect(nearName("weather.grib", there)).toBeUndefined();
  expect(nearName("basn_201404.h5", ["basin_201404.h5", "basin_201405.h5"])).toBe("basin_201404.h5");
});
