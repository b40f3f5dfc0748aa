/** Opening a repository: which format it has, its branches and tags as far as they can be known, its configuration. */
import { failure, type Finding, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { JsonValue } from "#core/json/json.ts";
import type { OlderOperations, RepositoryStatus, RepositoryUpdate, UpdateKind } from "#core/repository.ts";
import { type Configuration, configurationOf } from "./configuration.ts";
import { damaged } from "./fault.ts";
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
import { readMetadataItems, type ReadValue } from "./metadata-items.ts";
import { isObjectId, objectId } from "./object-id.ts";
import { MAIN, overwrittenPath, REPO_PATH, snapshotPath, transactionPath } from "./paths.ts";
import { type LogPart, readSnapshot, readTransactionLog, type TransactionLog } from "./snapshot.ts";
import { timeText, type HistoryEntry, type IcechunkObjects, type IcechunkZstd } from "./types.ts";

export interface Repository {
  readonly format: 1 | 2;
  readonly branches: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  readonly deletedTags: readonly string[];
  /** True if these are all refs: format 1 over plain HTTP knows only `main` until others are requested. */
  readonly refsComplete: boolean;
  readonly configuration: Configuration;
  /** Format 1: branches and tags that cannot be read, and why `config.yaml` cannot. */
  readonly findings: readonly Finding[];
  /** Format 2. */
  readonly info: RepoInfo | undefined;
}

/**
 * @throws RefscopeError `icechunk-no-repository`, `icechunk-too-old`, or what `readRepoInfo` throws
 */
export async function openRepository(objects: IcechunkObjects, zstd: IcechunkZstd): Promise<Repository> {
  const repo = await objects.get(REPO_PATH);
  if (repo !== undefined) return repositoryOf(await (await import("./format-2.ts")).readRepoInfo(repo, zstd));
  return (await import("./format-1.ts")).openFormat1(objects);
}

function repositoryOf(info: RepoInfo): Repository {
  return {
    format: 2,
    branches: info.branches,
    tags: info.tags,
    deletedTags: info.deletedTags,
    refsComplete: true,
    configuration: configurationOf(info.config),
    findings: [],
    info,
  };
}

/** A ref and its meaning. */
export type FoundRef =
  | { readonly kind: "branch" | "tag"; readonly name: string; readonly snapshot: string }
  | { readonly kind: "snapshot"; readonly snapshot: string };

const KINDS = ["branch", "tag", "snapshot"] as const;

/**
 * Finds a ref by its text: `branch:NAME`, `tag:NAME`, `snapshot:ID`, or a bare name of a branch, then tag, then
 * snapshot. Format 1 fetches a branch or tag that is not known yet. Without a text: `main`. @throws RefscopeError
 * `icechunk-ref-missing`
 */
export async function findRef(objects: IcechunkObjects, repository: Repository, text = MAIN): Promise<FoundRef> {
  const [, prefix, rest] = /^(branch|tag|snapshot):(.*)$/s.exec(text) ?? [];
  const name = rest ?? text;
  const kinds = prefix === undefined ? KINDS : KINDS.filter((kind) => kind === prefix);
  for (const kind of kinds) {
    if (kind === "snapshot") {
      const snapshot = await knownSnapshot(objects, repository, name);
      if (snapshot !== undefined) return { kind, snapshot };
    } else {
      const snapshot = await knownRef(objects, repository, { kind, name });
      if (snapshot !== undefined) return { kind, name, snapshot };
    }
  }
  throw missingRef(repository, text, name);
}

async function knownRef(
  objects: IcechunkObjects,
  { branches, tags, refsComplete }: Repository,
  ref: { readonly kind: "branch" | "tag"; readonly name: string },
): Promise<string | undefined> {
  const known = (ref.kind === "branch" ? branches : tags).get(ref.name);
  return known === undefined && !refsComplete ? (await import("./format-1.ts")).fetchRef(objects, ref) : known;
}

async function knownSnapshot(objects: IcechunkObjects, { info }: Repository, id: string): Promise<string | undefined> {
  if (!isObjectId(id)) return undefined;
  if (info !== undefined) return info.snapshots.has(id) ? id : undefined;
  return (await objects.get(snapshotPath(id))) === undefined ? undefined : id;
}

/** Names of branches and tags in a finding. */
const MAX_NAMED = 20;

function missingRef({ branches, tags, deletedTags, refsComplete }: Repository, text: string, name: string): Error {
  const names = [...[...branches.keys()].map((at) => `branch:${at}`), ...[...tags.keys()].map((at) => `tag:${at}`)];
  return failure("icechunk-ref-missing", WHOLE_SET, {
    problem: "unknown-ref",
    ref: text,
    known: names.slice(0, MAX_NAMED),
    count: names.length,
    complete: refsComplete,
    deleted: deletedTags.includes(name),
  });
}

// The chain of snapshots that leads to a branch, tag or snapshot, newest first.

interface History {
  readonly entries: readonly HistoryEntry[];
  /**
   * Why it ends: at the first snapshot; at `limit` entries; at a parent that is not there; or at one that came before
   * (parents in a circle).
   */
  readonly end: "first" | "limit" | "missing" | "circle";
}

/** Entry of one snapshot; `undefined` if the repository lacks it. */
export type EntryOf = (id: string) => Promise<HistoryEntry | undefined>;

/**
 * Format 2 has all in its repository info; format 1 fetches a snapshot file an entry.
 * @throws RefscopeError of `readSnapshot`
 */
export function historyEntries(objects: IcechunkObjects, { info }: Repository, zstd: IcechunkZstd): EntryOf {
  if (info !== undefined) return (id) => Promise.resolve(info.snapshots.get(id));
  return async (id) => {
    const bytes = await objects.get(snapshotPath(id));
    if (bytes === undefined) return undefined;
    const { parent, time, message, metadata } = await readSnapshot(bytes, id, zstd);
    return { id, parent, time, message, metadata };
  };
}

/** The chain that leads to `from`, as `entryOf` gives it. @throws what `entryOf` throws */
export async function readHistory(entryOf: EntryOf, from: string, limit = 1000): Promise<History> {
  const entries: HistoryEntry[] = [];
  const seen = new Set<string>();
  for (let id: string | undefined = from; id !== undefined;) {
    if (seen.has(id)) return { entries, end: "circle" };
    if (entries.length >= limit) return { entries, end: "limit" };
    seen.add(id);
    const entry = await entryOf(id);
    if (entry === undefined) return { entries, end: "missing" };
    entries.push(entry);
    id = entry.parent;
  }
  return { entries, end: "first" };
}

/** `undefined` where there is none, as for the first snapshot of format 1. */
export async function fetchTransactionLog(
  objects: IcechunkObjects,
  zstd: IcechunkZstd,
  id: string,
  part?: LogPart,
): Promise<TransactionLog | undefined> {
  const bytes = await objects.get(transactionPath(id));
  return bytes === undefined ? undefined : readTransactionLog(bytes, id, zstd, part);
}

/**
 * The part of the log of operations that older states of `repo` continue.
 * @throws RefscopeError `icechunk-object-missing`, `icechunk-file-damaged` where the name cannot be one, or of
 *   `readRepoInfo`
 */
export async function readOlderUpdates(
  objects: IcechunkObjects,
  zstd: IcechunkZstd,
  name: string,
): Promise<OlderOperations> {
  const path = overwrittenPath(name);
  if (!/^[^/\\]+$/.test(name) || /^\.+$/.test(name))
    throw damaged(
      { kind: "log of operations", path },
      { expected: "the name of a file below overwritten/", found: "a name that cannot be one" },
    );
  const bytes = await objects.get(path);
  if (bytes === undefined) throw failure("icechunk-object-missing", targetAt(path), { file: "log of operations" });
  const { updates, updatesContinueIn } = await readRepoInfo(bytes, zstd, path);
  return { updates, updatesContinueIn };
}

// The file `repo` of format 2: branches, tags, the history of snapshots, configuration, and the log of operations.

export interface RepoInfo<Value = JsonValue> {
  readonly header: FileHeader;
  /** The version of the format, as the content says. */
  readonly version: number;
  /** Names to snapshot ids, in the order of the file. */
  readonly branches: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  readonly deletedTags: readonly string[];
  /** All that were not expired, those at no branch too, by id. */
  readonly snapshots: ReadonlyMap<string, SnapshotInfo<Value>>;
  readonly status: RepositoryStatus;
  readonly metadata: ReadonlyMap<string, Value>;
  /** Configuration as stored; `undefined`: never saved. */
  readonly config: Value | undefined;
  /** Newest first. */
  readonly updates: readonly RepositoryUpdate[];
  /** Name of the file below `overwritten/` whose log continues this one. */
  readonly updatesContinueIn: string | undefined;
  /** Feature flags that were set, by number. */
  readonly enabledFlags: readonly number[] | undefined;
  readonly disabledFlags: readonly number[] | undefined;
  /** Bytes that writers add for themselves. */
  readonly extra: Uint8Array | undefined;
}

/** A snapshot as recorded in the history. */
export interface SnapshotInfo<Value = JsonValue> extends Omit<HistoryEntry, "metadata"> {
  readonly metadata: ReadonlyMap<string, Value>;
  /** Transaction logs of ancestors that were expired, oldest first. */
  readonly prunedLogs: readonly string[];
}

/** `path`: also one below `overwritten/`. @throws RefscopeError of `openFile`, or `icechunk-file-damaged` */
export const readRepoInfo = (bytes: Uint8Array, zstd: IcechunkZstd, path = REPO_PATH): Promise<RepoInfo> =>
  readRepoAs(bytes, zstd, { path, read: readFlexBuffer });

/** Metadata and configuration are the bytes of the file. Throws as `readRepoInfo` does. */
export const readStoredRepo = (bytes: Uint8Array, zstd: IcechunkZstd): Promise<RepoInfo<Uint8Array>> =>
  readRepoAs(bytes, zstd, { path: REPO_PATH, read: (value) => value });

/** `read`: how metadata and configuration are read. */
async function readRepoAs<Value>(
  bytes: Uint8Array,
  zstd: IcechunkZstd,
  { path, read }: { readonly path: string; readonly read: ReadValue<Value> },
): Promise<RepoInfo<Value>> {
  const { header, body, name } = await openFile(bytes, "repository info", path, zstd);
  const root = openFlat(body, name);
  const version = uint8Field(root, 0, "spec_version");
  if (version !== 1 && version !== 2) {
    throw valueFault(root, "spec_version", "1 or 2", `${version}, written by ${header.writer}`);
  }
  const snapshots = readSnapshots(root, read);
  return {
    header,
    version,
    tags: readRefs(root, 1, "tags", snapshots),
    branches: readRefs(root, 2, "branches", snapshots),
    deletedTags: mapIndices(required(root, "deleted_tags", vectorField(root, 3, 4, "deleted_tags")), textIn),
    snapshots: new Map(snapshots.map((snapshot) => [snapshot.id, snapshot])),
    status: readStatus(required(root, "status", tableField(root, 5, "status"))),
    metadata: readMetadataItems(root, 6, read),
    config: readConfig(root, read),
    updates: mapTables(required(root, "latest_updates", vectorField(root, 7, 4, "latest_updates")), readUpdate),
    updatesContinueIn: textField(root, 8, "repo_before_updates"),
    enabledFlags: readFlags(root, 10, "enabled_feature_flags"),
    disabledFlags: readFlags(root, 11, "disabled_feature_flags"),
    extra: bytesField(root, 12, "extra"),
  };
}

function readFlags(root: FlatTable, slot: number, name: string): readonly number[] | undefined {
  const vector = vectorField(root, slot, 2, name);
  return vector && mapIndices(vector, ({ flat, at }, index) => flat.view.getUint16(at + 2 * index, true));
}

function readConfig<Value>(root: FlatTable, read: ReadValue<Value>): Value | undefined {
  const bytes = bytesField(root, 9, "config");
  if (bytes === undefined) return undefined;
  return read(bytes, (expected, found) => valueFault(root, "config", expected, found));
}

function readSnapshots<Value>(root: FlatTable, read: ReadValue<Value>): readonly SnapshotInfo<Value>[] {
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
      metadata: readMetadataItems(table, 4, read),
      prunedLogs: mapIndices(vectorField(table, 5, 12, "pruned_ancestor_tx_logs"), idIn),
    };
  });
}

const idIn = ({ flat, at }: FlatVector, index: number): string => objectId(flat.bytes, at + index * 12, 12);

function readRefs(root: FlatTable, slot: number, name: string, snapshots: readonly { readonly id: string }[]) {
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

/** Readers in the order of the union `UpdateType`. */
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
