/** The commits behind a snapshot, newest first, each with what its transaction log says of one array. */
import { once } from "#core/basics.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { FindingLog } from "#core/findings/finding-log.ts";
import { type FactsOf, ofFinding } from "#core/findings/finding.ts";
import { fetchTransactionLog, readOlderUpdates } from "#formats/icechunk/repository.ts";
import type { HistoryEntry, UpdatedChunks } from "#formats/icechunk/index.ts";
import { dropOldest } from "#engine/kept.ts";
import { entriesOf } from "../history.ts";
import { icechunkObjects, icechunkZstd } from "../objects.ts";
import type { OpenedRepository } from "../set-repository.ts";
import type { OlderOperations } from "#core/repository.ts";
import { snapshotSide, type SideArray, type SnapshotSide } from "../snapshot-side.ts";

/** Part of a transaction log that is about the array. */
export interface ArrayLog {
  /** Id of the commit. */
  readonly id: string;
  /** False if there is no such log, or it cannot be read. */
  readonly isThere: boolean;
  readonly made: boolean;
  readonly updated: boolean;
  /** Chunks that it set or deleted. */
  readonly chunks: readonly UpdatedChunks[];
}

/** A commit, with the expired ones between it and its parent. */
export interface Leap {
  readonly entry: HistoryEntry;
  /** Its own first, then those of expired commits, newest first. */
  readonly logs: readonly ArrayLog[];
}

type HistoryEnd = FactsOf<"icechunk-history-incomplete">["end"];

/** Commits that are looked through: a request each in format 1. */
const MAX_COMMITS = { 1: 10_000, 2: 100_000 } as const;
const AT_ONCE = 8;

/**
 * Shows each commit to `see`, which returns true when it has seen enough. What comes back says why older ones are not
 * known; "first": all were seen.
 */
export async function walkCommits(
  opened: OpenedRepository,
  { start, node, findings }: { readonly start: string; readonly node: string; readonly findings: FindingLog },
  see: (leap: Leap) => Promise<boolean>,
  context: CallContext,
): Promise<"enough" | "first" | HistoryEnd> {
  const entryOf = entriesOf(opened, context);
  const limit = MAX_COMMITS[opened.repository.format];
  const seen = new Set<string>();
  let next: string | undefined = start;
  for (let end: HistoryEnd | undefined; end === undefined && next !== undefined;) {
    const entries: HistoryEntry[] = [];
    while (entries.length < AT_ONCE && next !== undefined && end === undefined) {
      if (seen.has(next)) end = "circle";
      else if (seen.size >= limit) end = "limit";
      else {
        const entry: HistoryEntry | undefined = await reported(entryOf(next), findings);
        if (entry === undefined) end = "missing";
        else entries.push(entry);
        seen.add(next);
        next = entry?.parent;
      }
    }
    const leaps = await Promise.all(entries.map((entry) => leapOf(opened, entry, node, findings, context)));
    for (const leap of leaps) {
      context.signal.throwIfAborted();
      if (await see(leap)) return "enough";
    }
    context.report({ label: "Reading transaction logs", done: seen.size, unit: "requests" });
    if (end !== undefined) return end;
  }
  return "first";
}

async function leapOf(
  opened: OpenedRepository,
  entry: HistoryEntry,
  node: string,
  findings: FindingLog,
  context: CallContext,
): Promise<Leap> {
  const pruned = opened.repository.info?.snapshots.get(entry.id)?.prunedLogs ?? [];
  const logs: ArrayLog[] = [];
  for (const id of [entry.id, ...pruned.toReversed()]) {
    const log = await logOf(opened, id, node, findings, context);
    logs.push(log);
    if (log.made) break;
  }
  return { entry, logs };
}

async function logOf(
  { store }: OpenedRepository,
  id: string,
  node: string,
  findings: FindingLog,
  context: CallContext,
): Promise<ArrayLog> {
  const [objects, zstd] = [icechunkObjects(store, context), icechunkZstd(context.signal)];
  const log = await reported(fetchTransactionLog(objects, zstd, id, { node }), findings);
  return {
    id,
    isThere: log !== undefined,
    made: log?.newArrays.includes(node) === true,
    updated: log?.updatedArrays.includes(node) === true,
    chunks: log?.updatedChunks ?? [],
  };
}

/** Damaged files of the past are reported; what they would tell stays unknown. */
export const reported = <T>(reading: Promise<T>, findings: FindingLog): Promise<T | undefined> =>
  reading.catch(
    ofFinding(({ finding }) => {
      findings.add(finding);
      return undefined;
    }),
  );

/** The array in a snapshot; "unread" where the snapshot cannot be read, or is not there. */
export type ArrayThen = SideArray | undefined | "unread";
export type ReadArray = (snapshot: string | undefined) => Promise<ArrayThen>;

const MAX_KEPT = 4;

/** Reads snapshots for one node; the last few are kept. `undefined` has no array. */
export function arrayReader(
  opened: OpenedRepository,
  node: string,
  findings: FindingLog,
  context: CallContext,
): ReadArray {
  const kept = new Map<string, Promise<ArrayThen>>();
  return (snapshot) => {
    if (snapshot === undefined) return Promise.resolve(undefined);
    const read =
      kept.get(snapshot) ?? snapshotSide(opened, snapshot, context, ({ id }) => id === node).then(arrayOf(node));
    kept.set(snapshot, read);
    dropOldest(kept, MAX_KEPT);
    return read.catch(
      ofFinding(({ finding }) => {
        findings.add(finding);
        return "unread" as const;
      }),
    );
  };
}

const arrayOf =
  (node: string) =>
  (side: SnapshotSide): SideArray | undefined => {
    const found = side.nodes.get(node);
    return found?.kind === "array" ? found : undefined;
  };

/** Format 1 makes the first snapshot the parent of the oldest one that has not expired. */
export async function isAfterFirst(
  opened: OpenedRepository,
  { parent }: HistoryEntry,
  context: CallContext,
): Promise<boolean> {
  const before = parent === undefined ? undefined : await entriesOf(opened, context)(parent);
  return before?.parent === undefined;
}

/** Place in `walked` (newest first) of the oldest commit that has the array: all after the one that made it do. */
export async function oldestWith(walked: readonly HistoryEntry[], arrayIn: ReadArray): Promise<number> {
  let [has, lacks] = [0, walked.length];
  while (lacks - has > 1) {
    const middle = lacks === walked.length ? lacks - 1 : (has + lacks) >> 1;
    const array = await arrayIn(walked[middle]?.id);
    if (array === undefined || array === "unread") lacks = middle;
    else has = middle;
  }
  return has;
}

/** Older parts of the log of operations that are read: a thousand operations each. */
const MAX_OLDER = 100;

/** Tells if a commit may have replaced one: false is certain. The log of operations is read when first asked. */
export function amendmentReader(opened: OpenedRepository, context: CallContext): (commit: string) => Promise<boolean> {
  const amended = once(() => amendedIn(opened, context));
  return async (commit) => (await amended())?.has(commit) ?? true;
}

/** Commits that replaced one; `undefined` where not all are known. */
async function amendedIn(
  { repository, store }: OpenedRepository,
  context: CallContext,
): Promise<ReadonlySet<string> | undefined> {
  const amended = new Set<string>();
  const seen = new Set<string>();
  const zstd = icechunkZstd(context.signal);
  let part: OlderOperations | undefined = repository.info ?? { updates: [], updatesContinueIn: undefined };
  while (part !== undefined) {
    for (const update of part.updates) if (update.kind === "amended") amended.add(update.snapshot);
    const file: string | undefined = part.updatesContinueIn;
    if (file === undefined) return amended;
    if (seen.has(file) || seen.size >= MAX_OLDER) return undefined;
    seen.add(file);
    part = await readOlderUpdates(icechunkObjects(store, context), zstd, file).catch(ofFinding(() => undefined));
  }
  return undefined;
}
