/**
 * Records some of whose fields are objects: a list of JSON an element, as Python's `json.dumps(array.tolist())` writes it.
 * Fields of a fixed size are written here; what stands for objects, the codecs know.
 */
import { narrowNumbers } from "../core/narrow-number.ts";
import { swapBytes } from "../core/byte-order.ts";
import type { DataType, ScalarType, StructuredField, StructuredType } from "../core/data-type.ts";
import { bytesText } from "../core/element-text.ts";
import { RefscopeError } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import { jsonFloat } from "../core/number-text.ts";
import { parseDataTypeV2 } from "../core/parse-data-type.ts";
import { numbersOf } from "../core/values.ts";
import { brief } from "./configuration.ts";
import { badConfiguration } from "./failure.ts";
import { parsePythonLiteral } from "./python-literal.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A structured type as Python's `str` writes it: `[('id', '>i4'), ('v', '>i4', (2,))]`; or, if `inJson`, a list in JSON. */
export function writtenRecord(codec: string, member: string, written: JsonValue, inJson = false): StructuredType {
  const expected = "a list of fields as Python writes it, each (name, type) or (name, type, shape)";
  try {
    const list = typeof written === "string" ? parsePythonLiteral(written) : inJson ? written : undefined;
    const type = list === undefined ? undefined : parseDataTypeV2(list);
    if (type?.kind === "structured") return type;
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
  }
  throw badConfiguration(codec, member, expected, brief(written));
}

/** Whether NumPy takes them for the same type: how they are spelt does not count. */
export function sameType(one: DataType, other: DataType): boolean {
  if (one.kind === "structured" || other.kind === "structured") {
    return one.kind === other.kind && sameFields(one as StructuredType, other as StructuredType);
  }
  const unit = (type: DataType) => (type.kind === "datetime" || type.kind === "timedelta" ? type.unit : undefined);
  return (
    one.kind === other.kind &&
    one.itemSize === other.itemSize &&
    one.byteOrder === other.byteOrder &&
    unit(one) === unit(other)
  );
}

const sameFields = (one: StructuredType, other: StructuredType): boolean =>
  one.fields.length === other.fields.length &&
  one.fields.every((field, at) => {
    const beside = other.fields[at];
    return beside !== undefined && field.name === beside.name && sameField(field, beside);
  });

export const sameField = (one: StructuredField, other: StructuredField): boolean =>
  sameType(one.type, other.type) && JSON.stringify(one.shape) === JSON.stringify(other.shape);

/** Whether a field of it can be written. */
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
