/**
 * Synthetic Kerchunk reference sets as a model archive would give them: 40 variables of three and four dimensions over
 * many files with long S3 URLs, a few small coordinate arrays inline (2 % of all references). Every line is made from
 * its number alone, so that any order and size can be streamed.
 */
import { createWriteStream } from "node:fs";
import { once } from "node:events";

export type Layout = "file" | "variable" | "shuffled" | "escaped" | "spaced" | "unique" | "slashes";
export const LAYOUTS: readonly Layout[] = ["file", "variable", "shuffled", "escaped", "spaced", "unique", "slashes"];

const LEVELS = ["ta", "ua", "va", "hus", "zg", "wap", "hur", "cl", "clw", "cli", "o3", "tke"];
const SURFACE =
  "tas tasmax tasmin pr prc prsn psl ps huss hurs sfcWind uas vas rlds rlus rsds rsus rlut rsut rsdt hfls hfss evspsbl clt ts mrsos snw snd".split(
    " ",
  );
/** Inline coordinates: name and number of values in a chunk. */
const COORDINATES: readonly (readonly [string, number])[] = [
  ["time", 1],
  ["time_bnds", 2],
  ["height", 1],
  ["lat_bnds", 16],
  ["plev_bnds", 12],
  ["crs", 1],
  ["forecast_period", 1],
];
const LEVEL_CHUNKS = 20;
const SURFACE_CHUNKS = 4;
const CHUNKS = LEVELS.length * LEVEL_CHUNKS + SURFACE.length * SURFACE_CHUNKS;
const PER_FILE = CHUNKS + COORDINATES.length;

interface Plan {
  readonly layout: Layout;
  readonly files: number;
  readonly metadata: readonly string[];
  readonly lines: number;
}

/** A set of about `references` references (one file's at least), or every so-manieth of its lines, as pieces of JSON text. */
export function* generate(references: number, layout: Layout, every = 1): Generator<string> {
  const files = Math.max(1, Math.ceil((references - 90) / PER_FILE));
  const metadata = metadataLines(files, layout);
  const plan = { layout, files, metadata, lines: metadata.length + files * PER_FILE };
  const [comma, colon] = layout === "spaced" ? [", ", ": "] : [",", ":"];
  const place = layout === "shuffled" ? permutation(plan.lines) : (index: number) => index;
  let piece = `{"version"${colon}1${comma}"refs"${colon}{`;
  for (let index = 0; index < plan.lines; index += every) {
    piece += (index === 0 ? "" : comma) + lineAt(plan, place(index));
    if (piece.length > 1 << 16) {
      yield piece;
      piece = "";
    }
  }
  yield `${piece}}}`;
}

/** How many references `generate` makes. */
export function countOf(references: number): number {
  return metadataLines(1, "file").length + Math.max(1, Math.ceil((references - 90) / PER_FILE)) * PER_FILE;
}

function entry(plan: { readonly layout: Layout }, key: string, value: string): string {
  const line = `${JSON.stringify(key)}${plan.layout === "spaced" ? ": " : ":"}${value}`;
  return plan.layout === "escaped" ? line.replaceAll("/", "\\/") : line;
}

function metadataLines(files: number, layout: Layout): string[] {
  const separator = layout === "slashes" ? { dimension_separator: "/" } : {};
  const zarray = (shape: number[], chunks: number[], dtype: string): string =>
    JSON.stringify({
      chunks,
      compressor: { id: "zlib", level: 4 },
      dtype,
      fill_value: dtype === "<f4" ? 1e20 : null,
      filters: null,
      order: "C",
      shape,
      zarr_format: 2,
      ...separator,
    });
  const lines: [string, string][] = [
    [".zgroup", '{"zarr_format":2}'],
    [".zattrs", '{"Conventions":"CF-1.7","title":"synthetic reanalysis"}'],
  ];
  const add = (name: string, text: string, dimensions: string[]): void => {
    lines.push([`${name}/.zarray`, text]);
    lines.push([`${name}/.zattrs`, JSON.stringify({ _ARRAY_DIMENSIONS: dimensions, units: "K" })]);
  };
  for (const name of LEVELS) {
    add(name, zarray([files, 40, 720, 1440], [1, 8, 360, 720], "<f4"), ["time", "lev", "lat", "lon"]);
  }
  for (const name of SURFACE) add(name, zarray([files, 720, 1440], [1, 360, 720], "<f4"), ["time", "lat", "lon"]);
  for (const [name, values] of COORDINATES) {
    const shape =
      values === 1
        ? [[files], [1]]
        : [
            [files, values],
            [1, values],
          ];
    add(name, zarray(shape[0] ?? [], shape[1] ?? [], "<f8"), values === 1 ? ["time"] : ["time", "bnds"]);
  }
  return lines.map(([key, text]) => entry({ layout }, key, JSON.stringify(text)));
}

function lineAt(plan: Plan, index: number): string {
  const own = plan.metadata[index];
  if (own !== undefined) return own;
  const at = index - plan.metadata.length;
  if (plan.layout !== "variable") return chunkLine(plan, Math.floor(at / PER_FILE), at % PER_FILE);
  // Variable by variable: all files of its first chunk positions, and so on.
  const position = Math.floor(at / plan.files);
  return chunkLine(plan, at % plan.files, position);
}

function chunkLine(plan: Plan, file: number, position: number): string {
  const dot = plan.layout === "slashes" ? "/" : ".";
  const coordinate = COORDINATES[position];
  if (coordinate !== undefined) return inlineLine(plan, file, coordinate, dot);
  const at = position - COORDINATES.length;
  const isLevel = at < LEVELS.length * LEVEL_CHUNKS;
  const inside = isLevel ? at : at - LEVELS.length * LEVEL_CHUNKS;
  const per = isLevel ? LEVEL_CHUNKS : SURFACE_CHUNKS;
  const name = (isLevel ? LEVELS : SURFACE)[Math.floor(inside / per)] ?? "";
  const chunk = inside % per;
  const tail = [(chunk >> 1) & 1, chunk & 1];
  const key = [file, ...(isLevel ? [chunk >> 2] : []), ...tail].join(dot);
  const noise = hash(file * CHUNKS + at);
  const offset = 4016 + at * 6_100_000 + (noise & 0xffff) + (file % 17 === 0 ? 4_500_000_000 : 0);
  // Less than a chunk has uncompressed.
  const length = 20_000 + Math.floor((noise >>> 8) / (isLevel ? 3 : 18));
  const space = plan.layout === "spaced" ? " " : "";
  const value = `["${urlOf(file, plan.layout === "unique" ? at : undefined)}",${space}${offset},${space}${length}]`;
  return entry(plan, `${name}/${key}`, value);
}

function inlineLine(plan: Plan, file: number, [name, count]: readonly [string, number], dot: string): string {
  const values = Float64Array.from({ length: count }, (_, i) => file * 6 + i * 0.25);
  const key = count === 1 ? `${name}/${file}` : `${name}/${file}${dot}0`;
  return entry(plan, key, `"base64:${Buffer.from(values.buffer).toString("base64")}"`);
}

function urlOf(file: number, part: number | undefined): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hour, day] = [(file % 4) * 6, Math.floor(file / 4)];
  const [date, month, year] = [(day % 28) + 1, (Math.floor(day / 28) % 12) + 1, 1950 + Math.floor(day / 336)];
  const end = part === undefined ? "" : `_part${part}`;
  return `s3://noaa-reanalysis-pds/v3/6hourly/${year}/${two(month)}/reanalysis_v3_all_6hr_gn_${year}${two(month)}${two(date)}T${two(hour)}0000_v2${end}.nc`;
}

function hash(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

/** A shuffle without a list: a four-round Feistel network over the next power of four, walked until inside. */
function permutation(count: number): (index: number) => number {
  const bits = Math.ceil(Math.log2(Math.max(4, count)) / 2);
  const mask = 2 ** bits - 1;
  const once = (index: number): number => {
    let left = Math.floor(index / (mask + 1));
    let right = index & mask;
    for (let round = 1; round <= 4; round += 1) [left, right] = [right, (left ^ hash(right * 7 + round)) & mask];
    return left * (mask + 1) + right;
  };
  return (index) => {
    let at = once(index);
    while (at >= count) at = once(at);
    return at;
  };
}

export async function writeSet(path: string, references: number, layout: Layout): Promise<void> {
  const file = createWriteStream(path, { highWaterMark: 1 << 22 });
  for (const piece of generate(references, layout)) if (!file.write(piece)) await once(file, "drain");
  file.end();
  await once(file, "finish");
}
