/**
 * MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md): walks one value, and hands its parts in order to a
 * maker, which turns them into what is wanted: values of JSON, or text written to a buffer.
 */
export interface MessagePackMaker<T> {
  /** Integers are bigint where a number would not be exact. */
  constant(value: null | boolean | number | bigint): T;
  /** Not `constant`, since 1.0 is an integer's value too. */
  float(value: number): T;
  /** UTF-8, not checked. `at`: where the bytes begin. */
  text(bytes: Uint8Array, at: number): T;
  binary(bytes: Uint8Array, at: number): T;
  /** Must call `next` `count` times. */
  list(count: number, next: () => T): T;
  /** Must call `key`, then `value`, `count` times. Keys are text or binary. */
  map(count: number, key: () => T, value: () => T): T;
  /** Makes the error of what is wrong; `at`: the byte before which it was met. */
  fault(expected: string, found: string, at: number): Error;
}

interface Scan<T> {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly make: MessagePackMaker<T>;
  readonly maxDepth: number;
  at: number;
  depth: number;
}

/** The first value, and where it ends. */
export function readMessagePack<T>(bytes: Uint8Array, make: MessagePackMaker<T>, maxDepth: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scan: Scan<T> = { bytes, view, make, maxDepth, at: 0, depth: 0 };
  return { value: readValue(scan), end: scan.at };
}

/** Moves over `count` bytes; where they begin. */
function take<T>(scan: Scan<T>, count: number): number {
  const { at, bytes, make } = scan;
  if (count > bytes.length - at) throw make.fault(`${count} bytes more`, String(bytes.length - at), at);
  scan.at += count;
  return at;
}

function readValue<T>(scan: Scan<T>): T {
  const head = scan.view.getUint8(take(scan, 1));
  if (head < 0x80) return scan.make.constant(head);
  if (head < 0x90) return readMap(scan, head & 15);
  if (head < 0xa0) return readList(scan, head & 15);
  if (head < 0xc0) return readText(scan, head & 31);
  return head < 0xe0 ? readTagged(scan, head) : scan.make.constant(head - 256);
}

const CONSTANTS: ReadonlyMap<number, null | boolean> = new Map([
  [0xc0, null],
  [0xc2, false],
  [0xc3, true],
]);

function readTagged<T>(scan: Scan<T>, head: number): T {
  const { view, make } = scan;
  const constant = CONSTANTS.get(head);
  if (constant !== undefined) return make.constant(constant);
  if (head >= 0xc4 && head <= 0xc6) return readBinary(scan, lengthOf(scan, head - 0xc4));
  if (head === 0xca) return make.float(view.getFloat32(take(scan, 4)));
  if (head === 0xcb) return make.float(view.getFloat64(take(scan, 8)));
  if (head >= 0xcc && head <= 0xd3) return make.constant(integerOf(scan, head));
  if (head >= 0xd9 && head <= 0xdb) return readText(scan, lengthOf(scan, head - 0xd9));
  if (head === 0xdc || head === 0xdd) return readList(scan, lengthOf(scan, head - 0xdb));
  if (head === 0xde || head === 0xdf) return readMap(scan, lengthOf(scan, head - 0xdd));
  const found = head === 0xc1 ? "the byte c1, which means nothing" : "an extension type, which is not decoded";
  throw make.fault("a value", found, scan.at);
}

/** `width`: 0 = one byte, 1 = two, 2 = four. */
function lengthOf<T>(scan: Scan<T>, width: number): number {
  if (width === 0) return scan.view.getUint8(take(scan, 1));
  return width === 1 ? scan.view.getUint16(take(scan, 2)) : scan.view.getUint32(take(scan, 4));
}

function integerOf<T>(scan: Scan<T>, head: number): number | bigint {
  const { view } = scan;
  const at = take(scan, 1 << (head & 3));
  switch (head) {
    case 0xcc:
      return view.getUint8(at);
    case 0xcd:
      return view.getUint16(at);
    case 0xce:
      return view.getUint32(at);
    case 0xd0:
      return view.getInt8(at);
    case 0xd1:
      return view.getInt16(at);
    case 0xd2:
      return view.getInt32(at);
    default: {
      const exact = head === 0xcf ? view.getBigUint64(at) : view.getBigInt64(at);
      const near = Number(exact);
      return Number.isSafeInteger(near) ? near : exact;
    }
  }
}

function readText<T>(scan: Scan<T>, length: number): T {
  const from = take(scan, length);
  return scan.make.text(scan.bytes.subarray(from, scan.at), from);
}

function readBinary<T>(scan: Scan<T>, length: number): T {
  const from = take(scan, length);
  return scan.make.binary(scan.bytes.subarray(from, scan.at), from);
}

/** Each item takes a byte at least. */
function nested<T>(scan: Scan<T>, count: number, read: () => T): T {
  const { bytes, make, maxDepth, at } = scan;
  if (count > bytes.length - at) throw make.fault(`${count} items`, `${bytes.length - at} bytes`, at);
  if (++scan.depth > maxDepth) throw make.fault(`at most ${maxDepth} lists in one another`, "more", at);
  const value = read();
  scan.depth -= 1;
  return value;
}

function readList<T>(scan: Scan<T>, count: number): T {
  return nested(scan, count, () => scan.make.list(count, () => readValue(scan)));
}

function readMap<T>(scan: Scan<T>, count: number): T {
  const key = () => readKey(scan);
  return nested(scan, count, () => scan.make.map(count, key, () => readValue(scan)));
}

/** Reads a key as Python's msgpack does. */
function readKey<T>(scan: Scan<T>): T {
  const head = scan.bytes[scan.at] ?? 0;
  const isText = (head >= 0xa0 && head < 0xc0) || (head >= 0xd9 && head <= 0xdb) || (head >= 0xc4 && head <= 0xc6);
  if (isText) return readValue(scan);
  const found = `a key of another type (${head.toString(16).padStart(2, "0")})`;
  throw scan.make.fault("text as a key", found, scan.at);
}
