/**
 * For tests: any file of a repository as a tree by the format's schema, to be edited a field at a time and written
 * again, aligned and ended as the official library demands (its verifier refuses what our own reader lets pass).
 */
import { decompressWith } from "#io/zstd-dictionary.ts";

/** A number, a structure's bytes, a vector's, a table, a vector of tables; `undefined`: the field is absent. */
export type TreeValue = number | bigint | Uint8Array | TreeNode | TreeNode[] | undefined;
export interface TreeNode {
  readonly schema: Schema;
  readonly fields: Record<string, TreeValue>;
}

/** Number of so many bytes, structure, vector of elements, table, vector of tables; `by`: chosen by another field. */
type Kind =
  | { readonly number: 1 | 2 | 4 | 8 }
  | { readonly struct: number }
  | { readonly vector: number; readonly isText?: true }
  | { readonly table: Schema }
  | { readonly tables: Schema }
  | { readonly by: string; readonly of: ReadonlyMap<number, Schema> };
type Schema = readonly (readonly [name: string, kind: Kind])[];

const [u8, u32, u64] = [{ number: 1 }, { number: 4 }, { number: 8 }] as const;
const [id12, id8] = [{ struct: 12 }, { struct: 8 }] as const;
const bytes: Kind = { vector: 1 };
const text: Kind = { vector: 1, isText: true };
const texts: Kind = { tables: [] };
const item: Schema = [["name", text], ["value", bytes]]; // prettier-ignore
const chunkRef: Schema = [
  ["index", { vector: 4 }],
  ["inline", bytes],
  ["offset", u64],
  ["length", u64],
  ["chunk_id", id12],
  ["location", text],
  ["checksum_etag", text],
  ["checksum_last_modified", u32],
  ["compressed_location", bytes],
];
const manifest: Schema = [
  ["id", id12],
  ["arrays", { tables: [["node_id", id8], ["refs", { tables: chunkRef }]] }], // prettier-ignore
  ["location_dictionary", bytes],
  ["compression_algorithm", u8],
];
const arrayData: Schema = [
  ["shape", { vector: 16 }],
  ["dimension_names", { tables: [["name", text]] }],
  ["manifests", { tables: [["object_id", id12], ["extents", { vector: 8 }]] }], // prettier-ignore
  ["shape_v2", { tables: [["array_length", u64], ["num_chunks", u32]] }], // prettier-ignore
];
const node: Schema = [
  ["id", id8],
  ["path", text],
  ["user_data", bytes],
  ["node_data_type", u8],
  ["node_data", { by: "node_data_type", of: new Map([[1, arrayData], [2, []]]) }], // prettier-ignore
];
const snapshot: Schema = [
  ["id", id12],
  ["parent_id", id12],
  ["nodes", { tables: node }],
  ["flushed_at", u64],
  ["message", text],
  ["metadata", { tables: item }],
  ["manifest_files", { vector: 32 }],
  ["manifest_files_v2", { tables: [["id", id12], ["size_bytes", u64], ["num_chunk_refs", u32]] }], // prettier-ignore
];
const ref: Schema = [["name", text], ["snapshot_index", u32]]; // prettier-ignore
const named: Schema = [["name", text]];
const updates = new Map<number, Schema>([
  [1, []],
  [3, []],
  [5, named],
  [7, named],
  [10, [["branch", text], ["new_snap_id", id12]]], // prettier-ignore
]);
const update: Schema = [
  ["update_type_type", u8],
  ["update_type", { by: "update_type_type", of: updates }],
  ["updated_at", u64],
  ["backup_path", text],
];
const repo: Schema = [
  ["spec_version", u8],
  ["tags", { tables: ref }],
  ["branches", { tables: ref }],
  ["deleted_tags", texts],
  [
    "snapshots",
    {
      tables: [
        ["id", id12],
        ["parent_offset", u32],
        ["flushed_at", u64],
        ["message", text],
        ["metadata", { tables: item }],
        ["pruned_ancestor_tx_logs", { vector: 12 }],
      ],
    },
  ],
  ["status", { table: [["availability", u8], ["set_at", u64], ["limited_availability_reason", text]] }], // prettier-ignore
  ["metadata", { tables: item }],
  ["latest_updates", { tables: update }],
  ["repo_before_updates", text],
  ["config", bytes],
  ["enabled_feature_flags", { vector: 2 }],
  ["disabled_feature_flags", { vector: 2 }],
];
const coords: Schema = [["coords", { vector: 4 }]];
const log: Schema = [
  ["id", id12],
  ["new_groups", { vector: 8 }],
  ["new_arrays", { vector: 8 }],
  ["deleted_groups", { vector: 8 }],
  ["deleted_arrays", { vector: 8 }],
  ["updated_arrays", { vector: 8 }],
  ["updated_groups", { vector: 8 }],
  ["updated_chunks", { tables: [["node_id", id8], ["chunks", { tables: coords }]] }], // prettier-ignore
];
/** Schemas by the header's type. */
const FILES = new Map<number, Schema>([[1, snapshot], [2, manifest], [4, log], [6, repo]]); // prettier-ignore

const HEADER = 39;

/** The tree of a file. */
export function treeOf(file: Uint8Array): TreeNode {
  const body = decompressWith(undefined, file.subarray(HEADER), 1 << 24);
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  return readTable(view, view.getUint32(0, true), FILES.get(file[37] ?? 0) ?? []);
}

function readTable(view: DataView, at: number, schema: Schema): TreeNode {
  const vtable = at - view.getInt32(at, true);
  const size = view.getUint16(vtable, true);
  const fields: Record<string, TreeValue> = {};
  for (const [slot, [name, kind]] of slotted(schema)) {
    const offset = 4 + 2 * slot < size ? view.getUint16(vtable + 4 + 2 * slot, true) : 0;
    fields[name] = offset === 0 ? undefined : readField(view, at + offset, kind, fields);
  }
  return { schema, fields };
}

const slotted = (schema: Schema) => schema.map((field, slot) => [slot, field] as const);

function readField(view: DataView, at: number, kind: Kind, fields: Record<string, TreeValue>): TreeValue {
  if ("number" in kind) {
    if (kind.number === 8) return view.getBigUint64(at, true);
    return kind.number === 4
      ? view.getUint32(at, true)
      : kind.number === 2
        ? view.getUint16(at, true)
        : view.getUint8(at);
  }
  if ("struct" in kind) return bytesAt(view, at, kind.struct);
  const to = at + view.getUint32(at, true);
  if ("table" in kind) return readTable(view, to, kind.table);
  if ("by" in kind) return readTable(view, to, kind.of.get(fields[kind.by] as number) ?? []);
  const count = view.getUint32(to, true);
  if ("vector" in kind) return bytesAt(view, to + 4, count * kind.vector);
  return Array.from({ length: count }, (_, index) => {
    const entry = to + 4 + 4 * index;
    return readTable(view, entry + view.getUint32(entry, true), kind.tables);
  });
}

const bytesAt = ({ buffer, byteOffset }: DataView, at: number, length: number) =>
  new Uint8Array(buffer, byteOffset + at, length).slice();

/** The file with this tree: the header of the one it was, one frame of raw blocks. */
export function fileOf(tree: TreeNode, header: Uint8Array): Uint8Array {
  const out: number[] = [0, 0, 0, 0];
  const at = writeTable(out, tree);
  setNumber(out, 0, at, 4);
  return Uint8Array.from([...header.subarray(0, HEADER), ...rawFrame(Uint8Array.from(out))]);
}

/** Zstandard without compression: a single segment of up to 2^32 bytes, in blocks of 128 KiB. */
function rawFrame(content: Uint8Array): readonly number[] {
  const out = [0x28, 0xb5, 0x2f, 0xfd, 0xa0];
  addNumber(out, content.length, 4);
  for (let from = 0; from === 0 || from < content.length; from += 1 << 17) {
    const block = content.subarray(from, from + (1 << 17));
    addNumber(out, (block.length << 3) | (from + block.length >= content.length ? 1 : 0), 3);
    for (const byte of block) out.push(byte);
  }
  return out;
}

function writeTable(out: number[], { schema, fields }: TreeNode): number {
  const there = slotted(schema).filter(([, [name]]) => fields[name] !== undefined);
  const sized = there.toSorted((one, other) => widthOf(other[1][1]) - widthOf(one[1][1]));
  const vtable = out.length;
  const vtableSize = 4 + 2 * schema.length;
  while (out.length - vtable < vtableSize || out.length % 8 !== 4) out.push(0);
  const at = out.length;
  addNumber(out, at - vtable, 4);
  const waiting: (readonly [at: number, kind: Kind, value: TreeValue])[] = [];
  for (const [slot, [name, kind]] of sized) {
    const value = fields[name];
    setNumber(out, vtable + 4 + 2 * slot, out.length - at, 2);
    if ("number" in kind) addNumber(out, value as number | bigint, kind.number);
    else if ("struct" in kind) out.push(...(value as Uint8Array));
    else {
      waiting.push([out.length, kind, value]);
      addNumber(out, 0, 4);
    }
  }
  setNumber(out, vtable, vtableSize, 2);
  setNumber(out, vtable + 2, out.length - at, 2);
  while (out.length % 4 !== 0) out.push(0);
  for (const [place, kind, value] of waiting) setNumber(out, place, writePart(out, kind, value) - place, 4);
  return at;
}

/** 8 first, so that all are aligned; structures of identifiers last. */
const widthOf = (kind: Kind): number => ("number" in kind ? kind.number : "struct" in kind ? 0 : 4);

function writePart(out: number[], kind: Kind, value: TreeValue): number {
  if (!Array.isArray(value) && !(value instanceof Uint8Array)) return writeTable(out, value as TreeNode);
  while (out.length % 8 !== 4) out.push(0);
  const at = out.length;
  if (value instanceof Uint8Array) {
    addNumber(out, value.length / ("vector" in kind ? kind.vector : 1), 4);
    for (const byte of value) out.push(byte);
    out.push(0);
    while (out.length % 4 !== 0) out.push(0);
    return at;
  }
  addNumber(out, value.length, 4);
  for (const _ of value) addNumber(out, 0, 4);
  for (const [index, one] of value.entries()) {
    const place = at + 4 + 4 * index;
    setNumber(out, place, writeTable(out, one) - place, 4);
  }
  return at;
}

function addNumber(out: number[], value: number | bigint, size: number): void {
  for (let at = 0; at < size; at += 1) out.push(Number((BigInt(value) >> BigInt(8 * at)) & 255n));
}

function setNumber(out: number[], at: number, value: number, size: number): void {
  for (let byte = 0; byte < size; byte += 1) out[at + byte] = Math.floor(value / 256 ** byte) % 256;
}
