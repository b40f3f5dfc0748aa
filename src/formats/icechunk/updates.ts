/** The log of operations in a repository info (format 2), and the repository's status. */
import {
  idField,
  required,
  tableField,
  textField,
  uint16Field,
  uint64Field,
  uint8Field,
  valueFault,
  type FlatTable,
} from "./flat.ts";
import type { RepositoryStatus, RepositoryUpdate, UpdateKind } from "../../core/repository.ts";
import { timeText } from "./file-time.ts";

export function readStatus(table: FlatTable): RepositoryStatus {
  const code = uint8Field(table, 0, "availability");
  return {
    availability: code === 1 ? "read-only" : code === 2 ? "offline" : "online",
    since: timeText(uint64Field(table, 1, "set_at")),
    reason: textField(table, 2, "limited_availability_reason"),
  };
}

export function readUpdate(table: FlatTable): RepositoryUpdate {
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
