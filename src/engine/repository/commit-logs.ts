/** The transaction logs of the commits between two snapshots, where one is an ancestor of the other. */
import type { CallContext } from "#core/byte-source.ts";
import { type Finding, RefscopeError } from "#core/findings/finding.ts";
import type { ComparisonReason } from "#core/repository.ts";
import { fetchTransactionLog } from "#formats/icechunk/repository.ts";
import { transactionPath, type EntryOf, type HistoryEntry, type TransactionLog } from "#formats/icechunk/index.ts";
import { entriesOf } from "./history.ts";
import { icechunkObjects, icechunkZstd } from "./objects.ts";
import type { OpenedRepository } from "./set-repository.ts";

/** Why there are no logs to go by. */
export interface NoLogs {
  readonly kind: "none";
  readonly because: ComparisonReason;
  readonly findings: readonly Finding[];
}

/** Commits from `older` (not included) to `newer`. */
export interface CommitChain {
  readonly kind: "chain";
  /** True if it leads from the second snapshot to the first. */
  readonly reversed: boolean;
  /** Log ids, oldest first, including those of expired commits that a snapshot replaces. */
  readonly logs: readonly string[];
  readonly commits: number;
  readonly expired: number;
}

/** Commits that are looked through for the other snapshot: a request each in format 1. */
const MAX_COMMITS = { 1: 500, 2: 100_000 } as const;
/** More logs than this are not fetched: two snapshots and their manifests are less. */
const MAX_LOGS = 2000;

export const noLogs = (because: ComparisonReason, findings: readonly Finding[] = []): NoLogs => ({
  kind: "none",
  because,
  findings,
});

/** Throws what reading the snapshots of format 1 throws. */
export async function chainBetween(
  opened: OpenedRepository,
  from: string,
  to: string,
  context: CallContext,
): Promise<CommitChain | NoLogs> {
  const entryOf = entriesOf(opened, context);
  const limit = MAX_COMMITS[opened.repository.format];
  const after = await commitsAfter(from, to, entryOf, limit);
  const before = Array.isArray(after) ? after : await commitsAfter(to, from, entryOf, limit);
  if (!Array.isArray(before)) {
    const isCut = after === "limit" || before === "limit";
    return noLogs({ kind: "unrelated", ...(isCut ? { among: limit } : {}) });
  }
  const info = opened.repository.info?.snapshots;
  const logs = before.toReversed().flatMap((id) => [...(info?.get(id)?.prunedLogs ?? []), id]);
  if (logs.length > MAX_LOGS) return noLogs({ kind: "too-many-logs", logs: logs.length, limit: MAX_LOGS });
  const commits = before.length;
  return { kind: "chain", reversed: before !== after, logs, commits, expired: logs.length - commits };
}

/** Commits after `goal` up to `start`, newest first; else why `goal` was not met. */
async function commitsAfter(
  goal: string,
  start: string,
  entryOf: EntryOf,
  limit: number,
): Promise<string[] | "limit" | "other"> {
  const commits: string[] = [];
  const seen = new Set<string>();
  for (let id: string | undefined = start; id !== goal;) {
    if (commits.length >= limit) return "limit";
    const entry: HistoryEntry | undefined = id === undefined || seen.has(id) ? undefined : await entryOf(id);
    if (entry === undefined) return "other";
    seen.add(entry.id);
    commits.push(entry.id);
    id = entry.parent;
  }
  return commits;
}

const AT_ONCE = 6;

/** Hands over each log, oldest first. What comes back says why not all could be read. */
export async function eachLog(
  { store }: OpenedRepository,
  { logs }: CommitChain,
  see: (log: TransactionLog) => Promise<void>,
  context: CallContext,
): Promise<NoLogs | undefined> {
  const [objects, zstd] = [icechunkObjects(store, context), icechunkZstd(context.signal)];
  for (let done = 0; done < logs.length; done += AT_ONCE) {
    context.signal.throwIfAborted();
    context.report({ label: "Reading transaction logs", done, total: logs.length, unit: "requests" });
    const asked = logs.slice(done, done + AT_ONCE);
    const read = await Promise.all(asked.map((id) => readOne(id, () => fetchTransactionLog(objects, zstd, id))));
    for (const log of read) {
      if ("kind" in log) return log;
      await see(log);
    }
  }
  context.report({ label: "Reading transaction logs", done: logs.length, total: logs.length, unit: "requests" });
  return undefined;
}

async function readOne(id: string, fetch: () => Promise<TransactionLog | undefined>): Promise<TransactionLog | NoLogs> {
  try {
    const log = await fetch();
    return log ?? noLogs({ kind: "log-missing", file: transactionPath(id) });
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    return noLogs({ kind: "log-unreadable", file: transactionPath(id) }, [error.finding]);
  }
}
