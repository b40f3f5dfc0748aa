/**
 * FlatBuffers from plain data (https://flatbuffers.dev/internals): parents lie before their parts, the last part at the
 * end. Every number lies at a multiple of its size, every text is followed by a zero byte, as official readers demand.
 */
import { joinBytes } from "#core/bytes.ts";

export type FlatNode =
  | { readonly table: readonly (FlatValue | undefined)[] }
  | { readonly tables: readonly FlatNode[] }
  /** Bytes, texts, ids in a row: a vector of `bytes.length / size` elements. */
  | { readonly vector: Uint8Array; readonly size: number }
  /** A part that its caller writes after this buffer: bytes from the buffer's end. */
  | { readonly beyond: number };

/** A field: a number of that many bytes, a struct, or an offset to a part. */
export type FlatValue =
  | { readonly number: number | bigint; readonly bytes: 1 | 2 | 4 | 8 }
  | { readonly struct: Uint8Array }
  | { readonly to: FlatNode };

export const u8 = (number: number): FlatValue => ({ number, bytes: 1 });
export const u16 = (number: number): FlatValue => ({ number, bytes: 2 });
export const u32 = (number: number): FlatValue => ({ number, bytes: 4 });
export const u64 = (number: number | bigint): FlatValue => ({ number, bytes: 8 });
export const idOf = (struct: Uint8Array): FlatValue => ({ struct });
export const table = (...fields: readonly (FlatValue | undefined)[]): FlatNode => ({ table: fields });
export const part = (node: FlatNode): FlatValue => ({ to: node });
export const tables = (nodes: readonly FlatNode[]): FlatValue => ({ to: { tables: nodes } });
export const bytesOf = (vector: Uint8Array, size = 1): FlatValue => ({ to: { vector, size } });
export const text = (value: string): FlatValue => bytesOf(encoder.encode(value));
export const texts = (values: readonly string[]): FlatValue =>
  tables(values.map((value) => ({ vector: encoder.encode(value), size: 1 })));
export const u16s = (values: readonly number[]): FlatValue =>
  bytesOf(joinBytes(values.map((one) => Uint8Array.of(one, one >> 8))), 2);
/** Structs one after the other. */
export const structs = (values: readonly Uint8Array[], size: number): FlatValue => bytesOf(joinBytes(values), size);

const encoder = new TextEncoder();

interface Output {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView;
  used: number;
  readonly waiting: { readonly at: number; readonly node: FlatNode }[];
}

/** "Ichk", which official writers add to all files. */
const IDENTIFIER = [0x49, 0x63, 0x68, 0x6b];

/** Its length is a multiple of eight, so that more may follow. */
export function flatBuffer(root: FlatNode): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(1024);
  const out: Output = { bytes, view: new DataView(bytes.buffer), used: 8, waiting: [{ at: 0, node: root }] };
  out.bytes.set(IDENTIFIER, 4);
  // Grows while it is walked.
  for (const { at, node } of out.waiting) {
    if ("beyond" in node) continue;
    const position = write(out, node);
    out.view.setUint32(at, position - at, true);
  }
  const end = room(out, 0, 8);
  for (const { at, node } of out.waiting) if ("beyond" in node) out.view.setUint32(at, end + node.beyond - at, true);
  return out.bytes.slice(0, out.used);
}

/** Start of `length` new bytes of zero at a multiple of `alignment`. */
function room(out: Output, length: number, alignment: number): number {
  const at = Math.ceil(out.used / alignment) * alignment;
  out.used = at + length;
  if (out.used > out.bytes.length) {
    const bytes = new Uint8Array(Math.max(out.used, 2 * out.bytes.length));
    bytes.set(out.bytes);
    out.bytes = bytes;
    out.view = new DataView(bytes.buffer);
  }
  return at;
}

/** Position of what was written. */
function write(out: Output, node: Exclude<FlatNode, { readonly beyond: number }>): number {
  if ("table" in node) return writeTable(out, node.table);
  if ("vector" in node) {
    const { vector, size } = node;
    const at = room(out, 4 + vector.length + Number(size === 1), 4);
    out.view.setUint32(at, vector.length / size, true);
    out.bytes.set(vector, at + 4);
    return at;
  }
  const at = room(out, 4 + 4 * node.tables.length, 4);
  out.view.setUint32(at, node.tables.length, true);
  for (const [index, inner] of node.tables.entries()) out.waiting.push({ at: at + 4 + 4 * index, node: inner });
  return at;
}

function writeTable(out: Output, fields: readonly (FlatValue | undefined)[]): number {
  const vtableSize = 4 + 2 * fields.length;
  const isWide = fields.some((field) => field !== undefined && "number" in field && field.bytes === 8);
  const vtable = room(out, vtableSize, 4);
  const at = room(out, 4, isWide ? 8 : 4);
  out.view.setInt32(at, at - vtable, true);
  for (const [slot, field] of fields.entries()) {
    if (field === undefined) continue;
    const place = writeField(out, field);
    out.view.setUint16(vtable + 4 + 2 * slot, place - at, true);
  }
  out.view.setUint16(vtable, vtableSize, true);
  out.view.setUint16(vtable + 2, out.used - at, true);
  return at;
}

function writeField(out: Output, field: FlatValue): number {
  if ("struct" in field) {
    const at = room(out, field.struct.length, 1);
    out.bytes.set(field.struct, at);
    return at;
  }
  if ("to" in field) {
    const at = room(out, 4, 4);
    out.waiting.push({ at, node: field.to });
    return at;
  }
  const at = room(out, field.bytes, field.bytes);
  if (field.bytes === 8) out.view.setBigUint64(at, BigInt(field.number), true);
  else
    for (let byte = 0; byte < field.bytes; byte += 1)
      out.bytes[at + byte] = Math.floor(Number(field.number) / 256 ** byte) % 256;
  return at;
}
