/** For tests: datasets that are laid onto a repository one after the other. */
import { writeFileSync } from "node:fs";

export interface AppendedSet {
  readonly first: number;
  readonly steps: number;
  /** Attributes of `v`. */
  readonly attributes?: object;
  readonly latitudes?: readonly number[];
  /** Length of the chunks of `v` along time. */
  readonly each?: number;
  /** Arrays that it has, of `time`, `lat` and `v`. */
  readonly only?: readonly string[];
  /** A name instead of `lat`. */
  readonly as?: string;
  /** Copies of `v` beside it. */
  readonly copies?: number;
}

const base64 = (array: ArrayBufferView): string =>
  `base64:${Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64")}`;

/** `time` is inline, `v` lies in a file of the day's name, and so many chunks that each step has its own. */
export function writeSet(path: string, set: AppendedSet): string {
  const { first, steps, attributes = {}, latitudes = [10, 20, 30], each = 1, copies = 0 } = set;
  const refs: Record<string, unknown> = { ".zgroup": '{"zarr_format":2}' };
  const array = (name: string, shape: number[], chunks: number[], dtype: string, dims: string[], more: object = {}) => {
    const rest = { compressor: null, filters: null, order: "C", fill_value: 0 };
    refs[`${name}/.zarray`] = JSON.stringify({ zarr_format: 2, shape, chunks, dtype, ...rest });
    refs[`${name}/.zattrs`] = JSON.stringify({ _ARRAY_DIMENSIONS: dims, ...more });
  };
  array("time", [steps], [1], "<i4", ["time"], { units: "days since 2020-01-01" });
  for (let step = 0; step < steps; step += 1) refs[`time/${step}`] = base64(Int32Array.of(first + step));
  array("lat", [latitudes.length], [latitudes.length], "<f4", ["lat"]);
  refs["lat/0"] = base64(Float32Array.from(latitudes));
  for (const name of ["v", ...Array.from({ length: copies }, (_, at) => `v${at}`)]) {
    array(name, [steps, latitudes.length], [each, latitudes.length], "<i2", ["time", "lat"], attributes);
    const bytes = 2 * each * latitudes.length;
    for (let step = 0; step < steps / each; step += 1)
      refs[`${name}/${step}.0`] = [`https://data.example.org/day-${first}.bin`, step * bytes, bytes];
  }
  const isKept = (key: string) => set.only === undefined || set.only.some((name) => key.startsWith(`${name}/`));
  const named = (key: string) => (set.as === undefined ? key : key.replace(/^lat\//, `${set.as}/`));
  const kept = Object.entries(refs).filter(([key]) => isKept(key));
  writeFileSync(path, JSON.stringify(Object.fromEntries(kept.map(([key, value]) => [named(key), value]))));
  return path;
}
