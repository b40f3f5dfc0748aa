/** For tests: a dataset → the files of a store, or of references with the files that they point into. */
import { deflateSync, gzipSync } from "node:zlib";
import type { LocalFile } from "#core/open-set.ts";
import type { HealthyArray, HealthySet } from "./healthy-set.ts";
import type { Random } from "./random.ts";

export interface WrittenSet {
  readonly files: readonly LocalFile[];
  /** File to open. */
  readonly open: string;
  readonly how: string;
}

interface Storage {
  readonly isBig: boolean;
  readonly shuffle: boolean;
  readonly compressor: "none" | "zlib" | "gzip";
  readonly order: "C" | "F";
}

type Bytes = Uint8Array<ArrayBuffer>;

interface StoredArray {
  readonly array: HealthyArray;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly storage: Storage;
  /** Stored chunks by their coordinates. */
  readonly stored: ReadonlyMap<string, Bytes>;
}

const FORMATS = ["zarr2", "zarr3", "one file", "a file a step"] as const;

/** Types that have a name in Zarr v3. */
const V3_TYPES: Readonly<Record<string, string>> = {
  f2: "float16",
  f4: "float32",
  f8: "float64",
  b1: "bool",
  c8: "complex64",
  ...Object.fromEntries(
    [1, 2, 4, 8].flatMap((size) => [
      [`i${size}`, `int${8 * size}`],
      [`u${size}`, `uint${8 * size}`],
    ]),
  ),
};

export function writeHealthy(set: HealthySet, random: Random): WrittenSet {
  const { lengths, arrays, attributes = {} } = set;
  const hasAll = arrays.every(({ dtype }) => dtype.slice(1) in V3_TYPES);
  const chosen = random.pick(hasAll ? FORMATS : FORMATS.filter((one) => one !== "zarr3"));
  const format = set.format ?? chosen;
  const first = arrays[0]?.dimensions[0] ?? "";
  const along = random.pick([1, 1, 2, 3, 5, lengths[first] ?? 1]);
  const storage: Storage = {
    isBig: random.next() < 0.3,
    shuffle: format !== "zarr3" && random.next() < 0.3,
    compressor: random.pick(format === "zarr3" ? ["none", "gzip"] : ["none", "zlib", "gzip"]),
    order: random.next() < 0.1 ? "F" : "C",
  };
  const stored = arrays.map((array) => storedArray(array, lengths, { first, along, storage }, random));
  const files =
    format === "zarr3"
      ? zarr3(stored, attributes)
      : format === "zarr2"
        ? zarr2(stored, attributes)
        : references(stored, format, attributes);
  const how = `${format}, ${along} along ${first}, ${JSON.stringify(storage)}`;
  return { files, how, open: format.startsWith("zarr") ? "set.zarr/" : "refs.json" };
}

interface Choice {
  readonly first: string;
  readonly along: number;
  readonly storage: Storage;
}

function storedArray(
  array: HealthyArray,
  lengths: HealthySet["lengths"],
  { first, along, storage }: Choice,
  random: Random,
): StoredArray {
  const shape = array.dimensions.map((name) => lengths[name] ?? 1);
  const isCoordinate = array.dimensions.length === 1 && array.dimensions[0] === array.name;
  const chosen = array.dimensions.map((name, at) => {
    if (name === first) return along;
    return isCoordinate || random.next() < 0.7 ? (shape[at] ?? 1) : Math.ceil((shape[at] ?? 1) / random.whole(2, 3));
  });
  const chunks = array.chunks ?? chosen.map((length, at) => Math.max(1, Math.min(length, shape[at] ?? 1)));
  const own = { ...storage, order: array.dimensions.length > 1 ? storage.order : ("C" as const) };
  const stored = new Map<string, Bytes>();
  const all = [...indexes(shape)].map((at) => array.value(...at));
  const grid = shape.map((length, at) => Math.ceil(length / (chunks[at] ?? 1)));
  for (const place of indexes(grid)) {
    const values = [...indexes(own.order === "C" ? chunks : chunks.toReversed())].map((turned) => {
      const inside = own.order === "C" ? turned : turned.toReversed();
      const at = inside.map((one, axis) => one + (place[axis] ?? 0) * (chunks[axis] ?? 1));
      const isIn = at.every((one, axis) => one < (shape[axis] ?? 0));
      const index = at.reduce((sum, one, axis) => sum * (shape[axis] ?? 1) + one, 0);
      return isIn ? (all[index] as (typeof all)[number]) : typeof all[0] === "string" ? "" : Number(array.fill ?? 0);
    });
    stored.set(place.join("."), encoded(bytesOf(values, array.dtype, own.isBig), array.dtype, own));
  }
  return { array, shape, chunks, storage: own, stored };
}

function* indexes(shape: readonly number[]): Generator<readonly number[]> {
  const size = shape.reduce((product, length) => product * length, 1);
  for (let at = 0; at < size; at += 1) {
    let rest = at;
    yield shape.map((_, axis) => {
      const stride = shape.slice(axis + 1).reduce((product, length) => product * length, 1);
      const place = Math.floor(rest / stride);
      rest %= stride;
      return place;
    });
  }
}

const elementSize = (dtype: string): number => {
  const size = Number(/\d+/.exec(dtype.slice(2))?.[0] ?? 1);
  return dtype[1] === "U" ? 4 * size : size;
};

function bytesOf(values: readonly ReturnType<HealthyArray["value"]>[], dtype: string, isBig: boolean): Bytes {
  const size = elementSize(dtype);
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  for (const [at, value] of values.entries()) {
    const from = at * size;
    if (typeof value === "string") {
      const letters = dtype[1] === "U" ? Array.from(value, (one) => one.codePointAt(0) ?? 0) : [...Buffer.from(value)];
      for (const [letter, code] of letters.entries())
        if (dtype[1] === "U") view.setUint32(from + 4 * letter, code, !isBig);
        else bytes[from + letter] = code;
    } else if (dtype[1] === "c") {
      const [real = 0, imaginary = 0] = [value].flat();
      view.setFloat32(from, real, !isBig);
      view.setFloat32(from + 4, imaginary, !isBig);
    } else writeNumber(view, from, Number(value), `${dtype[1]}${size}`, !isBig);
  }
  return bytes;
}

function writeNumber(view: DataView, at: number, value: number, type: string, isLittle: boolean): void {
  if (type === "f4") view.setFloat32(at, value, isLittle);
  else if (type === "f8") view.setFloat64(at, value, isLittle);
  else if (type.endsWith("8")) view.setBigInt64(at, BigInt(Math.round(value)), isLittle);
  else if (type.endsWith("4")) view.setInt32(at, Math.round(value), isLittle);
  else if (type.endsWith("2")) view.setInt16(at, Math.round(value), isLittle);
  else view.setInt8(at, Math.round(value));
}

function encoded(bytes: Bytes, dtype: string, { shuffle, compressor }: Storage): Bytes {
  const shuffled = shuffle ? shuffledBytes(bytes, elementSize(dtype)) : bytes;
  if (compressor === "none") return shuffled;
  return new Uint8Array(compressor === "zlib" ? deflateSync(shuffled) : gzipSync(shuffled));
}

function shuffledBytes(bytes: Bytes, size: number): Bytes {
  const count = bytes.length / size;
  return bytes.map((_, at) => bytes[(at % count) * size + Math.floor(at / count)] as number);
}

const orderOf = (dtype: string, isBig: boolean): string =>
  elementSize(dtype) === 1 || dtype[1] === "S" ? `|${dtype.slice(1)}` : `${isBig ? ">" : "<"}${dtype.slice(1)}`;

/** Fill value as Zarr's JSON writes it. */
const fillOf = ({ fill }: HealthyArray): unknown => (Number.isNaN(fill) ? "NaN" : (fill ?? null));

function documents2({ array, shape, chunks, storage }: StoredArray) {
  const { dtype, dimensions, attributes = {} } = array;
  const { compressor, shuffle, order, isBig } = storage;
  const zarray = {
    zarr_format: 2,
    shape,
    chunks,
    dtype: orderOf(dtype, isBig),
    compressor: compressor === "none" ? null : { id: compressor, level: 5 },
    filters: shuffle ? [{ id: "shuffle", elementsize: elementSize(dtype) }] : null,
    order,
    fill_value: fillOf(array),
  };
  return { zarray, zattrs: { _ARRAY_DIMENSIONS: dimensions, ...attributes } };
}

const fileOf = (path: string, content: Bytes | string): LocalFile => ({ path, blob: new File([content], path) });

function zarr2(arrays: readonly StoredArray[], attributes: object): readonly LocalFile[] {
  const group = { zarr_format: 2 };
  const all: Record<string, unknown> = { ".zgroup": group, ".zattrs": attributes };
  for (const one of arrays) {
    const { zarray, zattrs } = documents2(one);
    all[`${one.array.name}/.zarray`] = zarray;
    all[`${one.array.name}/.zattrs`] = zattrs;
  }
  const consolidated = { zarr_consolidated_format: 1, metadata: all };
  return [
    ...Object.entries({ ...all, ".zmetadata": consolidated }).map(([key, value]) =>
      fileOf(`set.zarr/${key}`, JSON.stringify(value)),
    ),
    ...arrays.flatMap(({ array, stored }) =>
      [...stored].map(([place, bytes]) => fileOf(`set.zarr/${array.name}/${place === "" ? "0" : place}`, bytes)),
    ),
  ];
}

function zarr3(arrays: readonly StoredArray[], attributes: object): readonly LocalFile[] {
  const nodes = arrays.flatMap((one) => {
    const { array, shape, chunks, storage, stored } = one;
    const type = V3_TYPES[array.dtype.slice(1)];
    const gzip = { name: "gzip", configuration: { level: 5 } };
    const endian = { name: "bytes", configuration: { endian: storage.isBig ? "big" : "little" } };
    const transpose = { name: "transpose", configuration: { order: [...shape.keys()].toReversed() } };
    const zero = type === "bool" ? false : type === "complex64" ? [0, 0] : 0;
    const document = {
      zarr_format: 3,
      node_type: "array",
      shape,
      data_type: type,
      chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } },
      chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
      fill_value: array.fill === null || array.fill === undefined ? zero : fillOf(array),
      codecs: [...(storage.order === "F" ? [transpose] : []), endian, ...(storage.compressor === "none" ? [] : [gzip])],
      attributes: attributes3(array),
      dimension_names: array.dimensions,
    };
    return [
      fileOf(`set.zarr/${array.name}/zarr.json`, JSON.stringify(document)),
      ...[...stored].map(([place, bytes]) =>
        fileOf(`set.zarr/${array.name}/c${place === "" ? "" : `/${place.replaceAll(".", "/")}`}`, bytes),
      ),
    ];
  });
  return [fileOf("set.zarr/zarr.json", JSON.stringify({ zarr_format: 3, node_type: "group", attributes })), ...nodes];
}

/** xarray masks what `_FillValue` names, which it writes as base64 of the bytes of a float64. */
function attributes3({ dtype, fill, attributes = {} }: HealthyArray): object {
  const marked = attributes["_FillValue"] ?? (Number.isFinite(fill) && fill !== 0 ? fill : undefined);
  const isFloat = dtype[1] === "f";
  if (typeof marked !== "number" || !isFloat)
    return marked === undefined ? attributes : { ...attributes, _FillValue: marked };
  return { ...attributes, _FillValue: Buffer.from(Float64Array.of(marked).buffer).toString("base64") };
}

const HEAD = 48;

/** Kerchunk JSON: chunks lie in one file, or in one for each step of the first dimension. */
function references(
  arrays: readonly StoredArray[],
  format: (typeof FORMATS)[number],
  attributes: object,
): readonly LocalFile[] {
  const refs: Record<string, unknown> = { ".zgroup": '{"zarr_format":2}', ".zattrs": JSON.stringify(attributes) };
  const parts = new Map<string, Bytes[]>();
  const first = arrays[0]?.array.dimensions[0];
  for (const one of arrays) {
    const { array, stored } = one;
    const { zarray, zattrs } = documents2(one);
    refs[`${array.name}/.zarray`] = JSON.stringify(zarray);
    refs[`${array.name}/.zattrs`] = JSON.stringify(zattrs);
    for (const [place, bytes] of stored) {
      const isSplit = format === "a file a step" && array.dimensions[0] === first && place !== "";
      const name = `data_${isSplit ? place.split(".")[0]?.padStart(3, "0") : "000"}.bin`;
      const file = parts.get(name) ?? [new Uint8Array(HEAD).fill(7)];
      parts.set(name, file);
      const offset = file.reduce((sum, { length }) => sum + length, 0);
      file.push(bytes, new Uint8Array(8));
      refs[`${array.name}/${place === "" ? "0" : place}`] = [name, offset, bytes.length];
    }
  }
  return [
    fileOf("refs.json", JSON.stringify({ version: 1, refs })),
    ...[...parts].map(([name, bytes]) => fileOf(name, new Uint8Array(Buffer.concat(bytes)))),
  ];
}
