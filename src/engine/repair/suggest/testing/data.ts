/** Test arrays: values as people store them, and unexpected ones. */
import { seeded, type Random } from "./random.ts";

export interface Data {
  readonly name: string;
  readonly dtype: string;
  readonly itemSize: number;
  /** How to put a value into bytes; absent for raw bytes. */
  readonly value?: (random: Random, row: number, column: number, at: number) => number | bigint;
}

const field = (row: number, column: number) =>
  Math.sin(row / 9) * Math.cos(column / 7) + 0.3 * Math.sin((row + 2 * column) / 5);
const float4 = (value: number) => Math.fround(value);

/** Realistic data: a damaged reading of it differs from the right one. */
export const REAL: readonly Data[] = [
  { name: "temperature", dtype: "<f4", itemSize: 4, value: (r, y, x) => 285 + 12 * field(y, x) + 0.2 * r.normal() },
  { name: "pressure", dtype: "<f8", itemSize: 8, value: (r, y, x) => 101_325 + 900 * field(y, x) + 5 * r.normal() },
  { name: "wind", dtype: "<f8", itemSize: 8, value: (r, y, x) => 8 * field(y, x) + r.normal() },
  {
    name: "quantised",
    dtype: "<f4",
    itemSize: 4,
    value: (r, y, x) => Math.round(64 * (10 + 5 * field(y, x) + 0.1 * r.normal())) / 64,
  },
  {
    name: "packed",
    dtype: "<i2",
    itemSize: 2,
    value: (r, y, x) => (x % 13 === 5 ? -32_768 : Math.round(9000 * field(y, x) + 40 * r.normal())),
  },
  {
    name: "big",
    dtype: ">i2",
    itemSize: 2,
    value: (r, y, x) => Math.round(3000 + 2500 * field(y, x) + 20 * r.normal()),
  },
  {
    name: "elevation",
    dtype: "<i4",
    itemSize: 4,
    value: (r, y, x) => Math.round(150_000 * field(y, x) + 900 * r.normal()),
  },
  {
    name: "image",
    dtype: "<u2",
    itemSize: 2,
    value: (r, y, x) => Math.round(1200 + 700 * field(y, x) + 30 * r.normal()),
  },
  { name: "big_float", dtype: ">f4", itemSize: 4, value: (r, y, x) => 3.5 + field(y, x) + 0.01 * r.normal() },
  {
    name: "masked",
    dtype: "<f4",
    itemSize: 4,
    value: (r, y, x) => (x > 40 ? NaN : 270 + 9 * field(y, x) + 0.1 * r.normal()),
  },
  {
    name: "filled",
    dtype: "<f4",
    itemSize: 4,
    value: (r, y, x) => ((y + x) % 17 < 3 ? 1e20 : 30 + 4 * field(y, x) + 0.1 * r.normal()),
  },
  { name: "rain", dtype: "<f4", itemSize: 4, value: (r, y, x) => Math.max(0, 12 * field(y, x) - 6 + r.normal()) },
  { name: "labels", dtype: "<i4", itemSize: 4, value: (_, y, x) => Math.floor(y / 11) * 7 + Math.floor(x / 13) },
];

/** Odd data: undamaged, and nothing may be suggested for it. */
export const ODD: readonly Data[] = [
  { name: "zeros", dtype: "<f4", itemSize: 4, value: () => 0 },
  { name: "constant", dtype: "<f8", itemSize: 8, value: () => 1.5 },
  { name: "counter", dtype: "<i4", itemSize: 4, value: (_, __, ___, at) => at },
  { name: "counter8", dtype: "<i8", itemSize: 8, value: (_, __, ___, at) => BigInt(at) },
  { name: "float_counter", dtype: "<f8", itemSize: 8, value: (_, __, ___, at) => at },
  { name: "noise2", dtype: "<i2", itemSize: 2, value: (r) => r.whole(-32_768, 32_767) },
  { name: "noise4", dtype: "<u4", itemSize: 4, value: (r) => r.whole(0, 2 ** 32 - 1) },
  { name: "gauss4", dtype: "<f4", itemSize: 4, value: (r) => r.normal() },
  { name: "uniform8", dtype: "<f8", itemSize: 8, value: (r) => r.next() },
  { name: "decades", dtype: "<f4", itemSize: 4, value: (r) => float4(10 ** (r.next() * 60 - 30)) },
  { name: "tiny", dtype: "<f4", itemSize: 4, value: (r) => float4(10 ** (r.next() * 8 - 41)) },
  { name: "nans", dtype: "<f4", itemSize: 4, value: (r) => (r.next() < 0.97 ? NaN : r.normal()) },
  { name: "flags", dtype: "|u1", itemSize: 1, value: (r) => r.whole(0, 1) },
  { name: "booleans", dtype: "|b1", itemSize: 1, value: (r) => r.whole(0, 1) },
  { name: "smooth1", dtype: "|u1", itemSize: 1, value: (_, y, x) => Math.round(128 + 100 * field(y, x)) },
  { name: "hundreds", dtype: "<i4", itemSize: 4, value: (r) => 256 * r.whole(0, 900) },
  {
    name: "left_aligned",
    dtype: "<u2",
    itemSize: 2,
    value: (r, y, x) => 256 * Math.round(120 + 100 * field(y, x) + 3 * r.normal()),
  },
  {
    name: "years_ns",
    dtype: "<i8",
    itemSize: 8,
    value: (_, __, ___, at) => BigInt(at % 200) * 31_536_000_000_000_000n,
  },
  {
    name: "days_ns",
    dtype: "<M8[ns]",
    itemSize: 8,
    value: (_, __, ___, at) => 1_767_225_600_000_000_000n + BigInt(at) * 86_400_000_000_000n,
  },
  { name: "hours", dtype: "<f8", itemSize: 8, value: (_, __, ___, at) => 1_051_896 + at },
  { name: "sparse_ones", dtype: "<i4", itemSize: 4, value: (r) => (r.next() < 0.004 ? 1 : 0) },
  { name: "sparse_float", dtype: "<f4", itemSize: 4, value: (r) => (r.next() < 0.01 ? r.normal() : 0) },
  { name: "steps", dtype: "<f8", itemSize: 8, value: (_, __, x) => (x < 20 ? 1 : 250) },
  { name: "minus", dtype: "<i2", itemSize: 2, value: (r) => -r.whole(0, 1) },
  {
    name: "table",
    dtype: "<f4",
    itemSize: 4,
    value: (r, _, x) => [1000, 0.01, -5, 1e6][x % 4]! * (1 + 0.01 * r.normal()),
  },
  { name: "random4", dtype: "<f4", itemSize: 4 },
  { name: "random8", dtype: "<f8", itemSize: 8 },
  { name: "random2", dtype: ">i2", itemSize: 2 },
  { name: "text", dtype: "|S8", itemSize: 8, value: (r) => r.whole(65, 90) },
  {
    name: "identifiers",
    dtype: "<i8",
    itemSize: 8,
    value: (r) => BigInt(r.whole(0, 2 ** 31)) * 2n ** 31n + BigInt(r.whole(0, 2 ** 31)),
  },
  { name: "geometric", dtype: "<f8", itemSize: 8, value: (_, __, ___, at) => 1.02 ** (at % 300) },
  {
    name: "rgba",
    dtype: "<u4",
    itemSize: 4,
    value: (r, y, x) =>
      0xff00_0000 +
      65_536 * Math.round(100 + 90 * field(y, x)) +
      256 * r.whole(60, 70) +
      Math.round(99 + 80 * field(x, y)),
  },
];

const made = new Map<string, Uint8Array>();

/** Bytes of an array of `rows` × `columns`, C order; made once, and not to be written to. */
export function bytesOf(data: Data, rows: number, columns: number, seed: number): Uint8Array {
  const key = `${data.name} ${rows} ${columns} ${seed}`;
  const bytes = made.get(key) ?? makeBytes(data, rows, columns, seed);
  made.set(key, bytes);
  return bytes;
}

function makeBytes(data: Data, rows: number, columns: number, seed: number): Uint8Array {
  const random = seeded(seed);
  const bytes = new Uint8Array(rows * columns * data.itemSize);
  const { value } = data;
  if (value === undefined) return bytes.map(() => random.whole(0, 255));
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < rows * columns; at++) {
    put(view, at * data.itemSize, data.dtype, value(random, Math.floor(at / columns) + seed, at % columns, at));
  }
  return bytes;
}

function put(view: DataView, at: number, dtype: string, value: number | bigint): void {
  const little = !dtype.startsWith(">");
  const [kind, size] = [dtype.charAt(1), Number.parseInt(dtype.slice(2), 10)];
  if (typeof value === "bigint") view.setBigInt64(at, value, little);
  else if (kind === "f" && size === 4) view.setFloat32(at, value, little);
  else if (kind === "f") view.setFloat64(at, value, little);
  else if (size === 4) view.setUint32(at, value, little);
  else if (size === 2) view.setUint16(at, value, little);
  else view.setUint8(at, value);
}
