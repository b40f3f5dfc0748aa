/** Transaction logs: what the commit that made a snapshot changed, by node id. The first snapshot of format 1 has none. */
import {
  idField,
  mapIndices,
  mapTables,
  openFlat,
  required,
  textField,
  uint8Field,
  vectorField,
  type FlatTable,
  type FlatVector,
} from "./flat.ts";
import { openFile, type FileHeader } from "./header.ts";
import { objectId } from "./object-id.ts";
import { transactionPath } from "./paths.ts";
import type { IcechunkZstd } from "./types.ts";

export interface TransactionLog {
  readonly header: FileHeader;
  /** Id of the snapshot. */
  readonly id: string;
  /** Ids of nodes. "Updated": their metadata. */
  readonly newGroups: readonly string[];
  readonly newArrays: readonly string[];
  readonly deletedGroups: readonly string[];
  readonly deletedArrays: readonly string[];
  readonly updatedGroups: readonly string[];
  readonly updatedArrays: readonly string[];
  readonly updatedChunks: readonly UpdatedChunks[];
  readonly moved: readonly MovedNode[];
}

/** Chunks that were set or deleted, in columns: 20 arrays of a million chunks are 80 MB, not objects. */
export interface UpdatedChunks {
  readonly node: string;
  readonly count: number;
  /** Coordinates one chunk after another; chunk `i` has [starts[i], starts[i + 1]). */
  readonly coordinates: Uint32Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
}

export interface MovedNode {
  readonly from: string;
  readonly to: string;
  readonly node: string | undefined;
  readonly kind: "group" | "array";
}

/** @throws RefscopeError of `openFile`, or `icechunk-file-damaged` */
export async function readTransactionLog(bytes: Uint8Array, id: string, zstd: IcechunkZstd): Promise<TransactionLog> {
  const { header, body, name } = await openFile(bytes, "transaction log", transactionPath(id), zstd);
  const root = openFlat(body, name);
  return {
    header,
    id: required(root, "id", idField(root, 0, 12, "id")),
    newGroups: nodeIds(root, 1, "new_groups"),
    newArrays: nodeIds(root, 2, "new_arrays"),
    deletedGroups: nodeIds(root, 3, "deleted_groups"),
    deletedArrays: nodeIds(root, 4, "deleted_arrays"),
    updatedArrays: nodeIds(root, 5, "updated_arrays"),
    updatedGroups: nodeIds(root, 6, "updated_groups"),
    updatedChunks: mapTables(required(root, "updated_chunks", vectorField(root, 7, 4, "updated_chunks")), readUpdated),
    moved: mapTables(vectorField(root, 8, 4, "moved_nodes"), readMoved),
  };
}

function nodeIds(root: FlatTable, slot: number, name: string): readonly string[] {
  const vector = required(root, name, vectorField(root, slot, 8, name));
  return mapIndices(vector, ({ flat, at }, index) => objectId(flat.bytes, at + index * 8, 8));
}

function readUpdated(table: FlatTable): UpdatedChunks {
  const node = required(table, "node_id", idField(table, 0, 8, "node_id"));
  const chunks = required(table, "chunks", vectorField(table, 1, 4, "chunks"));
  const all = mapTables(chunks, (chunk) => required(chunk, "coords", vectorField(chunk, 0, 4, "coords")));
  const starts = new Uint32Array(all.length + 1);
  for (const [index, { count }] of all.entries()) starts[index + 1] = (starts[index] ?? 0) + count;
  const coordinates = new Uint32Array(starts.at(-1) ?? 0);
  let at = 0;
  for (const vector of all) at = copyCoordinates(vector, coordinates, at);
  return { node, count: all.length, coordinates, starts };
}

function copyCoordinates({ flat, at, count }: FlatVector, into: Uint32Array, from: number): number {
  for (let axis = 0; axis < count; axis += 1) into[from + axis] = flat.view.getUint32(at + axis * 4, true);
  return from + count;
}

function readMoved(table: FlatTable): MovedNode {
  return {
    from: required(table, "from", textField(table, 0, "from")),
    to: required(table, "to", textField(table, 1, "to")),
    node: idField(table, 2, 8, "node_id"),
    kind: uint8Field(table, 3, "node_type") === 1 ? "array" : "group",
  };
}
