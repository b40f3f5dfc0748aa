/**
 * An Icechunk repository in the shape of an operational forecast, written to disk: arrays over runs and lead times, a chunk
 * for each (run, lead time) of each array, all chunks of one (run, lead time) in one file of the archive; manifests split
 * along the runs, locations compressed with a dictionary. Planted:
 *
 * - *incomplete positions*: a (run, lead time) at which some of the arrays, at least one and not all, lack their reference,
 *   as when a run was written while its file still grew;
 * - *absent source files*: references to files that are not in the archive, as when runs were deleted: whole runs, and
 *   the lead times of one more run.
 *
 * The archive is a folder of files without content but of the right size (sparse).
 */
import { mkdirSync, openSync, closeSync, ftruncateSync, writeFileSync } from "node:fs";
import { Zstd } from "@hpcc-js/wasm-zstd";
import {
  bytesOf,
  coordinates,
  flatBuffer,
  icechunkFile,
  struct,
  table,
  tables,
  text,
  u64,
  u8,
  type FlatNode,
  type FlatValue,
} from "../src/formats/icechunk/testing/flat-writer.ts";
import { objectId } from "../src/formats/icechunk/object-id.ts";
import { randomFrom, type Random } from "../src/formats/icechunk/testing/damage.ts";
import { compressedLocation } from "./icechunk-set.ts";

export interface ForecastShape {
  readonly runs: number;
  readonly leads: number;
  readonly arrays: number;
  /** Runs in a manifest. */
  readonly split: number;
  readonly incomplete: number;
  readonly absent: number;
}

export const FORECAST: ForecastShape = {
  runs: 3595,
  leads: 61,
  arrays: 160,
  split: 360,
  incomplete: 204,
  absent: 12_384,
};

/** What was planted. */
export interface ForecastTruth {
  readonly references: number;
  /** `run lead` → arrays that lack it. */
  readonly incomplete: Readonly<Record<string, readonly string[]>>;
  /** References that are not there. */
  readonly missing: number;
  readonly absent: readonly string[];
}

const ARCHIVE = "file:///archive/forecast";
const MESSAGE = 512_000;
const [LATITUDES, LONGITUDES] = [721, 1440];
const DAY = 86_400_000;

const arrayName = (at: number): string => `v${String(at).padStart(3, "0")}`;

function fileOf(run: number, lead: number): string {
  const day = new Date(Date.UTC(2015, 0, 1) + run * DAY).toISOString().slice(0, 10).replaceAll("-", "");
  return `/${day}00/f${String(lead * 3).padStart(3, "0")}.grib2`;
}

/** Writes `repository/` and `archive/` into the folder. */
export async function writeForecast(folder: string, shape: ForecastShape): Promise<ForecastTruth> {
  const zstd = await Zstd.load();
  const random = randomFrom(20_261_123);
  const lacking = plantIncomplete(shape, random);
  const absent = plantAbsent(shape, random);
  const repository = `${folder}/repository`;
  for (const part of ["manifests", "snapshots", "refs/branch.main"])
    mkdirSync(`${repository}/${part}`, { recursive: true });
  const compress = (body: Uint8Array) => icechunkFile(zstd.compress(body, 1), { type: 2, format: 1, compression: 1 });
  for (let split = 0; split * shape.split < shape.runs; split += 1) {
    const page = manifestTemplate(shape, split);
    for (let array = 0; array < shape.arrays; array += 1) {
      const bytes = manifestOf(page, array, lacking.get(array) ?? new Set());
      writeFileSync(`${repository}/manifests/${manifestId(array, split)}`, compress(bytes));
    }
  }
  const coordinateFile = coordinateManifest(shape);
  writeFileSync(`${repository}/manifests/${manifestId(shape.arrays, 0)}`, compress(coordinateFile));
  const snapshot = icechunkFile(flatBuffer(snapshotOf(shape)), { type: 1, format: 1 });
  writeFileSync(`${repository}/snapshots/${objectId(SNAPSHOT, 0, 12)}`, snapshot);
  writeFileSync(`${repository}/refs/branch.main/ref.json`, `{"snapshot":"${objectId(SNAPSHOT, 0, 12)}"}`);
  writeFileSync(`${repository}/config.yaml`, CONFIGURATION);
  writeArchive(`${folder}/archive`, shape, absent);
  return truthOf(shape, lacking, absent);
}

const CONFIGURATION = `virtual_chunk_containers:
  ${ARCHIVE}/:
    name: null
    url_prefix: ${ARCHIVE}/
    store: !local_file_system /archive/forecast
`;

/** By array the cells that it lacks. */
function plantIncomplete({ runs, leads, arrays, incomplete }: ForecastShape, random: Random) {
  const lacking = new Map<number, Set<number>>();
  const cells = new Set<number>();
  while (cells.size < incomplete) cells.add(random.below(runs * leads));
  for (const cell of cells) {
    const count = 1 + random.below(arrays - 1);
    const first = random.below(arrays - count + 1);
    for (let array = first; array < first + count; array += 1) {
      const own = lacking.get(array) ?? new Set();
      lacking.set(array, own.add(cell));
    }
  }
  return lacking;
}

/** Cells whose file is not there: whole runs, then lead times of one more. */
function plantAbsent({ runs, leads, absent }: ForecastShape, random: Random): ReadonlySet<number> {
  const gone = new Set<number>();
  const first = new Set<number>();
  while (gone.size < absent) {
    const run = random.below(runs);
    if (first.has(run)) continue;
    first.add(run);
    for (let lead = 0; lead < leads && gone.size < absent; lead += 1) gone.add(run * leads + lead);
  }
  return gone;
}

function truthOf(
  { runs, leads, arrays }: ForecastShape,
  lacking: ReadonlyMap<number, ReadonlySet<number>>,
  absent: ReadonlySet<number>,
): ForecastTruth {
  const incomplete: Record<string, string[]> = {};
  let missing = 0;
  for (const [array, cells] of [...lacking].toSorted(([a], [b]) => a - b)) {
    for (const cell of cells) (incomplete[`${Math.floor(cell / leads)} ${cell % leads}`] ??= []).push(arrayName(array));
    missing += cells.size;
  }
  const files = [...absent].map((cell) => fileOf(Math.floor(cell / leads), cell % leads));
  return { references: runs * leads * arrays - missing, incomplete, missing, absent: files.toSorted() };
}

function writeArchive(folder: string, { runs, leads, arrays }: ForecastShape, absent: ReadonlySet<number>): void {
  for (let run = 0; run < runs; run += 1) {
    mkdirSync(folder + fileOf(run, 0).slice(0, 11), { recursive: true });
    for (let lead = 0; lead < leads; lead += 1) {
      if (absent.has(run * leads + lead)) continue;
      const file = openSync(folder + fileOf(run, lead), "w");
      ftruncateSync(file, arrays * MESSAGE);
      closeSync(file);
    }
  }
}

const SNAPSHOT = Uint8Array.from([9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]);
const nodeBytes = (array: number): number[] => [1, array & 255, array >> 8, 0, 0, 0, 0, 1];
const manifestBytes = (array: number, split: number): number[] => [2, array & 255, array >> 8, split, 0, 0, 0, 0, 0, 0, 0, 1]; // prettier-ignore
const manifestId = (array: number, split: number): string =>
  objectId(Uint8Array.from(manifestBytes(array, split)), 0, 12);

interface Template {
  readonly bytes: Uint8Array;
  /** Where the vector of references is, and the first of their tables, which are `stride` apart. */
  readonly refs: number;
  readonly first: number;
  readonly stride: number;
  readonly node: number;
  /** Cells, one a reference. */
  readonly from: number;
  readonly count: number;
}

/** A manifest with all references of some runs, into which each array's own is then written; laid out by hand for speed. */
function manifestTemplate({ runs, leads, split: each }: ForecastShape, split: number): Template {
  const from = split * each * leads;
  const count = Math.min(each, runs - split * each) * leads;
  const locationBytes = compressedLocation(fileOf(0, 0), ARCHIVE).length;
  const stride = 32 + 24 + Math.ceil((4 + locationBytes) / 8) * 8;
  const dictionary = Buffer.from(ARCHIVE);
  const [vtables, root, array, dict] = [8, 64, 96, 128] as const;
  const refs = dict + Math.ceil((4 + dictionary.length) / 8) * 8;
  const first = Math.ceil((refs + 4 + 4 * count) / 8) * 8;
  const bytes = new Uint8Array(first + count * stride);
  const view = new DataView(bytes.buffer);
  const words = (at: number, ...values: readonly number[]): void =>
    values.forEach((value, index) => view.setUint32(at + 4 * index, value, true));
  const shorts = (at: number, ...values: readonly number[]): void =>
    values.forEach((value, index) => view.setUint16(at + 2 * index, value, true));
  words(0, root);
  const [rootTable, arrayTable, refTable] = [vtables, vtables + 12, vtables + 20];
  shorts(rootTable, 10, 24, 4, 16, 20);
  shorts(arrayTable, 8, 16, 4, 12);
  shorts(refTable, 22, 28, 4, 0, 8, 16, 0, 0, 0, 0, 24);
  words(root, root - rootTable);
  bytes.set(manifestBytes(0, split), root + 4);
  words(root + 16, 88 - (root + 16), dict - (root + 20));
  words(88, 1, array - 92);
  words(array, array - arrayTable);
  words(array + 12, refs - (array + 12));
  words(dict, dictionary.length);
  bytes.set(dictionary, dict + 4);
  for (let at = 0; at < count; at += 1) {
    const here = first + at * stride;
    const [run, lead] = [Math.floor((from + at) / leads), (from + at) % leads];
    words(here, here - refTable, 32 - 4);
    words(here + 24, 56 - 24);
    words(here + 32, 4, run, lead, 0, 0);
    words(here + 56, locationBytes);
    bytes.set(compressedLocation(fileOf(run, lead), ARCHIVE), here + 60);
  }
  return { bytes, refs, first, stride, node: array + 4, from, count };
}

function manifestOf(
  { bytes, refs, first, stride, node, from, count }: Template,
  array: number,
  lacks: ReadonlySet<number>,
) {
  const view = new DataView(bytes.buffer);
  bytes.set(nodeBytes(array), node);
  bytes[65 + 4] = array & 255;
  bytes[65 + 5] = array >> 8;
  let rows = 0;
  for (let at = 0; at < count; at += 1) {
    const here = first + at * stride;
    const noise = Math.imul((from + at) * 160 + array, 0x9e37_79b1) >>> 15;
    view.setUint32(here + 8, array * MESSAGE, true);
    view.setUint32(here + 16, 300_000 + noise, true);
    if (lacks.has(from + at)) continue;
    const slot = refs + 4 + 4 * rows;
    view.setUint32(slot, here - slot, true);
    rows += 1;
  }
  view.setUint32(refs, rows, true);
  return bytes;
}

interface Coordinate {
  readonly name: string;
  readonly values: BigInt64Array | Float64Array;
  readonly attributes: object;
}

function coordinatesOf({ runs, leads }: ForecastShape): readonly Coordinate[] {
  const hours = (length: number, step: number) => BigInt64Array.from({ length }, (_, at) => BigInt(at * step));
  return [
    {
      name: "init_time",
      values: hours(runs, 24),
      attributes: { standard_name: "forecast_reference_time", units: "hours since 2015-01-01", calendar: "standard" },
    },
    { name: "lead_time", values: hours(leads, 3), attributes: { standard_name: "forecast_period", units: "hours" } },
    {
      name: "latitude",
      values: Float64Array.from({ length: LATITUDES }, (_, at) => 90 - at / 4),
      attributes: { standard_name: "latitude", units: "degrees_north" },
    },
    {
      name: "longitude",
      values: Float64Array.from({ length: LONGITUDES }, (_, at) => at / 4),
      attributes: { standard_name: "longitude", units: "degrees_east" },
    },
  ];
}

function coordinateManifest(shape: ForecastShape): Uint8Array {
  const arrays = coordinatesOf(shape).map(({ values }, at) => {
    const inline = bytesOf(new Uint8Array(values.buffer));
    return table(struct(...nodeBytes(shape.arrays + at)), tables([table(coordinates(0), inline)]));
  });
  return flatBuffer(table(struct(...manifestBytes(shape.arrays, 0)), tables(arrays)));
}

function snapshotOf(shape: ForecastShape): FlatNode {
  const { runs, leads, arrays } = shape;
  const splits = Array.from({ length: Math.ceil(runs / shape.split) }, (_, split) => {
    return { split, from: split * shape.split, to: Math.min(runs, (split + 1) * shape.split) };
  });
  const sizes = [runs, leads, LATITUDES, LONGITUDES];
  const variables = Array.from({ length: arrays }, (_, at) => {
    const own = splits.map(({ split, from, to }): FlatNode => {
      const extents = new Uint32Array([from, to, 0, leads, 0, 1, 0, 1]);
      return table(struct(...manifestBytes(at, split)), vectorOf(new Uint8Array(extents.buffer), 8));
    });
    const metadata = { shape: sizes, chunks: [1, 1, LATITUDES, LONGITUDES], dtype: "float32", names: NAMES };
    return nodeTable(arrayName(at), nodeBytes(at), { ...metadata, attributes: {}, isCompressed: true }, own);
  });
  const axes = coordinatesOf(shape).map(({ name, values, attributes }, at) => {
    const { length } = values;
    const dtype = values instanceof Float64Array ? "float64" : "int64";
    const own = table(struct(...manifestBytes(arrays, 0)), vectorOf(new Uint8Array(new Uint32Array([0, 1]).buffer), 8));
    const metadata = { shape: [length], chunks: [length], dtype, names: [name], attributes, isCompressed: false };
    return nodeTable(name, nodeBytes(arrays + at), metadata, [own]);
  });
  const group = table(struct(0, 0, 0, 0, 0, 0, 0, 9), text("/"), text(GROUP), u8(2), { to: table() });
  const nodes = [group, ...axes, ...variables];
  const id = struct(...SNAPSHOT);
  return table(id, undefined, tables(nodes), u64(1_700_000_000_000_000n), text("A forecast"));
}

const NAMES = ["init_time", "lead_time", "latitude", "longitude"];
const GROUP = JSON.stringify({ zarr_format: 3, node_type: "group", attributes: { Conventions: "CF-1.10" } });

interface ArrayParts {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly dtype: string;
  readonly names: readonly string[];
  readonly attributes: object;
  readonly isCompressed: boolean;
}

const vectorOf = (vector: Uint8Array, size: number): FlatValue => ({ to: { vector, size } });

function nodeTable(name: string, id: readonly number[], parts: ArrayParts, manifests: readonly FlatNode[]): FlatNode {
  const { shape, chunks, dtype, names, attributes, isCompressed } = parts;
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: dtype,
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: dtype === "int64" ? 0 : "NaN",
    codecs: [
      { name: "bytes", configuration: { endian: "little" } },
      ...(isCompressed ? [{ name: "zstd", configuration: { level: 3, checksum: false } }] : []),
    ],
    attributes,
    dimension_names: names,
  };
  const sizes = new BigUint64Array(shape.flatMap((length, axis) => [BigInt(length), BigInt(chunks[axis] ?? 1)]));
  const dimensions = names.map((one) => table(text(one)));
  const data = table(vectorOf(new Uint8Array(sizes.buffer), 16), tables(dimensions), tables(manifests));
  return table(struct(...id), text(`/${name}`), text(JSON.stringify(document)), u8(1), { to: data });
}
