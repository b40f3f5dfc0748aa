/** The file `repo`: branches, tags, snapshots, status, configuration and the log of operations. */
import { compareText } from "./order.ts";
import type { JsonValue } from "#core/json/json.ts";
import type { RepositoryUpdate } from "#core/repository.ts";
import { idBytes } from "../object-id.ts";
import type { RepoInfo } from "../repository.ts";
import { type CompressFrame, icechunkFile } from "./file.ts";
import { bytesOf, flatBuffer, type FlatNode, type FlatValue, idOf, part, structs, table, tables, text, texts, u16, u16s, u32, u64, u8 } from "./flat-builder.ts"; // prettier-ignore
import { flexBytes } from "./flex-builder.ts";
import { metadataItems } from "./snapshot.ts";

/** Metadata and configuration: as JSON, or the bytes of a FlexBuffer. */
export type WrittenRepo = Omit<RepoInfo<JsonValue | Uint8Array>, "header" | "version">;

const SNAPSHOT_ID = 12;

/** Names and snapshots are put into the order in which readers search them. */
export function writeRepoInfo(info: WrittenRepo, compress?: CompressFrame): Promise<Uint8Array<ArrayBuffer>> {
  const snapshots = [...info.snapshots.values()].toSorted((a, b) => compareText(a.id, b.id));
  const places = new Map(snapshots.map(({ id }, at) => [id, at]));
  const refs = (of: ReadonlyMap<string, string>) =>
    tables(
      [...of]
        .toSorted(([a], [b]) => compareText(a, b))
        .map(([name, id]) => table(text(name), u32(places.get(id) ?? 0))),
    );
  const rows = snapshots.map(({ id, parent = "", time, message, metadata, prunedLogs }) =>
    table(
      idOf(idBytes(id)),
      // -1: none, or one that was expired.
      u32(places.get(parent) ?? 0xffff_ffff),
      u64(microseconds(time)),
      text(message),
      metadataItems(metadata),
      prunedLogs.length === 0 ? undefined : structs(prunedLogs.map(idBytes), SNAPSHOT_ID),
    ),
  );
  const { config, updatesContinueIn, enabledFlags, disabledFlags, extra } = info;
  const root = table(
    u8(2),
    refs(info.tags),
    refs(info.branches),
    texts(info.deletedTags.toSorted(compareText)),
    tables(rows),
    part(statusTable(info.status)),
    metadataItems(info.metadata),
    tables(info.updates.map(updateTable)),
    updatesContinueIn === undefined ? undefined : text(updatesContinueIn),
    config === undefined ? undefined : bytesOf(flexBytes(config)),
    enabledFlags && u16s(enabledFlags),
    disabledFlags && u16s(disabledFlags),
    extra && bytesOf(extra),
  );
  return icechunkFile("repository info", [flatBuffer(root)], compress);
}

const AVAILABILITY = ["online", "read-only", "offline"] as const;

const statusTable = ({ availability, since, reason }: RepoInfo["status"]): FlatNode =>
  table(
    u8(AVAILABILITY.indexOf(availability)),
    u64(microseconds(since)),
    reason === undefined ? undefined : text(reason),
  );

/** The inverse of `timeText`; 0 where there is none. */
export function microseconds(time: string | undefined): bigint {
  const [, seconds = "", fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(time ?? "") ?? [];
  const milliseconds = Date.parse(`${seconds}Z`);
  return Number.isNaN(milliseconds) ? 0n : BigInt(milliseconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

function updateTable(update: RepositoryUpdate): FlatNode {
  const [type, value] = updateValue(update);
  const { at, backup } = update;
  return table(u8(type), part(value), u64(microseconds(at)), backup === undefined ? undefined : text(backup));
}

/** Number in the union `UpdateType`, and its table. */
function updateValue(update: RepositoryUpdate): readonly [type: number, value: FlatNode] {
  const id = (text: string): FlatValue => idOf(idBytes(text));
  switch (update.kind) {
    case "initialized":
      return [1, table()];
    case "migrated":
      return [2, table(u8(update.from), u8(update.to))];
    case "config-changed":
      return [3, table()];
    case "metadata-changed":
      return [4, table()];
    case "tag-created":
      return [5, table(text(update.name))];
    case "tag-deleted":
      return [6, table(text(update.name), id(update.previous))];
    case "branch-created":
      return [7, table(text(update.name))];
    case "branch-deleted":
      return [8, table(text(update.name), id(update.previous))];
    case "branch-reset":
      return [9, table(text(update.name), id(update.previous))];
    case "commit":
      return [10, table(text(update.branch), id(update.snapshot))];
    case "amended":
      return [11, table(text(update.branch), id(update.previous), id(update.snapshot))];
    case "detached-snapshot":
      return [12, table(id(update.snapshot))];
    case "gc-ran":
      return [13, table()];
    case "expiration-ran":
      return [14, table()];
    case "flag-changed":
      return [15, table(u16(update.flag), u8(Number(update.value === true)), u8(Number(update.value !== undefined)))];
    case "status-changed":
      return [16, table(update.status && part(statusTable(update.status)))];
  }
}
