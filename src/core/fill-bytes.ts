/** One element of fill value (Zarr v2 §"Fill value encoding"). */
import type { DataType, ScalarType } from "./data-type.ts";
import { toFloat16 } from "./float16.ts";
import type { JsonValue } from "./json.ts";

/**
 * The element as little-endian bytes, as long as the type's item. `undefined` where the value is null, does not fit the
 * type (`fillValueProblem` says why), or the type has no bytes of its own. As in zarr-python, 0 is zeros for any type.
 */
export function fillBytes(value: JsonValue, type: DataType): Uint8Array<ArrayBuffer> | undefined {
  if (value === null || type.kind === "object") return undefined;
  const bytes = new Uint8Array(type.itemSize);
  const isPlainZero = value === 0 && !Object.is(value, -0);
  if (isPlainZero) return bytes;
  const fits = type.kind === "structured" ? putBase64(bytes, value, true) : WRITERS[type.kind](bytes, value, type);
  return fits ? bytes : undefined;
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
  complex: (bytes, value) => {
    const [real, imaginary] = Array.isArray(value) ? (value as readonly JsonValue[]) : [value, 0];
    const half = bytes.length / 2;
    return putFloat(bytes.subarray(0, half), real ?? null) && putFloat(bytes.subarray(half), imaginary ?? null);
  },
  unicode: (bytes, value) => putText(bytes, value),
  bytes: (bytes, value) => putBase64(bytes, value, false),
  void: (bytes, value) => putBase64(bytes, value, true),
};

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function putInteger(bytes: Uint8Array<ArrayBuffer>, value: JsonValue, signed: boolean): boolean {
  if (typeof value !== "bigint" && !(typeof value === "number" && Number.isInteger(value))) return false;
  const integer = BigInt(value);
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

function putFloat(bytes: Uint8Array<ArrayBuffer>, value: JsonValue): boolean {
  const number = typeof value === "number" || typeof value === "bigint" ? Number(value) : NAMED.get(value);
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

/** `exact`: as many bytes as the item has; else fewer are padded with NULs, more are cut. "" is zeros. */
function putBase64(bytes: Uint8Array, value: JsonValue, exact: boolean): boolean {
  if (value === "") return true;
  const decoded = typeof value === "string" ? fromBase64(value) : undefined;
  if (decoded === undefined || (exact && decoded.length !== bytes.length)) return false;
  bytes.set(decoded.subarray(0, bytes.length));
  return true;
}

/** `undefined` where the text is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
