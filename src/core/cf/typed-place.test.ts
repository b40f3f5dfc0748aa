import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NodeSummary } from "../open-set.ts";
import { type Axis, placeText } from "./axis.ts";
import { isPlaceText, typedPlace, typedSpans, typedStep } from "./typed-place.ts";

const DAY = 86_400_000_000_000n;
const days = (first: string, count: number, every = 1n): Axis => ({
  array: "g/time",
  role: "time",
  units: undefined,
  values: {
    kind: "dates",
    nanoseconds: BigInt64Array.from(
      { length: count },
      (_, at) => BigInt(Date.parse(first)) * 1_000_000n + BigInt(at) * every * DAY,
    ),
  },
});
const degrees = (role: "latitude" | "longitude", numbers: readonly number[]): Axis => ({
  array: role === "latitude" ? "lat" : "lon",
  role,
  units: undefined,
  values: { kind: "numbers", numbers: Float64Array.from(numbers) },
});
const range = (from: number, step: number, count: number) => Array.from({ length: count }, (_, at) => from + at * step);

const node = {
  kind: "array",
  path: "sst",
  name: "sst",
  shape: [4000, 90, 180],
  chunks: [4, 45, 90],
  grid: [1000, 2, 2],
} as unknown as NodeSummary;
const AXES = [days("2010-01-01", 4000), degrees("latitude", range(89, -2, 90)), degrees("longitude", range(0, 2, 180))];
const at = (text: string, axes: readonly (Axis | undefined)[] = AXES) => {
  const place = typedPlace(text, node, axes);
  return place?.kind === "at" ? [...place.positions] : place?.why;
};

describe("typedPlace", () => {
  it.each([
    ["2015-07-04", [[0, 2010]]],
    ["2015-07", [[0, 2007]]],
    ["2015-07-04T12:00", [[0, 2010]]],
    ["2015-07-04 00:00", [[0, 2010]]],
    [
      "45N 10E",
      [
        [1, 22],
        [2, 5],
      ],
    ],
    [
      "45°N, 10°E",
      [
        [1, 22],
        [2, 5],
      ],
    ],
    [
      "10W 45.2S",
      [
        [2, 175],
        [1, 67],
      ],
    ],
    [
      "-45 10",
      [
        [1, 67],
        [2, 5],
      ],
    ],
    [
      "−45, -10",
      [
        [1, 67],
        [2, 175],
      ],
    ],
    ["31°S", [[1, 60]]],
    ["180°", undefined],
    ["179E", [[2, 89]]],
    [
      "2015-07-04 45N 10E",
      [
        [0, 2010],
        [1, 22],
        [2, 5],
      ],
    ],
    [
      "3.1.1",
      [
        [0, 12],
        [1, 45],
        [2, 90],
      ],
    ],
    [
      "c/3/1/1",
      [
        [0, 12],
        [1, 45],
        [2, 90],
      ],
    ],
  ] as const)("finds %s", (text, expected) => {
    expect(at(text)).toEqual(expected);
  });

  it("says what there is where the place is outside", () => {
    expect(at("2031-01-01")).toBe("2031-01-01 is outside the data: time goes from 2010-01-01 to 2020-12-13.");
    expect(at("80N", [undefined, degrees("latitude", [30, 0, -30])])).toBe(
      "80°N is outside the data: lat goes from 30°S to 30°N.",
    );
    expect(at("80N", [AXES[0]])).toBe("80°N cannot be found: this array has no latitudes along a dimension.");
    const { values: _, ...unread } = AXES[0]!;
    expect(at("2015-07-04", [unread])).toBe("2015-07-04 cannot be found: the values of time have not been read.");
  });

  it("takes the nearest of coarse steps, and calendars of their own", () => {
    expect(at("2010-07-04", [days("2010-01-16", 12, 30n)])).toEqual([[0, 6]]);
    const texts = ["2015-01-16T12:00:00", "2015-02-15T00:00:00", "2015-03-16T12:00:00"];
    const noleap: Axis = { array: "time", role: "time", units: undefined, values: { kind: "texts", texts } };
    expect(at("2015-02", [noleap])).toEqual([[0, 1]]);
    const level: Axis = { ...degrees("latitude", [1000, 500, 250]), role: "other", units: "hPa" };
    expect(at("500 hPa", [level])).toEqual([[0, 1]]);
  });

  it.each(["", "sst", "sst/3.1.1", "3.1", "9999.0.0", "2015", "ocean-b.nc", "1 2 3", "12 monkeys"])(
    "is no place: “%s”",
    (text) => expect(at(text)).toBeUndefined(),
  );
});

describe("typedSpans", () => {
  const level: Axis = { ...degrees("latitude", [1000, 500, 250]), role: "other", units: "hPa", array: "level" };
  const band: Axis = {
    array: "band",
    role: "other",
    units: undefined,
    values: { kind: "texts", texts: ["B02", "B04"] },
  };
  const named = { ...node, dimensionNames: ["time", "y", "x"] };
  const spans = (text: string, axes: readonly (Axis | undefined)[] = AXES) => {
    const found = typedSpans(text, named, axes);
    return typeof found === "object" ? [...found].map(([at, { start, count }]) => [at, start, count]) : found;
  };

  it.each([
    [
      "time=2015-07-04,lat=45N,lon=10E",
      [
        [0, 2010, 1],
        [1, 22, 1],
        [2, 5, 1],
      ],
    ],
    [
      "lat=45 lon=-10",
      [
        [1, 22, 1],
        [2, 175, 1],
      ],
    ],
    [
      "45N 30W 2015-07-04",
      [
        [0, 2010, 1],
        [1, 22, 1],
        [2, 165, 1],
      ],
    ],
    ["time=2015-07", [[0, 2007, 31]]],
    ["2015-07-04..2015-07-06", [[0, 2010, 3]]],
    ["time=2015-07-04:2015-07-06", [[0, 2010, 3]]],
    ["time=2020-12-01..2027", [[0, 3987, 13]]],
    ["time=2010..2010-03", [[0, 0, 90]]],
    ["time=2015-07-06..2015-07-04", [[0, 2010, 3]]],
    ["time=20150704", [[0, 2010, 1]]],
    ["time=2015", [[0, 1826, 365]]],
    ["time=2015..2016", [[0, 1826, 731]]],
    [
      "lat=45N..31N, lon=0..10",
      [
        [1, 22, 8],
        [2, 0, 6],
      ],
    ],
    ["lat=30..45", [[1, 22, 8]]],
    [
      "Y=45N; time[5]",
      [
        [1, 22, 1],
        [0, 5, 1],
      ],
    ],
    [
      "time[10:20], x[-1]",
      [
        [0, 10, 10],
        [2, 179, 1],
      ],
    ],
  ] as const)("takes %s", (text, expected) => {
    expect(spans(text)).toEqual(expected);
  });

  it("takes values with units, and texts", () => {
    expect(spans("level=500", [level])).toEqual([[0, 1, 1]]);
    expect(spans("level=50000 Pa", [level])).toEqual([[0, 1, 1]]);
    expect(spans("50 kPa", [level])).toEqual([[0, 1, 1]]);
    expect(spans("level=1000..500 hPa", [level])).toEqual([[0, 0, 2]]);
    expect(spans("band=B04", [band])).toEqual([[0, 1, 1]]);
    const member: Axis = { ...band, array: "member", values: { kind: "texts", texts: ["1", "2"] } };
    expect(spans("member=2", [member])).toEqual([[0, 1, 1]]);
  });

  it.each([
    ["tim=2015-07-04", "sst has no dimension “tim”: it has time, y, x, lat and lon. Did you mean time?"],
    ["time=5", "5 is not a date. Type time=2015-07-04, or time[5] for an index."],
    ["x[500]", "x[500] is not in this array: indices go from 0 to 179."],
    ["lat=45N,y=30", "30 names a dimension again."],
    ["lon=350..10", "350..10 is in several parts of lon: read one after another."],
    ["lat=45.1..46.9", "No value of lat is in 45.1..46.9; 45°N is the nearest."],
    ["lat=200", "200 is outside the data: lat goes from 89°S to 89°N."],
    ["lat=100..120", "100..120 is outside the data: lat goes from 89°S to 89°N."],
  ])("says why there is nothing at %s", (text, why) => {
    expect(spans(text)).toBe(why);
  });

  it("says what is along a dimension instead", () => {
    expect(spans("level=500 K", [level])).toBe("500 K cannot be found: the units of level are hPa.");
    expect(spans("band=B4", [band])).toBe("“B4” is not a value of band. Did you mean B04?");
    expect(spans("y=45", [undefined])).toBe("45 cannot be found: y has no coordinate values. Type y[5] for an index.");
  });
});

it("leads back to every position whose place it is given, however the coordinate runs", () => {
  const first = fc.integer({ min: -60, max: 60 });
  const law = (start: number, count: number, step: number, at: number) => {
    const place = at % count;
    const values = range(start, step, count);
    const [lat, lon] = [degrees("latitude", values), degrees("longitude", values)];
    const level: Axis = { ...lat, array: "level", role: "other", units: "hPa" };
    const time = days("2011-03-05", count, BigInt(Math.abs(step) * 4));
    for (const axis of [lat, lon, level, time]) {
      const text = `${axis.array.replace("g/", "")}=${placeText(axis, place)?.replace("−", "-")}`;
      const spans = typedSpans(text, { name: "a", shape: [count] }, [axis]);
      expect(spans, text).toEqual(new Map([[0, { start: place, step: 1, count: 1, dropped: true }]]));
    }
  };
  const steps = fc.constantFrom(-1, -0.25, 0.25, 1);
  fc.assert(fc.property(first, fc.integer({ min: 2, max: 25 }), steps, fc.nat(), law));
});

describe("typedStep", () => {
  const step = (text: string) => typedStep(text, { node, axes: AXES, dimension: 0, unit: "index" });
  it("takes indices from 0, and places", () => {
    expect(step("5")).toEqual({ kind: "at", positions: new Map([[0, 5]]) });
    expect(step("1,234")).toEqual({ kind: "at", positions: new Map([[0, 1234]]) });
    expect(step("2015-07-04")).toEqual({ kind: "at", positions: new Map([[0, 2010]]) });
    expect(step("4000")).toEqual({
      kind: "none",
      why: "Type an index from 0 to 3,999, or a place such as 2010-01-01.",
    });
    expect(step("yesterday")).toEqual({
      kind: "none",
      why: "Type an index from 0 to 3,999, or a place such as 2010-01-01.",
    });
  });
});

it("knows a place by how it is written, also while it is typed", () => {
  for (const text of ["2015-", "2015-07", "2015-07-0", "2015-07-04T12", "45N", "45N 10E"]) {
    expect(isPlaceText(text), text).toBe(true);
  }
  for (const text of ["2015", "sst/0", "3.1.1", "2.", "ocean-2015-07.nc"]) expect(isPlaceText(text), text).toBe(false);
});
