/** For tests: healthy arrays that are no fields: tables, meshes, series, images, texts. */
import { coordinate, plain, smooth, type HealthyArray, type HealthyKind } from "./healthy-set.ts";
import type { Random } from "./random.ts";

const array = (
  name: string,
  dimensions: readonly string[],
  dtype: string,
  value: HealthyArray["value"],
  more: Partial<HealthyArray> = {},
): HealthyArray => ({ name, dimensions, dtype, value, fill: null, ...more });

/** A series by one dimension, with times. */
const series =
  (make: (random: Random, length: number) => (at: number) => number, more: Partial<HealthyArray> = {}): HealthyKind =>
  (random) => {
    const length = random.whole(20, 400);
    const value = make(random, length);
    return plain(
      { time: length },
      array("v", ["time"], "<f4", (at = 0) => value(at), more),
      coordinate("time", (at) => 20_000 + at, { units: "days since 1900-01-01", calendar: "standard" }),
    );
  };

export const TABLES: Readonly<Record<string, HealthyKind>> = {
  "a series": series((random) => {
    const wave = smooth(random);
    return (at) => 10 + wave(at, 0, 0);
  }),
  "a series with gaps": series(
    (random) => {
      const wave = smooth(random);
      return (at) => (at % 37 < 5 ? NaN : 10 + wave(at, 0, 0));
    },
    { fill: NaN },
  ),
  "a series with gaps of -9999": series(
    (random) => {
      const wave = smooth(random);
      return (at) => (at % 37 < 5 ? -9999 : 10 + wave(at, 0, 0));
    },
    { attributes: { _FillValue: -9999 } },
  ),
  "a series with one peak": series((random, length) => {
    const peak = random.whole(1, length - 2);
    return (at) => (at === peak ? 4.5 : 0);
  }),
  "a series with one flag": series(
    (random, length) => {
      const flag = random.whole(0, length - 1);
      return (at) => (at === flag ? 64 : 0);
    },
    { dtype: "<i2" },
  ),
  "a series of zeros": series(() => () => 0),
  "a series that rises once": series((random, length) => {
    const step = random.whole(3, length - 3);
    return (at) => (at < step ? 0 : 1013.25);
  }),
  gusts: series((random) => () => Math.abs(random.normal()) ** 3),
  "a random walk": series((random) => {
    let sum = 0;
    return () => (sum += random.normal());
  }),
  identifiers: (random) =>
    plain(
      { id: random.whole(10, 300) },
      array("id", ["id"], "<i8", (at = 0) => 1_000_000_007 * (at + 1) + random.whole(0, 1e6)),
      array("parent", ["id"], "<i4", (at = 0) => Math.max(-1, at - random.whole(1, 9))),
    ),
  "numbers of stations in any order": (random) =>
    plain(
      { station: random.whole(20, 90) },
      array("station_id", ["station"], "<i4", () => random.whole(1, 99_999)),
      array("altitude", ["station"], "<f4", () => random.between(-2, 3500)),
      array("latitude", ["station"], "<f8", () => random.between(-89, 89), { attributes: { units: "degrees_north" } }),
    ),
  triangles: (random) => {
    const [nodes, faces] = [random.whole(40, 200), random.whole(60, 300)];
    return plain(
      { node: nodes, face: faces, three: 3 },
      array("face_nodes", ["face", "three"], "<i4", () => random.whole(0, nodes - 1), {
        attributes: { cf_role: "face_node_connectivity", start_index: 0 },
      }),
      array("node_x", ["node"], "<f8", () => random.between(-180, 180)),
      array("node_y", ["node"], "<f8", () => random.between(-90, 90)),
      array("depth", ["node"], "<f4", () => 50 * random.next() ** 2),
    );
  },
  "triangles in rows": (random) => {
    const faces = random.whole(100, 300);
    return plain(
      { three: 3, face: faces },
      array("tri", ["three", "face"], "<i4", (corner = 0, face = 0) => 2 * face + corner * ((face % 7) + 1)),
      array("edge", ["face", "three"], "<i4", (face = 0, corner = 0) => (corner < 2 ? face + corner : -1), {
        fill: -1,
      }),
    );
  },
  "lengths of rows": (random) =>
    plain(
      { trajectory: random.whole(8, 40), obs: 200 },
      array("rowSize", ["trajectory"], "<i4", () => random.whole(0, 50)),
      array("temperature", ["obs"], "<f4", (at = 0) => 12 + Math.sin(at / 9)),
    ),
  "a lookup table": (random) =>
    plain(
      { row: 16, column: random.whole(16, 40) },
      array("lut", ["row", "column"], "<u2", (row = 0, column = 0) => (row * 4099 + column * 257) % 65_536),
    ),
  "a covariance": (random) => {
    const size = random.whole(8, 30);
    return plain(
      { i: size, j: size },
      array("cov", ["i", "j"], "<f8", (i = 0, j = 0) => (i === j ? 1 + i : 0)),
      array("correlation", ["i", "j"], "<f8", (i = 0, j = 0) => Math.exp(-Math.abs(i - j))),
    );
  },
  "a picture": (random) => {
    const wave = smooth(random);
    return plain(
      { y: random.whole(20, 60), x: random.whole(20, 60), band: 3 },
      array("rgb", ["y", "x", "band"], "|u1", (y = 0, x = 0, band = 0) =>
        Math.max(0, Math.min(255, 128 + 60 * wave(band * 9, y, x))),
      ),
    );
  },
  "a picture with an edge": (random) => {
    const [rows, columns, edge] = [random.whole(30, 60), random.whole(30, 60), random.whole(2, 9)];
    return plain(
      { y: rows, x: columns },
      array("picture", ["y", "x"], "<f4", (y = 0, x = 0) => (x > columns - edge && y % 2 === 0 ? 9 : y + 0.1 * x), {
        chunks: [rows, Math.ceil((columns - edge + 1) / 4)],
      }),
    );
  },
  "numbers of two bytes as letters": (random) =>
    plain(
      { y: random.whole(12, 40), x: 40 },
      array("codes", ["y", "x"], "<i2", (y = 0) => (y < 10 ? 0x2020 + 0x101 * y : 700 + y)),
    ),
  "complex numbers": (random) => {
    const wave = smooth(random);
    return plain(
      { line: random.whole(8, 30), sample: random.whole(8, 30) },
      array("slc", ["line", "sample"], "<c8", (y = 0, x = 0) => [wave(0, y, x), wave(9, y, x)]),
    );
  },
  texts: (random) =>
    plain(
      { station: random.whole(3, 30) },
      array("name", ["station"], "|S8", (at = 0) => `ST${at}`),
      array("city", ["station"], "<U6", (at = 0) => `Ö${at}`),
      array("height", ["station"], "<f4", () => random.between(0, 900)),
    ),
  truths: (random) =>
    plain(
      { y: 20, x: random.whole(5, 30) },
      array("is_land", ["y", "x"], "|b1", (y = 0, x = 0) => Number(x > y)),
    ),
  levels: (random) => {
    const levels = [1000, 925, 850, 700, 500, 300, 200, 100, 50, 10, 1];
    const wave = smooth(random);
    return plain(
      { level: levels.length, x: 30 },
      array("t", ["level", "x"], "<f4", (level = 0, x = 0) => 290 - 5 * level + wave(0, level, x)),
      coordinate("level", (at) => levels[at] ?? 0, { units: "hPa", positive: "down" }, "<i4"),
    );
  },
  "specific humidity by level": (random) => {
    const wave = smooth(random);
    return plain(
      { level: 12, y: 8, x: random.whole(8, 20) },
      array(
        "q",
        ["level", "y", "x"],
        "<f4",
        (level = 0, y = 0, x = 0) => 0.02 * 0.3 ** level * (1 + 0.1 * wave(0, y, x)),
      ),
      coordinate("level", (at) => 2 ** at, { units: "m" }),
    );
  },
  "leads of forecasts": (random) =>
    plain(
      { step: random.whole(5, 30), number: 5 },
      array("member", ["step", "number"], "<f4", (step = 0, number = 0) => Math.sin(step / 4 + number)),
      coordinate("step", (at) => 6 * at, { units: "hours" }, "<i8"),
      coordinate("number", (at) => at, {}, "<i4"),
    ),
  "times of NumPy": (random) =>
    plain(
      { t: random.whole(5, 50) },
      array("t", ["t"], "<M8[D]", (at = 0) => 15_000 + at),
      array("lead", ["t"], "<m8[s]", (at = 0) => 3600 * at),
      array("v", ["t"], "<f4", (at = 0) => at / 2),
    ),
  "a climatology": (random) => {
    const wave = smooth(random);
    return plain(
      { month: 12, lat: 9, lon: random.whole(9, 18) },
      array("sst", ["month", "lat", "lon"], "<f4", (m = 0, y = 0, x = 0) => 15 + 8 * Math.sin(m / 2) + wave(0, y, x)),
      coordinate("month", (at) => at + 1, {}, "<i4"),
      coordinate("lat", (at) => 80 - 20 * at, { units: "degrees_north" }),
      coordinate("lon", (at) => 20 * at, { units: "degrees_east" }),
    );
  },
  "a swath": (random) => {
    const wave = smooth(random);
    return plain(
      { scan: random.whole(20, 60), pixel: 20 },
      array("radiance", ["scan", "pixel"], "<f4", (y = 0, x = 0) => 90 + 9 * wave(0, y, x)),
      array("lat", ["scan", "pixel"], "<f4", (y = 0, x = 0) => -60 + 2 * y + 0.05 * x),
      array("lon", ["scan", "pixel"], "<f4", (y = 0, x = 0) => ((350 + x + 0.5 * y) % 360) - 180),
    );
  },
  "tiny arrays": () =>
    plain(
      { one: 1, two: 2, three: 3 },
      array("scalar", [], "<f8", () => 6_371_229),
      array("crs", [], "<i4", () => 0),
      array("pair", ["two"], "<f4", (at = 0) => at * 1e10),
      array("few", ["three", "one", "two"], "<f4", (a = 0, _ = 0, b = 0) => (a === 1 && b === 1 ? -1e9 : a)),
    ),
  bounds: (random) =>
    plain(
      { time: random.whole(4, 20), nv: 2 },
      array("time_bnds", ["time", "nv"], "<f8", (at = 0, edge = 0) => 30 * (at + edge)),
      coordinate("time", (at) => 30 * at + 15, {
        units: "days since 2000-01-01",
        calendar: "360_day",
        bounds: "time_bnds",
      }),
      array("v", ["time"], "<f4", (at = 0) => Math.sqrt(at)),
    ),
  "a histogram": (random) =>
    plain(
      { y: 10, bin: random.whole(20, 60) },
      array("count", ["y", "bin"], "<u4", (y = 0, bin = 0) => Math.round(1e6 * Math.exp(-((bin - 10 - y) ** 2) / 9))),
    ),
  "a spectrum": (random) =>
    plain(
      { x: 30, frequency: random.whole(20, 60) },
      array("energy", ["x", "frequency"], "<f8", (x = 0, k = 0) => (1 + x / 30) * (k + 1) ** -5),
    ),
  "a sum of a year": (random) =>
    plain(
      { y: random.whole(8, 20), x: 20 },
      array("total", ["y", "x"], "<i4", (y = 0, x = 0) => (y === 3 && x === 5 ? 2_000_000 : 12 * y + x)),
    ),
  "a clock in nanoseconds": (random) =>
    plain(
      { sample: random.whole(20, 100) },
      array("t", ["sample"], "<i8", (at = 0) => 1_600_000_000_000_000_000 + at * 1_000_000_000),
      array("v", ["sample"], "<i2", () => random.whole(-5, 5)),
    ),
};
