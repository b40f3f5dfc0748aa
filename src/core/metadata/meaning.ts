/**
 * The meaning of an array's metadata, member by member, however they are written: by Zarr v2 or v3, or in the header of a
 * source file (`source-node.ts`). Two members are the same if readers in Python make the same of both.
 */
import { cfAttributes } from "../cf/cf.ts";
import { calendarNamed, isTimeView, timeTotal, timeView } from "../cf/cf-time.ts";
import { attempt } from "../basics.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import { writeJson } from "../json/parse-json.ts";
import { fillBytes } from "../values/fill-bytes.ts";
import { unitsText } from "../values/value-text.ts";
import { bytesText } from "../values/values.ts";
import { typeText } from "../values/written-elements.ts";
import type { ArrayMetadata, ArrayNode, CodecConfiguration } from "./array-metadata.ts";
import { attribute } from "./attribute.ts";
import { writtenEdges } from "./chunk-grid.ts";
import { bareName } from "./codec-table.ts";
import { type DataType, dataTypeTextV2 } from "./data-type.ts";
import { withByteOrder } from "./data-type-v3.ts";
import { MEMBER_NAMES, type MetadataMember } from "./member-names.ts";
import { parseDataTypeV2 } from "./parse-data-type.ts";

export type DescribedArray = Pick<ArrayNode, "metadata" | "attributes">;

/** A member that a source does not state is `undefined`. */
export type ArrayMeaning = Readonly<Record<MetadataMember, JsonValue | undefined>>;

/** A member that two sources state differently, as text. */
export interface MemberDifference {
  readonly member: MetadataMember;
  readonly a: string;
  readonly b: string;
}

interface MemberRule {
  /** `undefined` if nothing states the member. */
  readonly read: (array: DescribedArray, stored: StoredForm) => JsonValue | undefined;
  /** Compares two values that are stated; absent if equal JSON decides. */
  readonly isSame?: (one: JsonValue, other: JsonValue, a: ArrayMeaning, b: ArrayMeaning) => boolean;
}

const RULES: Readonly<Record<MetadataMember, MemberRule>> = {
  dimensions: { read: ({ metadata }) => metadata.dimensionNames?.map((name) => name ?? null) },
  shape: { read: ({ metadata }) => metadata.shape },
  // `<i2` and `>i2` are one type; their order is a member of its own. One byte has no order, however it is written.
  dtype: {
    read: (_, { type, metadata }) => typeWritten(type, metadata),
    isSame: (one, other) =>
      withoutOrder(one) === withoutOrder(other) ||
      (OBJECT_NAMES.includes(one) && OBJECT_NAMES.includes(other) && [one, other].includes("object")),
  },
  "byte-order": { read: (_, { type: { byteOrder } }) => (byteOrder === "none" ? undefined : byteOrder) },
  chunks: { read: ({ metadata }) => metadata.chunks.map(writtenEdges) },
  shards: { read: ({ metadata }) => metadata.sharding?.shape.map(writtenEdges) },
  codecs: { read: (_, { codecs }) => codecs.map(({ decoding }) => decoding) },
  // The chunks of one level are decoded as those of any other.
  level: { read: (_, { codecs }) => codecs.map(({ encoding }) => encoding), isSame: sameLevels },
  fill: { read: ({ metadata }) => elementOf(metadata) },
  missing: { read: maskedValues },
  sign: { read: readAs },
  scale_factor: { read: (_, { scale }) => scale, isSame: (one, other) => isNear(one, other, 0) },
  // An offset matters by the size of a step.
  add_offset: {
    read: (_, { offset }) => offset,
    isSame: (one, other, a, b) => isNear(one, other, Math.max(Number(a.scale_factor), Number(b.scale_factor))),
  },
  units: { read: ({ attributes }) => unitsOf(attributes), isSame: sameUnits },
  calendar: { read: ({ attributes }) => calendarOf(attributes), isSame: sameCalendar },
};

export const METADATA_MEMBERS = Object.keys(MEMBER_NAMES) as readonly MetadataMember[];

export function meaningOf(array: DescribedArray): ArrayMeaning {
  const stored = storedForm(array);
  return Object.fromEntries(METADATA_MEMBERS.map((member) => [member, RULES[member].read(array, stored)])) as Record<
    MetadataMember,
    JsonValue | undefined
  >;
}

/** Compares one member of both; a member that only one of them states differs. */
export function sameMeaning(member: MetadataMember, a: ArrayMeaning, b: ArrayMeaning): boolean {
  const [one, other] = [a[member], b[member]];
  if (one === undefined || other === undefined) return one === other;
  return (RULES[member].isSame ?? isEqual)(one, other, a, b);
}

export function meaningDifferences<M extends MetadataMember>(
  a: ArrayMeaning,
  b: ArrayMeaning,
  members: readonly M[],
): readonly (MemberDifference & { readonly member: M })[] {
  return members
    .filter((member) => !sameMeaning(member, a, b))
    .map((member) => ({ member, a: meaningText(a[member]), b: meaningText(b[member]) }));
}

export const meaningText = (value: JsonValue | undefined): string =>
  value === undefined ? "none" : typeof value === "string" ? value : writeJson(value);

const isEqual = (one: JsonValue, other: JsonValue): boolean => writeJson(one) === writeJson(other);

// Types.

/** NumPy's spelling. Zarr v2 says only by its codecs which objects an array has. */
function typeWritten(type: DataType, { decoding }: ArrayMetadata): string {
  if (type.kind === "narrow" || (type.kind === "void" && type.text.startsWith("complex"))) return type.text;
  if (type.kind !== "object") return typeText(type);
  const makes = decoding.map(({ id }) => OBJECTS.get(bareName(id))).find((name) => name !== undefined);
  return makes ?? OBJECT_TYPES.get(type.text) ?? (/^\|?O8?$/.test(type.text) ? "object" : type.text);
}

/** `|O` does not say of which kind its objects are. */
const OBJECT_NAMES: readonly JsonValue[] = ["object", "string", "bytes"];
const OBJECTS: ReadonlyMap<string, string> = new Map([
  ["vlen-utf8", "string"],
  ["vlen-bytes", "bytes"],
]);
const OBJECT_TYPES: ReadonlyMap<string, string> = new Map([
  ["variable_length_utf8", "string"],
  ["variable_length_bytes", "bytes"],
]);

const withoutOrder = (type: JsonValue): string => meaningText(type).replace(/^[<>|]/, "");

/** Compares with a type that somebody wrote: `<i2` has an order, `int16` has any. */
export function isTypeWritten(written: string, { metadata }: DescribedArray): boolean {
  const here = typeWritten(metadata.dataType, metadata);
  if (written === here || written === metadata.dataType.text) return true;
  const type = attempt(() => parseDataTypeV2(written));
  if (type === undefined) return false;
  const text = typeWritten(type, metadata);
  return /^[<>|=]/.test(written) ? text === here : withoutOrder(text) === withoutOrder(here);
}

// The stored form: codecs, and what turns stored numbers into values.

interface CodecMeaning {
  /** Members that decoding needs, the name first. */
  readonly decoding: JsonObject;
  /** Members that only the encoder needed. */
  readonly encoding: JsonObject;
}

interface StoredForm {
  readonly metadata: ArrayMetadata;
  /** Type of the numbers before they are unpacked. */
  readonly type: DataType;
  /** Codecs in the order of encoding, without those that pack and without the byte order. */
  readonly codecs: readonly CodecMeaning[];
  /** Value = stored number × scale + offset, by codecs and attributes together; `undefined` if there are no numbers. */
  readonly scale: number | undefined;
  readonly offset: number | undefined;
}

/** Codecs that may pack in the place of attributes, or beside them. */
const PACKS: ReadonlySet<string> = new Set(["fixedscaleoffset", "scale_offset", "astype", "cast_value"]);

function storedForm({ metadata, attributes }: DescribedArray): StoredForm {
  const { dataType, decoding } = metadata;
  const packs = decoding.filter(({ id }) => PACKS.has(bareName(id)));
  const type = storedType(packs, metadata) ?? dataType;
  const codecs = writtenCodecs(metadata).map((codec) => codecMeaning(codec, type));
  if (!/^(?:int|uint|float|bool)$/.test(type.kind))
    return { metadata, type, codecs, scale: undefined, offset: undefined };
  let [scale, offset] = [1, 0];
  for (const { configuration } of packs) {
    const by = numberOf(configuration.get("scale")) ?? 1;
    [scale, offset] = [scale / by, offset / by + (numberOf(configuration.get("offset")) ?? 0)];
  }
  const factor = numberOf(attribute(attributes, "scale_factor")) ?? 1;
  const added = numberOf(attribute(attributes, "add_offset")) ?? 0;
  return { metadata, type, codecs, scale: factor * scale, offset: factor * offset + added };
}

/** The last codec that packs says what is stored. */
function storedType([last]: readonly CodecConfiguration[], { zarrFormat, dataType }: ArrayMetadata) {
  const names = ["encode_dtype", "astype", "dtype", "data_type"];
  const written = names.map((name) => last?.configuration.get(name)).find((value) => value !== undefined);
  const type = typeof written === "string" ? attempt(() => parseDataTypeV2(written)) : undefined;
  return type !== undefined && zarrFormat === 3 ? withByteOrder(type, dataType.byteOrder) : type;
}

/** Codecs in the order of encoding. Fortran's order is the transposition of all axes. */
function writtenCodecs({ decoding, order, shape }: ArrayMetadata): readonly CodecConfiguration[] {
  const codecs = decoding
    .toReversed()
    .filter(({ id }) => !PACKS.has(bareName(id)) && id !== "bytes" && id !== "endian");
  if (order === "C" || shape.length < 2) return codecs;
  const axes = shape.map((_, axis) => shape.length - 1 - axis);
  return [{ id: "transpose", configuration: new Map([["order", axes]]) }, ...codecs];
}

/** Their chunks say how they were compressed. */
const SELF_DESCRIBING: ReadonlySet<string> = new Set(["blosc", "bz2", "gzip", "lz4", "pcodec", "zfpy", "zlib", "zstd"]);
const ENCODER_ONLY: ReadonlySet<string> = new Set(["level", "acceleration", "preset", "keepbits", "digits"]);

/** Defaults of members that codecs need not state. */
const DEFAULTS: ReadonlyMap<string, readonly (readonly [string, JsonValue])[]> = new Map([
  ["shuffle", [["elementsize", 4]]],
  ["crc32", [["location", "start"]]],
  ["adler32", [["location", "start"]]],
  ["crc32c", [["location", "end"]]],
]);

function codecMeaning({ id, configuration }: CodecConfiguration, type: DataType): CodecMeaning {
  const name = bareName(id);
  const isEncoders = (member: string) => SELF_DESCRIBING.has(name) || ENCODER_ONLY.has(member);
  const filled = new Map<string, JsonValue>([...(DEFAULTS.get(name) ?? []), ...configuration]);
  // The stored type is the default of `astype`; elements are shuffled by their size.
  if (filled.get("astype") === undefined && filled.has("dtype")) filled.set("astype", filled.get("dtype") ?? null);
  if (filled.get("elementsize") === type.itemSize) filled.delete("elementsize");
  const members = [...filled].map(
    ([member, value]) => [member, member.endsWith("type") ? plainType(value) : value] as const,
  );
  const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    decoding: new Map<string, JsonValue>([["id", name], ...sorted.filter(([member]) => !isEncoders(member))]),
    encoding: new Map(sorted.filter(([member]) => isEncoders(member))),
  };
}

function plainType(value: JsonValue): JsonValue {
  const type = typeof value === "string" ? attempt(() => parseDataTypeV2(value)) : undefined;
  return type === undefined || type.kind === "structured" ? value : dataTypeTextV2(type);
}

/** Other codecs have no levels in common. A member that one of them does not state is its encoder's default. */
function sameLevels(one: JsonValue, other: JsonValue, a: ArrayMeaning, b: ArrayMeaning): boolean {
  if (!sameMeaning("codecs", a, b)) return true;
  const others = other as readonly JsonObject[];
  return (one as readonly JsonObject[]).every((mine, at) =>
    [...mine].every(([name, value]) => !others[at]?.has(name) || isEqual(value, others[at]?.get(name) ?? null)),
  );
}

// Values: fill, missing, packing, units.

/** Larger elements are compared as they are written. */
const MAX_ELEMENT_BYTES = 2 ** 20;

/**
 * An element as numbers are written; what is no number, as it is written. `null`: chunks that are missing have no
 * values.
 */
function elementOf({ fillValue, dataType }: ArrayMetadata): JsonValue {
  const bytes = dataType.itemSize > MAX_ELEMENT_BYTES ? undefined : fillBytes(fillValue, dataType);
  if (bytes === undefined) return fillValue;
  const text = bytesText(bytes, dataType, false);
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}

/** Values that xarray takes for missing, in the type that values are read as. NaN is missing anyway. */
function maskedValues({ metadata, attributes }: DescribedArray): readonly string[] | undefined {
  const masked = cfAttributes(metadata, attributes)?.fills.masked.flatMap(({ text }) => text ?? []);
  return masked && [...new Set(masked.filter((text) => text !== "nan"))].sort();
}

function readAs({ metadata, attributes }: DescribedArray): string | undefined {
  if (attribute(attributes, "dtype") === "bool") return "bool";
  const { stored, viewed } = cfAttributes(metadata, attributes) ?? {};
  if (stored === viewed) return undefined;
  return viewed?.kind === "uint" ? "unsigned" : "signed";
}

/** Kerchunk writes numbers of NetCDF-3 as text, HDF5 as lists of one. */
function numberOf(value: JsonValue | undefined): number | undefined {
  const single = Array.isArray(value) && value.length === 1 ? (value as readonly JsonValue[])[0] : value;
  if (single === undefined || single === null || single === "" || isJsonObject(single)) return undefined;
  return Number.isFinite(Number(single)) ? Number(single) : undefined;
}

/** Share by which numbers may differ that were written in single precision, or printed with seven digits. */
const NEAR = 1e-6;

export const isNear = (one: JsonValue, other: JsonValue, step: number): boolean =>
  Math.abs(Number(one) - Number(other)) <=
  NEAR * Math.max(Math.abs(Number(one)), Math.abs(Number(other)), Math.abs(step));

function unitsOf(attributes: JsonValue | undefined): string | undefined {
  const units = attribute(attributes, "units");
  return typeof units === "string" && units.trim() !== "" ? units.trim().replaceAll(/\s+/g, " ") : undefined;
}

const timeOf = (units: JsonValue | undefined, calendar: JsonValue | undefined) => {
  const time = typeof units === "string" ? timeView(units, calendar) : undefined;
  return isTimeView(time) ? time : undefined;
};

/** A unit and a date may be spelled in several ways. The calendar is a member of its own. */
function sameUnits(one: JsonValue, other: JsonValue, { calendar }: ArrayMeaning): boolean {
  const [time, beside] = [timeOf(one, calendar), timeOf(other, calendar)];
  if (time === undefined || beside === undefined) return unitsText(meaningText(one)) === unitsText(meaningText(other));
  return time.unit === beside.unit && timeTotal(0n, time) === timeTotal(0n, beside);
}

/** Times that do not state a calendar are of the standard one (CF 1.11, section 4.4.1). */
function calendarOf(attributes: JsonValue | undefined): string | undefined {
  const written = attribute(attributes, "calendar");
  if (typeof written === "string") return calendarNamed(written.trim()) ?? written.trim().toLowerCase();
  return unitsOf(attributes)?.includes("since") === true ? "standard" : undefined;
}

/**
 * From 1582-10-15 on the Gregorian calendars are one; xarray decodes both by pandas from references that it reaches.
 */
function sameCalendar(one: JsonValue, other: JsonValue, a: ArrayMeaning, b: ArrayMeaning): boolean {
  if (one === other) return true;
  const times = [timeOf(a.units, one), timeOf(b.units, other)];
  return times.every((time) => time?.near !== undefined);
}
