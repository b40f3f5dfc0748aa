/** For tests: a dataset as its author has it in mind, and the ways in which it may be written. */
import type { Random } from "./random.ts";

export interface HealthyArray {
  readonly name: string;
  readonly dimensions: readonly string[];
  /** NumPy's, little-endian; written in the other byte order, too. */
  readonly dtype: string;
  /** Called once for each element in C order. */
  readonly value: (...at: number[]) => number | string | readonly [number, number];
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly fill?: number | string | boolean | null;
  /** Chunk lengths that matter; others are chosen. */
  readonly chunks?: readonly number[];
}

export interface HealthySet {
  readonly lengths: Readonly<Record<string, number>>;
  readonly arrays: readonly HealthyArray[];
  /** Of the root. */
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** One is chosen where it is absent. */
  readonly format?: "zarr2" | "zarr3";
  /** Warnings that are right to make. */
  readonly accept?: readonly string[];
}

export type HealthyKind = (random: Random) => HealthySet;

/** Size, in degrees or metres of anything, of a field that varies smoothly in space and slowly in time. */
export function smooth(random: Random): (t: number, y: number, x: number) => number {
  const waves = Array.from({ length: 4 }, () => ({
    of: random.between(0.2, 1),
    t: random.between(0.02, 0.25),
    y: random.between(0.05, 0.5),
    x: random.between(0.05, 0.5),
    phase: random.between(0, 6.3),
  }));
  return (t, y, x) =>
    waves.reduce((sum, wave) => sum + wave.of * Math.sin(wave.t * t + wave.y * y + wave.x * x + wave.phase), 0);
}

type Shaped = Pick<HealthyArray, "dtype" | "attributes" | "fill" | "chunks"> & { readonly name?: string };

/** A field over time, latitude and longitude, with their coordinates. */
export function gridded(
  random: Random,
  make: (size: { readonly times: number; readonly rows: number; readonly columns: number }) => HealthyArray["value"],
  { name = "v", ...shaped }: Partial<Shaped> = {},
): HealthySet {
  const [times, rows, columns] = [random.whole(6, 26), random.whole(5, 14), random.whole(6, 20)];
  const [south, isDown] = [random.pick([-90, -60, 20]), random.next() < 0.5];
  const west = random.pick([0, -180, 5]);
  const [down, across] = [Math.min(5, (90 - south) / rows), Math.min(10, 350 / columns)];
  const unit = random.pick(["hours since 2001-01-01", "days since 1990-01-01", "seconds since 1970-01-01"]);
  const [start, step] = unit.startsWith("seconds") ? [1e9 - (1e9 % 3600), 3600] : [random.whole(0, 3000), 1];
  return {
    lengths: { time: times, lat: rows, lon: columns },
    arrays: [
      {
        name,
        dimensions: ["time", "lat", "lon"],
        dtype: "<f4",
        value: make({ times, rows, columns }),
        fill: null,
        ...shaped,
      },
      coordinate("time", (at) => start + at * step, { units: unit }),
      coordinate("lat", (at) => south + (isDown ? rows - 1 - at : at) * down, { units: "degrees_north" }),
      coordinate("lon", (at) => west + at * across, { units: "degrees_east" }),
    ],
  };
}

export const coordinate = (
  name: string,
  value: (at: number) => number,
  attributes: HealthyArray["attributes"] = {},
  dtype = "<f8",
): HealthyArray => ({ name, dimensions: [name], dtype, value, attributes, fill: null });

/** Arrays without coordinates: by name, each over the dimensions that are given. */
export const plain = (lengths: HealthySet["lengths"], ...arrays: readonly HealthyArray[]): HealthySet => ({
  lengths,
  arrays,
});
