import { describe, expect, it } from "vitest";
import type { NodeSummary } from "#core/open-set.ts";
import { sectionsOf } from "./tree.ts";

const array = (name: string, ...dimensionNames: readonly (string | undefined)[]): NodeSummary => ({
  kind: "array",
  path: name,
  name,
  dimensionNames,
});
const told = (...members: readonly NodeSummary[]) => Object.fromEntries(sectionsOf(members) ?? []);

describe("sections of a group", () => {
  it("are told by dimensions: an array named as its own dimension is a coordinate", () => {
    const members = [
      array("ice", "time", "lat", "lon"),
      array("lat", "lat"),
      array("lon", "lon"),
      array("mask", "lat", "lon"),
      array("sparse", "y", "x"),
      array("time", "time"),
    ];
    expect(told(...members)).toEqual({
      ice: "Data",
      lat: "Coordinates",
      lon: "Coordinates",
      mask: "Other",
      sparse: "Other",
      time: "Coordinates",
    });
  });

  it("count a field at the surface among the data of a volume, and bounds not", () => {
    const coordinates = ["time", "level", "lat", "lon"].map((name) => array(name, name));
    const volume = array("t", "time", "level", "lat", "lon");
    const surface = array("t2m", "time", "lat", "lon");
    const bounds = array("time_bnds", "time", "bnds");
    expect(told(...coordinates, volume, surface, bounds)).toMatchObject({ t: "Data", t2m: "Data", time_bnds: "Other" });
  });

  it("are not told where no array is a coordinate", () => {
    expect(sectionsOf([array("a", "x"), array("b"), array("c", undefined)])).toBeUndefined();
  });

  it("leave groups for the end", () => {
    expect(told(array("x", "x"), { kind: "group", path: "g", name: "g" })).toEqual({ x: "Coordinates", g: "Groups" });
  });
});
