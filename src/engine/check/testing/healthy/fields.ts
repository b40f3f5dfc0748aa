/** For tests: fields over time, latitude and longitude that are healthy, and odd in one way each. */
import { gridded, smooth, type HealthyKind } from "./healthy-set.ts";
import type { Random } from "./random.ts";

/** A field of values around `middle`; `change` makes of it what is meant. */
const field =
  (
    change: (
      value: number,
      at: { readonly t: number; readonly y: number; readonly x: number },
      size: { readonly times: number; readonly rows: number; readonly columns: number },
    ) => number,
    shaped: Parameters<typeof gridded>[2] = {},
  ): HealthyKind =>
  (random) => {
    const wave = smooth(random);
    return gridded(
      random,
      (size) =>
        (t = 0, y = 0, x = 0) =>
          change(wave(t, y, x), { t, y, x }, size),
      shaped,
    );
  };

/** One place that has its own value; all others are made by `other`. */
const onePlace =
  (
    own: number,
    other: (value: number, random: Random) => number,
    shaped: Parameters<typeof gridded>[2] = {},
    places = 1,
  ): HealthyKind =>
  (random) => {
    const wave = smooth(random);
    return gridded(
      random,
      ({ times, rows, columns }) => {
        const chosen = new Set(
          Array.from({ length: places }, () => {
            const [t, y, x] = [random.whole(0, times - 1), random.whole(0, rows - 1), random.whole(0, columns - 1)];
            return `${t} ${y} ${x}`;
          }),
        );
        return (t = 0, y = 0, x = 0) => (chosen.has(`${t} ${y} ${x}`) ? own : other(wave(t, y, x), random));
      },
      shaped,
    );
  };

const zero = (): number => 0;
const kelvin = (value: number): number => 285 + 6 * value;
const celsius = (value: number): number => 12 + 6 * value;

/** A patch that is there at every step: land, a swath's edge. */
const inPatch = (y: number, x: number, rows: number, columns: number): boolean => y < rows / 3 && x < columns / 2;

const undeclared = ["fill-undeclared"];
const accepting =
  (kind: HealthyKind, accept: readonly string[]): HealthyKind =>
  (random) => ({ ...kind(random), accept });

export const FIELDS: Readonly<Record<string, HealthyKind>> = {
  temperature: field(kelvin),
  "temperature of doubles": field(kelvin, { dtype: "<f8" }),
  "temperature of half floats": field(celsius, { dtype: "<f2" }),
  "all zero": field(zero),
  "all one value": field(() => 273.15),
  "all missing": field(() => NaN, { fill: NaN }),
  "one emission": onePlace(86.4, zero),
  "one emission, negative": onePlace(-0.5, zero),
  "one flag": onePlace(1, zero, { dtype: "|i1", attributes: { flag_values: [0, 1], flag_meanings: "good bad" } }),
  "one cell of a mask": onePlace(1, zero, { dtype: "|u1" }),
  "one cell of a mask of two bytes": onePlace(255, zero, { dtype: "<u2" }),
  "one true": onePlace(1, zero, { dtype: "|b1" }),
  "one cell not one": onePlace(0, () => 1, { dtype: "<i4" }),
  "three lightnings": onePlace(17, zero, { dtype: "<i4" }, 3),
  "one -999, the fill": onePlace(-999, celsius, { fill: -999 }),
  "one -999, _FillValue": onePlace(-999, celsius, { attributes: { _FillValue: -999 } }),
  "one -999, missing_value": onePlace(-999, celsius, { attributes: { missing_value: -999 } }),
  "one -999, undeclared": accepting(onePlace(-999, celsius), undeclared),
  "one 9999, undeclared": accepting(onePlace(9999, celsius), undeclared),
  "one 1e20, undeclared": accepting(onePlace(1e20, kelvin), undeclared),
  "one -32768 of packed values, undeclared": accepting(
    onePlace(-32768, (value) => Math.round(900 * value), { dtype: "<i2", attributes: { scale_factor: 0.01 } }),
    undeclared,
  ),
  "one 65535, the fill": onePlace(65535, (value) => Math.round(2000 + 300 * value), { dtype: "<u2", fill: 65535 }),
  "one missing": onePlace(NaN, celsius, { fill: NaN }),
  "-999 where land is, the fill": field(
    (value, { y, x }, { rows, columns }) => (inPatch(y, x, rows, columns) ? -999 : celsius(value)),
    { fill: -999 },
  ),
  "1e10 where land is, missing_value": field(
    (value, { y, x }, { rows, columns }) => (inPatch(y, x, rows, columns) ? 1e10 : celsius(value)),
    { attributes: { missing_value: 1e10, _FillValue: 1e10 } },
  ),
  "netCDF's default fill where land is": field(
    (value, { y, x }, { rows, columns }) => (inPatch(y, x, rows, columns) ? 9.969209968386869e36 : celsius(value)),
    { fill: 9.969209968386869e36 },
  ),
  "9999 where land is, undeclared": accepting(
    field((value, { y, x }, { rows, columns }) => (inPatch(y, x, rows, columns) ? 9999 : celsius(value))),
    undeclared,
  ),
  "-32768 where the swath ends, declared": field(
    (value, { t, x }, { columns }) => ((x + t) % columns < 3 ? -32768 : Math.round(900 * value)),
    { dtype: "<i2", fill: -32768, attributes: { _FillValue: -32768, scale_factor: 0.01, add_offset: 5 } },
  ),
  "radiation of an hour": field((value, { t, x }) =>
    Math.max(0, 900 * Math.cos(((t + x / 2) * Math.PI) / 12) * (0.8 + 0.05 * value)),
  ),
  "radiation with six hours of night": field((value, { t }) =>
    t % 24 < 6 ? 0 : Math.max(0, 800 * Math.sin((((t % 24) - 6) * Math.PI) / 12) * (0.8 + 0.1 * value)),
  ),
  "radiation with a dark file at the end": field((value, { t, y }, { times }) => {
    const height = Math.sin((Math.PI * (t + 0.5)) / (0.75 * times));
    return t < 0.75 * times ? 1000 * height * (0.7 + 0.02 * y + 0.01 * value) : 0;
  }),
  "packed radiation with a dark file": field(
    (value, { t }, { times }) => (t < times / 2 ? Math.round(200 * (6 + value)) : 0),
    { dtype: "<i2", attributes: { scale_factor: 0.1, add_offset: 0 } },
  ),
  "snow that melts": field((value, { t, y }, { times }) =>
    Math.max(0, (0.02 + 0.002 * y) * (1 + 0.1 * value) * (0.8 - t / times)),
  ),
  "snow that has melted at the end": field((value, { t }, { times }) =>
    t > 0.8 * times ? 0 : 0.3 * (1 - t / times) ** 2 * (1 + 0.1 * value),
  ),
  "snow that falls at the end": field((value, { t }, { times }) =>
    t < 0.7 * times ? 0 : 0.02 * (t - 0.7 * times + 0.2) * (1 + 0.1 * value),
  ),
  "sea ice": field((value, { y, t }, { rows, times }) =>
    Math.max(0, Math.min(1, (2 * (rows - 1 - y)) / rows + Math.cos((6.3 * t) / times) - 0.9 + 0.05 * value)),
  ),
  "sea ice without values where there is none": field(
    (value, { y, t }, { rows, times }) => {
      const ice = (2 * (rows - 1 - y)) / rows + Math.cos((6.3 * t) / times) - 0.9 + 0.05 * value;
      return ice <= 0 ? NaN : Math.min(1, ice);
    },
    { fill: NaN },
  ),
  "rain since the day began": field((value, { t }) => (t % 8) * (0.4 + 0.1 * value + 0.3)),
  "rain of a run, zero at its first step": field((value, { t }) => t * (1.2 + 0.1 * value)),
  "rain in one storm": field((value, { t, y, x }, { times, rows, columns }) => {
    const away = (t - times / 2) ** 2 + (y - rows / 2) ** 2 + (x - columns / 2) ** 2;
    return away > 9 ? 0 : 40 * Math.exp(-away / 2) * (1 + 0.1 * value);
  }),
  "rain with showers": (random) =>
    gridded(random, () => () => (random.next() < 0.9 ? 0 : -4 * Math.log(1 - random.next()))),
  "rain of one cell": onePlace(112.4, (_, random) => (random.next() < 0.98 ? 0 : random.between(0, 2))),
  "noise of chance": (random) => gridded(random, () => () => random.normal()),
  "whole numbers by chance": (random) => gridded(random, () => () => random.whole(-30_000, 30_000), { dtype: "<i2" }),
  "bytes by chance": (random) => gridded(random, () => () => random.whole(0, 255), { dtype: "|u1" }),
  "noise with long tails": (random) => gridded(random, () => () => Math.exp(2.5 * random.normal())),
  "Cauchy's noise": (random) => gridded(random, () => () => random.normal() / random.normal()),
  "aerosol over eight powers of ten": field((value) => 10 ** (-9 + 2 * value)),
  "steps between two levels": field((value) => (value > 0 ? 12 : -3)),
  "levels that change once": field((value, { t }, { times }) => (t > times / 2 ? 7 : 2) + 0.2 * value),
  "whole numbers rough along a row": field((value, { y, x }) => 50 * ((x * 7919) % 31) + 3 * y + Math.round(value), {
    dtype: "<i4",
  }),
  "columns that alternate": field((value, { x }) => (x % 2 === 0 ? 5 : 80) + value),
  "rows that alternate": field((value, { y }) => (y % 2 === 0 ? 5 : 80) + value),
  "steps that alternate": field((value, { t }) => (t % 2 === 0 ? 5 : 80) + value),
  chequers: field((_, { y, x }) => (y + x) % 2, { dtype: "|u1" }),
  "land cover": field((value) => [10, 20, 30, 40, 50, 60, 200][Math.floor(Math.abs(3 * value)) % 7] ?? 10, {
    dtype: "|u1",
    attributes: { flag_values: [10, 20, 30, 40, 50, 60, 200], flag_meanings: "a b c d e f g" },
  }),
  "flags of bits": field((value) => 2 ** (Math.floor(Math.abs(9 * value)) % 15), {
    dtype: "<u2",
    attributes: { flag_masks: [1, 2, 4, 8], flag_meanings: "a b c d" },
  }),
  "high bits alone": field((value) => 256 * (Math.floor(Math.abs(20 * value)) % 60), { dtype: "<u2" }),
  "poles of one value that is two letters": field(
    (value, { y }, { rows }) => (y === 0 ? 0x4141 : y === rows - 1 ? 0x2e20 : Math.round(15_000 + 900 * value)),
    { dtype: "<i2", attributes: { scale_factor: 0.01, add_offset: 100 } },
  ),
  "packed values that are letters throughout": field((value) => 0x3030 + (Math.floor(Math.abs(2 * value)) % 9), {
    dtype: "<i2",
  }),
  "poles that alternate between two letters": field(
    (value, { y, x }) => (y < 4 ? (x % 2 === 0 ? 0x4120 : 0x4241) : Math.round(9000 + 600 * value)),
    { dtype: "<i2" },
  ),
  "an edge in the last columns": field((value, { x }, { columns }) =>
    x === columns - 1 ? 255 : x === columns - 2 ? 250 : value,
  ),
  "an edge in the last rows": field((value, { y }, { rows }) => (y >= rows - 2 ? (y === rows - 1 ? 90 : -90) : value)),
  "a city's people": onePlace(1.2e6, (_, random) => Math.round(100 * random.next() ** 6)),
  "discharge of rivers": field((value, { y, x }) => (y === x ? 4000 + 300 * value : Math.max(0, 0.2 * value))),
  "wind directions": field((value) => (((200 * value) % 360) + 360) % 360),
  "a wave that passes": field((value, { t, x }) => Math.sin(t - x / 3) + 0.02 * value),
  "a first step of zeros": field((value, { t }) => (t === 0 ? 0 : 3 + value)),
  "a first step without values": field((value, { t }) => (t === 0 ? NaN : 3 + value), { fill: NaN }),
  "a plume that begins halfway": field((_, { t, y, x }, { times }) =>
    t < times / 2 ? 0 : Math.max(0, 20 * Math.exp(-(((y - 3) ** 2 + (x - 3) ** 2) / (1 + t - times / 2)))),
  ),
  "fires in a patch": field((value, { t, y, x }) => (y === 2 && x < 3 && t > 3 ? Math.abs(5 * value) : 0)),
  "probabilities near one": field((value) => Math.min(1, 0.99 + 0.01 * value)),
  "fog that comes once": field((value, { t }, { times }) => (t === Math.floor(times / 2) ? 50 : 20_000 + 9 * value)),
  "a frost in one step": field((value, { t }, { times }) => (t === times - 1 ? -20 : 15) + 0.4 * value),
  "counts of few": field((value) => Math.max(0, Math.floor(2 * value)), { dtype: "<i2" }),
  "a ramp": field((_, { t, y, x }) => 10_000 * t + 100 * y + x, { dtype: "<i4" }),
  "time of each observation": field((value, { t }) => 1.6e9 + 3600 * t + 10 * value, {
    dtype: "<f8",
    attributes: { units: "seconds since 1970-01-01" },
  }),
  durations: field((value) => Math.round(3600 * (5 + value)), { dtype: "<i8", attributes: { units: "seconds" } }),
  "stripes of a swath": field((value, { t, y }) => ((t + y) % 5 === 0 ? NaN : celsius(value)), { fill: NaN }),
  "deep water only": field((value, { y }, { rows }) => (y > rows / 2 ? NaN : 34 + 0.2 * value), { fill: NaN }),
  "a month that is short": field((value, { t }) => (t % 12 === 1 ? 0.93 : 1) * (100 + value)),
  "a dry month": field((value, { t }) => (t === 3 ? 0 : Math.max(0, 40 + 10 * value))),
  "a calm step": field((value, { t }) => (t === 4 ? 0 : 1) * (8 + value)),
  "days of growing season": field(
    (value, { y, t }, { rows, times }) =>
      Math.max(
        0,
        Math.min(365, Math.floor((400 * (y - rows / 3)) / rows + 50 * Math.sin((6.3 * t) / times) + 5 * value)),
      ),
    { dtype: "<i2" },
  ),
};
