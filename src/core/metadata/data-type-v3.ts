/**
 * The member `data_type` of Zarr v3 array metadata (§"Data types" and the registered extensions that zarr-python writes).
 * A type that is not known is an object type called by its name: its values are not decoded, its array is shown.
 */
import { unlessFinding } from "../findings/finding.ts";
import { MAX_ITEM_BYTES, type ByteOrder, type DataType, type ScalarType, type StructuredField } from "./data-type.ts";
import { type Extension, readExtension } from "./extension-v3.ts";
import { writeJson } from "../json/parse-json.ts";
import { isJsonObject, type JsonValue } from "../json/json.ts";
import type { MemberReader } from "./member-reader.ts";
import { narrowBytes, narrowFormat } from "../values/narrow-number.ts";
import { parseDataTypeV2 } from "./parse-data-type.ts";

const MAX_NESTING = 32;
const MAX_FIELDS = 10_000;

/** Types of fixed size that need no configuration: kind and bytes. */
const PLAIN = new Map<string, readonly [ScalarType["kind"], number]>([
  ["bool", ["bool", 1]],
  ["int8", ["int", 1]],
  ["int16", ["int", 2]],
  ["int32", ["int", 4]],
  ["int64", ["int", 8]],
  ["uint8", ["uint", 1]],
  ["uint16", ["uint", 2]],
  ["uint32", ["uint", 4]],
  ["uint64", ["uint", 8]],
  ["float16", ["float", 2]],
  ["float32", ["float", 4]],
  ["float64", ["float", 8]],
  ["complex64", ["complex", 8]],
  ["complex128", ["complex", 16]],
  ["complex_float32", ["complex", 8]],
  ["complex_float64", ["complex", 16]],
]);

/** Numbers that are shown as bytes: bytes per element where the codec `bytes` stores them. */
const RAW_NUMBERS = new Map<string, number>([
  ["complex_float16", 4],
  ["complex32", 4],
  ["complex_bfloat16", 4],
]);

const OBJECTS: ReadonlySet<string> = new Set(["string", "bytes", "variable_length_bytes", "variable_length_utf8"]);

/** Types with a length, by `length_bytes`. */
const WITH_LENGTH = new Map<string, ScalarType["kind"]>([
  ["fixed_length_utf32", "unicode"],
  ["null_terminated_bytes", "bytes"],
  ["raw_bytes", "void"],
]);

/** Multi-byte types are little-endian until a codec says otherwise (`withByteOrder`). */
export function readDataTypeV3(reader: MemberReader): DataType {
  return readType(reader, reader.required("data_type"), "/data_type", { depth: 0, fields: { left: MAX_FIELDS } });
}

/** The same type in the byte order that the codec `bytes` says. */
export function withByteOrder(type: DataType, byteOrder: ByteOrder): DataType {
  if (type.kind === "object") return type;
  if (type.kind !== "structured") return type.byteOrder === "none" ? type : { ...type, byteOrder };
  return { ...type, fields: type.fields.map((field) => ({ ...field, type: withByteOrder(field.type, byteOrder) })) };
}

/** True if the type has a byte order. */
export function needsByteOrder(type: DataType): boolean {
  if (type.kind === "structured") return type.fields.some((field) => needsByteOrder(field.type));
  return type.byteOrder !== "none" || (type.itemSize > 1 && RAW_NUMBERS.has(type.text));
}

interface Budget {
  readonly depth: number;
  readonly fields: { left: number };
}

function readType(reader: MemberReader, value: JsonValue | undefined, pointer: string, budget: Budget): DataType {
  const type = readExtension(reader, value, pointer, "a data type");
  const name = type.name.replace(/^numpy\./, "");
  const plain = PLAIN.get(type.name);
  if (plain !== undefined) return scalar(plain[0], plain[1], type.name);
  const raw = RAW_NUMBERS.get(type.name);
  if (raw !== undefined) return scalar("void", raw, type.name);
  const narrow = narrowFormat(type.name);
  if (narrow !== undefined) return scalar("narrow", narrowBytes(narrow), type.name);
  if (OBJECTS.has(type.name)) return { kind: "object", itemSize: 0, byteOrder: "none", text: type.name };
  const kind = WITH_LENGTH.get(name);
  if (kind !== undefined) return readWithLength(reader, kind, type, pointer);
  if (name === "datetime64" && isJsonObject(value)) return readTime(reader, "datetime", type, pointer);
  if (name === "timedelta64" && isJsonObject(value)) return readTime(reader, "timedelta", type, pointer);
  if (name === "struct" || name === "structured") return readStruct(reader, type, pointer, budget);
  if (/^r\d+$/.test(name)) return readRawBits(reader, name, pointer);
  return fromNumpy(reader, value, pointer) ?? unknown(reader, type, pointer);
}

function scalar(kind: ScalarType["kind"], itemSize: number, text: string): ScalarType {
  const ordered = itemSize > 1 && kind !== "bytes" && kind !== "void";
  return { kind, itemSize, byteOrder: ordered ? "little" : "none", text };
}

function readRawBits(reader: MemberReader, name: string, pointer: string): ScalarType {
  const bits = Number(name.slice(1));
  if (bits % 8 === 0 && bits > 0 && bits / 8 <= MAX_ITEM_BYTES) return scalar("void", bits / 8, name);
  throw reader.invalid(pointer, "a number of bits that is a multiple of 8", name);
}

function readWithLength(
  reader: MemberReader,
  kind: ScalarType["kind"],
  { name, configuration }: Extension,
  pointer: string,
): ScalarType {
  const length = configuration.get("length_bytes");
  const where = `${pointer}/configuration/length_bytes`;
  const whole = typeof length === "number" && Number.isInteger(length) && length >= 0 && length <= MAX_ITEM_BYTES;
  if (!whole) throw reader.invalid(where, "a number of bytes", length);
  if (kind === "unicode" && length % 4 !== 0) throw reader.invalid(where, "a multiple of 4 bytes", length);
  return scalar(kind, length, `${name}[${length}]`);
}

const UNIT = /^(?:Y|M|W|D|h|m|s|ms|us|μs|µs|ns|ps|fs|as|generic)$/;

function readTime(
  reader: MemberReader,
  kind: "datetime" | "timedelta",
  { name, configuration }: Extension,
  pointer: string,
): ScalarType {
  const unit = configuration.get("unit");
  const factor = configuration.get("scale_factor") ?? 1;
  const at = `${pointer}/configuration`;
  if (typeof unit !== "string" || !UNIT.test(unit)) throw reader.invalid(`${at}/unit`, "a unit of time", unit);
  if (typeof factor !== "number" || !Number.isInteger(factor) || factor < 1 || factor > 2 ** 31 - 1) {
    throw reader.invalid(`${at}/scale_factor`, "an integer of at least 1", factor);
  }
  if (unit === "generic") return scalar(kind, 8, name);
  const scaled = (factor === 1 ? "" : String(factor)) + unit.replace(/[μµ]/, "u");
  return { ...scalar(kind, 8, `${name}[${scaled}]`), unit: scaled };
}

/**
 * `fields` is a list of `{"name", "data_type"}` (the registered `struct`) or of `[name, type]` (zarr-python's
 * `structured`).
 */
function readStruct(reader: MemberReader, extension: Extension, pointer: string, outer: Budget): DataType {
  const { name, configuration } = extension;
  const list = configuration.get("fields");
  const at = `${pointer}/configuration/fields`;
  if (!Array.isArray(list) || list.length === 0) throw reader.invalid(at, "a list of fields", list);
  const budget = { ...outer, depth: outer.depth + 1 };
  budget.fields.left -= list.length;
  if (budget.depth > MAX_NESTING) throw reader.invalid(at, `at most ${MAX_NESTING} structures in one another`, list);
  if (budget.fields.left < 0) throw reader.invalid(at, `at most ${MAX_FIELDS} fields`, list.length);
  const fields: StructuredField[] = [];
  const names = new Set<string>();
  let offset = 0;
  for (const [index, entry] of (list as readonly JsonValue[]).entries()) {
    const field = readField(reader, entry, `${at}/${index}`, offset, budget);
    if (names.has(field.name)) throw reader.invalid(`${at}/${index}`, "a name of its own", field.name);
    names.add(field.name);
    fields.push(field);
    offset += field.type.itemSize;
    if (offset > MAX_ITEM_BYTES) throw reader.invalid(at, `at most ${MAX_ITEM_BYTES} bytes`, offset);
  }
  const text = writeJson(
    new Map<string, JsonValue>([
      ["name", name],
      ["configuration", configuration],
    ]),
  );
  if (fields.some(({ type }) => type.kind === "object"))
    return { kind: "object", itemSize: 0, byteOrder: "none", text };
  return { kind: "structured", itemSize: offset, byteOrder: "none", fields, text };
}

function readField(reader: MemberReader, entry: JsonValue, pointer: string, offset: number, budget: Budget) {
  const [name, type] = fieldParts(entry);
  if (typeof name !== "string") throw reader.invalid(pointer, 'a field: {"name": …, "data_type": …}', entry);
  return { name, offset, type: readType(reader, type, `${pointer}/${isJsonObject(entry) ? "data_type" : 1}`, budget) };
}

function fieldParts(entry: JsonValue): readonly (JsonValue | undefined)[] {
  if (isJsonObject(entry)) return [entry.get("name"), entry.get("data_type")];
  return Array.isArray(entry) && entry.length === 2 ? (entry as readonly JsonValue[]) : [];
}

/**
 * Reads the text of `str(numpy.dtype)`, which prototypes of chunk manifests wrote here: `datetime64[ns]`, `>i2`,
 * `object`.
 */
function fromNumpy(reader: MemberReader, value: JsonValue | undefined, pointer: string): DataType | undefined {
  if (typeof value !== "string" || !/^(?:[<>|=]|datetime64|timedelta64|object$)/.test(value)) return undefined;
  const type = unlessFinding(() => parseDataTypeV2(value));
  if (type !== undefined) reader.note("dtype-spelling", pointer, { written: value, specified: undefined });
  return type;
}

function unknown(reader: MemberReader, { name }: Extension, pointer: string): DataType {
  reader.note("dtype-unknown", pointer, { name });
  return { kind: "object", itemSize: 0, byteOrder: "none", text: name, isUnknown: true };
}
