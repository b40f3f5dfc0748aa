/** One element of fill value (Zarr v2 §"Fill value encoding", Zarr v3 §"Data types"). */
import type { DataType, ObjectType, ScalarType, StructuredType } from "../metadata/data-type.ts";
import { toFloat16 } from "./float16.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import { narrowElement } from "./narrow-number.ts";

/**
 * The element as little-endian bytes, as long as the type's item. `undefined` where the value is null, does not fit the
 * type (`fillValueProblem` says why), or the type has no bytes of its own. As in zarr-python, 0 is zeros for any type.
 */
export function fillBytes(value: JsonValue, type: DataType): Uint8Array<ArrayBuffer> | undefined {
  if (value === null || type.kind === "object") return undefined;
  const bytes = new Uint8Array(type.itemSize);
  const isPlainZero = value === 0 && !Object.is(value, -0);
  if (isPlainZero) return bytes;
  return put(bytes, value, type) ? bytes : undefined;
}

function put(bytes: Uint8Array<ArrayBuffer>, value: JsonValue, type: Exclude<DataType, ObjectType>): boolean {
  if (type.kind !== "structured") return WRITERS[type.kind](bytes, value, type);
  return isJsonObject(value) ? putFields(bytes, value, type) : putBytes(bytes, value, true);
}

/** Writes the value; false where it does not fit. */
type Writer = (bytes: Uint8Array<ArrayBuffer>, value: JsonValue, type: ScalarType) => boolean;

const WRITERS: Readonly<Record<ScalarType["kind"], Writer>> = {
  bool: (bytes, value) => {
    bytes[0] = value === true || value === 1 ? 1 : 0;
    return typeof value === "boolean" || value === 1;
  },
  int: (bytes, value) => putInteger(bytes, value, true),
  uint: (bytes, value) => putInteger(bytes, value, false),
  datetime: (bytes, value) => putInteger(bytes, value === "NaT" ? -(2n ** 63n) : value, true),
  timedelta: (bytes, value) => putInteger(bytes, value === "NaT" ? -(2n ** 63n) : value, true),
  float: (bytes, value) => putFloat(bytes, value),
  // A pair and nothing else: zarr-python opens no array whose fill value is one number.
  complex: (bytes, value) => {
    const [real, imaginary, ...more] = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
    if (real === undefined || imaginary === undefined || more.length > 0) return false;
    const half = bytes.length / 2;
    return putFloat(bytes.subarray(0, half), real) && putFloat(bytes.subarray(half), imaginary);
  },
  unicode: (bytes, value) => putText(bytes, value),
  bytes: (bytes, value) => putBytes(bytes, value, false),
  // The bits of numbers that are shown as bytes: complex_float16.
  void: (bytes, value) => putBytes(bytes, value, true) || putHex(bytes, value),
  narrow: putNarrow,
};

/** Zarr v3's registered type `struct`: one member for each field. */
function putFields(bytes: Uint8Array<ArrayBuffer>, value: JsonObject, { fields }: StructuredType): boolean {
  return fields.every(({ name, offset, type }) => {
    const member = value.get(name);
    if (member === undefined || type.kind === "object") return false;
    return put(bytes.subarray(offset, offset + type.itemSize), member, type);
  });
}

const viewOf = (bytes: Uint8Array<ArrayBuffer>): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function putInteger(bytes: Uint8Array<ArrayBuffer>, value: JsonValue, signed: boolean): boolean {
  // To Python, true and false are the integers 1 and 0.
  const isWhole = typeof value === "bigint" || typeof value === "boolean" || Number.isInteger(value);
  if (!isWhole) return false;
  const integer = BigInt(value as bigint | boolean | number);
  const bits = bytes.length * 8;
  if (integer !== (signed ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer))) return false;
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number((integer >> BigInt(8 * i)) & 255n);
  return true;
}

const NAMED = new Map<JsonValue, number>([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);

const isNumber = (value: JsonValue): value is number | bigint | boolean =>
  typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";

function putFloat(bytes: Uint8Array<ArrayBuffer>, value: JsonValue): boolean {
  if (putHex(bytes, value)) return true;
  const number = isNumber(value) ? Number(value) : NAMED.get(value);
  if (number === undefined) return false;
  const view = viewOf(bytes);
  if (bytes.length === 2) view.setUint16(0, toFloat16(number), true);
  else if (bytes.length === 4) view.setFloat32(0, number, true);
  else if (bytes.length === 8) view.setFloat64(0, number, true);
  else return false;
  return true;
}

/** NumPy cuts text that is too long. */
function putText(bytes: Uint8Array<ArrayBuffer>, value: JsonValue): boolean {
  if (typeof value !== "string") return false;
  const view = viewOf(bytes);
  let at = 0;
  for (const character of value) {
    if (at + 4 > bytes.length) break;
    view.setUint32(at, character.codePointAt(0) ?? 0, true);
    at += 4;
  }
  return true;
}

/** The bits of a number as Zarr v3 writes them: `0x7fc00000`, the highest first, none left out. */
function putHex(bytes: Uint8Array, value: JsonValue): boolean {
  if (typeof value !== "string" || value.length !== 2 + bytes.length * 2 || !/^0x[\da-f]+$/i.test(value)) return false;
  for (let i = 0; i < bytes.length; i++) {
    bytes[bytes.length - 1 - i] = Number.parseInt(value.slice(2 + 2 * i, 4 + 2 * i), 16);
  }
  return true;
}

/** A number, or its bits: one that the type does not hold is rounded, as of wider floats. */
function putNarrow(bytes: Uint8Array<ArrayBuffer>, value: JsonValue, { text }: ScalarType): boolean {
  if (putHex(bytes, value)) return true;
  const number = isNumber(value) ? Number(value) : NAMED.get(value);
  const element = number === undefined ? undefined : narrowElement(number, text);
  if (element !== undefined) bytes.set(element);
  return element !== undefined;
}

/**
 * Bytes in base64, or as Zarr v3 also has it a list of numbers. `exact`: as many as the item has; else fewer are padded
 * with NULs, more are cut. "" is zeros.
 */
function putBytes(bytes: Uint8Array, value: JsonValue, exact: boolean): boolean {
  if (value === "") return true;
  const decoded = typeof value === "string" ? fromBase64(value) : fromList(value);
  if (decoded === undefined || (exact && decoded.length !== bytes.length)) return false;
  bytes.set(decoded.subarray(0, bytes.length));
  return true;
}

export function fromList(value: JsonValue): Uint8Array<ArrayBuffer> | undefined {
  if (!Array.isArray(value)) return undefined;
  const list = value as readonly JsonValue[];
  const isByte = (item: JsonValue): item is number =>
    typeof item === "number" && Number.isInteger(item) && item >= 0 && item < 256;
  return list.every(isByte) ? Uint8Array.from(list) : undefined;
}

/** `undefined` where the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

const STEP = 0x3000;

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += STEP) text += btoa(String.fromCharCode(...bytes.subarray(at, at + STEP)));
  return text;
}
