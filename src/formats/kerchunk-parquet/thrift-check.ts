/**
 * Walks over a struct in Thrift's compact protocol without building anything, so that what is read from it afterwards is
 * known to be there: no list longer than the bytes that are left, no deep nesting, no endless numbers.
 * (Apache Thrift, doc/specs/thrift-compact-protocol.md)
 */
import { recordFault } from "./record-fault.ts";

const [BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, STRUCT] = [3, 4, 5, 6, 7, 8, 9, 12] as const;
/** Parquet's own structs are six deep. */
const MAX_DEPTH = 16;

/** Position after the struct at `from`. Throws `parquet-record-broken`. */
export function checkThrift(bytes: Uint8Array, from: number, depth = 0): number {
  if (depth > MAX_DEPTH) throw recordFault(`Thrift structs at most ${MAX_DEPTH} deep`, `deeper ones at byte ${from}`);
  let at = from;
  for (;;) {
    const byte = byteAt(bytes, at);
    at += 1;
    if ((byte & 15) === 0) return at;
    if (byte >> 4 === 0) at = afterNumber(bytes, at);
    at = afterElement(bytes, at, byte & 15, depth);
  }
}

function afterElement(bytes: Uint8Array, at: number, type: number, depth: number): number {
  if (type === 1 || type === 2) return at;
  if (type === BYTE) return inside(bytes, at + 1);
  if (type === I16 || type === I32 || type === I64) return afterNumber(bytes, at);
  if (type === DOUBLE) return inside(bytes, at + 8);
  if (type === BINARY) {
    const start = afterNumber(bytes, at);
    return inside(bytes, start + sizeAt(bytes, at));
  }
  if (type === LIST) return afterList(bytes, at, depth);
  if (type === STRUCT) return checkThrift(bytes, at, depth + 1);
  throw recordFault("Thrift types that Parquet uses", `type ${type} at byte ${at}`);
}

function afterList(bytes: Uint8Array, from: number, depth: number): number {
  if (depth >= MAX_DEPTH) throw recordFault("shallow Thrift lists", `deep ones at byte ${from}`);
  const header = byteAt(bytes, from);
  const isLong = header >> 4 === 15;
  const size = isLong ? sizeAt(bytes, from + 1) : header >> 4;
  let at = isLong ? afterNumber(bytes, from + 1) : from + 1;
  // An element takes a byte at least: Booleans in lists too.
  inside(bytes, at + size);
  const type = header & 15;
  const element = type === 1 || type === 2 ? BYTE : type;
  for (let index = 0; index < size; index += 1) at = afterElement(bytes, at, element, depth + 1);
  return at;
}

function afterNumber(bytes: Uint8Array, from: number): number {
  for (let at = from; at < from + 10; at += 1) {
    if (byteAt(bytes, at) < 128) return at + 1;
  }
  throw recordFault("Thrift numbers of at most 10 bytes", `a longer one at byte ${from}`);
}

/** A length: an unsigned number below 2^31. */
function sizeAt(bytes: Uint8Array, from: number): number {
  let size = 0;
  for (let at = 0; at < 5; at += 1) {
    const byte = byteAt(bytes, from + at);
    size += (byte & 127) * 128 ** at;
    if (byte < 128 && size < 2 ** 31) return size;
  }
  throw recordFault("lengths below 2^31", `a larger one at byte ${from}`);
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw recordFault("a whole Thrift struct", `one that is cut off at byte ${at}`);
  return byte;
}

function inside(bytes: Uint8Array, at: number): number {
  if (at > bytes.length) throw recordFault("a whole Thrift struct", `one that is cut off at byte ${bytes.length}`);
  return at;
}
