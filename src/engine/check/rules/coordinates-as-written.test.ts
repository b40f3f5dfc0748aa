import { describe, expect, it } from "vitest";
import { checkReferences } from "../check-references.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { arrayAt, madeSet, type Refs } from "../testing/made-set.ts";

const coordinate = (name: string, length: number, chunk: number, attributes: object): Refs => ({
  ...arrayAt(name, { shape: [length], chunks: [chunk], dtype: "<f8" }),
  [`${name}/.zattrs`]: { _ARRAY_DIMENSIONS: [name], ...attributes },
});

async function codes(refs: Refs) {
  const { findings } = await checkReferences(await madeSet(refs), CONTEXT);
  return findings.filter(({ code }) => ["crs-absent", "coordinate-chunks-many"].includes(code));
}

const map = (more: object, units = "m"): Refs => ({
  ...coordinate("x", 8, 8, { standard_name: "projection_x_coordinate", units }),
  ...coordinate("y", 6, 6, { standard_name: "projection_y_coordinate", units }),
  ...arrayAt("prcp", { shape: [2, 6, 8], chunks: [1, 6, 8] }),
  "prcp/.zattrs": { _ARRAY_DIMENSIONS: ["time", "y", "x"], ...more },
});

describe("projected coordinates", () => {
  it("lack a CRS where neither the array nor a variable names one", async () => {
    expect(await codes(map({}))).toMatchObject([
      { code: "crs-absent", facts: { x: "x", units: "m", arrays: ["prcp"] } },
    ]);
  });

  it("have one by grid_mapping, by a variable, or need none as scan angles", async () => {
    expect(await codes(map({ grid_mapping: "lambert" }))).toEqual([]);
    expect(await codes({ ...map({}), ...arrayAt("spatial_ref", { shape: [], chunks: [] }) })).toEqual([]);
    expect(await codes(map({}, "rad"))).toEqual([]);
  });

  it("have one where the list of levels names it for one of them", async () => {
    const levels = (more: object) => ({ ".zattrs": { multiscales: [{ datasets: [{ path: "0", ...more }] }] } });
    expect(await codes({ ...map({}), ...levels({ crs: "EPSG:3857" }) })).toEqual([]);
    expect(await codes({ ...map({}), ...levels({ crs: null }) })).toMatchObject([{ code: "crs-absent" }]);
  });
});

describe("a coordinate in many chunks", () => {
  const time = (chunk: number, reference: (at: number) => unknown): Refs => ({
    ...coordinate("time", 400, chunk, {}),
    ...Object.fromEntries(Array.from({ length: 400 / chunk }, (_, at) => [`time/${at}`, reference(at)])),
  });

  it("costs a request each, unless they are inline", async () => {
    expect(await codes(time(1, (at) => [`f${at}.nc`, 10, 8]))).toMatchObject([
      { code: "coordinate-chunks-many", facts: { requests: 400, arrays: ["time"], chunk: 1 } },
    ]);
    expect(await codes(time(1, () => "base64:AAAAAAAAAAA="))).toEqual([]);
    expect(await codes(time(100, (at) => [`f${at}.nc`, 10, 800]))).toEqual([]);
  });
});
