/**
 * For tests, in Node and in browsers: every recorded case of what published virtual stores need decoded
 * (core/testing/flagship.ts), as files that the page could open, and whether what it then gave is what was recorded.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { FLAGSHIP } from "#core/testing/flagship.ts";
import { oneNaN, pythonBytes } from "./one-spelling.ts";
import type { RecordedArray } from "./recorded-arrays.ts";

export interface FlagshipSet {
  readonly id: string;
  readonly kind: string;
  /** The same where the files are: they need be opened once. */
  readonly opened: string;
  readonly array: string;
  readonly expected?: Expected;
  /** Tolerance in the values' unit, if not the whole is compared. */
  readonly tolerance?: number;
  readonly files: () => Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
}

interface Expected extends RecordedArray {
  readonly first?: readonly unknown[];
}

interface Case extends Omit<FlagshipSet, "files" | "opened" | "array"> {
  /** Below the folder. */
  readonly file: string;
  readonly array: unknown;
  readonly codecs?: unknown;
  readonly codec?: object;
  readonly aec?: Readonly<Record<"bits_per_sample" | "block_size" | "rsi" | "flags" | "samples", number>>;
}

/** None where they are not beside the project. */
export function flagshipSets(): readonly FlagshipSet[] {
  const list = join(FLAGSHIP, "cases.json");
  if (!existsSync(list)) return [];
  return (JSON.parse(readFileSync(list, "utf8")) as readonly Case[]).map(setOf);
}

const bytesOf = (path: string) => new Uint8Array(readFileSync(join(FLAGSHIP, path)));
const textBytes = (value: unknown) => new Uint8Array(Buffer.from(JSON.stringify(value)));

function setOf(one: Case): FlagshipSet {
  const { id, kind, file, array } = one;
  const known = { ...one, array: "", opened: id };
  switch (kind) {
    case "store":
      return { ...known, array: array as string, files: () => filesIn(file, "s.zarr/") };
    case "refs":
      return { ...known, array: array as string, opened: file, files: () => filesIn(dirname(file), "") };
    case "ccsds-aec":
      return {
        ...known,
        files: () => chunkFiles(compressed(one, { id: "gribscan.rawgrib" }, "<f8"), ccsdsMessage(one)),
      };
    case "gribscan-rawgrib":
      return { ...known, files: () => chunkFiles(version2(one, array as object), bytesOf(file)) };
    case "pcodec":
    case "jpeg2000":
      return { ...known, files: () => chunkFiles(compressed(one, one.codec ?? {}, numpyName(one)), bytesOf(file)) };
    default:
      return { ...known, files: () => chunkFiles(version3(one), bytesOf(file)) };
  }
}

function filesIn(folder: string, below: string): Record<string, Uint8Array<ArrayBuffer>> {
  const names = readdirSync(join(FLAGSHIP, folder), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(FLAGSHIP, folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [below + name, bytesOf(join(folder, name))]));
}

/** The names and texts of an array's metadata, and the name of its one chunk. */
type OneChunk = readonly [document: string, metadata: object, chunk: string];

function chunkFiles([document, metadata, chunk]: OneChunk, bytes: Uint8Array<ArrayBuffer>) {
  const refs = { [document]: JSON.stringify(metadata), [chunk]: ["stored"] };
  return { "refs.json": textBytes(refs), stored: bytes };
}

function version2({ expected }: Case, members: object): OneChunk {
  const shape = expected?.shape ?? [];
  const chunks = shape.map((length) => Math.max(1, length));
  const common = { zarr_format: 2, shape, chunks, order: "C", fill_value: null, filters: null };
  return [".zarray", { ...common, ...members }, shape.map(() => 0).join(".") || "0"];
}

const compressed = (one: Case, compressor: object, dtype: string) => version2(one, { dtype, compressor });

function numpyName({ expected }: Case): string {
  const [, kind = "", bits = ""] = /^([a-z]+)(\d+)$/.exec(expected?.dtype ?? "") ?? [];
  return `${bits === "8" ? "|" : "<"}${kind.slice(0, 1)}${Number(bits) / 8}`;
}

function version3({ array, codecs }: Case): OneChunk {
  const { data_type, chunk_shape } = array as { readonly data_type: string; readonly chunk_shape: readonly number[] };
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: chunk_shape,
    data_type,
    chunk_grid: { name: "regular", configuration: { chunk_shape } },
    chunk_key_encoding: { name: "default" },
    fill_value: "NaN",
    codecs,
    attributes: {},
  };
  return ["zarr.json", metadata, ["c", ...chunk_shape.map(() => 0)].join("/")];
}

/**
 * A message of GRIB edition 2 (FM 92) around samples in adaptive entropy coding, whose values they are: template 5.42,
 * not scaled.
 */
function ccsdsMessage({ file, aec }: Case): Uint8Array<ArrayBuffer> {
  const stream = bytesOf(file);
  const { bits_per_sample = 0, block_size = 0, rsi = 0, flags = 0, samples = 0 } = aec ?? {};
  const points = bigEndian(samples, 4);
  const coding = [...bigEndian(0, 8), bits_per_sample, 0, flags, block_size, ...bigEndian(rsi, 2)];
  const sections = [
    section(1, [...bigEndian(0, 7), ...bigEndian(2026, 2), 1, 1, 0, 0, 0, 0, 1]),
    section(3, [0, ...points, 0, 0, 0, 0, 6, ...bigEndian(0, 15), ...points, ...bigEndian(1, 4), ...bigEndian(0, 34)]),
    section(4, bigEndian(0, 29)),
    section(5, [...points, 0, 42, ...coding]),
    section(6, [255]),
    section(7, [...stream]),
  ].flat();
  const end = [...Buffer.from("7777")];
  const head = [...Buffer.from("GRIB"), 0, 0, 0, 2, ...bigEndian(16 + sections.length + end.length, 8)];
  return Uint8Array.from([...head, ...sections, ...end]);
}

const section = (number: number, rest: readonly number[]) => [...bigEndian(5 + rest.length, 4), number, ...rest];

const bigEndian = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) % 256);

export type Answer =
  /** A file of NumPy's: every element, but of arrays whose elements have no fixed size. */
  | { readonly kind: "npy"; readonly bytes: Uint8Array }
  /** Every element as text. */
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  | { readonly kind: "refused"; readonly code: string };

/** Difference from the recording, or `undefined`. Refusals must be deliberate: no error that nobody thought of. */
export function differenceOf({ kind, expected, tolerance }: FlagshipSet, answer: Answer): string | undefined {
  if (answer.kind === "refused") {
    const isMeant = expected === undefined && answer.code !== "unexpected";
    return isMeant ? undefined : answer.code;
  }
  if (expected === undefined) return "read, where Python refuses";
  if (answer.kind === "texts") {
    const wanted = (expected.values ?? []).map((one) => (typeof one === "string" ? one : pythonBytes(one.b64)));
    return JSON.stringify(wanted) === JSON.stringify(answer.texts) ? undefined : JSON.stringify(answer.texts);
  }
  const { dtype, shape, bytes } = npyParts(answer.bytes);
  // Scalars were recorded as arrays of one element.
  const isShape = shape === expected.shape.join(", ") || (shape === "" && expected.shape.join() === "1");
  if (!isShape) return `shape [${shape}]`;
  if (tolerance !== undefined) return farFrom(numbersIn(bytes, dtype), expected.first ?? [], tolerance);
  const found = kind === "ccsds-aec" ? asLongs(bytes) : oneNaN(bytes, dtype);
  return createHash("sha256").update(found).digest("hex") === expected.sha256 ? undefined : `other values (${dtype})`;
}

function npyParts(file: Uint8Array) {
  const length = (file[8] ?? 0) + 256 * (file[9] ?? 0);
  const header = new TextDecoder().decode(file.subarray(10, 10 + length));
  const [, dtype = ""] = /'descr': '?(\[.*\]|[^']*)'?, 'fortran/.exec(header) ?? [];
  const [, shape = ""] = /'shape': \(([^)]*?),?\)/.exec(header) ?? [];
  return { dtype, shape, bytes: file.slice(10 + length) };
}

function numbersIn(bytes: Uint8Array, dtype: string): ArrayLike<number> {
  const { buffer } = bytes.slice();
  const types = new Map<string, (buffer: ArrayBuffer) => ArrayLike<number>>([
    ["|u1", (of) => new Uint8Array(of)],
    ["<u2", (of) => new Uint16Array(of)],
    ["<f4", (of) => new Float32Array(of)],
    ["<f8", (of) => new Float64Array(of)],
  ]);
  return types.get(dtype)?.(buffer) ?? [];
}

function farFrom(found: ArrayLike<number>, first: readonly unknown[], tolerance: number): string | undefined {
  const isNear = (value: unknown, at: number) =>
    value === "NaN" ? Number.isNaN(found[at]) : Math.abs(Number(value) - (found[at] ?? NaN)) <= tolerance;
  return first.length > 0 && first.every(isNear) ? undefined : Array.from(found).slice(0, first.length).join(" ");
}

/** Whole numbers as little-endian int64. */
function asLongs(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(BigInt64Array.from(Array.from(new Float64Array(bytes.slice().buffer), BigInt)).buffer);
}

/** Kinds and reasons that are known not to be built. A test fails when one of these is read, or when another is not. */
const NOT_BUILT: readonly { readonly reason: string; readonly is: (set: FlagshipSet) => boolean }[] = [];

export const notBuilt = (set: FlagshipSet): string | undefined => NOT_BUILT.find(({ is }) => is(set))?.reason;

export interface FlagshipTally {
  /** "grib2-gribberish: 95 of 97 exact" … */
  readonly lines: readonly string[];
  /** Cases that are not as recorded though nothing says why, and those that are though something says they cannot be. */
  readonly surprises: readonly string[];
}

export function tallyOf(
  outcomes: readonly { readonly set: FlagshipSet; readonly difference: string | undefined }[],
): FlagshipTally {
  const kinds = [...new Set(outcomes.map(({ set }) => set.kind))];
  const lines = kinds.map((kind) => {
    const of = outcomes.filter(({ set }) => set.kind === kind);
    const wrong = of.filter(({ difference }) => difference !== undefined);
    const reasons = [...new Set(wrong.map(({ set }) => notBuilt(set) ?? "not as recorded"))];
    const why = reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
    return `${kind}: ${of.length - wrong.length} of ${of.length} as recorded${why}`;
  });
  const surprises = outcomes.flatMap(({ set, difference }) => {
    const reason = notBuilt(set);
    if ((difference === undefined) === (reason === undefined)) return [];
    return [`${set.id}: ${difference ?? `is read, though it is listed as not built: ${reason}`}`];
  });
  return { lines, surprises };
}
