/** The chain of snapshots behind a branch, tag or snapshot, newest first. */
import type { RefscopeError } from "../../core/errors.ts";
import { failure } from "../../core/findings/failure.ts";
import { targetAt } from "../../core/findings/place.ts";
import { damaged } from "./fault.ts";
import { transactionPath, overwrittenPath, snapshotPath } from "./paths.ts";
import type { Repository } from "./repository.ts";
import { readRepoInfo } from "./repo-info.ts";
import { readSnapshot } from "./snapshot.ts";
import { readTransactionLog, type TransactionLog } from "./transaction-log.ts";
import type { OlderOperations } from "../../core/repository.ts";
import type { HistoryEntry, IcechunkObjects, IcechunkZstd } from "./types.ts";

export interface History {
  readonly entries: readonly HistoryEntry[];
  /**
   * Why it ends: at the first snapshot; at `limit` entries; at a parent that is not there; or at one that came before
   * (parents in a circle).
   */
  readonly end: "first" | "limit" | "missing" | "circle";
}

/** What is known of one snapshot; `undefined` where it is not there. */
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

/** The chain behind `from`, as `entryOf` gives it. @throws what `entryOf` throws */
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
): Promise<TransactionLog | undefined> {
  const bytes = await objects.get(transactionPath(id));
  return bytes === undefined ? undefined : readTransactionLog(bytes, id, zstd);
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
  if (!/^[^/\\]+$/.test(name) || /^\.+$/.test(name)) throw noFileName(path);
  const bytes = await objects.get(path);
  if (bytes === undefined) throw failure("icechunk-object-missing", targetAt(path), { file: "log of operations" });
  const { updates, updatesContinueIn } = await readRepoInfo(bytes, zstd, path);
  return { updates, updatesContinueIn };
}

const noFileName = (path: string): RefscopeError =>
  damaged(
    { kind: "log of operations", path },
    { expected: "the name of a file below overwritten/", found: "a name that cannot be one" },
  );
