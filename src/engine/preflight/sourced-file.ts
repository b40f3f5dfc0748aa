/** A data file as pre-flight needs it: what its header says, and its coordinates read and decoded. */
import { plainDate } from "#core/values/value-text.ts";
import type { CallContext } from "#core/byte-source.ts";
import { maskOf, missingTest } from "#core/cf/cf-statistics.ts";
import { dateText, isUnscaled, scale, scalingOf, viewedValues } from "#core/cf/cf.ts";
import { timeTotal, type TimeView } from "#core/cf/cf-time.ts";
import { isJsonObject } from "#core/json/json.ts";
import { joinBytes } from "#core/bytes.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import type { CoordinateOrder, FileFacts } from "#core/check/preflight.ts";
import { wholeDimension } from "#core/plane/selection.ts";
import type { SourceArray, SourceFile } from "#core/source-file.ts";
import { decodeValues } from "#core/values/values.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { type ArrayPart, readPart } from "../many/array-part.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { writtenType } from "#core/values/written-elements.ts";

/** `name`: as references name it. */
export interface GivenFile {
  readonly name: string;
  readonly set: EngineSet;
}

export interface SourcedFile extends GivenFile {
  readonly source: SourceFile;
  readonly arrays: ReadonlyMap<string, SourceArray>;
  /** Coordinates by dimension. */
  readonly coordinates: ReadonlyMap<string, Coordinate>;
}

export interface Coordinate {
  readonly stored: ArrayPart;
  /** To compare: decoded, times in microseconds since 1970-01-01 of the calendar; NaN where missing. Absent: no numbers. */
  readonly keys?: Float64Array;
  readonly time?: TimeView | undefined;
  /** Nanoseconds since 1970-01-01 of the calendar; `undefined` where it is no time. */
  readonly total: (at: number) => bigint | undefined;
  readonly text: (at: number) => string;
}

/** Elements of an array that are read. */
const MOST_ELEMENTS = 4_000_000;

export const sizeOf = ({ shape }: SourceArray): number => shape.reduce((size, extent) => size * extent, 1);

/** netCDF's rule: one dimension, of its own name. */
export const isCoordinate = ({ path, dimensions }: SourceArray): boolean =>
  dimensions.length === 1 && dimensions[0] === path;

export async function sourcedFile(given: GivenFile, decoder: ChunkDecoder, context: CallContext): Promise<SourcedFile> {
  const { sourceFile: source } = given.set;
  if (source === undefined) throw new Error(`${given.name} is not a data file: only those can be held together.`);
  const coordinates = new Map<string, Coordinate>();
  for (const array of source.arrays.filter((one) => isCoordinate(one) && sizeOf(one) <= MOST_ELEMENTS))
    coordinates.set(array.path, await readCoordinate(given, array, decoder, context));
  return { ...given, source, arrays: new Map(source.arrays.map((array) => [array.path, array])), coordinates };
}

/** Values as they are stored, little-endian in C order; those of coordinates are here. */
export async function storedValues(
  { set, coordinates }: GivenFile & Partial<SourcedFile>,
  { path }: SourceArray,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<ArrayPart> {
  const known = coordinates?.get(path)?.stored;
  if (known !== undefined) return known;
  const node = arrayNode(set, path);
  const request = { set, node, selection: node.metadata.shape.map(wholeDimension), cf: false, decoder };
  const part = await readPart(request, context);
  for (const failed of part.failed.values()) throw new RefscopeError(failed);
  return part;
}

interface Content {
  readonly metadata: string;
  readonly stored: Uint8Array;
  readonly decoded: Uint8Array;
}

const areEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

/**
 * Reads the contents of arrays: decoded numbers, or stored bytes if there are none; `undefined` if too large. Equal
 * contents are the same object, whichever file they are from. Equal bytes with equal metadata are decoded once.
 */
export function contentReader(decoder: ChunkDecoder, context: CallContext) {
  const known = new Map<string, Content[]>();
  return async (file: SourcedFile, array: SourceArray): Promise<Uint8Array | undefined> => {
    if (sizeOf(array) > MOST_ELEMENTS) return undefined;
    const { bytes: stored } = await storedValues(file, array, decoder, context);
    const metadata = JSON.stringify([array.dtype, array.fill, ...array.attributes]);
    const others = () => known.get(array.path) ?? [];
    const same = others().find((one) => one.metadata === metadata && areEqual(one.stored, stored));
    if (same !== undefined) return same.decoded;
    const { keys } = await readCoordinate(file, array, decoder, context);
    const numbers = keys === undefined ? [] : [new Uint8Array(keys.buffer)];
    // A float64 does not hold every whole number of 64 bits.
    const isStored = keys === undefined || /[iu]8"$/.test(array.dtype);
    const read = joinBytes([...(isStored ? [stored] : []), ...numbers]);
    const decoded = others().find((one) => areEqual(one.decoded, read))?.decoded ?? read;
    known.set(array.path, [...others(), { metadata, stored, decoded }]);
    return decoded;
  };
}

/** `unitsOf`: whose units and calendar it has where it has none: bounds have their coordinate's (CF 1.11, 7.1). */
export async function readCoordinate(
  file: GivenFile,
  array: SourceArray,
  decoder: ChunkDecoder,
  context: CallContext,
  unitsOf: string = array.path,
): Promise<Coordinate> {
  const { metadata: own } = arrayNode(file.set, array.path);
  // Only attributes of the file mask values.
  const metadata = array.hasFillAttribute === undefined ? { ...own, fillValue: null } : own;
  const [units = [], others = []] = [unitsOf, array.path].map((path) => {
    const { attributes } = arrayNode(file.set, path);
    return isJsonObject(attributes) ? [...attributes] : [];
  });
  const attributes = new Map([...units.filter(([name]) => name === "units" || name === "calendar"), ...others]);
  const part = await storedValues(file, array, decoder, context);
  const { bytes, text: written } = part;
  const plain = { stored: part, total: () => undefined, text: written };
  if (metadata.dataType.kind === "object") return plain;
  const stored = decodeValues(bytes, { dataType: writtenType(metadata), chunks: array.shape, order: "C" });
  const scaling = scalingOf(metadata, attributes);
  const time = scaling?.time;
  const { numbers, dataType } = scaling === undefined ? stored : viewedValues(stored, scaling);
  if (numbers === undefined) return plain;
  const isMissing = missingTest(stored, numbers, scaling, maskOf(stored, scaling));
  const isFloat = dataType.kind === "float";
  const number = (at: number) => (scaling === undefined ? Number(numbers[at]) : scale(Number(numbers[at]), scaling));
  const total = (at: number) => {
    if (time === undefined || scaling === undefined || isMissing(at)) return undefined;
    return timeTotal(isFloat || !isUnscaled(scaling) ? number(at) : BigInt(numbers[at] ?? 0), time);
  };
  const keyOf = (at: number) => (time === undefined ? number(at) : Math.round(Number(total(at) ?? NaN) / 1000));
  const unit = unquoted(array.attributes.get("units") ?? "");
  const text = (at: number) => {
    if (isMissing(at)) return "a missing value";
    if (time === undefined || scaling === undefined) return `${Number(number(at).toPrecision(9))} ${unit}`.trim();
    return plainDate(dateText(numbers[at] ?? 0, scaling, time, isFloat));
  };
  const keys = Float64Array.from({ length: numbers.length }, (_, at) => (isMissing(at) ? NaN : keyOf(at)));
  return { stored: part, keys, time, total, text };
}

export function orderOf(keys: Float64Array): CoordinateOrder {
  const goes = (sign: number) => keys.every((key, at) => at === 0 || sign * (key - (keys[at - 1] ?? NaN)) > 0);
  return goes(1) ? "ascending" : goes(-1) ? "descending" : "none";
}

/** The text of a JSON string; what is none, as it is. */
export const unquoted = (text: string): string => (text.startsWith('"') ? (JSON.parse(text) as string) : text);

export const factsOf = ({ name, source, coordinates }: SourcedFile): FileFacts => ({
  name,
  format: source.label,
  variables: source.arrays.map(({ path, dimensions, shape, chunks, filters, fill, dtype, attributes }) => {
    const texts = Object.fromEntries(Array.from(attributes, ([attribute, json]) => [attribute, unquoted(json)]));
    const facts = { path, dimensions, shape, chunks, filters, fill, dtype: unquoted(dtype), attributes: texts };
    const { keys, text } = coordinates.get(path) ?? {};
    if (keys === undefined || text === undefined || keys.length === 0) return facts;
    return { ...facts, values: { first: text(0), last: text(keys.length - 1), order: orderOf(keys) } };
  }),
});
