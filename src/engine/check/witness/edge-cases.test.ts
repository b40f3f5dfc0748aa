/** Numbers at the edges of what witnesses compare: infinite, absent, single ones, and those that go around. */
import { expect, it } from "vitest";
import type { Refs } from "../testing/made-set.ts";
import { changeBetween, differing, evenStep } from "./change.ts";
import { disagreements, statedArray, witnessed } from "./testing/stated-set.ts";

const range = (count: number, from = 0, step = 1) => Array.from({ length: count }, (_, at) => from + at * step);
const bounds = (name: string, values: readonly number[]) =>
  statedArray(name, { values, shape: [values.length / 2, 2], dimensions: [name, "bnds"] });
const cells = (centres: readonly number[], half: number) => centres.flatMap((one) => [one - half, one + half]);
const lat = [
  statedArray("lat", { values: range(9, -40, 10), units: "degrees_north", bounds: "lat_bnds" }),
  bounds("lat_bnds", cells(range(9, -40, 10), 5)),
] as const;
const lon = (values: readonly number[], edges: readonly number[]) =>
  disagreements(
    ...lat,
    statedArray("lon", { values, units: "degrees_east", bounds: "lon_bnds" }),
    bounds("lon_bnds", edges),
  );

it("infinite ends are alike, and few values have no step", () => {
  const [open, other] = [{ numbers: [0, 10, Infinity] }, { numbers: [0, 10, 20] }];
  expect(differing(open, open, { tolerance: 0 })).toEqual([]);
  expect(differing(open, other, { tolerance: 0 })).toEqual([2]);
  expect(changeBetween(open, open, { tolerance: 0 })).toBeUndefined();
  expect([[], [1], [1, 1], [1, NaN]].flatMap((values) => evenStep(values) ?? [])).toEqual([]);
  expect(evenStep([3, 1])).toBe(-2);
});

it("one value may stand for its cell at any place of it", async () => {
  expect(await lon([0], [0, 360])).toEqual([]);
  expect(await lon([0, 180], [0, 180, 180, 360])).toMatchObject([/half a cell/]);
});

it("longitudes and their bounds may go around at other places", async () => {
  expect(await lon(range(6, 235, 10), cells(range(6, -125, 10), 5))).toEqual([]);
  expect(await lon(range(6, 235, 10), cells(range(6, -120, 10), 5))).toMatchObject([/half a cell/]);
});

it("places that are absent lie in no range", async () => {
  const claim = { ".zattrs": { geospatial_lat_min: -50, geospatial_lat_max: 50 } };
  const latitude = (last: number) => statedArray("lat", { values: [0, 10, NaN, last], units: "degrees_north" });
  expect(await disagreements(claim, latitude(40))).toEqual([]);
  expect(await disagreements(claim, latitude(80))).toMatchObject([/geospatial_lat_min and geospatial_lat_max/]);
});

it("areas agree with nothing where they, or longitudes, are unknown", async () => {
  const area = { standard_name: "cell_area", units: "m2", shape: [9, 4], dimensions: ["lat", "lon"] };
  const longitudes = { ...statedArray("lon", { values: range(4), units: "degrees_east" }), "lon/0": "base64:AAAA" };
  const areas = statedArray("area", { values: range(36, 1), ...area });
  const lacking = statedArray("area", { values: range(36).map(() => NaN), ...area });
  for (const parts of [
    [longitudes, areas],
    [statedArray("lon", { values: range(4), units: "degrees_east" }), lacking],
  ]) {
    const { compared } = await witnessed(Object.assign({}, ...lat, ...parts) as Refs);
    expect(compared?.filter(({ subject }) => subject === "area")).toEqual([]);
  }
});

it("salinities of the practical scale have the unit 1", async () => {
  const salinity = (value: number) =>
    disagreements(
      statedArray("so", {
        values: range(100).map((at) => value + at / 100),
        standard_name: "sea_water_practical_salinity",
        units: "1",
        dimensions: ["x"],
      }),
    );
  expect(await salinity(34)).toEqual([]);
  expect(await salinity(34_000)).toMatchObject([/units says 1/]);
});

it("codes after zone 60 are not of UTM", async () => {
  const crs_wkt =
    'PROJCS["WGS 84 / UPS North (N,E)",PARAMETER["central_meridian",0],PARAMETER["false_easting",2000000]]';
  const crs = (code: string) =>
    disagreements(statedArray("crs", { values: [0], shape: [], dimensions: [], crs_wkt, "proj:code": code }));
  expect(await crs("EPSG:32661")).toEqual([]);
  expect(await crs("EPSG:32660")).toMatchObject([/central meridian/]);
});

it("lists no disagreement that nothing tells", async () => {
  const day = { ".zattrs": { frequency: "day" } };
  const time = statedArray("time", { values: range(12, 0, 5), units: "days since 2000-01-01" });
  const flags = { flag_masks: [1, 2], flag_meanings: "a b", dimensions: ["x"] };
  const { compared, findings } = await witnessed({
    ...day,
    ...time,
    ...statedArray("qc", { values: [1, 28], ...flags }),
  });
  expect(findings).toEqual([]);
  expect(compared?.filter(({ agrees }) => !agrees)).toEqual([]);
});
