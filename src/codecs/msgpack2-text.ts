/** MessagePack as JSON text, with what JSON has not as Python writes it: NaN, integers of 64 bits, byte strings `b"…"` in base64. */
import { toBase64 } from "../core/fill-bytes.ts";
import { decodeFailed } from "./failure.ts";
import { finish, newOutput, type Output } from "./output.ts";
import { floatText } from "../core/number-text.ts";
import { writeText } from "./vlen-output.ts";

type Bytes = Uint8Array<ArrayBuffer>;

interface Reader {
  readonly codec: string;
  readonly input: Bytes;
  readonly view: DataView;
  readonly output: Output;
  /** Whether text is given as bytes. */
  readonly raw: boolean;
  at: number;
  depth: number;
}

/** As deep as JSON is read. */
const MAX_DEPTH = 500;

/** Throws `decode-failed`, `decode-too-large`. */
export function toJsonText(codec: string, input: Bytes, limit: number, raw: boolean): Bytes {
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  const output = newOutput(codec, limit, input.length * 2);
  const reader = { codec, input, view, output, raw, at: 0, depth: 0 };
  readValue(reader);
  if (reader.at !== input.length)
    throw damaged(reader, "the end of the bytes", `${input.length - reader.at} bytes more`);
  return finish(output);
}

function damaged({ codec, at }: Reader, expected: string, found: string) {
  return decodeFailed(codec, `MessagePack: ${expected}`, `${found} at byte ${at}`);
}

/** Moves over `count` bytes; where they begin. */
function take(reader: Reader, count: number): number {
  const { at, input } = reader;
  if (count > input.length - at) throw damaged(reader, `${count} bytes more`, `${input.length - at}`);
  reader.at += count;
  return at;
}

function readValue(reader: Reader): void {
  const head = reader.view.getUint8(take(reader, 1));
  if (head < 0x80) writeText(reader.output, String(head));
  else if (head >= 0xe0) writeText(reader.output, String(head - 256));
  else if (head < 0x90) readMap(reader, head & 15);
  else if (head < 0xa0) readList(reader, head & 15);
  else if (head < 0xc0) readString(reader, head & 31);
  else readTagged(reader, head);
}

const CONSTANTS: ReadonlyMap<number, string> = new Map([
  [0xc0, "null"],
  [0xc2, "false"],
  [0xc3, "true"],
]);

function readTagged(reader: Reader, head: number): void {
  const { view, output } = reader;
  const constant = CONSTANTS.get(head);
  if (constant !== undefined) writeText(output, constant);
  else if (head >= 0xc4 && head <= 0xc6) readBytes(reader, readLength(reader, head - 0xc4));
  else if (head === 0xca) writeText(output, jsonFloat(view.getFloat32(take(reader, 4))));
  else if (head === 0xcb) writeText(output, jsonFloat(view.getFloat64(take(reader, 8))));
  else if (head >= 0xcc && head <= 0xd3) writeText(output, readInteger(reader, head));
  else if (head >= 0xd9 && head <= 0xdb) readString(reader, readLength(reader, head - 0xd9));
  else if (head === 0xdc || head === 0xdd) readList(reader, readLength(reader, head - 0xdb));
  else if (head === 0xde || head === 0xdf) readMap(reader, readLength(reader, head - 0xdd));
  else
    throw damaged(
      reader,
      "a value",
      head === 0xc1 ? "the byte c1, which means nothing" : "an extension type, which is not decoded",
    );
}

/** `width`: 0 = one byte, 1 = two, 2 = four. */
function readLength(reader: Reader, width: number): number {
  if (width === 0) return reader.view.getUint8(take(reader, 1));
  return width === 1 ? reader.view.getUint16(take(reader, 2)) : reader.view.getUint32(take(reader, 4));
}

function readInteger(reader: Reader, head: number): string {
  const { view } = reader;
  switch (head) {
    case 0xcc:
      return String(view.getUint8(take(reader, 1)));
    case 0xcd:
      return String(view.getUint16(take(reader, 2)));
    case 0xce:
      return String(view.getUint32(take(reader, 4)));
    case 0xcf:
      return String(view.getBigUint64(take(reader, 8)));
    case 0xd0:
      return String(view.getInt8(take(reader, 1)));
    case 0xd1:
      return String(view.getInt16(take(reader, 2)));
    case 0xd2:
      return String(view.getInt32(take(reader, 4)));
    default:
      return String(view.getBigInt64(take(reader, 8)));
  }
}

function jsonFloat(number: number): string {
  if (Number.isFinite(number)) return floatText(number, 8);
  return Number.isNaN(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
}

function readString(reader: Reader, length: number): void {
  if (reader.raw) return readBytes(reader, length);
  const from = take(reader, length);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      reader.input.subarray(from, reader.at),
    );
    writeText(reader.output, JSON.stringify(text));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw damaged(reader, "text in UTF-8", "other bytes");
  }
}

function readBytes(reader: Reader, length: number): void {
  const from = take(reader, length);
  writeText(reader.output, `b"${toBase64(reader.input.subarray(from, reader.at))}"`);
}

function nested(reader: Reader, count: number, read: (at: number) => void): void {
  if (count > reader.input.length - reader.at)
    throw damaged(reader, `${count} items`, `${reader.input.length - reader.at} bytes`);
  if (++reader.depth > MAX_DEPTH) throw damaged(reader, `at most ${MAX_DEPTH} lists in one another`, "more");
  for (let at = 0; at < count; at++) read(at);
  reader.depth--;
}

function readList(reader: Reader, count: number): void {
  writeText(reader.output, "[");
  nested(reader, count, (at) => {
    if (at > 0) writeText(reader.output, ",");
    readValue(reader);
  });
  writeText(reader.output, "]");
}

function readMap(reader: Reader, count: number): void {
  writeText(reader.output, "{");
  nested(reader, count, (at) => {
    if (at > 0) writeText(reader.output, ",");
    readKey(reader);
    writeText(reader.output, ":");
    readValue(reader);
  });
  writeText(reader.output, "}");
}

/** Python's msgpack takes text and bytes only. */
function readKey(reader: Reader): void {
  const head = reader.input[reader.at] ?? 0;
  const isText = (head >= 0xa0 && head < 0xc0) || (head >= 0xd9 && head <= 0xdb) || (head >= 0xc4 && head <= 0xc6);
  if (!isText) throw damaged(reader, "text as a key", `a key of another type (${head.toString(16).padStart(2, "0")})`);
  readValue(reader);
}
