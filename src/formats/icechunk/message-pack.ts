/**
 * MessagePack values that JSON has too (https://github.com/msgpack/msgpack/blob/master/spec.md): metadata of snapshots
 * in format 1. Binary and extension values and keys that are no text are refused, as the official reader does.
 */
import type { JsonValue } from "../../core/json.ts";
import { exact, finite, textOf } from "./flat.ts";
import type { Exact } from "./types.ts";

interface Scan {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly fault: (expected: string, found: string) => Error;
  at: number;
}

const MAX_DEPTH = 64;

/** The first value; bytes after it are ignored. `fault` makes the error of what is wrong. */
export function readMessagePack(bytes: Uint8Array, fault: (expected: string, found: string) => Error): JsonValue {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readValue({ bytes, view, fault, at: 0 }, 0);
}

/** Takes `count` bytes; the position where they begin. */
function take(scan: Scan, count: number): number {
  const from = scan.at;
  if (from + count > scan.bytes.length) {
    throw scan.fault(`a MessagePack value within ${scan.bytes.length} bytes`, `one of ${count} bytes at byte ${from}`);
  }
  scan.at = from + count;
  return from;
}

function readValue(scan: Scan, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw scan.fault(`MessagePack values at most ${MAX_DEPTH} deep`, "deeper ones");
  const head = scan.view.getUint8(take(scan, 1));
  if (head < 0x80) return head;
  if (head < 0x90) return readMap(scan, head & 15, depth);
  if (head < 0xa0) return readArray(scan, head & 15, depth);
  if (head < 0xc0) return readText(scan, head & 31);
  if (head >= 0xe0) return head - 256;
  if (head === 0xc0) return null;
  if (head === 0xc2 || head === 0xc3) return head === 0xc3;
  return readLong(scan, head, depth);
}

function readLong(scan: Scan, head: number, depth: number): JsonValue {
  const { view } = scan;
  if (head === 0xca) return finite(view.getFloat32(take(scan, 4)));
  if (head === 0xcb) return finite(view.getFloat64(take(scan, 8)));
  if (head >= 0xcc && head <= 0xcf) return readUnsigned(scan, 1 << (head - 0xcc));
  if (head >= 0xd0 && head <= 0xd3) return readSigned(scan, 1 << (head - 0xd0));
  if (head >= 0xd9 && head <= 0xdb) return readText(scan, Number(readUnsigned(scan, 1 << (head - 0xd9))));
  if (head === 0xdc || head === 0xdd) return readArray(scan, Number(readUnsigned(scan, head === 0xdc ? 2 : 4)), depth);
  if (head === 0xde || head === 0xdf) return readMap(scan, Number(readUnsigned(scan, head === 0xde ? 2 : 4)), depth);
  throw scan.fault("a MessagePack value that JSON has too", `the type 0x${head.toString(16)}`);
}

function readUnsigned(scan: Scan, size: number): Exact {
  const { view } = scan;
  const at = take(scan, size);
  if (size === 1) return view.getUint8(at);
  if (size === 2) return view.getUint16(at);
  return size === 4 ? view.getUint32(at) : exact(view.getBigUint64(at));
}

function readSigned(scan: Scan, size: number): Exact {
  const { view } = scan;
  const at = take(scan, size);
  if (size === 1) return view.getInt8(at);
  if (size === 2) return view.getInt16(at);
  return size === 4 ? view.getInt32(at) : exact(view.getBigInt64(at));
}

function readText(scan: Scan, length: number): string {
  const from = take(scan, length);
  const bytes = scan.bytes.subarray(from, from + length);
  return textOf(bytes, () => scan.fault("UTF-8 text", `other bytes at byte ${from}`));
}

function readArray(scan: Scan, count: number, depth: number): JsonValue {
  const items: JsonValue[] = [];
  for (let index = 0; index < count; index += 1) items.push(readValue(scan, depth + 1));
  return items;
}

function readMap(scan: Scan, count: number, depth: number): JsonValue {
  const members = new Map<string, JsonValue>();
  for (let index = 0; index < count; index += 1) {
    const key = readValue(scan, depth + 1);
    if (typeof key !== "string") throw scan.fault("keys that are text", `a key of another type before byte ${scan.at}`);
    members.set(key, readValue(scan, depth + 1));
  }
  return members;
}
