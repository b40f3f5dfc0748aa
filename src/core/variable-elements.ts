/**
 * Elements of no fixed size: text and byte strings. As bytes they lie as numcodecs' `vlen-utf8` and `vlen-bytes` write
 * them: a count, then each element's length and its bytes, all numbers 4 bytes little-endian.
 */
import { fromBase64 } from "./fill-bytes.ts";
import { isJsonObject, type JsonValue } from "./json.ts";

/** By C-order index; arrays of strings are such, too. */
export interface VariableElements {
  readonly length: number;
  at(index: number): string | Uint8Array | undefined;
}

const TEXT = new TextDecoder("utf-8", { ignoreBOM: true });

/** Where each element's bytes begin and end, flat; or in one phrase why the bytes are none of such elements. */
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

/** `undefined` where the bytes are none of such elements. Text is made when asked for; bytes that are no UTF-8 as U+FFFD. */
export function variableElements(bytes: Uint8Array<ArrayBuffer>, kind: "text" | "bytes"): VariableElements | undefined {
  const places = variablePlaces(bytes);
  if (typeof places === "string") return undefined;
  const length = places.length / 2;
  return {
    length,
    at: (index) => {
      if (index < 0 || index >= length) return undefined;
      const element = bytes.subarray(places[2 * index], places[2 * index + 1]);
      return kind === "text" ? TEXT.decode(element) : element;
    },
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
 * One element of fill value: text as it is, byte strings as base64 or a list of numbers; 0, which zarr-python 2 writes
 * for objects, is empty. `undefined` where the value is none of these, as null is: then nothing is defined.
 */
export function variableFill(value: JsonValue, kind: "text" | "bytes"): Uint8Array<ArrayBuffer> | undefined {
  if (value === 0 || value === "") return new Uint8Array(0);
  if (typeof value === "string") return kind === "text" ? new TextEncoder().encode(value) : fromBase64(value);
  if (kind === "text" || isJsonObject(value) || !Array.isArray(value)) return undefined;
  const list = value as readonly JsonValue[];
  const isByte = (item: JsonValue) => typeof item === "number" && Number.isInteger(item) && item >= 0 && item < 256;
  return list.every(isByte) ? Uint8Array.from(list as readonly number[]) : undefined;
}

/** Every element the same: what a missing chunk reads as. */
export function filledElements(fill: Uint8Array, kind: "text" | "bytes", length: number): VariableElements {
  const value = kind === "text" ? TEXT.decode(fill) : fill;
  return { length, at: (index) => (index >= 0 && index < length ? value : undefined) };
}
