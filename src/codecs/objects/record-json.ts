/**
 * Records some of whose fields are objects: a list of JSON an element, as Python's `json.dumps(array.tolist())` writes it.
 * Fields of a fixed size are written here; codecs write what represents objects.
 */
import type { Bytes } from "#core/byte-source.ts";
import { swapBytes } from "#core/values/byte-order.ts";
import type { DataType, ScalarType, StructuredField, StructuredType } from "#core/metadata/data-type.ts";
import type { JsonValue } from "#core/json/json.ts";
import { narrowNumbers } from "#core/values/narrow-number.ts";
import { jsonFloat } from "#core/values/number-text.ts";
import { bytesText, numbersOf } from "#core/values/values.ts";
import { badConfiguration, brief, numpyType } from "../codec.ts";

/**
 * A structured type as Python's `str` writes it: `[('id', '>i4'), ('v', '>i4', (2,))]`; or, if `inJson`, a list in
 * JSON.
 */
export function writtenRecord(codec: string, member: string, written: JsonValue, inJson = false): StructuredType {
  const expected = "a list of fields as Python writes it, each (name, type) or (name, type, shape)";
  const type = numpyType(typeof written === "string" ? parsePythonLiteral(written) : inJson ? written : undefined);
  if (type?.kind === "structured") return type;
  throw badConfiguration(codec, member, expected, brief(written));
}

/** True if NumPy takes both for the same type, however they are spelled. */
function sameType(one: DataType, other: DataType): boolean {
  if (one.kind === "structured" || other.kind === "structured") {
    return one.kind === other.kind && haveSameFields(one as StructuredType, other as StructuredType);
  }
  const unit = (type: DataType) => (type.kind === "datetime" || type.kind === "timedelta" ? type.unit : undefined);
  return (
    one.kind === other.kind &&
    one.itemSize === other.itemSize &&
    one.byteOrder === other.byteOrder &&
    unit(one) === unit(other)
  );
}

export const sameField = (one: StructuredField, other: StructuredField): boolean =>
  sameType(one.type, other.type) && JSON.stringify(one.shape) === JSON.stringify(other.shape);

/** Compares fields by name and place; `isSame` compares the rest. */
export function haveSameFields(
  one: StructuredType,
  other: StructuredType | undefined,
  isSame: (field: StructuredField, beside: StructuredField) => boolean = sameField,
): boolean {
  return (
    one.fields.length === other?.fields.length &&
    one.fields.every((field, at) => {
      const beside = other.fields[at];
      return beside?.name === field.name && isSame(field, beside);
    })
  );
}

/** The fields of an array of records. */
export const recordOf = (array: DataType): StructuredType | undefined =>
  array.kind === "object" ? array.record : undefined;

/** True if a field of the type can be written. */
export function isWritable(type: DataType): boolean {
  if (type.kind === "structured") return type.fields.every((field) => isWritable(field.type));
  if (type.kind === "object") return false;
  return type.kind === "complex" ? type.itemSize <= 16 : type.kind !== "float" || type.itemSize <= 8;
}

/** One field of the record whose bytes are given. */
export function fieldJson(record: Bytes, { offset, type, shape = [] }: StructuredField): string {
  return nestedJson(record, offset, type, shape);
}

function nestedJson(record: Bytes, offset: number, type: DataType, [length, ...rest]: readonly number[]): string {
  if (length === undefined) return elementJson(record.subarray(offset, offset + type.itemSize), type);
  const size = rest.reduce((product, extent) => product * extent, type.itemSize);
  const items = Array.from({ length }, (_, at) => nestedJson(record, offset + at * size, type, rest));
  return `[${items.join(",")}]`;
}

function elementJson(bytes: Bytes, type: DataType): string {
  if (type.kind === "structured") return `[${type.fields.map((field) => fieldJson(bytes, field)).join(",")}]`;
  if (type.kind === "object") return "null";
  const unit = type.kind === "complex" ? type.itemSize / 2 : type.kind === "unicode" ? 4 : type.itemSize;
  return itemJson(type.byteOrder === "big" ? swapBytes(bytes, unit) : bytes, type);
}

/** A little-endian element; complex numbers as pairs, byte strings as `b"…"` in base64, dates as text. */
export function itemJson(bytes: Bytes, type: ScalarType): string {
  switch (type.kind) {
    case "unicode":
    case "datetime":
    case "timedelta":
      return JSON.stringify(bytesText(bytes, type, false));
    case "bytes":
    case "void": {
      const end = type.kind === "bytes" ? bytes.findLastIndex((byte) => byte !== 0) + 1 : bytes.length;
      return `b"${btoa(Array.from(bytes.subarray(0, end), (byte) => String.fromCharCode(byte)).join(""))}"`;
    }
    case "complex": {
      const half = { ...type, kind: "float", itemSize: type.itemSize / 2 } as const;
      const [real = 0, imaginary = 0] = numbersOf(bytes, half) ?? [];
      return `[${jsonFloat(Number(real))},${jsonFloat(Number(imaginary))}]`;
    }
    case "bool":
      return numbersOf(bytes, type)?.[0] === 0 ? "false" : "true";
    case "narrow":
      return jsonFloat(narrowNumbers(bytes, type.text)[0] ?? 0);
    case "float":
      return jsonFloat(Number(numbersOf(bytes, type)?.[0] ?? 0));
    case "int":
    case "uint":
      return String(numbersOf(bytes, type)?.[0] ?? 0);
  }
}

// Lists, tuples, strings and whole numbers as Python writes them (`ast.literal_eval` reads them so): enough for data
// types that codecs keep as text. Nothing is evaluated.

const MAX_DEPTH = 32;

/** Tuples become lists. `undefined` where the text is nothing of that kind. */
export function parsePythonLiteral(text: string): JsonValue | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const reading = { tokens, at: 0 };
  const value = parseValue(reading, 0);
  return reading.at === tokens.length ? value : undefined;
}

interface Reading {
  readonly tokens: readonly string[];
  at: number;
}

const TOKEN = /\s*(?:('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|-?\d+(?![\w.])|[[\](),])|$)/y;

function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) return undefined;
    if (match[1] !== undefined) tokens.push(match[1]);
  }
  return tokens;
}

function parseValue(reading: Reading, depth: number): JsonValue | undefined {
  const token = reading.tokens[reading.at++];
  if (token === undefined || depth > MAX_DEPTH) return undefined;
  if (token === "[" || token === "(") return parseItems(reading, token === "[" ? "]" : ")", depth + 1);
  if (token.startsWith("'") || token.startsWith('"')) return parseString(token.slice(1, -1));
  const number = Number(token);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** `(x)` is `x`, `(x,)` a tuple. */
function parseItems(reading: Reading, end: string, depth: number): JsonValue | undefined {
  const items: JsonValue[] = [];
  let hasComma = false;
  while (reading.tokens[reading.at] !== end) {
    const item = parseValue(reading, depth);
    if (item === undefined) return undefined;
    items.push(item);
    if (reading.tokens[reading.at] === end) break;
    if (reading.tokens[reading.at++] !== ",") return undefined;
    hasComma = true;
  }
  reading.at += 1;
  return end === ")" && items.length === 1 && !hasComma ? items[0] : items;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
]);

/** Parses only the escapes that Python's `repr` writes. */
function parseString(text: string): string | undefined {
  let isSound = true;
  const plain = text.replaceAll(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gi, (...match: string[]) => {
    const code = match[1] ?? match[2] ?? match[3];
    const number = code === undefined ? undefined : Number.parseInt(code, 16);
    if (number !== undefined && number <= 0x10_ffff) return String.fromCodePoint(number);
    const escaped = ESCAPES.get(match[4] ?? "");
    if (escaped === undefined) isSound = false;
    return escaped ?? "";
  });
  return isSound ? plain : undefined;
}
