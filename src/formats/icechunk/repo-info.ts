/** The file `repo` of format 2: branches, tags, the history of snapshots, configuration, and the log of operations. */
import type { JsonObject, JsonValue } from "../../core/json/json.ts";
import type { RepositoryStatus, RepositoryUpdate, UpdateKind } from "../../core/repository.ts";
import { timeText } from "./file-time.ts";
import {
  bytesField,
  type FlatTable,
  type FlatVector,
  idField,
  int32Field,
  mapIndices,
  mapTables,
  openFlat,
  required,
  tableField,
  textField,
  textIn,
  uint16Field,
  uint32Field,
  uint64Field,
  uint8Field,
  valueFault,
  vectorField,
} from "./flat.ts";
import { readFlexBuffer } from "./flex-buffer.ts";
import { type FileHeader, openFile } from "./header.ts";
import { readMetadataItems } from "./metadata-items.ts";
import { objectId } from "./object-id.ts";
import { REPO_PATH } from "./paths.ts";
import type { HistoryEntry, IcechunkZstd } from "./types.ts";

export interface RepoInfo {
  readonly header: FileHeader;
  /** Names to snapshot ids, in the order of the file. */
  readonly branches: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  readonly deletedTags: readonly string[];
  /** All that were not expired, those at no branch too, by id. */
  readonly snapshots: ReadonlyMap<string, SnapshotInfo>;
  readonly status: RepositoryStatus;
  readonly metadata: JsonObject;
  /** As stored; `undefined`: never saved. */
  readonly config: JsonValue | undefined;
  /** Newest first. */
  readonly updates: readonly RepositoryUpdate[];
  /** Name of the file below `overwritten/` whose log continues this one. */
  readonly updatesContinueIn: string | undefined;
}

/** A snapshot as recorded in the history. */
export interface SnapshotInfo extends HistoryEntry {
  /** Transaction logs of ancestors that were expired, oldest first. */
  readonly prunedLogs: readonly string[];
}

/** `path`: also one below `overwritten/`. @throws RefscopeError of `openFile`, or `icechunk-file-damaged` */
export async function readRepoInfo(bytes: Uint8Array, zstd: IcechunkZstd, path = REPO_PATH): Promise<RepoInfo> {
  const { header, body, name } = await openFile(bytes, "repository info", path, zstd);
  const root = openFlat(body, name);
  const version = uint8Field(root, 0, "spec_version");
  if (version !== 1 && version !== 2) {
    throw valueFault(root, "spec_version", "1 or 2", `${version}, written by ${header.writer}`);
  }
  const snapshots = readSnapshots(root);
  return {
    header,
    tags: readRefs(root, 1, "tags", snapshots),
    branches: readRefs(root, 2, "branches", snapshots),
    deletedTags: mapIndices(required(root, "deleted_tags", vectorField(root, 3, 4, "deleted_tags")), textIn),
    snapshots: new Map(snapshots.map((snapshot) => [snapshot.id, snapshot])),
    status: readStatus(required(root, "status", tableField(root, 5, "status"))),
    metadata: readMetadataItems(root, 6, readFlexBuffer),
    config: readConfig(root),
    updates: mapTables(required(root, "latest_updates", vectorField(root, 7, 4, "latest_updates")), readUpdate),
    updatesContinueIn: textField(root, 8, "repo_before_updates"),
  };
}

function readConfig(root: FlatTable): JsonValue | undefined {
  const bytes = bytesField(root, 9, "config");
  if (bytes === undefined) return undefined;
  return readFlexBuffer(bytes, (expected, found) => valueFault(root, "config", expected, found));
}

function readSnapshots(root: FlatTable): readonly SnapshotInfo[] {
  const vector = required(root, "snapshots", vectorField(root, 4, 4, "snapshots"));
  const rows = mapTables(vector, (table) => ({ table, id: required(table, "id", idField(table, 0, 12, "id")) }));
  return rows.map(({ table, id }) => {
    const parent = int32Field(table, 1, "parent_offset");
    if (parent >= rows.length) {
      throw valueFault(table, "parent_offset", `one of ${rows.length} snapshots, or -1`, String(parent));
    }
    return {
      id,
      parent: parent < 0 ? undefined : rows[parent]?.id,
      time: timeText(uint64Field(table, 2, "flushed_at")),
      message: required(table, "message", textField(table, 3, "message")),
      metadata: readMetadataItems(table, 4, readFlexBuffer),
      prunedLogs: mapIndices(vectorField(table, 5, 12, "pruned_ancestor_tx_logs"), idIn),
    };
  });
}

const idIn = ({ flat, at }: FlatVector, index: number): string => objectId(flat.bytes, at + index * 12, 12);

function readRefs(
  root: FlatTable,
  slot: number,
  name: string,
  snapshots: readonly SnapshotInfo[],
): ReadonlyMap<string, string> {
  const refs = mapTables(required(root, name, vectorField(root, slot, 4, name)), (table): readonly [string, string] => {
    const index = uint32Field(table, 1, "snapshot_index");
    const snapshot = snapshots[index];
    if (snapshot === undefined) {
      throw valueFault(table, "snapshot_index", `one of ${snapshots.length} snapshots`, String(index));
    }
    return [required(table, "name", textField(table, 0, "name")), snapshot.id];
  });
  return new Map(refs);
}

// The log of operations in a repository info (format 2), and the repository's status.

function readStatus(table: FlatTable): RepositoryStatus {
  const code = uint8Field(table, 0, "availability");
  return {
    availability: code === 1 ? "read-only" : code === 2 ? "offline" : "online",
    since: timeText(uint64Field(table, 1, "set_at")),
    reason: textField(table, 2, "limited_availability_reason"),
  };
}

function readUpdate(table: FlatTable): RepositoryUpdate {
  const type = uint8Field(table, 0, "update_type_type");
  const read = READERS[type];
  if (read === undefined) throw valueFault(table, "update_type_type", "a type from 1 to 16", String(type));
  const value = required(table, "update_type", tableField(table, 1, "update_type"));
  return {
    ...read(value),
    at: timeText(uint64Field(table, 2, "updated_at")),
    backup: textField(table, 3, "backup_path"),
  };
}

type ReadUpdate = (table: FlatTable) => UpdateKind;

/** In the order of the union `UpdateType`. */
const READERS: readonly (ReadUpdate | undefined)[] = [
  undefined,
  () => ({ kind: "initialized" }),
  (table) => ({
    kind: "migrated",
    from: uint8Field(table, 0, "from_version"),
    to: uint8Field(table, 1, "to_version"),
  }),
  () => ({ kind: "config-changed" }),
  () => ({ kind: "metadata-changed" }),
  (table) => ({ kind: "tag-created", name: text(table, 0, "name") }),
  (table) => ({ kind: "tag-deleted", name: text(table, 0, "name"), previous: snapshot(table, 1, "previous_snap_id") }),
  (table) => ({ kind: "branch-created", name: text(table, 0, "name") }),
  (table) => ({
    kind: "branch-deleted",
    name: text(table, 0, "name"),
    previous: snapshot(table, 1, "previous_snap_id"),
  }),
  (table) => ({ kind: "branch-reset", name: text(table, 0, "name"), previous: snapshot(table, 1, "previous_snap_id") }),
  (table) => ({ kind: "commit", branch: text(table, 0, "branch"), snapshot: snapshot(table, 1, "new_snap_id") }),
  (table) => ({
    kind: "amended",
    branch: text(table, 0, "branch"),
    previous: snapshot(table, 1, "previous_snap_id"),
    snapshot: snapshot(table, 2, "new_snap_id"),
  }),
  (table) => ({ kind: "detached-snapshot", snapshot: snapshot(table, 0, "new_snap_id") }),
  () => ({ kind: "gc-ran" }),
  () => ({ kind: "expiration-ran" }),
  (table) => ({
    kind: "flag-changed",
    flag: uint16Field(table, 0, "id"),
    value: uint8Field(table, 2, "is_set") === 0 ? undefined : uint8Field(table, 1, "new_value") !== 0,
  }),
  (table) => {
    const status = tableField(table, 0, "status");
    return { kind: "status-changed", status: status === undefined ? undefined : readStatus(status) };
  },
];

function text(table: FlatTable, slot: number, name: string): string {
  return required(table, name, textField(table, slot, name));
}

function snapshot(table: FlatTable, slot: number, name: string): string {
  return required(table, name, idField(table, slot, 12, name));
}
