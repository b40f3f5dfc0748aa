import { describe, expect, it } from "vitest";
import { parseJson } from "../json/parse-json.ts";
import { georeferenceOf } from "./georeference.ts";

const read = (attributes: unknown, dimensions?: readonly string[]) =>
  georeferenceOf("a", parseJson(JSON.stringify(attributes)).value, dimensions);

describe("georeferences", () => {
  it("are read as they are written", () => {
    const attributes = {
      "proj:code": "EPSG:32633",
      "spatial:dimensions": ["y", "x"],
      "spatial:transform": [10, 0, 500000, 0, -10, 5000000],
      "spatial:bbox": [500000, 4900000, 600000, 5000000],
      "spatial:registration": "pixel",
    };
    expect(read(attributes, ["time", "y", "x"])).toEqual({
      findings: [],
      georeference: {
        crs: { text: "EPSG:32633", from: "proj:code" },
        dimensions: ["y", "x"],
        transform: [10, 0, 500000, 0, -10, 5000000],
        box: [500000, 4900000, 600000, 5000000],
        registration: "pixel",
      },
    });
  });

  it.each([
    [{ "proj:code": "IAU_2015:30100" }, "IAU_2015:30100"],
    [{ "proj:code": null, "proj:wkt2": 'PROJCRS["WGS 84 / UTM zone 33N",BASEGEOGCRS[…]]' }, "WGS 84 / UTM zone 33N"],
    [{ "proj:projjson": { type: "ProjectedCRS", name: "NAD27 / UTM zone 11N" } }, "NAD27 / UTM zone 11N"],
  ])("%j has the CRS %s", (attributes, text) => {
    const { georeference, findings } = read(attributes);
    expect(georeference?.crs?.text).toBe(text);
    expect(findings).toEqual([]);
  });

  it.each([
    [{ "proj:code": 4326 }, "proj:code"],
    [{ "proj:code": "4326" }, "proj:code"],
    [{ "proj:wkt2": "nothing like it" }, "proj:wkt2"],
    [{ "proj:projjson": [] }, "proj:projjson"],
    [{ "spatial:transform": [1, 0, 0, 0, 1] }, "spatial:transform"],
    [{ "spatial:bbox": [0, 0, 1, "1"] }, "spatial:bbox"],
    [{ "spatial:dimensions": ["y"] }, "spatial:dimensions"],
    [{ "spatial:registration": "corner" }, "spatial:registration"],
  ])("%j is not understood, and said", (attributes, member) => {
    const { findings } = read(attributes);
    expect(findings).toMatchObject([{ code: "georeference-malformed", facts: { member } }]);
  });

  it("name dimensions that the array has", () => {
    const { findings } = read({ "spatial:dimensions": ["lat", "x"] }, ["y", "x"]);
    expect(findings).toMatchObject([
      { code: "spatial-dimension-absent", facts: { name: "lat", dimensions: ["y", "x"] } },
    ]);
    expect(read({ "spatial:dimensions": ["lat", "lon"] }).findings).toEqual([]);
  });

  it("are absent where nothing is said of them", () => {
    expect(read({ title: "x" })).toEqual({ findings: [] });
    expect(georeferenceOf("a", undefined)).toEqual({ findings: [] });
  });
});
