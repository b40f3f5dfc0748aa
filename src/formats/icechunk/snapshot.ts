/** Snapshot files: the hierarchy at one time, with the metadata of every node and the manifests of every array. */
import { failure } from "../../core/findings/failure.ts";
import { targetAt } from "../../core/findings/place.ts";
import {
  bytesField,
  flatFault,
  idField,
  mapTables,
  openFlat,
  required,
  textField,
  uint64Field,
  valueFault,
  vectorField,
  type FlatTable,
} from "./flat.ts";
import { openFile, type FileHeader } from "./header.ts";
import { readMetadataItems, type ReadValue } from "./metadata-items.ts";
import { snapshotPath } from "./paths.ts";
import { readNodeData, type SnapshotNodeData } from "./snapshot-node.ts";
import { timeText } from "./file-time.ts";
import type { HistoryEntry, IcechunkObjects, IcechunkZstd } from "./types.ts";

/** `parent`: in format 1; format 2 keeps the parents in the repository info. Absent in the first snapshot of a chain. */
export interface Snapshot extends HistoryEntry {
  readonly header: FileHeader;
  /** In the order of the file. No two have the same path. */
  readonly nodes: readonly SnapshotNode[];
}

export type SnapshotNode = SnapshotNodeData & {
  /** 13 characters; the same through all snapshots, moves included. */
  readonly id: string;
  /** With a leading slash; "/" is the root. */
  readonly path: string;
  /** The node's `zarr.json`, as it was written. */
  readonly metadata: Uint8Array;
};

/** @throws RefscopeError of `openFile`, or `icechunk-file-damaged` */
export async function readSnapshot(bytes: Uint8Array, id: string, zstd: IcechunkZstd): Promise<Snapshot> {
  const { header, body, name } = await openFile(bytes, "snapshot", snapshotPath(id), zstd);
  const root = openFlat(body, name);
  return {
    header,
    id: required(root, "id", idField(root, 0, 12, "id")),
    parent: idField(root, 1, 12, "parent_id"),
    time: timeText(uint64Field(root, 3, "flushed_at")),
    message: required(root, "message", textField(root, 4, "message")),
    metadata: readMetadataItems(root, 5, await valueReader(header.format)),
    nodes: readNodes(root),
  };
}

function readNodes(root: FlatTable): readonly SnapshotNode[] {
  const seen = new Set<string>();
  return mapTables(required(root, "nodes", vectorField(root, 2, 4, "nodes")), (table) => {
    const node = readNode(table);
    // The official reader finds nodes by binary search: of two with one path it is open which.
    if (seen.has(node.path)) throw valueFault(table, "path", "a path of its own for every node", `${node.path} twice`);
    seen.add(node.path);
    return node;
  });
}

function readNode(table: FlatTable): SnapshotNode {
  const path = required(table, "path", textField(table, 1, "path"));
  if (!path.startsWith("/")) throw valueFault(table, "path", 'a path that begins with "/"', JSON.stringify(path));
  const metadata = required(table, "user_data", bytesField(table, 2, "user_data"));
  const data = readNodeData(table);
  if (data === undefined) throw flatFault(table, "a group or an array", "a node of another kind");
  return { id: required(table, "id", idField(table, 0, 8, "id")), path, metadata, ...data };
}

/** @throws RefscopeError `icechunk-object-missing`, or of `readSnapshot` */
export async function fetchSnapshot(objects: IcechunkObjects, zstd: IcechunkZstd, id: string): Promise<Snapshot> {
  const path = snapshotPath(id);
  const bytes = await objects.get(path);
  if (bytes !== undefined) return readSnapshot(bytes, id, zstd);
  throw failure("icechunk-object-missing", targetAt(path), { file: "snapshot" });
}

/** A repository has mostly one format: the other's values need not be fetched. */
async function valueReader(format: 1 | 2): Promise<ReadValue> {
  if (format === 1) return (await import("./format-1.ts")).readMessagePack;
  return (await import("./format-2.ts")).readFlexBuffer;
}
