/** Decoded bytes of a chunk as values. */
import type { Bytes } from "../byte-source.ts";
import type { DataType, ScalarType, StructuredField, StructuredType } from "../metadata/data-type.ts";
import { fromFloat16 } from "./float16.ts";
import { toLittleEndianC, type ChunkLayout } from "./little-endian.ts";
import { isNarrowInteger, narrowNumbers } from "./narrow-number.ts";
import type { VariableElements } from "./variable-elements.ts";
import { floatText } from "./number-text.ts";
import { datetimeText, timedeltaText } from "../cf/time-text.ts";

export { fillBytes } from "./fill-bytes.ts";
export { toLittleEndianC, type ChunkLayout } from "./little-endian.ts";

export type NumberArray =
  | Int8Array<ArrayBuffer>
  | Bytes
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

export type LongArray = BigInt64Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>;

export interface ChunkValues {
  readonly dataType: DataType;
  /** Shape of the whole chunk. */
  readonly shape: readonly number[];
  /** Elements. */
  readonly length: number;
  /** True if the elements are numbers (or booleans), so that a heat map makes sense. */
  readonly numeric: boolean;
  /**
   * Elements by C-order index: numbers (booleans as 0 and 1, float16 and narrow types widened), 64-bit integers and the counts behind
   * datetime and timedelta as bigints. `undefined` for complex numbers, text, bytes, structures and longer floats.
   */
  readonly numbers: NumberArray | LongArray | undefined;
  /** The chunk's bytes, little-endian in C order. */
  readonly bytes: Bytes;
  /** Elements of no fixed size; `bytes` are then as `vlen-utf8` lays them out. */
  readonly texts?: VariableElements;
}

/**
 * `bytes` must be as long as the chunk (the pipeline sees to it). Common types share memory with `bytes`. `texts` for
 * elements of no fixed size, in C order, as the pipeline gives them.
 */
export function decodeValues(bytes: Bytes, layout: ChunkLayout, texts?: VariableElements): ChunkValues {
  const { dataType, chunks } = layout;
  const little = toLittleEndianC(bytes, layout);
  const length = chunks.reduce((product, extent) => product * extent, 1);
  const numbers = numbersOf(little, dataType);
  const numeric = numbers !== undefined && dataType.kind !== "datetime" && dataType.kind !== "timedelta";
  const values = { dataType, shape: chunks, length, numeric, numbers, bytes: little };
  return texts === undefined ? values : { ...values, texts };
}

/** From contiguous little-endian elements; `undefined` where they are not plain numbers. */
export function numbersOf(bytes: Bytes, type: DataType): NumberArray | LongArray | undefined {
  if (type.kind === "bool") return bytes.map((byte) => (byte === 0 ? 0 : 1));
  if (type.kind === "uint") return integersOf(bytes, type.itemSize, false);
  if (type.kind === "float") return floatsOf(bytes, type.itemSize);
  if (type.kind === "narrow") return narrowNumbers(bytes, type.text);
  const isCount = type.kind === "int" || type.kind === "datetime" || type.kind === "timedelta";
  return isCount ? integersOf(bytes, type.itemSize, true) : undefined;
}

function integersOf(bytes: Bytes, size: number, signed: boolean): NumberArray | LongArray {
  const { buffer, byteOffset } = aligned(bytes, size);
  const count = Math.floor(bytes.length / size);
  switch (size) {
    case 1:
      return new (signed ? Int8Array : Uint8Array)(buffer, byteOffset, count);
    case 2:
      return new (signed ? Int16Array : Uint16Array)(buffer, byteOffset, count);
    case 4:
      return new (signed ? Int32Array : Uint32Array)(buffer, byteOffset, count);
    default:
      return new (signed ? BigInt64Array : BigUint64Array)(buffer, byteOffset, count);
  }
}

function floatsOf(bytes: Bytes, size: number): NumberArray | undefined {
  const { buffer, byteOffset } = aligned(bytes, size);
  const count = Math.floor(bytes.length / size);
  if (size === 2) return widened(new Uint16Array(buffer, byteOffset, count));
  if (size === 4) return new Float32Array(buffer, byteOffset, count);
  return size === 8 ? new Float64Array(buffer, byteOffset, count) : undefined;
}

export const isLong = (numbers: NumberArray | LongArray): numbers is LongArray =>
  numbers instanceof BigInt64Array || numbers instanceof BigUint64Array;

/** Numbers of any type as floats, to calculate with: integers beyond 2^53 lose their last digits. */
export function float64Of(numbers: NumberArray | LongArray): Float64Array<ArrayBuffer> {
  if (!isLong(numbers)) return new Float64Array(numbers);
  const floats = new Float64Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) floats[at] = Number(numbers[at]);
  return floats;
}

function widened(halves: Uint16Array): Float32Array<ArrayBuffer> {
  const floats = new Float32Array(halves.length);
  for (let i = 0; i < floats.length; i++) floats[i] = fromFloat16(halves[i] as number);
  return floats;
}

/** Typed arrays begin at a multiple of their element's size. */
function aligned(bytes: Bytes, size: number): Bytes {
  return bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes);
}

/** Bytes of one element, little-endian. */
export function elementBytes({ bytes, dataType }: ChunkValues, index: number): Bytes {
  return bytes.subarray(index * dataType.itemSize, (index + 1) * dataType.itemSize);
}

// One element as exact text: integers in full, floats with the fewest digits that read back, dates as ISO 8601.

/** Longest text of one element; the rest is cut and said to be. */
const MAX_CHARACTERS = 10_000;

/** `index` counts in C order. */
export function elementText(values: ChunkValues, index: number): string {
  const { dataType, numbers } = values;
  const number = numbers?.[index];
  if (number !== undefined && dataType.kind !== "structured" && dataType.kind !== "object") {
    return numberText(number, dataType);
  }
  if (values.texts !== undefined) return variableText(values.texts.at(index), values.texts.kind === "json");
  return bytesText(elementBytes(values, index), dataType, false);
}

/** One field of a structure; empty where there is none. */
export function fieldText(values: ChunkValues, index: number, field: number): string {
  const { dataType } = values;
  const found = dataType.kind === "structured" ? dataType.fields[field] : undefined;
  return found === undefined ? "" : textOfField(elementBytes(values, index), found, false);
}

/** Objects that are not text as JSON, byte strings among them as Python writes them. */
function variableText(element: string | Uint8Array | undefined, isObject: boolean): string {
  if (element === undefined) return "";
  if (typeof element !== "string") return isObject ? quotedBytes(element) : escaped(element);
  const { length } = element;
  return length <= MAX_CHARACTERS ? element : `${element.slice(0, MAX_CHARACTERS)}… (${length} characters, cut)`;
}

/** Text of one little-endian element. `quoted`: text and bytes as Python writes them inside a structure. */
export function bytesText(bytes: Uint8Array<ArrayBuffer>, type: DataType, quoted: boolean): string {
  if (type.kind === "object") return "";
  if (type.kind === "structured") return structureText(bytes, type);
  if (type.kind === "complex") return complexText(bytes, type.itemSize);
  if (type.kind === "bytes") {
    const text = withoutTrailingNuls(bytes);
    return quoted ? quotedBytes(text) : escaped(text);
  }
  if (type.kind === "unicode") return quoted ? JSON.stringify(unicodeText(bytes)) : unicodeText(bytes);
  const number = numbersOf(bytes, type)?.[0];
  return number === undefined ? escaped(bytes, true) : numberText(number, type);
}

/** Text of an element as `numbers` holds it. */
export function numberText(number: number | bigint, type: ScalarType): string {
  if (type.kind === "bool") return number === 0 ? "False" : "True";
  if (type.kind === "float") return floatText(Number(number), type.itemSize);
  if (type.kind === "narrow") return isNarrowInteger(type.text) ? String(number) : floatText(Number(number), 4);
  if (type.kind === "datetime") return datetimeText(BigInt(number), type.unit);
  if (type.kind === "timedelta") return timedeltaText(BigInt(number), type.unit);
  return String(number);
}

/** Text as Python writes it: `(1+2j)`, `-0j` if the real part is plain zero. */
function complexText(bytes: Uint8Array<ArrayBuffer>, size: number): string {
  const half = { kind: "float", itemSize: size / 2, byteOrder: "little", text: "" } as const;
  const parts = numbersOf(bytes, half);
  const [real, imaginary] = [parts?.[0], parts?.[1]];
  if (typeof real !== "number" || typeof imaginary !== "number") return escaped(bytes, true);
  const second = `${shortText(imaginary, half.itemSize)}j`;
  if (Object.is(real, 0)) return second;
  return `(${shortText(real, half.itemSize)}${/^[-]/.test(second) ? "" : "+"}${second})`;
}

const shortText = (value: number, size: number): string => floatText(value, size).replace(/\.0$/, "");

function structureText(bytes: Uint8Array<ArrayBuffer>, type: StructuredType): string {
  const parts = type.fields.map((field) => textOfField(bytes, field, true));
  const text = `(${parts.join(", ")}${parts.length === 1 ? "," : ""})`;
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}… (cut)` : text;
}

function textOfField(bytes: Uint8Array<ArrayBuffer>, field: StructuredField, quoted: boolean): string {
  const { offset, type, shape } = field;
  if (shape !== undefined) return listText(bytes, type, shape, offset);
  return bytesText(bytes.subarray(offset, offset + type.itemSize), type, quoted);
}

function listText(bytes: Uint8Array<ArrayBuffer>, type: DataType, shape: readonly number[], from: number): string {
  const [length = 0, ...rest] = shape;
  const size = rest.reduce((product, extent) => product * extent, type.itemSize);
  const shown = Math.min(length, MAX_CHARACTERS / 2);
  const items = Array.from({ length: shown }, (_, at) => {
    const start = from + at * size;
    if (rest.length > 0) return listText(bytes, type, rest, start);
    return bytesText(bytes.subarray(start, start + size), type, true);
  });
  return `[${items.join(", ")}]`;
}

function withoutTrailingNuls(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

/** Text as Python's `repr`, except for `\x09`, `\x0a` and `\x0d`. */
function quotedBytes(bytes: Uint8Array): string {
  const quote = bytes.includes(39) && !bytes.includes(34) ? '"' : "'";
  const text = escaped(bytes);
  return `b${quote}${quote === "'" ? text.replaceAll("'", "\\'") : text}${quote}`;
}

/** Printable ASCII as it is, anything else (with `all`, everything) as `\x00`. */
function escaped(bytes: Uint8Array, all = false): string {
  const shown = bytes.subarray(0, MAX_CHARACTERS / 4);
  const text = Array.from(shown, (byte) => {
    if (all || byte < 32 || byte > 126) return `\\x${byte.toString(16).padStart(2, "0")}`;
    return byte === 92 ? "\\\\" : String.fromCharCode(byte);
  }).join("");
  return shown.length < bytes.length ? `${text}… (${bytes.length} bytes, cut)` : text;
}

/** UTF-32 without the NULs at its end; code units that are not characters as U+FFFD. */
function unicodeText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = Math.floor(bytes.length / 4);
  while (count > 0 && view.getUint32(4 * count - 4, true) === 0) count--;
  const shown = Math.min(count, MAX_CHARACTERS);
  let text = "";
  for (let i = 0; i < shown; i++) {
    const unit = view.getUint32(4 * i, true);
    text += unit > 0x10_ffff || (unit >= 0xd800 && unit < 0xe000) ? "\ufffd" : String.fromCodePoint(unit);
  }
  return shown < count ? `${text}… (${count} characters, cut)` : text;
}
