/** For tests: healthy sets that state each of their facts more than once. */
import { type HealthyArray, type HealthyKind, smooth } from "#engine/check/testing/healthy/healthy-set.ts";

type Value = (...at: number[]) => number;

const made = (name: string, over: string, value: Value, attributes: object = {}, dtype = "<f8"): HealthyArray => {
  const dimensions = over.split(" ").filter((one) => one !== "");
  return { name, dimensions, value, attributes: { ...attributes }, dtype, fill: null };
};
const range = (length: number): readonly number[] => [...Array.from({ length }).keys()];
const KELVIN = { standard_name: "air_temperature", units: "K" };

/** Bounds on each axis, flags, and the range that the values have. */
const bounded: HealthyKind = (random) => {
  const [rows, columns, cell] = [random.whole(7, 12), random.whole(8, 14), random.pick([0.5, 1, 2.5])];
  const [south, west, start] = [random.whole(-40, 30), random.whole(-20, 60), random.whole(10_000, 16_000)];
  const days = { units: "days since 1970-01-01", calendar: "standard" };
  const wave = smooth(random);
  const tas: Value = (t = 0, y = 0, x = 0) => Math.fround(285 + 6 * wave(t, y, x));
  const all = range(12).flatMap((t) => range(rows).flatMap((y) => range(columns).map((x) => tas(t, y, x))));
  const told = { ...KELVIN, actual_range: [Math.min(...all), Math.max(...all)], ancillary_variables: "qc" };
  const flags = { flag_values: [0, 1, 2, 3], flag_meanings: "good doubtful bad none" };
  return {
    lengths: { time: 12, lat: rows, lon: columns, bnds: 2 },
    arrays: [
      made("time", "time", (at = 0) => start + at + 0.5, { standard_name: "time", ...days, bounds: "time_bnds" }),
      made("time_bnds", "time bnds", (at = 0, side = 0) => start + at + side, days),
      made("lat", "lat", (at = 0) => south + at * cell, { units: "degrees_north", bounds: "lat_bnds" }),
      made("lat_bnds", "lat bnds", (at = 0, side = 0) => south + (at - 0.5 + side) * cell),
      made("lon", "lon", (at = 0) => west + at * cell, { units: "degrees_east", bounds: "lon_bnds" }),
      made("lon_bnds", "lon bnds", (at = 0, side = 0) => west + (at - 0.5 + side) * cell),
      made("tas", "time lat lon", tas, told, "<f4"),
      made("qc", "time lat lon", (t = 0, y = 0, x = 0) => (3 * t + y + Math.floor(x / 3)) % 4, flags, "|i1"),
    ],
  };
};

/** Times in the middle of months, which only one calendar has there. */
const monthly: HealthyKind = (random) => {
  const calendar = random.pick(["noleap", "360_day"]);
  const own = calendar === "noleap" ? [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] : [30];
  const edge = (month: number): number => range(month).reduce((sum, at) => sum + (own[at % own.length] ?? 0), 0);
  const wave = smooth(random);
  return {
    lengths: { time: 36, lat: 8 },
    arrays: [
      made("time", "time", (at = 0) => (edge(at) + edge(at + 1)) / 2, { units: "days since 1990-01-01", calendar }),
      made("lat", "lat", (at = 0) => 10 + at, { units: "degrees_north" }),
      made("tas", "time lat", (t = 0, y = 0) => 285 + 6 * wave(t, y, 0), KELVIN, "<f4"),
    ],
  };
};

const forecast: HealthyKind = (random) => {
  const [start, hours, wave] = [24 * random.whole(400, 900), random.pick([3, 6]), smooth(random)];
  const since = { units: "hours since 2020-01-01", calendar: "standard" };
  const valid: Value = (at = 0, step = 0) => start + 24 * at + hours * step;
  const value: Value = (t = 0, step = 0, y = 0) => 280 + 5 * wave(4 * t + step, y, 0);
  return {
    lengths: { time: 5, step: 6, lat: 7 },
    arrays: [
      made("time", "time", (at = 0) => start + 24 * at, { standard_name: "forecast_reference_time", ...since }),
      made("step", "step", (at = 0) => hours * at, { standard_name: "forecast_period", units: "hours" }),
      made("valid_time", "time step", valid, { standard_name: "time", ...since }),
      made("lat", "lat", (at = 0) => 40 - at, { units: "degrees_north" }),
      made("t2m", "time step lat", value, { units: "K", coordinates: "valid_time" }, "<f4"),
    ],
  };
};

const WKT =
  'PROJCS["WGS 84 / UTM zone 31N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],' +
  'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],' +
  'PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",3],PARAMETER["scale_factor",0.9996],' +
  'PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","32631"]]';

const geozarr: HealthyKind = (random) => {
  const [rows, columns, cell] = [random.whole(20, 30), random.whole(34, 48), random.pick([10, 20, 60])];
  const [west, north] = [400_000 + cell * random.whole(0, 90), 5_200_000 + cell * random.whole(0, 90)];
  const wave = smooth(random);
  const red: Value = (y = 0, x = 0) => Math.round(3000 + 600 * wave(0, y, x));
  const axis = (name: string) => ({ standard_name: `projection_${name}_coordinate`, units: "m" });
  return {
    format: "zarr3",
    lengths: { y: rows, x: columns },
    attributes: {
      zarr_conventions: [
        { uuid: "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", name: "spatial:" },
        { uuid: "f17cb550-5864-4468-aeb7-f3180cfb622f", name: "proj:" },
      ],
      "proj:code": "EPSG:32631",
      "spatial:dimensions": ["y", "x"],
      "spatial:transform": [cell, 0, west, 0, -cell, north],
      "spatial:bbox": [west, north - rows * cell, west + columns * cell, north],
      "spatial:shape": [rows, columns],
    },
    arrays: [
      made("y", "y", (at = 0) => north - (at + 0.5) * cell, axis("y")),
      made("x", "x", (at = 0) => west + (at + 0.5) * cell, axis("x")),
      made("spatial_ref", "", () => 0, { crs_wkt: WKT, GeoTransform: `${west} ${cell} 0 ${north} 0 ${-cell}` }, "<i4"),
      made("red", "y x", red, { grid_mapping: "spatial_ref" }, "<i2"),
    ],
  };
};

/** OME-Zarr whose levels are means of the first. */
const pyramid: HealthyKind = (random) => {
  const [rows, columns, wave] = [32 * random.whole(2, 3), 32 * random.whole(2, 4), smooth(random)];
  const at: Value = (y = 0, x = 0) => 900 + 300 * wave(0, y / 4, x / 4) + (y > rows / 2 ? 1500 : 0);
  const sizes = [1, 2, 4];
  const mean = (size: number): Value => {
    const parts = range(size * size).map((one) => [Math.floor(one / size), one % size] as const);
    return (y = 0, x = 0) => parts.reduce((sum, [j, i]) => sum + at(size * y + j, size * x + i), 0) / size ** 2;
  };
  const datasets = sizes.map((size, level) => ({
    path: `${level}`,
    coordinateTransformations: [{ type: "scale", scale: [size / 2, size / 2] }],
  }));
  const axes = ["y", "x"].map((name) => ({ name, type: "space", unit: "micrometer" }));
  const multiscales = [{ version: "0.4", axes, datasets, type: "mean" }];
  const lengths = sizes.flatMap((n, level) => [[`y${level}`, rows / n] as const, [`x${level}`, columns / n] as const]);
  const arrays = sizes.map((size, level) => made(`${level}`, `y${level} x${level}`, mean(size), {}, "<f4"));
  return { format: "zarr2", lengths: Object.fromEntries(lengths), attributes: { multiscales }, arrays };
};

const ragged: HealthyKind = (random) => {
  const counts = range(5).map(() => random.whole(4, 12));
  const places = counts.flatMap((count) => range(count));
  const hours = { units: "hours since 2010-05-01", standard_name: "time" };
  return {
    lengths: { traj: 5, obs: places.length },
    arrays: [
      made("rowsize", "traj", (at = 0) => counts[at] ?? 0, { sample_dimension: "obs" }, "<i4"),
      made("time", "obs", (at = 0) => 6 * (places[at] ?? 0), hours),
      made("sst", "obs", (at = 0) => 18 + Math.sin(at / 9), { units: "degC", coordinates: "time" }, "<f4"),
    ],
  };
};

export const TOLD_TWICE = { bounded, monthly, forecast, geozarr, pyramid, ragged } as const;
