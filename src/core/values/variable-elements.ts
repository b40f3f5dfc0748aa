/**
 * Elements of no fixed size: text, byte strings, and objects as JSON. As bytes they lie as numcodecs' `vlen-utf8` and
 * `vlen-bytes` write them: a count, then each element's length and its bytes, all numbers 4 bytes little-endian. Objects
 * are JSON texts in UTF-8 with what Python adds (NaN, Infinity) and byte strings written `b"…"` in base64 (msgpack has such).
 */
import { fromBase64, fromList } from "./fill-bytes.ts";
import { writeJson } from "../json/parse-json.ts";
import type { JsonValue } from "../json/json.ts";
import { floatText } from "./number-text.ts";

export type VariableKind = "text" | "bytes" | "json";

/**
 * Elements by C-order index; arrays of strings are such, too. Objects that are all text are of kind `text`, byte
 * strings likewise of theirs; mixed or other objects are of kind `json`: their elements are JSON texts, except byte
 * strings, which are bytes.
 */
export interface VariableElements {
  /** Absent = text or bytes, as the elements are. */
  readonly kind?: VariableKind;
  readonly length: number;
  at(index: number): string | Uint8Array | undefined;
}

const TEXT = new TextDecoder("utf-8", { ignoreBOM: true });
const QUOTE = 0x22;
const LETTER_B = 0x62;

/** Start and end of each element's bytes, flat; or a phrase that says why the bytes are not such elements. */
export function variablePlaces(bytes: Uint8Array<ArrayBuffer>): Uint32Array<ArrayBuffer> | string {
  if (bytes.length < 4) return `${bytes.length} bytes`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = view.getUint32(0, true);
  if (4 * count + 4 > bytes.length) return `a count of ${count} elements in ${bytes.length} bytes`;
  const places = new Uint32Array(2 * count);
  let at = 4;
  for (let i = 0; i < count; i++) {
    if (at + 4 > bytes.length) return `${i} elements of ${count} before the bytes end`;
    const start = at + 4;
    const length = view.getUint32(at, true);
    if (length > bytes.length - start) return `element ${i} of ${length} bytes, where ${bytes.length - start} are left`;
    places[2 * i] = start;
    at = start + length;
    places[2 * i + 1] = at;
  }
  return places;
}

/**
 * `undefined` where the bytes are not such elements. Text is made when asked for; bytes that are not UTF-8 as U+FFFD.
 */
export function variableElements(bytes: Uint8Array<ArrayBuffer>, kind: VariableKind): VariableElements | undefined {
  const places = variablePlaces(bytes);
  if (typeof places === "string") return undefined;
  const length = places.length / 2;
  const given = kind === "json" ? kindOfObjects(bytes, places) : kind;
  const read = kind === "json" ? objectReader(given) : given === "text" ? (one: Uint8Array) => TEXT.decode(one) : asIs;
  return {
    kind: given,
    length,
    at: (index) => {
      if (index < 0 || index >= length) return undefined;
      return read(bytes.subarray(places[2 * index], places[2 * index + 1]));
    },
  };
}

const asIs = (bytes: Uint8Array): Uint8Array => bytes;

function kindOfObjects(bytes: Uint8Array, places: Uint32Array): VariableKind {
  const first = bytes[places[0] ?? bytes.length];
  if (first !== QUOTE && first !== LETTER_B) return "json";
  for (let at = 0; at < places.length; at += 2) if (bytes[places[at] as number] !== first) return "json";
  return first === QUOTE ? "text" : "bytes";
}

function objectReader(kind: VariableKind): (bytes: Uint8Array) => string | Uint8Array {
  return (bytes) => {
    const text = TEXT.decode(bytes);
    if (bytes[0] === LETTER_B) return fromBase64(text.slice(2, -1)) ?? new Uint8Array(0);
    return kind === "text" ? (JSON.parse(text) as string) : text;
  };
}

/** Those elements of `parts`, written one after another. */
export function writeVariable(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 4));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, parts.length, true);
  let at = 4;
  for (const part of parts) {
    view.setUint32(at, part.length, true);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

/**
 * One element of fill value as its bytes: text as it is (numbers as zarr-python 3 takes them: `str` of them), byte strings
 * as base64 or a list of numbers, objects as JSON. `undefined` where the value is none of these, as null is: then nothing
 * is defined.
 */
export function variableFill(value: JsonValue, kind: VariableKind): Uint8Array<ArrayBuffer> | undefined {
  if (value === null) return undefined;
  if (kind === "json") return new TextEncoder().encode(writeJson(value));
  if (kind === "text") return textFill(value);
  if (value === 0 || value === "") return new Uint8Array(0);
  return typeof value === "string" ? fromBase64(value) : fromList(value);
}

function textFill(value: JsonValue): Uint8Array<ArrayBuffer> | undefined {
  const encoder = new TextEncoder();
  if (typeof value === "string") return encoder.encode(value);
  if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))) {
    return encoder.encode(String(value));
  }
  return typeof value === "number" ? encoder.encode(floatText(value, 8)) : undefined;
}

/** Every element the same: what a missing chunk reads as. */
export function filledElements(fill: Uint8Array<ArrayBuffer>, kind: VariableKind, length: number): VariableElements {
  const one = variableElements(writeVariable([fill]), kind);
  const value = one?.at(0);
  return {
    ...(one?.kind === undefined ? {} : { kind: one.kind }),
    length,
    at: (index) => (index >= 0 && index < length ? value : undefined),
  };
}
