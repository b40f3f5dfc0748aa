/**
 * The `dtype` member of Zarr v2 array metadata (Zarr v2 §"Data type encoding"), read as NumPy's `np.dtype` reads it: that
 * is what zarr-python up to 3.0 does with it. Later versions take only the spellings of the specification;
 * `spellingsOf` gives the difference.
 */
import { dataTypeTextV2, MAX_ITEM_BYTES, SCALARS } from "./data-type.ts";
import type { ByteOrder, DataType, ObjectType, ScalarType, StructuredField, StructuredType } from "./data-type.ts";
import { failure, type RefscopeError, WHOLE_SET } from "../findings/finding.ts";
import { writeJson } from "../json/parse-json.ts";
import { describeJson, type JsonValue } from "../json/json.ts";

const MAX_NESTING = 32;
const MAX_FIELDS = 10_000;

/**
 * @param value a type string (`<i2`, `|S5`, `<M8[ns]`) or a list of fields (`[["a", "<i2"], ["b", "|u1", [2, 3]]]`)
 * @throws RefscopeError `dtype-invalid`
 */
export const parseDataTypeV2 = (value: JsonValue): DataType => parseType(value, { fields: 0, depth: 0 });

/** Types of which the specification has another spelling than the one written, as [written, specified]. */
export function spellingsOf(type: DataType): readonly (readonly [written: string, specified: string])[] {
  if (type.kind === "structured") return type.fields.flatMap((field) => spellingsOf(field.type));
  const specified = dataTypeTextV2(type);
  return specified === type.text ? [] : [[type.text, specified]];
}

interface Budget {
  readonly depth: number;
  fields: number;
}

function parseType(value: JsonValue, budget: Budget): DataType {
  if (typeof value === "string") return parseSimple(value);
  if (Array.isArray(value)) return parseStructured(value as readonly JsonValue[], budget);
  throw invalid("a type string such as <i2, or a list of fields", describeJson(value));
}

const SIMPLE = /^([<>|=]?)([biufcSUVOMm])(\d{1,10})?(?:\[([^\]]+)\])?$/;
/** Kinds by NumPy's letter: `V` is raw bytes. */
const KINDS = new Map(
  (Object.keys(SCALARS) as ScalarType["kind"][])
    .filter((kind) => kind !== "narrow")
    .map((kind) => [SCALARS[kind].letter, kind]),
);
const UNIT = /^\d{0,9}(?:Y|M|W|D|h|m|s|ms|us|μs|ns|ps|fs|as)$/;

/** NumPy's other names for types, on a 64-bit Linux or macOS. `datetime64[…]` and `timedelta64[…]` are read apart. */
const ALIASES = new Map<string, string>(
  (
    "?=b1 bool=b1 bool_=b1 b=i1 B=u1 byte=i1 ubyte=u1 h=i2 H=u2 short=i2 ushort=u2 i=i4 I=u4 intc=i4 uintc=u4 " +
    "l=i8 L=u8 q=i8 Q=u8 int=i8 int_=i8 uint=u8 intp=i8 uintp=u8 long=i8 ulong=u8 longlong=i8 ulonglong=u8 " +
    "int8=i1 int16=i2 int32=i4 int64=i8 uint8=u1 uint16=u2 uint32=u4 uint64=u8 " +
    "e=f2 f=f4 d=f8 half=f2 single=f4 double=f8 float=f8 float16=f2 float32=f4 float64=f8 " +
    "F=c8 D=c16 complex=c16 complex64=c8 complex128=c16 csingle=c8 cdouble=c16 " +
    "object=O object_=O str=U0 str_=U0 bytes=S0 bytes_=S0 void=V0"
  )
    .split(" ")
    .map((pair) => pair.split("=") as [string, string]),
);

function parseSimple(text: string): ScalarType | ObjectType {
  const written = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  const match = SIMPLE.exec(text.length > 80 ? "" : withoutAlias(text));
  if (match === null)
    throw invalid("a type string of the Zarr v2 specification, such as <i2, |S5 or <M8[ns]", `"${written}"`);
  const [, order = "", letter = "", digits, unit] = match;
  if (letter === "O") return parseObject(text, digits, unit);
  const kind = KINDS.get(letter) ?? "void";
  const itemSize = itemSizeOf(kind, digits, text);
  const scalar = { kind, itemSize, byteOrder: byteOrderOf(kind, itemSize, order), text };
  if (unit === undefined) return scalar;
  if (kind !== "datetime" && kind !== "timedelta") throw invalid("a unit in brackets only on M8 and m8", `"${text}"`);
  if (unit === "generic") return scalar;
  if (!UNIT.test(unit)) throw invalid("a time unit such as D, s, 25s or ns", `"${text}"`);
  return { ...scalar, unit: unit.replace("μ", "u") };
}

function withoutAlias(text: string): string {
  const [, order = "", rest = ""] = /^([<>|=]?)(.*)$/s.exec(text) ?? [];
  const alias =
    ALIASES.get(rest) ??
    rest
      .replace(/^datetime64/, "M8")
      .replace(/^timedelta64/, "m8")
      .replace(/^a(?=\d*$)/, "S");
  // NumPy takes a byte order before one-letter names only ("<i", not "<int16"), and before "a" with a length.
  return rest.length > 1 && order !== "" && !/^a\d*$/.test(rest) ? text : order + alias;
}

function parseObject(text: string, digits: string | undefined, unit: string | undefined): ObjectType {
  if (unit !== undefined || (digits !== undefined && digits !== "8")) throw invalid("the object type |O", `"${text}"`);
  return { kind: "object", itemSize: 0, byteOrder: "none", text };
}

function itemSizeOf(kind: ScalarType["kind"], digits: string | undefined, text: string): number {
  const allowed = SCALARS[kind].sizes;
  // "M8" may be written "M", and "S", "U", "V" without a length are empty.
  const fallback = kind === "datetime" || kind === "timedelta" ? 8 : 0;
  const count = digits === undefined ? fallback : Number(digits);
  const size = kind === "unicode" ? count * 4 : count;
  if (allowed !== undefined && !allowed.includes(size)) {
    throw invalid(`a size of ${allowed.join(", ")} bytes for ${kind}`, `"${text}"`);
  }
  return within(size, text);
}

/** NumPy reads "no byte order" of a type that has one as the machine's own: little-endian on every machine of today. */
function byteOrderOf(kind: ScalarType["kind"], itemSize: number, order: string): ByteOrder {
  if (kind === "bytes" || kind === "void" || kind === "bool" || itemSize === 1) return "none";
  return order === ">" ? "big" : "little";
}

function parseStructured(list: readonly JsonValue[], outer: Budget): StructuredType {
  const budget = { fields: outer.fields + list.length, depth: outer.depth + 1 };
  if (list.length === 0) throw invalid("at least one field", "an empty list");
  if (budget.depth > MAX_NESTING) throw invalid(`at most ${MAX_NESTING} structures inside one another`, "more");
  if (budget.fields > MAX_FIELDS) throw invalid(`at most ${MAX_FIELDS} fields`, "more");
  const fields: StructuredField[] = [];
  const names = new Set<string>();
  let offset = 0;
  for (const [index, entry] of list.entries()) {
    const field = parseField(entry, index, offset, budget);
    if (names.has(field.name)) throw invalid("a name for every field", `"${field.name}" twice`);
    names.add(field.name);
    fields.push(field);
    offset = within(offset + field.type.itemSize * elementsOf(field), "the fields together");
  }
  outer.fields = budget.fields;
  return { kind: "structured", itemSize: offset, byteOrder: "none", fields, text: writeJson(list) };
}

function parseField(entry: JsonValue, index: number, offset: number, budget: Budget): StructuredField {
  if (!Array.isArray(entry) || entry.length < 2 || entry.length > 3) {
    throw invalid("fields written [name, type] or [name, type, shape]", `field ${index} is ${describeJson(entry)}`);
  }
  const [written, type, shape] = entry as readonly JsonValue[];
  const name = fieldName(written, index);
  const field = { name, offset, type: parseType(type ?? null, budget) };
  return shape === undefined ? field : withShape(field, shape);
}

/** NumPy calls a field with an empty name after its place, and lets [title, name] serve as a name. */
function fieldName(written: JsonValue | undefined, index: number): string {
  const name: JsonValue | undefined = Array.isArray(written) ? (written as readonly JsonValue[])[1] : written;
  if (typeof name !== "string") throw invalid("a field name", `field ${index} has ${describeJson(written)}`);
  return name === "" ? `f${index}` : name;
}

function withShape(field: StructuredField, written: JsonValue): StructuredField {
  const shape = (Array.isArray(written) ? written : [written]) as readonly JsonValue[];
  const isLength = (length: JsonValue): length is number => Number.isSafeInteger(length) && (length as number) >= 0;
  if (!shape.every(isLength) || shape.length > MAX_NESTING) {
    throw invalid("a field's shape as a list of lengths", `${writeJson(written).slice(0, 80)} on "${field.name}"`);
  }
  return shape.length === 0 ? field : { ...field, shape };
}

function elementsOf(field: StructuredField): number {
  return (field.shape ?? []).reduce((product, length) => product * length, 1);
}

function within(bytes: number, what: string): number {
  if (bytes <= MAX_ITEM_BYTES) return bytes;
  throw invalid(`an element of at most ${MAX_ITEM_BYTES} bytes`, `${bytes} bytes (${what})`);
}

function invalid(expected: string, found: string): RefscopeError {
  return failure("dtype-invalid", WHOLE_SET, { expected, found });
}
