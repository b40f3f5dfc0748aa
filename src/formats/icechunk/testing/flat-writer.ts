/** For tests: FlatBuffers from plain objects, parents before their parts, and whole files of Icechunk. */

export type FlatNode =
  | { readonly table: readonly (FlatValue | undefined)[] }
  | { readonly tables: readonly FlatNode[] }
  /** Bytes, texts, ids in a row: a vector of `bytes.length / size` elements. */
  | { readonly vector: Uint8Array; readonly size: number };

/** A field: a number of that many bytes, a struct, or an offset to a part. */
export type FlatValue =
  | { readonly number: number | bigint; readonly bytes: 1 | 2 | 4 | 8 }
  | { readonly struct: Uint8Array }
  | { readonly to: FlatNode };

export const u8 = (number: number): FlatValue => ({ number, bytes: 1 });
export const u32 = (number: number): FlatValue => ({ number, bytes: 4 });
export const u64 = (number: number | bigint): FlatValue => ({ number, bytes: 8 });
export const struct = (...bytes: readonly number[]): FlatValue => ({ struct: Uint8Array.from(bytes) });
export const table = (...fields: readonly (FlatValue | undefined)[]): FlatNode => ({ table: fields });
export const tables = (...nodes: readonly FlatNode[]): FlatValue => ({ to: { tables: nodes } });
export const text = (value: string): FlatValue => bytesOf(Buffer.from(value));
export const bytesOf = (vector: Uint8Array): FlatValue => ({ to: { vector, size: 1 } });
export const coordinates = (...cells: readonly number[]): FlatValue => ({
  to: { vector: new Uint8Array(Uint32Array.from(cells).buffer), size: 4 },
});

export function flatBuffer(root: FlatNode): Uint8Array {
  const out: number[] = [0, 0, 0, 0];
  const waiting: { readonly at: number; readonly node: FlatNode }[] = [{ at: 0, node: root }];
  // Grows while it is walked.
  for (const { at, node } of waiting) put(out, at, write(out, node, waiting) - at, 4);
  return Uint8Array.from(out);
}

/** Position of what was written. */
function write(out: number[], node: FlatNode, waiting: { at: number; node: FlatNode }[]): number {
  if ("table" in node) return writeTable(out, node.table, waiting);
  while (out.length % 4 !== 0) out.push(0);
  const at = out.length;
  const count = "tables" in node ? node.tables.length : node.vector.length / node.size;
  grow(out, 4);
  put(out, at, count, 4);
  if ("vector" in node) for (const byte of node.vector) out.push(byte);
  else {
    for (const part of node.tables) {
      waiting.push({ at: out.length, node: part });
      grow(out, 4);
    }
  }
  return at;
}

function writeTable(
  out: number[],
  fields: readonly (FlatValue | undefined)[],
  waiting: { at: number; node: FlatNode }[],
): number {
  while (out.length % 4 !== 0) out.push(0);
  const vtable = out.length;
  const vtableSize = 4 + 2 * fields.length;
  grow(out, vtableSize + (vtableSize % 4));
  const at = out.length;
  grow(out, 4);
  put(out, at, at - vtable, 4);
  for (const [slot, field] of fields.entries()) {
    if (field === undefined) continue;
    put(out, vtable + 4 + 2 * slot, out.length - at, 2);
    writeField(out, field, waiting);
  }
  put(out, vtable, vtableSize, 2);
  put(out, vtable + 2, out.length - at, 2);
  return at;
}

function writeField(out: number[], field: FlatValue, waiting: { at: number; node: FlatNode }[]): void {
  const at = out.length;
  if ("struct" in field) for (const byte of field.struct) out.push(byte);
  else if ("to" in field) {
    waiting.push({ at, node: field.to });
    grow(out, 4);
  } else {
    grow(out, field.bytes);
    put(out, at, field.number, field.bytes);
  }
}

function grow(out: number[], count: number): void {
  for (let added = 0; added < count; added += 1) out.push(0);
}

function put(out: number[], at: number, value: number | bigint, bytes: number): void {
  if (typeof value === "bigint") {
    for (let index = 0; index < bytes; index += 1) out[at + index] = Number((value >> BigInt(8 * index)) & 255n);
    return;
  }
  for (let index = 0; index < bytes; index += 1) out[at + index] = Math.floor(value / 256 ** index) % 256;
}

export interface HeaderParts {
  readonly type: number;
  readonly format?: number;
  readonly writer?: string;
  readonly compression?: number;
}

export function icechunkFile(
  body: Uint8Array,
  { type, format = 2, writer = "someone-1.2", compression = 0 }: HeaderParts,
) {
  const magic = Buffer.from("ICE🧊CHUNK");
  return Buffer.concat([magic, Buffer.from(writer.padEnd(24)), Buffer.from([format, type, compression]), body]);
}

export const id12 = (byte: number): FlatValue => struct(...Array.from({ length: 12 }, () => byte));
export const id8 = (byte: number): FlatValue => struct(...Array.from({ length: 8 }, () => byte));

/** A manifest of one array, whose node id is eight bytes of 7: "0W3GE1R70W3GE". */
export function manifestFile(refs: readonly FlatNode[], dictionary?: Uint8Array): Uint8Array {
  const root = table(
    id12(1),
    tables(table(id8(7), tables(...refs))),
    dictionary === undefined ? undefined : bytesOf(dictionary),
  );
  return icechunkFile(flatBuffer(root), { type: 2 });
}
