/** One small field with its coordinates, for the stories: as a Zarr store and as Kerchunk Parquet, healthy. */
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { StoreFiles } from "./stores.ts";

interface SmallArray {
  readonly name: string;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly dimensions: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly at: (position: number) => number;
}

/** Degrees of a quiet field that rises from day to day. */
const field = (position: number): number => {
  const [day, cell] = [Math.floor(position / 24), position % 24];
  return 10 + 0.3 * day + Math.sin(cell * 1.7) * 2 + Math.cos(position * 0.61) * 0.05;
};

const ARRAYS: readonly SmallArray[] = [
  coordinate("time", [8], [4], "days since 2020-01-01", (at) => at),
  coordinate("lat", [4], [4], "degrees_north", (at) => 40 + at / 2),
  coordinate("lon", [6], [6], "degrees_east", (at) => at / 2 - 10),
  {
    name: "sst",
    shape: [8, 4, 6],
    chunks: [2, 4, 6],
    dimensions: ["time", "lat", "lon"],
    attributes: { units: "degC" },
    at: field,
  },
];

function coordinate(
  name: string,
  shape: readonly number[],
  chunks: readonly number[],
  units: string,
  at: SmallArray["at"],
): SmallArray {
  return { name, shape, chunks, dimensions: [name], attributes: { units, standard_name: name }, at };
}

/** Chunks lie one after another along the first dimension: a chunk is a run of elements. */
function chunksOf({ shape, chunks, at }: SmallArray): readonly (readonly [name: string, stored: Uint8Array])[] {
  const rank = shape.length;
  const size = chunks.reduce((product, length) => product * length, 1);
  return Array.from({ length: (shape[0] ?? 1) / (chunks[0] ?? 1) }, (_, index) => {
    const values = Float64Array.from({ length: size }, (__, inside) => at(index * size + inside));
    const name = [index, ...Array.from({ length: rank - 1 }, () => 0)].join(".");
    return [name, new Uint8Array(gzipSync(new Uint8Array(values.buffer)))];
  });
}

function version2(): Readonly<Record<string, object>> {
  const arrays = ARRAYS.flatMap(({ name, shape, chunks, dimensions, attributes }) => [
    [
      `${name}/.zarray`,
      {
        zarr_format: 2,
        shape,
        chunks,
        dtype: "<f8",
        compressor: { id: "gzip", level: 6 },
        filters: null,
        fill_value: "NaN",
        order: "C",
      },
    ],
    [`${name}/.zattrs`, { _ARRAY_DIMENSIONS: dimensions, ...attributes }],
  ]);
  return { ".zgroup": { zarr_format: 2 }, ".zattrs": { title: "small" }, ...Object.fromEntries(arrays) };
}

function version3(array: SmallArray): object {
  const { shape, chunks, dimensions, attributes } = array;
  return {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "float64",
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    codecs: [
      { name: "bytes", configuration: { endian: "little" } },
      { name: "gzip", configuration: { level: 6 } },
    ],
    fill_value: "NaN",
    dimension_names: dimensions,
    attributes,
  };
}

const asText = (documents: Readonly<Record<string, object>>): Record<string, string> =>
  Object.fromEntries(Object.entries(documents).map(([key, value]) => [key, JSON.stringify(value)]));

/** Over HTTP its arrays are found by their consolidated metadata, or one by one by their names. */
export function smallStore(version: 2 | 3, consolidated: boolean): StoreFiles {
  const stored = ARRAYS.flatMap((array) =>
    chunksOf(array).map(([name, bytes]) => {
      const key = version === 2 ? name : `c/${name.replaceAll(".", "/")}`;
      return [`${array.name}/${key}`, bytes] as const;
    }),
  );
  const objects = Object.fromEntries(stored);
  if (version === 2) {
    const metadata = version2();
    const all = consolidated ? { ".zmetadata": { zarr_consolidated_format: 1, metadata } } : {};
    return { ...asText({ ...metadata, ...all }), ...objects };
  }
  const documents = Object.fromEntries(ARRAYS.map((array) => [array.name, version3(array)]));
  const inGroup = { kind: "inline", must_understand: false, metadata: documents };
  const group = { zarr_format: 3, node_type: "group", attributes: {} };
  const root = consolidated ? { ...group, consolidated_metadata: inGroup } : group;
  const each = Object.entries(documents).map(([name, document]) => [`${name}/zarr.json`, document] as const);
  return { ...asText({ "zarr.json": root, ...Object.fromEntries(each) }), ...objects };
}

/** References of `sources`: one file a variable, `NAME.bin`, at an address. Records of two rows. */
export function smallParquet(address: string): { readonly set: StoreFiles; readonly sources: StoreFiles } {
  const set: Record<string, string | Uint8Array> = {
    ".zmetadata": JSON.stringify({ metadata: version2(), record_size: 2 }),
  };
  const sources: Record<string, Uint8Array> = {};
  for (const array of ARRAYS) {
    const chunks = chunksOf(array).map(([, bytes]) => bytes);
    sources[`${array.name}.bin`] = new Uint8Array(Buffer.concat(chunks));
    let offset = 0;
    const rows = chunks.map(({ length: size }) => {
      const row = { path: `${address}/${array.name}.bin`, offset, size };
      offset += size;
      return row;
    });
    for (let first = 0; first < rows.length; first += 2)
      set[`${array.name}/refs.${first / 2}.parq`] = record(rows.slice(first, first + 2));
  }
  return { set, sources };
}

interface RecordRow {
  readonly path: string;
  readonly offset: number;
  readonly size: number;
}

/** As Python's writers do, filled up to the size of a record. */
function record(rows: readonly RecordRow[]): Uint8Array {
  const column = <T>(of: (row: RecordRow) => T, none: T | null): (T | null)[] =>
    [0, 1].map((at) => (rows[at] === undefined ? none : of(rows[at])));
  const written = parquetWriteBuffer({
    columnData: [
      { name: "path", data: column(({ path }) => path, null), type: "STRING", nullable: true },
      { name: "offset", data: column(({ offset }) => BigInt(offset), 0n), type: "INT64" },
      { name: "size", data: column(({ size }) => BigInt(size), 0n), type: "INT64" },
      { name: "raw", data: [null, null], type: "BYTE_ARRAY", nullable: true },
    ],
    codec: "UNCOMPRESSED",
  });
  return new Uint8Array(written);
}

const plain = (shape: readonly number[], chunks: readonly number[], dtype: string, more: object = {}) =>
  JSON.stringify({
    zarr_format: 2,
    shape,
    chunks,
    dtype,
    compressor: null,
    filters: null,
    fill_value: null,
    order: "C",
    ...more,
  });

const named = (dimensions: readonly string[], more: object = {}) =>
  JSON.stringify({ _ARRAY_DIMENSIONS: dimensions, ...more });

const references = (refs: object) => JSON.stringify({ version: 1, refs: { ".zgroup": '{"zarr_format":2}', ...refs } });

const bytesOf = ({ buffer }: Float64Array | Int32Array | Int16Array) => new Uint8Array(buffer);

/** 1,500 days from 2020 on, of a field of 4 × 6 in chunks of 100 days: element = its day. */
export function dailySteps(): StoreFiles {
  const [days, cells] = [1500, 24];
  const data = Int16Array.from({ length: days * cells }, (_, at) => Math.floor(at / cells));
  const axis = (values: readonly number[]) =>
    `base64:${Buffer.from(bytesOf(Float64Array.from(values))).toString("base64")}`;
  const refs: Record<string, unknown> = {
    "time/.zarray": plain([days], [days], "<f8"),
    "time/.zattrs": named(["time"], { units: "days since 2020-01-01", standard_name: "time" }),
    "time/0": axis(Array.from({ length: days }, (_, day) => day)),
    "latitude/.zarray": plain([4], [4], "<f8"),
    "latitude/.zattrs": named(["latitude"], { units: "degrees_north" }),
    "latitude/0": axis([37.125, 37.375, 37.625, 37.875]),
    "longitude/.zarray": plain([6], [6], "<f8"),
    "longitude/.zattrs": named(["longitude"], { units: "degrees_east" }),
    "longitude/0": axis([-122.875, -122.625, -122.375, -122.125, -121.875, -121.625]),
    "t2m/.zarray": plain([days, 4, 6], [100, 4, 6], "<i2"),
    "t2m/.zattrs": named(["time", "latitude", "longitude"], { units: "K" }),
  };
  for (let chunk = 0; chunk < 15; chunk += 1) refs[`t2m/${chunk}.0.0`] = ["daily.bin", chunk * 4800, 4800];
  return { "daily.json": references(refs), "daily.bin": bytesOf(data) };
}

/**
 * Where much could be read unasked: eight fields whose pictures are small one by one, a coordinate of 7.6 MB, and six
 * fields of chunks of 1 MB that claim to be zlib streams and are none.
 */
export function heavySet(): StoreFiles {
  const field = bytesOf(Float64Array.from({ length: 230_000 }, (_, at) => Math.sin(at / 1000)));
  const refs: Record<string, unknown> = {
    "x/.zarray": plain([950_000], [950_000], "<f8"),
    "x/.zattrs": named(["x"], { units: "m" }),
    "x/0": ["x.bin", 0, 7_600_000],
    "track/.zarray": plain([950_000], [100_000], "<f8"),
    "track/.zattrs": named(["x"]),
  };
  for (let at = 0; at < 10; at += 1) refs[`track/${at}`] = ["x.bin", at * 700_000, 800_000];
  for (let at = 0; at < 8; at += 1) {
    refs[`f${at}/.zarray`] = plain([460, 500], [460, 500], "<f8");
    refs[`f${at}/.zattrs`] = named(["row", "column"]);
    refs[`f${at}/0.0`] = [`f${at}.bin`, 0, 1_840_000];
  }
  for (let at = 0; at < 6; at += 1) {
    refs[`z${at}/.zarray`] = plain([800_000], [200_000], "<f8", { compressor: { id: "zlib", level: 4 } });
    refs[`z${at}/.zattrs`] = named(["step"]);
    for (let step = 0; step < 4; step += 1) refs[`z${at}/${step}`] = [`z${at}.bin`, step * 200_000, 1_000_000];
  }
  const names = [
    ...Array.from({ length: 8 }, (_, at) => `f${at}.bin`),
    ...Array.from({ length: 6 }, (_, at) => `z${at}.bin`),
  ];
  const files = Object.fromEntries(names.map((name) => [name, field]));
  const x = bytesOf(Float64Array.from({ length: 950_000 }, (_, at) => at));
  return { "heavy.json": references(refs), "x.bin": x, ...files };
}
