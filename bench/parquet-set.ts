/**
 * A synthetic Kerchunk Parquet set as a model archive would give one: five variables over some thousands of files with
 * long S3 URLs, 250 chunks of each variable in a file, 2 % of the references inline, zstd, 100,000 references a record.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Zstd } from "@hpcc-js/wasm-zstd";
import { ByteWriter, parquetWrite } from "hyparquet-writer";

export const RECORD_SIZE = 100_000;
export const VARIABLES = ["tas", "pr", "ua", "va", "hus"] as const;
/** Chunks of a variable in one file. */
const SPREAD = [10, 5, 5] as const;
const PER_FILE = SPREAD[0] * SPREAD[1] * SPREAD[2];

export interface RecordRows {
  readonly path: (string | null)[];
  readonly offset: bigint[];
  readonly size: bigint[];
  readonly raw: (Uint8Array | null)[];
}

/** Writes the set into a folder below `data` and returns the folder; does nothing where it is there. */
export async function writeParquetSet(data: string, references: number): Promise<string> {
  const files = Math.max(1, Math.ceil(references / VARIABLES.length / PER_FILE));
  const folder = `${data}parquet-${references}`;
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(`${unfinished}/.zmetadata`, JSON.stringify({ metadata: metadata(files), record_size: RECORD_SIZE }));
  const zstd = await Zstd.load();
  for (const [index, name] of VARIABLES.entries()) {
    mkdirSync(`${unfinished}/${name}`);
    for (let record = 0; record * RECORD_SIZE < files * PER_FILE; record += 1) {
      const bytes = await recordBytes(recordRows(index, record, files * PER_FILE), zstd);
      writeFileSync(`${unfinished}/${name}/refs.${record}.parq`, bytes);
    }
  }
  renameSync(unfinished, folder);
  return folder;
}

function metadata(files: number): Record<string, unknown> {
  const members: Record<string, unknown> = { ".zgroup": { zarr_format: 2 }, ".zattrs": { title: "synthetic" } };
  for (const name of VARIABLES) {
    members[`${name}/.zarray`] = {
      chunks: [1, 8, 144, 288],
      compressor: { id: "zlib", level: 4 },
      dtype: "<f4",
      fill_value: 1e20,
      filters: null,
      order: "C",
      shape: [files, 8 * SPREAD[0], 144 * SPREAD[1], 288 * SPREAD[2]],
      zarr_format: 2,
    };
    members[`${name}/.zattrs`] = { _ARRAY_DIMENSIONS: ["time", "lev", "lat", "lon"], units: "K" };
  }
  return members;
}

/** Rows of a record, padded with nulls to the record size as fsspec pads them. */
export function recordRows(variable: number, record: number, cells: number): RecordRows {
  const rows: RecordRows = { path: [], offset: [], size: [], raw: [] };
  for (let row = 0; row < RECORD_SIZE; row += 1) {
    const ordinal = record * RECORD_SIZE + row;
    const noise = hash(ordinal * VARIABLES.length + variable);
    const isInline = noise % 50 === 0;
    const isThere = ordinal < cells;
    const file = Math.floor(ordinal / PER_FILE);
    const at = variable * PER_FILE + (ordinal % PER_FILE);
    rows.path.push(isThere && !isInline ? urlOf(file) : null);
    rows.offset.push(isThere && !isInline ? BigInt(4016 + at * 6_100_000 + (noise & 0xffff)) : 0n);
    rows.size.push(isThere && !isInline ? BigInt(20_000 + (noise >>> 10)) : 0n);
    rows.raw.push(isThere && isInline ? inlineBytes(noise) : null);
  }
  return rows;
}

async function recordBytes(rows: RecordRows, zstd: Zstd): Promise<Uint8Array> {
  const writer = new ByteWriter();
  const columnData = [
    { name: "path", data: rows.path, type: "STRING" as const },
    { name: "offset", data: BigInt64Array.from(rows.offset), type: "INT64" as const, nullable: false },
    { name: "size", data: BigInt64Array.from(rows.size), type: "INT64" as const, nullable: false },
    { name: "raw", data: rows.raw, type: "BYTE_ARRAY" as const },
  ];
  const compressors = { ZSTD: (bytes: Uint8Array) => zstd.compress(bytes, 3) };
  await parquetWrite({ writer, columnData, codec: "ZSTD", compressors, rowGroupSize: RECORD_SIZE });
  return new Uint8Array(writer.getBuffer());
}

function inlineBytes(noise: number): Uint8Array {
  const values = Float64Array.from({ length: 3 + (noise % 5) }, (_, index) => (noise % 1000) * 6 + index * 0.25);
  return new Uint8Array(values.buffer);
}

function urlOf(file: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hour, day] = [(file % 4) * 6, Math.floor(file / 4)];
  const [date, month, year] = [(day % 28) + 1, (Math.floor(day / 28) % 12) + 1, 1950 + Math.floor(day / 336)];
  return `s3://noaa-reanalysis-pds/v3/6hourly/${year}/${two(month)}/reanalysis_v3_all_6hr_gn_${year}${two(month)}${two(date)}T${two(hour)}0000_v2.nc`;
}

function hash(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
