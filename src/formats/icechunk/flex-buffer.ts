/**
 * FlexBuffers (https://flatbuffers.dev/flexbuffers) as JSON values: metadata and configuration in format 2. A buffer is
 * read from its end; offsets only lead backwards, and as several may lead to the same place, values are counted.
 */
import type { JsonValue } from "#core/json/json.ts";
import { exact, finite, textOf, uint64At } from "./flat.ts";

interface Scan {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly fault: (expected: string, found: string) => Error;
  /** Values and bytes of text that may still be read. */
  budget: number;
}

/** A value as a vector or the buffer's end names it: its place, the width of that place, and its packed type. */
interface Slot {
  readonly at: number;
  readonly width: number;
  readonly packed: number;
}

const MAX_DEPTH = 64;
const [NULL, INT, UINT, FLOAT, KEY, STRING] = [0, 1, 2, 3, 4, 5] as const;
const [INDIRECT_INT, INDIRECT_UINT, INDIRECT_FLOAT, MAP, VECTOR] = [6, 7, 8, 9, 10] as const;
const [FIRST_TYPED, LAST_TYPED, FIRST_FIXED, LAST_FIXED] = [11, 15, 16, 24] as const;
const [BOOL, VECTOR_BOOL] = [26, 36] as const;

/** `fault` makes the error. */
export function readFlexBuffer(bytes: Uint8Array, fault: (expected: string, found: string) => Error): JsonValue {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scan: Scan = { bytes, view, fault, budget: 32 * bytes.length + 1024 };
  const width = bytes.at(-1) ?? 0;
  const at = bytes.length - 2 - width;
  if (!isWidth(width) || at < 0) {
    throw fault("a FlexBuffer, whose last byte is the width of its root", `${bytes.length} bytes`);
  }
  return readValue(scan, { at, width, packed: bytes.at(-2) ?? 0 }, 0);
}

const isWidth = (width: number): boolean => width === 1 || width === 2 || width === 4 || width === 8;

function readValue(scan: Scan, slot: Slot, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw scan.fault(`values at most ${MAX_DEPTH} deep`, "deeper ones");
  charge(scan, 1);
  const type = slot.packed >> 2;
  const width = 1 << (slot.packed & 3);
  if (type === NULL) return null;
  if (type === BOOL) return unsigned(scan, slot.at, slot.width) !== 0;
  if (type <= FLOAT) return readNumber(scan, type, slot.at, slot.width);
  const at = follow(scan, slot.at, slot.width);
  if (type === KEY) return readKey(scan, at);
  if (type === STRING) return readText(scan, at, Number(unsigned(scan, at - width, width)));
  if (type === INDIRECT_INT || type === INDIRECT_UINT || type === INDIRECT_FLOAT) {
    return readNumber(scan, type - 5, at, width);
  }
  if (type === MAP) return readMap(scan, at, width, depth);
  return readVector(scan, type, at, width, depth);
}

function readVector(scan: Scan, type: number, at: number, width: number, depth: number): JsonValue {
  if (type === VECTOR) {
    const count = countAt(scan, at, width, width + 1);
    return items(count, (index) => readValue(scan, element(scan, at, width, count, index), depth + 1));
  }
  if (type >= FIRST_FIXED && type <= LAST_FIXED) {
    const count = Math.floor((type - FIRST_FIXED) / 3) + 2;
    const inner = ((type - FIRST_FIXED) % 3) + INT;
    return items(count, (index) => typedElement(scan, inner, at + index * width, width));
  }
  if ((type >= FIRST_TYPED && type <= LAST_TYPED) || type === VECTOR_BOOL) {
    const inner = type === VECTOR_BOOL ? BOOL : type - FIRST_TYPED + INT;
    const count = countAt(scan, at, width, width);
    return items(count, (index) => typedElement(scan, inner, at + index * width, width));
  }
  throw scan.fault("a FlexBuffer type that JSON has too", `type ${type}`);
}

function items(count: number, read: (index: number) => JsonValue): JsonValue {
  const values: JsonValue[] = [];
  for (let index = 0; index < count; index += 1) values.push(read(index));
  return values;
}

/** An element of a typed vector. Texts and keys in one are taken with a length or end of one byte's width. */
function typedElement(scan: Scan, type: number, at: number, width: number): JsonValue {
  return readValue(scan, { at, width, packed: type << 2 }, MAX_DEPTH - 1);
}

function element(scan: Scan, at: number, width: number, count: number, index: number): Slot {
  return { at: at + index * width, width, packed: scan.view.getUint8(inside(scan, at + count * width + index, 1)) };
}

function readMap(scan: Scan, at: number, width: number, depth: number): JsonValue {
  const count = countAt(scan, at, width, width + 1);
  const keys = follow(scan, at - 3 * width, width);
  const keyWidth = Number(unsigned(scan, at - 2 * width, width));
  if (!isWidth(keyWidth)) throw scan.fault("keys of 1, 2, 4 or 8 bytes' width", `a width of ${keyWidth}`);
  const members = new Map<string, JsonValue>();
  for (let index = 0; index < count; index += 1) {
    charge(scan, 1);
    const key = readKey(scan, follow(scan, keys + index * keyWidth, keyWidth));
    members.set(key, readValue(scan, element(scan, at, width, count, index), depth + 1));
  }
  return members;
}

/** Elements of a vector, checked to be there: `each` bytes for every one. */
function countAt(scan: Scan, at: number, width: number, each: number): number {
  const count = Number(unsigned(scan, at - width, width));
  inside(scan, at, count * each);
  return count;
}

function readKey(scan: Scan, at: number): string {
  const end = scan.bytes.indexOf(0, at);
  if (end < 0) throw scan.fault("a key that ends in a zero byte", `none from byte ${at} on`);
  return readText(scan, at, end - at);
}

function readText(scan: Scan, at: number, length: number): string {
  inside(scan, at, length);
  charge(scan, length);
  const bytes = scan.bytes.subarray(at, at + length);
  return textOf(bytes, () => scan.fault("UTF-8 text", `other bytes at byte ${at}`));
}

function readNumber(scan: Scan, type: number, at: number, width: number): JsonValue {
  inside(scan, at, width);
  if (type === UINT) return unsigned(scan, at, width);
  if (type === FLOAT) return readFloat(scan, at, width);
  if (width === 1) return scan.view.getInt8(at);
  if (width === 2) return scan.view.getInt16(at, true);
  return width === 4 ? scan.view.getInt32(at, true) : exact(scan.view.getBigInt64(at, true));
}

function readFloat(scan: Scan, at: number, width: number): JsonValue {
  if (width === 4) return finite(scan.view.getFloat32(at, true));
  if (width === 8) return finite(scan.view.getFloat64(at, true));
  throw scan.fault("floating-point numbers of 4 or 8 bytes", `one of ${width} at byte ${at}`);
}

function unsigned(scan: Scan, at: number, width: number): number | bigint {
  inside(scan, at, width);
  if (width === 1) return scan.view.getUint8(at);
  if (width === 2) return scan.view.getUint16(at, true);
  return width === 4 ? scan.view.getUint32(at, true) : uint64At(scan.view, at);
}

/** Target of the offset at `at`. */
function follow(scan: Scan, at: number, width: number): number {
  return inside(scan, at - Number(unsigned(scan, at, width)), 0);
}

function inside(scan: Scan, at: number, length: number): number {
  if (at >= 0 && at + length <= scan.bytes.length) return at;
  throw scan.fault(`a FlexBuffer value within ${scan.bytes.length} bytes`, `one of ${length} bytes at byte ${at}`);
}

function charge(scan: Scan, amount: number): void {
  scan.budget -= amount;
  if (scan.budget < 0)
    throw scan.fault("values that are used a few times each", "offsets to the same values, over and over");
}
