/** Snapshots and transaction logs as files. */
import type { JsonObject, JsonValue } from "#core/json/json.ts";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { idBytes } from "../object-id.ts";
import type { ManifestRef, MovedNode, TransactionLog, UpdatedChunks } from "../snapshot.ts";
import type { Exact } from "../types.ts";
import { type CompressFrame, icechunkFile } from "./file.ts";
import { bytesOf, flatBuffer, type FlatNode, type FlatValue, idOf, part, structs, table, tables, text, u32, u64, u8 } from "./flat-builder.ts"; // prettier-ignore
import { flexBytes } from "./flex-builder.ts";
import { aligned, pieceWriter } from "./manifest.ts";
import { compareBytes, compareText } from "./order.ts";

export interface SnapshotContent {
  readonly id: string;
  /** Microseconds since 1970. */
  readonly time: Exact;
  readonly message: string;
  readonly metadata: JsonObject;
  readonly nodes: readonly WrittenNode[];
  /** All that arrays name, with their sizes in bytes: readers read as many. */
  readonly manifests: readonly ManifestFile[];
}

export interface WrittenNode {
  readonly id: string;
  /** With a leading slash. */
  readonly path: string;
  /** The node's `zarr.json`. */
  readonly metadata: Uint8Array;
  /** Absent of groups. */
  readonly array?: WrittenArray;
}

export interface WrittenArray {
  readonly shape: readonly { readonly arrayLength: Exact; readonly chunks: number }[];
  /** `null`: a dimension without a name. */
  readonly dimensionNames: readonly (string | null)[] | undefined;
  readonly manifests: readonly ManifestRef[];
}

export interface ManifestFile {
  readonly id: string;
  readonly size: Exact;
  readonly references: number;
}

const [ARRAY, GROUP] = [1, 2] as const;
const NODE_ID = 8;
const encoder = new TextEncoder();

/** Nodes are put into the order of their paths' bytes, manifests into that of their ids: readers search them so. */
export function writeSnapshot(content: SnapshotContent, compress?: CompressFrame): Promise<Uint8Array<ArrayBuffer>> {
  const { id, time, message, metadata, manifests } = content;
  const nodes = content.nodes
    .map((node) => ({ node, path: encoder.encode(node.path) }))
    .toSorted((a, b) => compareBytes(a.path, b.path))
    .map(({ node }) => writtenNode(node));
  const files = manifests
    .toSorted((a, b) => compareText(a.id, b.id))
    .map(({ id: own, size, references }) => table(idOf(idBytes(own)), u64(size), u32(references)));
  const root = table(
    idOf(idBytes(id)),
    undefined,
    tables(nodes),
    u64(time),
    text(message),
    metadataItems(metadata),
    // Those of format 1.
    bytesOf(new Uint8Array(0), 8),
    tables(files),
  );
  return icechunkFile("snapshot", [flatBuffer(root)], compress);
}

export const metadataItems = (metadata: ReadonlyMap<string, JsonValue | Uint8Array>): FlatValue =>
  tables([...metadata].map(([name, value]) => table(text(name), bytesOf(flexBytes(value)))));

function writtenNode({ id, path, metadata, array }: WrittenNode): FlatNode {
  const data = array === undefined ? table() : writtenArray(array);
  const kind = u8(array === undefined ? GROUP : ARRAY);
  return table(idOf(idBytes(id)), text(path), bytesOf(metadata), kind, part(data));
}

function writtenArray({ shape, dimensionNames, manifests }: WrittenArray): FlatNode {
  const names = dimensionNames?.map((name) => (name === null ? table() : table(text(name))));
  const refs = manifests.map(({ id, extents }) =>
    table(idOf(idBytes(id)), bytesOf(u32Bytes(extents.flatMap(({ from, to }) => [from, to])), 8)),
  );
  return table(
    bytesOf(new Uint8Array(0), 16),
    names && tables(names),
    tables(refs),
    tables(shape.map(({ arrayLength, chunks }) => table(u64(arrayLength), u32(chunks)))),
  );
}

const u32Bytes = (values: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer);

/** Offsets in FlatBuffers are numbers of four bytes with a sign. */
const MOST_BYTES = 2 ** 31 - 1;

/** Ids and chunks are put into order. Chunks are written in pieces. @throws RefscopeError `export-impossible` */
export function writeTransactionLog(
  log: Omit<TransactionLog, "header">,
  compress?: CompressFrame,
): Promise<Uint8Array<ArrayBuffer>> {
  return icechunkFile("transaction log", logContent(log), compress);
}

function* logContent(log: Omit<TransactionLog, "header">): Generator<Uint8Array> {
  const ids = (of: readonly string[]) => structs(of.map(idBytes).toSorted(compareBytes), NODE_ID);
  const updated = log.updatedChunks.toSorted((a, b) => compareBytes(idBytes(a.node), idBytes(b.node)));
  let beyond = 0;
  const arrays = updated.map((one) => {
    const start = beyond;
    beyond += bytesOfChunks(one);
    return table(idOf(idBytes(one.node)), part({ beyond: start }));
  });
  const root = table(
    idOf(idBytes(log.id)),
    ids(log.newGroups),
    ids(log.newArrays),
    ids(log.deletedGroups),
    ids(log.deletedArrays),
    ids(log.updatedArrays),
    ids(log.updatedGroups),
    tables(arrays),
    log.moved.length === 0 ? undefined : tables(log.moved.map(movedNode)),
  );
  const head = flatBuffer(root);
  if (head.length + beyond > MOST_BYTES) throw failure("export-impossible", WHOLE_SET, { why: "log" });
  yield head;
  const out = pieceWriter();
  for (const one of updated) yield* writeChunks(out, one);
  yield out.rest();
}

const movedNode = ({ from, to, node, kind }: MovedNode): FlatNode =>
  table(text(from), text(to), node === undefined ? undefined : idOf(idBytes(node)), u8(Number(kind === "array")));

// Chunks of a transaction log: a vector of tables of one field, then their vtable, then each with its coordinates.

const VTABLE = Uint8Array.of(6, 0, 8, 0, 4, 0, 0, 0);
/** Table and count of the coordinates. */
const CHUNK_BYTES = 12;

const bytesBefore = (count: number): number => aligned(4 + 4 * count, 8);
const bytesOfChunks = ({ count, starts }: UpdatedChunks): number =>
  aligned(bytesBefore(count) + VTABLE.length + CHUNK_BYTES * count + 4 * (starts[count] ?? 0), 8);

function* writeChunks(out: ReturnType<typeof pieceWriter>, chunks: UpdatedChunks): Generator<Uint8Array> {
  const { count, coordinates, starts } = chunks;
  const first = out.start + out.at;
  const vtable = first + bytesBefore(count);
  yield* out.full(4);
  out.view.setUint32(out.at, count, true);
  out.at += 4;
  for (let chunk = 0; chunk < count; chunk += 1) {
    yield* out.full(4);
    const at = vtable + VTABLE.length + CHUNK_BYTES * chunk + 4 * (starts[chunk] ?? 0);
    out.view.setUint32(out.at, at - out.start - out.at, true);
    out.at += 4;
  }
  yield* out.full(4 + VTABLE.length);
  out.at = vtable - out.start;
  out.bytes.set(VTABLE, out.at);
  out.at += VTABLE.length;
  for (let chunk = 0; chunk < count; chunk += 1) {
    const [from = 0, to = 0] = [starts[chunk], starts[chunk + 1]];
    yield* out.full(CHUNK_BYTES + 4 * (to - from));
    out.view.setInt32(out.at, out.start + out.at - vtable, true);
    out.view.setUint32(out.at + 4, 4, true);
    out.view.setUint32(out.at + 8, to - from, true);
    for (let axis = from; axis < to; axis += 1)
      out.view.setUint32(out.at + CHUNK_BYTES + 4 * (axis - from), coordinates[axis] ?? 0, true);
    out.at += CHUNK_BYTES + 4 * (to - from);
  }
  yield* out.full(4);
  out.at = first + bytesOfChunks(chunks) - out.start;
}
