import { expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { factsOf, finding, nodeAt } from "#core/findings/finding.ts";
import type { Refs } from "../testing/made-set.ts";
import { changeBetween } from "./change.ts";
import { disagreements, statedArray, witnessed } from "./testing/stated-set.ts";

const range = (count: number, from = 0, step = 1) => Array.from({ length: count }, (_, at) => from + at * step);
const cells = (centres: readonly number[], half: number, off = 0) =>
  centres.flatMap((centre) => [centre - half + off, centre + half + off]);

const options = { tolerance: 1e-6 };
const stated = (...numbers: readonly number[]) => ({ numbers });

it("holds units of bounds against those of their coordinate", async () => {
  const set = (units: object, more = {}) =>
    disagreements(
      statedArray("time", { values: range(6), units: "days since 2008-01-09", bounds: "time_bnds", ...more }),
      statedArray("time_bnds", { values: cells(range(6), 0.5), shape: [6, 2], dimensions: ["time", "bnds"], ...units }),
    );
  expect(await set({})).toEqual([]);
  expect(await set({ units: "days since 2008-01-09 00:00:00" })).toEqual([]);
  // CICE names the calendar of time alone.
  expect(await set({ units: "days since 2008-01-09 00:00:00" }, { calendar: "NoLeap" })).toEqual([]);
  expect(await set({ units: "days since 2008-01-01" })).toMatchObject([
    /^\S+ time: Its bounds time_bnds say days since 2008-01-01, time says days since 2008-01-09/,
  ]);
});

it("names the smallest change that makes one statement the other", () => {
  const change = (one: readonly number[], other: readonly number[], more = {}) =>
    changeBetween({ numbers: one }, { numbers: other }, { ...options, ...more });
  expect(change([1, 2, 3, 4], [1, 2, 3, 4])).toBeUndefined();
  expect(change([1, 2, 9, 4], [1, 2, 3, 4])).toEqual({ kind: "one", position: 2, by: 6 });
  expect(change([1, 3, 2, 4], [1, 2, 3, 4])).toEqual({ kind: "swapped", positions: [1, 2] });
  expect(change([4, 3, 2, 1], [1, 2, 3, 4])).toEqual({ kind: "reversed" });
  expect(change([3, 1, 4, 2], [1, 2, 3, 4])).toEqual({ kind: "permuted" });
  expect(change([1.5, 2.5, 3.5], [1, 2, 3], { cell: 1 })).toEqual({ kind: "shifted", by: 0.5, cells: 0.5 });
  expect(change([24, 48, 72], [1, 2, 3])).toEqual({ kind: "times", factor: 24 });
  expect(change([-1, -2, -5], [1, 2, 5])).toEqual({ kind: "sign" });
  expect(change([2, 4, 8, 16], [1, 2, 4, 8])).toMatchObject({ kind: "times" });
  expect(change([2, 3, 5, 7, 11], [1, 2, 3, 5, 7])).toEqual({ kind: "moved", steps: 1 });
  expect(change([10, 350], [370, -10], { wraps: true })).toBeUndefined();
  const day = { seconds: 1, cell: 86_400 };
  const year = range(4, 365 * 86_400, 86_400);
  expect(change(year, range(4, 0, 86_400), day)).toMatchObject({ kind: "shifted", time: { amount: 1, unit: "years" } });
});

it("says nothing where a statement is absent, and takes a range for its middle and reach", () => {
  expect(changeBetween(stated(1, 2), stated(Number.NaN, 2), options)).toBeUndefined();
  const ranges = { numbers: [0.5, 1.5], within: [0.5, 0.5] };
  expect(changeBetween(stated(0, 2), ranges, options)).toBeUndefined();
});

const lat = range(9, -40, 10);
const latitude = (values: readonly number[], more = {}) =>
  statedArray("lat", { values, units: "degrees_north", bounds: "lat_bnds", ...more });
const bounds = (name: string, values: readonly number[]) =>
  statedArray(name, { values, shape: [values.length / 2, 2], dimensions: [name, "bnds"] });

it("holds coordinates against their bounds", async () => {
  const own = bounds("lat_bnds", cells(lat, 5));
  expect(await disagreements(latitude(lat), own)).toEqual([]);
  expect(await disagreements(latitude(lat.toSorted((a, b) => b - a)), own)).toEqual([
    "statements-disagree lat: At position 0 lat says 40, its bounds lat_bnds say -45 to -35 (degrees_north). lat and its bounds lat_bnds run in opposite directions: each is the other one reversed.",
  ]);
  expect(await disagreements(latitude(lat.with(3, -3)), own)).toEqual([
    "statements-disagree lat: At position 3 lat says -3, its bounds lat_bnds say -15 to -5 (degrees_north). Only this one value of 9 differs. The even steps of lat agree with its bounds lat_bnds.",
  ]);
  expect(await disagreements(latitude(lat), bounds("lat_bnds", cells(lat, 5).with(7, -1)))).toEqual([
    "bounds-unfit lat: By lat_bnds, each cell of lat touches the next, except one: cell 3 ends at -1, and cell 4 begins at -5 (degrees_north). One of these two bounds is wrong.",
  ]);
  expect(await disagreements(latitude(lat), bounds("lat_bnds", cells(lat.slice(1), 5)))).toEqual([
    "bounds-unfit lat: lat names lat_bnds as its bounds. Their shape is [8, 2]; it should be [9, 2], or more vertices at the end.",
  ]);
});

it("knows cells of a map that overlap", async () => {
  expect(await disagreements(latitude(lat), bounds("lat_bnds", cells(lat, 10)))).toMatchObject([
    /its bounds lat_bnds say 20, the even steps of lat say 10/,
  ]);
  expect(await disagreements(latitude(lat), bounds("lat_bnds", cells(lat, 2.5)))).toEqual([]);
});

it("finds an axis half a cell beside its bounds by the other axis, and knows edges that are cut at the poles", async () => {
  const lon = range(8, 0, 45);
  const longitude = statedArray("lon", { values: lon, units: "degrees_east", bounds: "lon_bnds" });
  const edges = cells(range(9, -88, 22), 11).map((edge) => Math.max(-90, Math.min(90, edge)));
  const poles = [latitude(range(9, -88, 22)), bounds("lat_bnds", edges)];
  expect(await disagreements(...poles, longitude, bounds("lon_bnds", cells(lon, 22.5)))).toEqual([]);
  expect(await disagreements(...poles, longitude, bounds("lon_bnds", cells(lon, 22.5, 22.5)))).toEqual([
    "statements-disagree lon: At position 0 its bounds lon_bnds say 0 to 45, lon says 0 (degrees_east). All of its bounds lon_bnds lie half a cell (22.5 degrees_east) higher than lon. lat, whose values lie in the middle of theirs, agrees with lon.",
  ]);
  // Times may lie at either end of what they are of.
  const time = statedArray("time", { values: range(8, 1), units: "days since 2000-01-01", bounds: "time_bnds" });
  expect(await disagreements(time, bounds("time_bnds", cells(range(8, 0.5), 0.5)))).toEqual([]);
});

it("mends times by lengths of time, whatever they count", async () => {
  const time = statedArray("time", { values: range(8, 31.5), units: "days since 2000-01-01", bounds: "time_bnds" });
  const { findings } = await witnessed({ ...time, ...bounds("time_bnds", cells(range(8, 0.5), 0.5)) });
  const [found] = findings.filter(({ code }) => code === "statements-disagree");
  const { message, remedy } = explained(found as (typeof findings)[number]);
  expect(message).toMatch(/All of time lies 31 days later than its bounds time_bnds/);
  expect(remedy).toMatch(/subtract 31 days from time/);
});

it("tells the calendar by where months begin", async () => {
  const noleap = range(24).map(
    (month) =>
      Math.floor(month / 12) * 365 + ([0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month % 12] ?? 0),
  );
  const time = (calendar: string) => statedArray("time", { values: noleap, units: "days since 2000-01-01", calendar });
  expect(await disagreements(time("noleap"))).toEqual([]);
  expect(await disagreements(time("standard"))).toEqual([
    "calendar-unlike-months time: In the calendar of time (standard) its 24 monthly steps fall on different days of the month, from 2000-01-01 to 2001-11-30. In the calendar noleap all fall on the same day, from 2000-01-01 to 2001-12-01.",
  ]);
  // Middles of months without 29 February lie half a day or a whole one beside those of months with it.
  const middles = noleap.slice(1).map((edge, at) => (edge + (noleap[at] ?? 0)) / 2);
  const halved = (calendar: string) =>
    statedArray("time", { values: middles, units: "days since 2000-01-01", calendar });
  expect(await disagreements(halved("noleap"))).toEqual([]);
  expect(await disagreements(halved("standard"))).toMatchObject([/In the calendar noleap/]);
  const uneven = statedArray("time", { values: range(24, 0, 30.5), units: "days since 2000-01-01" });
  expect(await disagreements(uneven)).toEqual([]);
});

it("adds steps to reference times", async () => {
  const step = (values: readonly number[], units = "hours") => statedArray("step", { values, units });
  const time = statedArray("time", { values: [0], shape: [], dimensions: [], units: "hours since 2000-01-01" });
  const valid = statedArray("valid_time", {
    values: [0, 6, 12, 18],
    dimensions: ["step"],
    units: "hours since 2000-01-01",
  });
  expect(await disagreements(step([0, 6, 12, 18]), time, valid)).toEqual([]);
  expect(await disagreements(step([0, 6, 12, 18], "days"), time, valid)).toEqual([
    "statements-disagree step: At position 1 step says 6, valid_time − time says 0.25 (days). The unit says days where hours are meant: 24 times too long.",
  ]);
});

it("places the first pixel by x and y, by transforms and by boxes", async () => {
  const plane = { values: range(12), shape: [3, 4], dimensions: ["y", "x"] };
  const grid = [
    statedArray("x", { values: range(4, 105, 10), units: "m" }),
    statedArray("y", { values: range(3, 195, -10), units: "m" }),
  ];
  const image = (more: object) => statedArray("red", { ...plane, ...more });
  const right = {
    "spatial:transform": [10, 0, 100, 0, -10, 200],
    "spatial:bbox": [100, 170, 140, 200],
    "spatial:shape": [3, 4],
  };
  expect(await disagreements(...grid, image(right))).toEqual([]);
  expect(
    await disagreements(
      ...grid,
      image({
        ...right,
        "spatial:transform": [10, 0, 105, 0, -10, 195],
        "spatial:registration": "node",
        "spatial:bbox": [105, 175, 135, 195],
      }),
    ),
  ).toEqual([]);
  expect(await disagreements(...grid, image({ ...right, "spatial:transform": [10, 0, 105, 0, -10, 195] }))).toEqual([
    "statements-disagree x: spatial:transform says the centre of the first pixel at 110, 190, the values of x and y say the centre of the first pixel at 105, 195 (m). spatial:transform lies half a cell (5 m) away from the values of x and y. spatial:bbox agrees with the values of x and y.",
  ]);
  const { findings } = await witnessed(
    Object.assign({}, ...grid, image({ "spatial:transform": [10, 0, 105, 0, -10, 195] })) as Refs,
  );
  expect(findings.map((one) => explained(one).remedy)).toEqual([
    "Find out which of the two is right, and correct the other: by the values of x and y, spatial:transform is [10, 0, 100, 0, -10, 200], unless its registration is wrong (pixel: edges; node: centres).",
  ]);
  expect(await disagreements(...grid, image({ GeoTransform: "100 10 0 200 0 10" }))).toMatchObject([
    /They differ only in their sign/,
  ]);
});

it("holds the code of a CRS against its text, and the text against the grid mapping", async () => {
  const wkt = (zone: number, meridian: number) =>
    `PROJCRS["WGS 84 / UTM zone ${zone}N",CONVERSION["UTM",PARAMETER["Longitude of natural origin",${meridian}]],ID["EPSG",326${zone}]]`;
  const mapping = (more: object) => statedArray("spatial_ref", { values: [0], shape: [], dimensions: [], ...more });
  const grid = { grid_mapping_name: "transverse_mercator", longitude_of_central_meridian: 15, crs_wkt: wkt(33, 15) };
  expect(await disagreements(mapping({ ...grid, "proj:code": "EPSG:32633" }))).toEqual([]);
  expect(await disagreements(mapping({ ...grid, "proj:code": "EPSG:32632" }))).toEqual([
    "statements-disagree spatial_ref: crs_wkt says EPSG 32633, proj:code says EPSG 32632.",
  ]);
  const three = { ...grid, spatial_ref: wkt(33, 15), "proj:code": "EPSG:32632" };
  expect(await disagreements(mapping(three))).toEqual([
    "statements-disagree spatial_ref: proj:code says EPSG 32632, crs_wkt says EPSG 32633. spatial_ref agrees with crs_wkt.",
  ]);
  expect(await disagreements(mapping({ ...grid, longitude_of_central_meridian: 9 }))).toMatchObject([
    /central meridian/,
  ]);
});

it("lists what was compared", async () => {
  const { compared = [] } = await witnessed({ ...latitude(lat), ...bounds("lat_bnds", cells(lat, 5)) });
  const sources = [
    { kind: "values", name: "lat" },
    { kind: "bounds", name: "lat_bnds" },
  ];
  expect(compared).toEqual([{ quantity: "place", subject: "lat", sources, agrees: true }]);
});

it("knows standard names of axes that are misspelled, and names of features that repeat", async () => {
  const axis = (standard: string) => disagreements(statedArray("x", { values: range(4), standard_name: standard }));
  expect(await axis("projection_x_coordinate")).toEqual([]);
  expect(await axis("projecton_x_coordinate")).toEqual([
    "statements-disagree x: standard_name says projecton_x_coordinate, CF says projection_x_coordinate.",
  ]);
  expect(await axis("height")).toEqual([]);
  const stations = (names: readonly string[], width: number) => {
    const zarray = { zarr_format: 2, shape: [4], chunks: [4], dtype: `|S${width}`, fill_value: null, order: "C" };
    const bytes = Buffer.from(names.map((name) => name.slice(0, width).padEnd(width, "\0")).join(""));
    return disagreements({
      "id/.zarray": { ...zarray, compressor: null, filters: null },
      "id/.zattrs": { _ARRAY_DIMENSIONS: ["station"], cf_role: "timeseries_id" },
      "id/0": `base64:${bytes.toString("base64")}`,
    });
  };
  const names = ["BERLIN-TEGEL", "BERLIN-TEMPELHOF", "ZUGSPITZE", "JUNGFRAUJOCH"];
  expect(await stations(names, 16)).toEqual([]);
  expect(await stations(names, 8)).toEqual([
    "statements-disagree id: cf_role says timeseries_id (unique), the values of id say “BERLIN-T” ×2.",
  ]);
});

it("holds flags against their meanings, and counts of a ragged array against its length", async () => {
  const meanings = { flag_values: [0, 1], flag_meanings: "good bad worst" };
  expect(await disagreements(statedArray("qc", { values: [0, 1, 1, 0], ...meanings }))).toEqual([
    "statements-disagree qc: flag_values says 2 flags, flag_meanings says 3 meanings.",
  ]);
  const classes = { flag_values: [0, 10, 130, 220], flag_meanings: "none crop bare snow", dimensions: ["x"] };
  const qc = (more: object) =>
    statedArray("qc", { values: [0, 10, 130 - 256, 220 - 256], dtype: "|i1", ...classes, ...more });
  expect(await disagreements(qc({}))).toMatchObject([/Read as unsigned numbers, all of them are flags/]);
  expect(await disagreements(qc({ _Unsigned: "true" }))).toEqual([]);
  expect(await disagreements(qc({ flag_values: "0b, 10b" }))).toEqual([
    "statements-disagree qc: flag_values says “0b, 10b”, dtype says |i1.",
  ]);
  const ragged = (sizes: readonly number[]) => [
    statedArray("rowsize", { values: sizes, sample_dimension: "obs" }),
    statedArray("temp", { values: range(10), dimensions: ["obs"] }),
  ];
  expect(await disagreements(...ragged([3, 4, 3]))).toEqual([]);
  expect(await disagreements(...ragged([3, 5, 3]))).toEqual([
    "statements-disagree rowsize: rowsize says 11 elements in all, the length of obs says 10.",
  ]);
});

it("says nothing more of values of which steps are read otherwise", async () => {
  const about = { standard_name: "air_temperature", units: "degC", dimensions: ["x"] };
  const air = statedArray("t", { values: range(100).map((at) => (at < 60 ? 12 : 285)), ...about });
  expect((await witnessed(air)).findings).toMatchObject([{ code: "statements-disagree" }]);
  const jump = { factor: undefined, dimension: "x", from: 60, to: 99, steps: 100, jump: 273, left: 0, usual: 0 };
  const found = finding("steps-read-otherwise", nodeAt("t"), { reading: "kelvin", ...jump });
  expect((await witnessed(air, [found])).findings).toEqual([]);
});

it("knows what units a quantity has", async () => {
  const air = (units: string) =>
    statedArray("t", { values: range(4), standard_name: "air_temperature", units, dimensions: ["x"] });
  expect(await disagreements(air("degC"))).toEqual([]);
  expect(await disagreements(air("m"))).toMatchObject([/units says m, of length/]);
  const field = (of: (row: number, column: number) => number, units: string, more = {}) => {
    const values = range(400).map((at) => of(Math.floor(at / 20), at % 20));
    const about = { standard_name: "air_temperature", units, shape: [20, 20], dimensions: ["y", "x"], ...more };
    return disagreements(statedArray("t", { values, ...about }));
  };
  const wave = (row: number, column: number) => 2.3 + 6 * Math.sin(row / 5) + 4 * Math.cos(column / 6);
  expect(await field(wave, "degC")).toEqual([]);
  expect(await field(wave, "K")).toMatchObject([/In degC this would be usual/]);
  expect(await field(wave, "K", { long_name: "temperature perturbation" })).toEqual([]);
  // What is made up for an example is above 0, noise, or is counted.
  expect(await field((row, column) => 16 + wave(row, column), "K")).toEqual([]);
  expect(await field((row, column) => 2.5 + 9 * Math.sin(91.7 * row * row + 37.3 * column), "K")).toEqual([]);
  expect(await field((row, column) => Math.floor((row * 20 + column) / 16), "K")).toEqual([]);
});

it("finds packed values that went around the range of their type", async () => {
  const packed = (of: (row: number, column: number) => number, more = {}) => {
    const values = range(400).map((at) => Math.round(of(Math.floor(at / 20), at % 20)));
    const about = { dtype: "<i2" as const, units: "K", scale_factor: 0.001, add_offset: 280 };
    return disagreements(statedArray("t", { values, shape: [20, 20], dimensions: ["y", "x"], ...about, ...more }));
  };
  const wave = (row: number, column: number) => 16_000 * Math.sin(row / 7) + 15_900 * Math.cos(column / 4);
  expect(await packed(wave)).toEqual([]);
  expect(await packed((...at) => wave(...at) + 12_000)).toMatchObject([
    /^statements-disagree t: scale_factor says 247.313 to 312.686 .* differ by just 65.536\./,
  ]);
  expect(await packed((...at) => wave(...at) + 12_000, { units: "degrees" })).toEqual([]);
  expect(await packed((row, column) => (row + column > 20 ? 32_767 : -32_767) + (row - column))).toEqual([]);
  expect(await packed((row, column) => 32_000 * Math.sin(91.7 * row * row + 37.3 * column))).toEqual([]);
});

it("holds the values of a level against those that its pixels cover", async () => {
  const size = 16;
  const finest = range(size * size).map((at) => Math.floor(at / size) * 10 + (at % size) ** 2);
  const half = size / 2;
  const coarse = (row: (row: number) => number) =>
    range(half * half).map((at) => finest[2 * row(Math.floor(at / half)) * size + 2 * (at % half)] ?? 0);
  const pyramid = (values: readonly number[], more: Partial<Parameters<typeof statedArray>[1]> = {}, zattrs = {}) => [
    {
      ".zattrs": {
        ...zattrs,
        multiscales: [
          {
            version: "0.4",
            axes: [
              { name: "y", type: "space" },
              { name: "x", type: "space" },
            ],
            datasets: ["0", "1"].map((path, level) => ({
              path,
              coordinateTransformations: [{ type: "scale", scale: [2 ** level, 2 ** level] }],
            })),
          },
        ],
      },
    },
    statedArray("0", { values: finest, shape: [size, size], dimensions: ["y", "x"], ...more }),
    statedArray("1", { shape: [half, half], dimensions: ["y", "x"], ...more, values }),
  ];
  expect(await disagreements(...pyramid(coarse((row) => row)))).toEqual([]);
  expect(await disagreements(...pyramid(coarse((row) => half - 1 - row)))).toMatchObject([
    /^level-of-other-values 1: .*Upside down, it fits/,
  ]);
  expect(await disagreements(...pyramid(coarse((row) => row).map((value) => value * 1.5 + 1)))).toHaveLength(1);
  // Discs of two labels: averages of them lie between.
  const labels = range(size * size).map((at) => (Math.hypot(Math.floor(at / size) - 8, (at % size) - 7) < 3 ? 90 : 17));
  const sampled = (below: (at: number) => number) => range(half * half).map((at) => below(at));
  const at = (one: number, by = 0) => labels[2 * Math.floor(one / half) * size + 2 * (one % half) + by] ?? 0;
  const averaged = sampled((one) => Math.round((at(one) + at(one, 1) + at(one, size) + at(one, size + 1)) / 4));
  const made = { values: labels, dtype: "<i2" } as const;
  const asLabels = { "image-label": { version: "0.4" } };
  expect(await disagreements(...pyramid(sampled(at), made, asLabels))).toEqual([]);
  expect(await disagreements(...pyramid(averaged, made))).toEqual([]);
  expect(await disagreements(...pyramid(averaged, made, asLabels))).toMatchObject([/1 .*no label of “0”.*averaged/]);
  const missing = (share: number) => pyramid(coarse((row) => row).map((one, at) => (at < share * 64 ? NaN : one)));
  expect(await disagreements(...missing(0.1))).toEqual([]);
  expect(await disagreements(...missing(1))).toMatchObject([/All of them are missing/]);
});

it("misses a variable that an attribute names only where others of its kind are there", async () => {
  const lon = statedArray("lon", { values: range(4), units: "degrees_east", bounds: "lon_bnds" });
  expect(await disagreements(latitude(lat), lon)).toEqual([]);
  expect(await disagreements(latitude(lat), bounds("lat_bnds", cells(lat, 5)), lon)).toMatchObject([
    /^named-absent lon: /,
  ]);
});

it("knows pressure levels in hPa that are called Pa, and latitudes that are counted to the east", async () => {
  const plev = (units: string) =>
    statedArray("plev", { values: [1000, 850, 500, 200], units, standard_name: "air_pressure" });
  expect(await disagreements(plev("hPa"))).toEqual([]);
  expect(await disagreements(plev("Pa"))).toMatchObject([/In hPa this would be usual/]);
  const north = statedArray("lat", { values: lat, units: "degrees_east", standard_name: "latitude" });
  expect(await disagreements(north)).toMatchObject([/units says degrees_east, standard_name says latitude/]);
  const places = (name: string, standard: string, from: number, unit: string) =>
    statedArray(name, {
      values: range(12, from, 3),
      shape: [3, 4],
      dimensions: ["row", "column"],
      standard_name: standard,
      units: unit,
    });
  const swath = (south: number, west: number) =>
    disagreements(
      places("lat2", "latitude", south, "degrees_north"),
      places("lon2", "longitude", west, "degrees_east"),
    );
  expect(await swath(20, 100)).toEqual([]);
  expect(await swath(100, 20)).toMatchObject([
    /lat2: .*at most 90.*The values of lon2 fit: the two arrays are interchanged/,
  ]);
  const edges = {
    values: [-90.5, -89.5, 89.5, 90.5],
    shape: [2, 2],
    dimensions: ["lat", "nv"],
    standard_name: "latitude",
  };
  expect(await disagreements(statedArray("lat_bnds", { ...edges, units: "degrees_north" }))).toEqual([]);
  expect(await swath(100, 100)).toMatchObject([/at most 90, the values of lat2 say up to 133\.$/]);
});

it("gives what a picture needs: few places in degrees, ranges, and both first pixels", async () => {
  const drawnOf = async (...parts: readonly Record<string, unknown>[]) => {
    const { findings } = await witnessed(Object.assign({}, ...parts) as Parameters<typeof witnessed>[0]);
    return factsOf(
      findings.find(({ code }) => code === "statements-disagree"),
      "statements-disagree",
    )?.drawn;
  };
  const long = range(40, -39, 2);
  const odd = long.with(20, 2.4);
  expect(await drawnOf(latitude(odd), bounds("lat_bnds", cells(long, 1)))).toMatchObject({
    positions: range(9, 17),
    differ: [20],
    a: { numbers: odd.slice(17, 26), texts: ["5°S", "3°S", "1°S", "2.4°N", "3°N", "5°N", "7°N", "9°N", "11°N"] },
    b: { within: range(9).fill(1), texts: expect.arrayContaining(["0° – 2°N"]) as unknown },
  });
  const reversed = await drawnOf(latitude(long.toReversed()), bounds("lat_bnds", cells(long, 1)));
  expect(reversed).toMatchObject({ positions: [0, 5, 10, 15, 20, 24, 29, 34, 39] });
  const image = { values: range(12), shape: [3, 4], dimensions: ["y", "x"], GeoTransform: "105 10 0 195 0 -10" };
  expect(
    await drawnOf(
      statedArray("x", { values: range(4, 105, 10) }),
      statedArray("y", { values: range(3, 195, -10) }),
      statedArray("red", image),
    ),
  ).toEqual({ kind: "pixels", a: [110, 190, 10, -10], b: [105, 195, 10, -10] });
});

it("holds standard names against axis and positive", async () => {
  const depth = (values: readonly number[], positive: string) =>
    disagreements(statedArray("depth", { values, standard_name: "depth", units: "m", positive }));
  expect(await depth([5, 15, 30], "down")).toEqual([]);
  expect(await depth([-5, -15, -30], "up")).toEqual([]);
  expect(await depth([5, 15, 30], "up")).toEqual([
    "statements-disagree depth: positive says up, standard_name says depth (down).",
  ]);
  const x = (axis: string) =>
    disagreements(statedArray("x", { values: range(4), standard_name: "projection_x_coordinate", units: "m", axis }));
  expect(await x("X")).toEqual([]);
  const south = statedArray("lat", { values: range(4), units: "degrees_north", axis: "X" });
  expect(await disagreements(south)).toMatchObject([/axis says X, units says degrees_north \(Y\)/]);
  expect(await x("Y")).toMatchObject([/axis says Y, standard_name says projection_x_coordinate \(X\)/]);
});

it("holds features against each other", async () => {
  const set = (more: object, counts = [3, 4, 3], feature = "trajectory") => [
    { ".zattrs": { featureType: feature } },
    statedArray("id", { values: [1, 2, 3], dimensions: ["traj"], cf_role: "trajectory_id" }),
    statedArray("rowsize", { values: counts, dimensions: ["traj"], sample_dimension: "obs", ...more }),
    statedArray("time", {
      values: [0, 1, 2, 1, 2, 3, 4, 2, 3, 4],
      dimensions: ["obs"],
      units: "days since 2000-01-01",
    }),
  ];
  expect(await disagreements(...set({}))).toEqual([]);
  expect(await disagreements(...set({}, [4, 3, 3]))).toEqual([
    "statements-disagree rowsize: rowsize says 4, 7, 10, time says 3, 7. By rowsize, features end at the first elements; time goes back at the second, as times do only where another feature begins.",
  ]);
  expect(await disagreements(...set({ sample_dimension: "points" }))).toMatchObject([
    /sample_dimension says points, rowsize says 10 \(obs\)/,
  ]);
  expect(await disagreements(...set({}, [3, 4, 3], "profile"))).toMatchObject([/featureType says profile, cf_role/]);
});

it("holds the first time against what the dataset claims, and steps against its frequency", async () => {
  const claims = (start: string, end: string, more = {}) =>
    disagreements(
      { ".zattrs": { time_coverage_start: start, time_coverage_end: end, ...more } },
      statedArray("time", { values: range(12), units: "days since 2000-01-01" }),
    );
  expect(await claims("2000-01-01", "2000-01-12")).toEqual([]);
  // The end is that of what was written first.
  expect(await claims("2000-01-01T00:00:00Z", "2000-01-03")).toEqual([]);
  expect(await claims("2001-01-01", "2001-01-12")).toEqual([
    "statements-disagree time: time_coverage_start to time_coverage_end says 2001-01-01 to 2001-01-12, time says 2000-01-01 to 2000-01-12.",
  ]);
  expect(await claims("2000-01-01", "2000-01-12", { frequency: "day" })).toEqual([]);
  // Twelve daily files, of which the first was claimed; and days that are seconds.
  expect(await claims("2000-01-01", "2000-01-02")).toEqual([]);
  expect(await claims("2000-01-01T00:00:00", "2000-01-01T00:00:11")).toMatchObject([
    /says days where seconds are meant/,
  ]);
  expect(await claims("2000-01-01", "2000-01-12", { frequency: "1hr" })).toMatchObject([/time says 1 day, frequency/]);
});

it("holds the CRS of a group against that of its grid mapping, and methods against WKT", async () => {
  const wkt = (zone: number) =>
    `PROJCS["WGS 84 / UTM zone ${zone}N",PROJECTION["Transverse_Mercator"],PARAMETER["central_meridian",${zone * 6 - 183}]]`;
  const set = (code: string, more = {}) =>
    disagreements(
      { ".zattrs": { "proj:code": code } },
      statedArray("spatial_ref", { values: [0], shape: [], dimensions: [], crs_wkt: wkt(33), ...more }),
    );
  expect(await set("EPSG:32633")).toEqual([]);
  expect(await set("EPSG:32632")).toEqual([
    "statements-disagree spatial_ref: crs_wkt says EPSG 32633, proj:code says EPSG 32632.",
  ]);
  expect(await set("EPSG:32633", { grid_mapping_name: "transverse_mercator" })).toEqual([]);
  expect(await set("EPSG:32633", { grid_mapping_name: "mercator" })).toMatchObject([/projection transverse_mercator/]);
  const x = (units: string) =>
    disagreements(
      statedArray("x", { values: range(4, 500_000, 100), units, standard_name: "projection_x_coordinate" }),
    );
  expect(await x("m")).toEqual([]);
  expect(await x("km")).toMatchObject([/units says km.*In m this would be usual/]);
});

it("notes names of variables that are not there, and minds a CRS that is lost", async () => {
  const x = statedArray("x", { values: range(4), standard_name: "projection_x_coordinate", units: "m" });
  const data = (more: object) => statedArray("data", { values: range(4), dimensions: ["x"], ...more });
  const codes = async (...parts: readonly object[]) =>
    (await witnessed(Object.assign({}, ...parts) as Parameters<typeof witnessed>[0])).findings.map(({ code }) => code);
  expect(await disagreements(x, data({ coordinates: "nowhere" }))).toEqual([]);
  expect(await codes(x, data({ coordinates: "nowhere" }))).toEqual(["named-absent"]);
  expect(await codes(x, data({ coordinates: "x" }))).toEqual([]);
  expect(await disagreements(x, data({ grid_mapping: "crs" }))).toMatchObject([/names the CRS of x and y/]);
});

it("tells one value of an axis that a transform, or even steps alone, place elsewhere", async () => {
  const x = range(10, 105, 10);
  const image = (values: readonly number[], more: object) => [
    statedArray("x", { values, units: "m", standard_name: "projection_x_coordinate" }),
    statedArray("y", { values: range(3, 195, -10), units: "m" }),
    statedArray("red", { values: range(30), shape: [3, 10], dimensions: ["y", "x"], ...more }),
  ];
  const transform = { GeoTransform: "100 10 0 200 0 -10" };
  expect(await disagreements(...image(x, transform))).toEqual([]);
  expect(await disagreements(...image(x.with(4, 148), transform))).toEqual([
    "statements-disagree x: At position 4 x says 148, the even steps of x say 145 (m). Only this one value of 10 differs. GeoTransform agrees with the even steps of x.",
  ]);
  // A value that is missing leaves a gap, and time may be uneven.
  expect(await disagreements(...image([...x.slice(0, 4), ...range(6, 155, 10)], {}))).toEqual([]);
  const time = statedArray("time", { values: range(10).with(4, 4.3), units: "days since 2000-01-01" });
  expect(await disagreements(time)).toEqual([]);
});

it("knows a transform in the order of GDAL, and the box of the group of levels above", async () => {
  const level = (path: string, more: object) => [
    statedArray(`${path}x`, { values: range(4, 105, 10), units: "m" }),
    statedArray(`${path}y`, { values: range(3, 195, -10), units: "m" }),
    statedArray(`${path}red`, { values: range(12), shape: [3, 4], dimensions: ["y", "x"], ...more }),
  ];
  expect(await disagreements(...level("", { "spatial:transform": [10, 0, 100, 0, -10, 200] }))).toEqual([]);
  expect(await disagreements(...level("", { "spatial:transform": [100, 10, 0, 200, 0, -10] }))).toMatchObject([
    /The numbers of spatial:transform are in the order of GDAL's GeoTransform/,
  ]);
  const above = (box: readonly number[]) => ({
    ".zattrs": { "spatial:bbox": box, multiscales: { layout: [{ asset: "0" }] } },
    "0/.zgroup": { zarr_format: 2 },
  });
  expect(await disagreements(above([100, 170, 140, 200]), ...level("0/", {}))).toEqual([]);
  expect(await disagreements(above([11, 46, 12, 47]), ...level("0/", {}))).toMatchObject([/spatial:bbox says/]);
});

// PROJ 9, inverse of `+proj=lcc` with the parameters below, on GRS80 and on a sphere.
const LAT_GRS = [
  32.5303, 33.4378, 33.4859, 37.8752, 38.8555, 38.9075, 43.2127, 44.2683, 44.3243, 48.4924, 49.6259, 49.6861,
];
const LON_GRS = [
  -110.9568, -101.3842, -91.6908, -112.0801, -101.7957, -91.3612, -113.3836, -102.2753, -90.9769, -114.9137, -102.8412,
  -90.5233,
];
const LAT_SOUTH = [
  -35.1123, -35.4724, -35.1123, -29.6584, -30.0, -29.6584, -24.2068, -24.5289, -24.2068, -18.8054, -19.1073, -18.8054,
];
const LON_SOUTH = [14.9763, 25.0, 35.0237, 15.53, 25.0, 34.47, 16.0259, 25.0, 33.9741, 16.4725, 25.0, 33.5275];

it("places planes by their grid mapping as PROJ does", async () => {
  const [xs, ys] = [range(3, -900_000, 900_000), range(4, -600_000, 600_000)];
  const plane = (name: string, values: readonly number[], standard: string) =>
    statedArray(name, { values, shape: [4, 3], dimensions: ["y", "x"], standard_name: standard });
  const set = (mapping: object, lat: readonly number[], lon: readonly number[], units = "m", by = 1) =>
    disagreements(
      statedArray("crs", { values: [0], shape: [], dimensions: [], ...mapping }),
      statedArray("y", { values: ys.map((one) => one / by), units }),
      statedArray("x", { values: xs.map((one) => one / by), units }),
      plane("lat", lat, "latitude"),
      plane("lon", lon, "longitude"),
    );
  const conic = { grid_mapping_name: "lambert_conformal_conic" };
  const grs80 = {
    ...conic,
    standard_parallel: [33, 45],
    latitude_of_projection_origin: 39,
    longitude_of_central_meridian: -96,
    false_easting: 500_000,
    semi_major_axis: 6_378_137,
    inverse_flattening: 298.257222101,
  };
  const ofGrs = [LAT_GRS, LON_GRS] as const;
  expect(await set(grs80, ...ofGrs)).toEqual([]);
  expect(await set({ ...grs80, longitude_of_central_meridian: -90 }, ...ofGrs)).toMatchObject([/^\S+ lon: /]);
  // Kilometres, as CF wants them; with a false easting in metres; and under units of metres.
  const km = { ...grs80, false_easting: 500 };
  expect(await set(km, ...ofGrs, "km", 1000)).toEqual([]);
  expect(await set(grs80, ...ofGrs, "km", 1000)).toMatchObject([/false_easting says 500000 km, .* say 500000 m\./]);
  for (const mapping of [km, grs80])
    expect(await set(mapping, ...ofGrs, "m", 1000)).toMatchObject([/[uU]nits of y says m, .* say km\./]);
  const upsideDown = range(12).map((at) => LAT_GRS[(3 - Math.floor(at / 3)) * 3 + (at % 3)] ?? 0);
  expect(await set(grs80, upsideDown, LON_GRS)).toMatchObject([/lat and crs run in opposite directions/]);
  const south = {
    ...conic,
    standard_parallel: [-20, -40],
    latitude_of_projection_origin: -30,
    longitude_of_central_meridian: 25,
    earth_radius: 6_370_000,
  };
  expect(await set(south, LAT_SOUTH, LON_SOUTH)).toEqual([]);
  expect(await set({ ...south, latitude_of_projection_origin: -45 }, LAT_SOUTH, LON_SOUTH)).not.toEqual([]);
});

it("holds areas of cells against the bounds of their latitudes", async () => {
  const rows = range(6, -75, 30);
  const area = (row: number) =>
    6_371_000 ** 2 * (Math.PI / 6) * (Math.sin(((row + 15) * Math.PI) / 180) - Math.sin(((row - 15) * Math.PI) / 180));
  const set = (change: (areas: readonly number[]) => readonly number[], units = "m2") =>
    disagreements(
      statedArray("lat", { values: rows.slice(1), units: "degrees_north", bounds: "lat_bnds" }),
      bounds("lat_bnds", cells(rows.slice(1), 15)),
      statedArray("lon", { values: range(4, 0, 30), units: "degrees_east" }),
      statedArray("areacella", {
        values: change(rows.slice(1).map(area)).flatMap((one) => [one, one, one, one]),
        shape: [5, 4],
        dimensions: ["lat", "lon"],
        standard_name: "cell_area",
        units,
      }),
    );
  expect(await set((all) => all)).toEqual([]);
  expect(await set((all) => all.map((one) => one * 1.004))).toEqual([]);
  expect(await set((all) => all.map((one) => one / 1e6))).toMatchObject([/areacella is 1\/1000000 of/]);
  expect(await set((all) => all.map((one) => one / 1e6), "km2")).toEqual([]);
  expect(await set((all) => all.toReversed())).toMatchObject([/run in opposite directions/]);
  // Areas of land are parts of cells.
  expect(await set((all) => all.map((one, at) => one * (at / 5)))).toEqual([]);
});

it("knows packed values of which another scale makes a tenth of their range", async () => {
  const packed = (scale: number) =>
    disagreements(
      statedArray("v", {
        values: range(40, 0, 5),
        dimensions: ["x"],
        scale_factor: scale,
        add_offset: 280,
        actual_range: [280, 299.5],
      }),
    );
  expect(await packed(0.1)).toEqual([]);
  expect(await packed(0.04)).toEqual([]);
  expect(await packed(0.01)).toMatchObject([/actual_range says 280 to 299.5, the values of v say 280 to 281.95/]);
});
