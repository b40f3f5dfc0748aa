/** Files that are one dataset as one reference set: Kerchunk's JSON of Version 1. */
import type { CallContext } from "#core/byte-source.ts";
import { portableJson } from "#core/json/portable-json.ts";
import { pythonJsonText } from "#core/json/python-json.ts";
import { cellCount, chunkKey, coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import { joinBytes } from "#core/bytes.ts";
import { timeTotal, type TimeView } from "#core/cf/cf-time.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import { columnsWriter, type SourceArray } from "#core/source-file.ts";
import { arrayNode } from "../engine-set.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { storedBytes } from "#core/values/written-elements.ts";
import { inlineText, metadataDocuments } from "../open/data-file/source-set.ts";
import type { Examined } from "./preflight.ts";
import { type Coordinate, readCoordinate, sizeOf, storedValues, type SourcedFile, unquoted } from "./sourced-file.ts";
import { pathsOf } from "./variable-barriers.ts";

export interface Combined {
  /** Notes on parts of the result that no file has. */
  readonly notes: readonly string[];
  /** Pieces of the document's text. */
  readonly text: () => Generator<string>;
}

/** An array of the result: of one file, of all of them, or written anew. */
interface Joined {
  readonly array: SourceArray;
  readonly parts: readonly Part[];
}

interface Member {
  readonly file: SourcedFile;
  readonly array: SourceArray;
}

interface Part extends Member {
  /** From the coordinates of a chunk in the file to those in the result. */
  readonly place: (coordinates: readonly number[]) => readonly number[];
}

/** Combines files that nothing `stopsCombining`. */
export async function combine(examined: Examined, decoder: ChunkDecoder, context: CallContext): Promise<Combined> {
  const { order: files, values } = examined.placed;
  const { plan } = examined;
  const { along = "" } = plan;
  const notes: string[] = values === undefined ? [] : [`${along} is new: ${values.join(", ")}.`];
  const joined: Joined[] = values === undefined ? [] : [{ array: valuesArray(along, values), parts: [] }];
  for (const path of pathsOf(files)) {
    const members = files.flatMap((file): readonly Member[] => {
      const array = file.arrays.get(path);
      return array === undefined ? [] : [{ file, array }];
    });
    const [first] = members as [Member, ...Member[]];
    if (!plan.isJoined(path)) joined.push({ array: first.array, parts: [{ ...first, place: (at) => at }] });
    else if (plan.how === "stack") joined.push(stacked(members, along));
    else if (plan.isRewritten(path)) {
      const { array, units } = await rewritten(path, members, along, decoder, context);
      joined.push({ array, parts: [] });
      notes.push(`${path} is written into the references${units === undefined ? "" : `, all in “${units}”`}.`);
    } else joined.push(concatenated(members, along));
  }
  return { notes, text: () => textOf(files, joined) };
}

function* textOf(files: readonly SourcedFile[], joined: readonly Joined[]): Generator<string> {
  const groups = new Map(files.toReversed().flatMap(({ source }) => source.groups.map((group) => [group.path, group])));
  const arrays = joined.map(withoutIdleFill);
  const documents = metadataDocuments({
    label: "",
    groups: [...groups.values()],
    arrays,
    findings: [],
    structures: [],
  });
  let comma = "";
  yield '{"version":1,"refs":{';
  for (const { key, text = "" } of documents.values()) {
    // fsspec renders texts with two braces.
    const written = portableJson(text).replaceAll("{{", String.raw`{\u007b`);
    yield `${comma}\n${pythonJsonText(key)}:${pythonJsonText(written)}`;
    comma = ",";
  }
  for (const one of joined) for (const [key, value] of references(one)) yield `,\n${pythonJsonText(key)}:${value}`;
  yield "\n}}\n";
}

/**
 * Drops the fill value of an array without filled elements: it would only mask values, since xarray takes it for a
 * `_FillValue` that the files do not have.
 */
function withoutIdleFill({ array, parts }: Joined): SourceArray {
  const stored = parts.reduce((sum, { array: { references: own, inline } }) => sum + own.count + inline.size, 0);
  const isWhole = parts.length === 0 || stored >= cellCount(gridOf(array.shape, array.chunks));
  return isWhole && array.hasFillAttribute === undefined ? { ...array, fill: "null" } : array;
}

function* references({ array, parts }: Joined): Generator<readonly [key: string, json: string]> {
  const origin = array.shape.map(() => 0);
  if (parts.length === 0)
    for (const bytes of array.inline.values()) yield [chunkKey(array.path, origin, "."), inlineJson(bytes)];
  for (const { file, array: own, place } of parts) {
    const grid = gridOf(own.shape, own.chunks);
    const keyOf = (ordinal = 0) => chunkKey(array.path, place(coordinatesOf(grid, ordinal)), ".");
    const target = pythonJsonText(own.target ?? file.source.target ?? file.name);
    for (const [ordinal, bytes] of own.inline) yield [keyOf(ordinal), inlineJson(bytes)];
    const { count, ordinal, offset, length } = own.references;
    for (let at = 0; at < count; at += 1)
      yield [keyOf(ordinal[at]), `[${target},${offset[at] ?? 0},${length[at] ?? 0}]`];
  }
}

/** fsspec renders what has two braces. */
function inlineJson(bytes: Uint8Array): string {
  const text = inlineText(bytes);
  return JSON.stringify(text.includes("{{") ? `base64:${toBase64(bytes)}` : text);
}

function concatenated(members: readonly Member[], along: string): Joined {
  const [{ array: first }] = members as [Member, ...Member[]];
  const axis = first.dimensions.indexOf(along);
  let length = 0;
  const parts = members.map((one): Part => {
    const before = length / (first.chunks[axis] ?? 1);
    length += one.array.shape[axis] ?? 0;
    return { ...one, place: (coordinates) => coordinates.map((chunk, at) => (at === axis ? chunk + before : chunk)) };
  });
  return { array: { ...first, shape: first.shape.with(axis, length) }, parts };
}

function stacked(members: readonly Member[], along: string): Joined {
  const [{ array }] = members as [Member, ...Member[]];
  const [shape, chunks] = [members.length, 1].map((length, at) => [length, ...(at === 0 ? array.shape : array.chunks)]);
  const parts = members.map((one, at): Part => ({ ...one, place: (coordinates) => [at, ...coordinates] }));
  return {
    array: { ...array, shape: shape ?? [], chunks: chunks ?? [], dimensions: [along, ...array.dimensions] },
    parts,
  };
}

/** An array that is one inline chunk: `bytes` are elements as `dtype`, JSON text, says. */
function inlineArray(array: SourceArray, shape: readonly number[], dtype: string, bytes: Uint8Array): SourceArray {
  const references = columnsWriter(0).columns();
  return {
    ...array,
    shape,
    chunks: shape,
    dtype,
    filters: [],
    references,
    inline: new Map([[0, bytes]]),
  };
}

function valuesArray(path: string, values: readonly number[]): SourceArray {
  const isWhole = values.every(Number.isSafeInteger);
  const { buffer } = isWhole ? BigInt64Array.from(values, BigInt) : Float64Array.from(values);
  const named = { path, dimensions: [path], attributes: new Map(), fill: "null" } as unknown as SourceArray;
  return inlineArray(named, [values.length], isWhole ? '"<i8"' : '"<f8"', new Uint8Array(buffer));
}

/** How a coordinate counts. */
const COUNTED = ["units", "calendar", "scale_factor", "add_offset", "_Unsigned", "missing_value"];

/** All values as they are stored; or decoded, in one of the files' units, where coordinates count otherwise. */
async function rewritten(
  path: string,
  members: readonly Member[],
  along: string,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<{ readonly array: SourceArray; readonly units?: string }> {
  const [{ array: first, file }] = members as [Member, ...Member[]];
  const parts = await Promise.all(members.map((one) => storedValues(one.file, one.array, decoder, context)));
  const shape = [members.reduce((sum, { array }) => sum + (array.shape[0] ?? 0), 0), ...first.shape.slice(1)];
  const said = members.map(({ file: { arrays }, array }) => {
    const attributes = [array, arrays.get(along) ?? array].map((one) =>
      COUNTED.map((name) => one.attributes.get(name)),
    );
    return JSON.stringify([array.dtype, array.fill, attributes]);
  });
  // Bounds count as their coordinate does.
  const counts = path === along || first.shape.length > 1;
  if (!counts || new Set(said).size === 1) {
    const bytes = storedBytes(joinBytes(parts.map((one) => one.bytes)), arrayNode(file.set, path).metadata);
    return { array: inlineArray(first, shape, first.dtype, bytes) };
  }
  const read = await Promise.all(members.map((one) => readCoordinate(one.file, one.array, decoder, context, along)));
  const sizes = members.map(({ array }) => sizeOf(array));
  const counter = counterOf(members, along);
  const time = counter?.coordinates.get(along)?.time;
  const numbers =
    time === undefined
      ? Float64Array.from(read.flatMap(({ keys }, at) => [...(keys ?? new Float64Array(sizes[at] ?? 0).fill(NaN))]))
      : countsIn(time, totalsOf(read, sizes));
  const unitsOf = counter?.arrays.get(along)?.attributes ?? first.attributes;
  const isTaken = (name: string) => COUNTED.indexOf(name) < 2 && (path === along || first.attributes.has(name));
  const attributes = new Map([
    ...[...first.attributes].filter(([name]) => !COUNTED.includes(name)),
    ...[...unitsOf].filter(([name]) => COUNTED.includes(name) && isTaken(name)),
  ]);
  const array = { ...first, attributes, fill: "null" };
  const units = unquoted((counter ?? file).arrays.get(along)?.attributes.get("units") ?? "1");
  const dtype = numbers instanceof BigInt64Array ? '"<i8"' : '"<f8"';
  return { array: inlineArray(array, shape, dtype, new Uint8Array(numbers.buffer)), units };
}

const totalsOf = (read: readonly Coordinate[], sizes: readonly number[]): readonly (bigint | undefined)[] =>
  read.flatMap(({ total }, index) => Array.from({ length: sizes[index] ?? 0 }, (_, at) => total(at)));

/** The first file, or else the first one that has a unit in which every time of all files is read back exactly. */
function counterOf(members: readonly Member[], along: string): SourcedFile | undefined {
  const files = members.map(({ file }) => file);
  const read = files.flatMap(({ coordinates }) => coordinates.get(along) ?? []);
  const totals = totalsOf(
    read,
    read.map(({ keys }) => keys?.length ?? 0),
  );
  const isExact = (file: SourcedFile) => {
    const time = file.coordinates.get(along)?.time;
    return time !== undefined && countsBack(countsIn(time, totals), time, totals);
  };
  return files.find(isExact) ?? files.find(({ coordinates }) => coordinates.get(along)?.time !== undefined);
}

/** Nanoseconds of a calendar's 1970-01-01 to where `time` begins, and in its unit. */
function originOf(time: TimeView): readonly [zero: bigint, unit: bigint] {
  const [zero = 0n, one = 1n] = [timeTotal(0n, time), timeTotal(1n, time)];
  return [zero, one - zero];
}

/** `totals` in nanoseconds since 1970-01-01, as counts of `time`: whole numbers of 64 bits where all of them are. */
function countsIn(time: TimeView, totals: readonly (bigint | undefined)[]): BigInt64Array | Float64Array {
  const [zero, unit] = originOf(time);
  const whole = totals.flatMap((total) =>
    total === undefined || (total - zero) % unit !== 0n ? [] : [(total - zero) / unit],
  );
  if (whole.length === totals.length && whole.every((one) => BigInt.asIntN(64, one) === one))
    return BigInt64Array.from(whole);
  return Float64Array.from(totals, (total) =>
    total === undefined ? NaN : Number((total - zero) / unit) + Number((total - zero) % unit) / Number(unit),
  );
}

/** True if counts, multiplied as xarray does, in float64 for floats, give the same nanoseconds. */
function countsBack(counts: ReturnType<typeof countsIn>, time: TimeView, totals: readonly (bigint | undefined)[]) {
  if (counts instanceof BigInt64Array) return true;
  const [zero, unit] = originOf(time);
  return totals.every((total, at) => {
    const nanoseconds = (counts[at] ?? NaN) * Number(unit);
    return total === undefined || (Number.isInteger(nanoseconds) && BigInt(nanoseconds) === total - zero);
  });
}
