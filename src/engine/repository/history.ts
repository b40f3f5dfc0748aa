/** The history of a repository: branches, tags, places of virtual chunks, operations, and chains of snapshots. */
import type { CallContext } from "../../core/byte-source.ts";
import type { RefscopeError } from "../../core/errors.ts";
import { failure } from "../../core/findings/failure.ts";
import type { FactsOf } from "../../core/findings/finding.ts";
import { targetAt } from "../../core/findings/place.ts";
import type { JsonObject } from "../../core/json.ts";
import { writeJson } from "../../core/json-write.ts";
import type {
  Ancestry,
  NamedRef,
  OlderOperations,
  RepositoryHistory,
  RepositorySummary,
  SnapshotEntry,
} from "../../core/repository.ts";
import { historyEntries, readHistory, readOlderUpdates } from "../../formats/icechunk/history.ts";
import {
  isObjectId,
  snapshotPath,
  type EntryOf,
  type HistoryEntry,
  type Repository,
} from "../../formats/icechunk/index.ts";
import { containerSummary } from "./container-summary.ts";
import { icechunkObjects, icechunkZstd } from "./objects.ts";
import type { OpenedRepository } from "./set-repository.ts";

export function historyOf({ repository }: OpenedRepository, summary: RepositorySummary): RepositoryHistory {
  const { info, configuration, deletedTags, refsComplete } = repository;
  return {
    ...summary,
    ...(info === undefined ? {} : { writer: info.header.writer, status: info.status }),
    branches: refsOf(repository.branches),
    tags: refsOf(repository.tags),
    deletedTags,
    refsComplete,
    containers: configuration.containers.map(containerSummary),
    detached: detachedOf(repository),
    updates: info?.updates ?? [],
    ...(info?.updatesContinueIn === undefined ? {} : { updatesContinueIn: info.updatesContinueIn }),
  };
}

function refsOf(refs: ReadonlyMap<string, string>): readonly NamedRef[] {
  return [...refs].map(([name, snapshot]) => ({ name, snapshot }));
}

function detachedOf({ info, branches, tags }: Repository): readonly SnapshotEntry[] {
  if (info === undefined) return [];
  const reached = new Set<string>();
  for (const head of [...branches.values(), ...tags.values()]) {
    for (let id: string | undefined = head; id !== undefined && !reached.has(id); id = info.snapshots.get(id)?.parent) {
      reached.add(id);
    }
  }
  const rest = [...info.snapshots.values()].filter(({ id }) => !reached.has(id));
  return rest.map(snapshotEntry).sort((a, b) => compareTimes(b.time, a.time));
}

function compareTimes(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Keys under which writers record who made a snapshot; the first that is text counts. */
const AUTHORS = ["author", "author_name", "author_email", "committer", "user"];

function snapshotEntry({ id, parent, time, message, metadata }: HistoryEntry): SnapshotEntry {
  return {
    id,
    parent,
    time,
    message,
    author: authorOf(metadata),
    metadata: [...metadata].map(([name, value]) => [name, writeJson(value)]),
  };
}

function authorOf(metadata: JsonObject): string | undefined {
  for (const name of AUTHORS) {
    const value = metadata.get(name);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** @throws RefscopeError `icechunk-ref-missing` where `from` is not a snapshot of the repository, and of `readSnapshot` */
export async function ancestryOf(
  opened: OpenedRepository,
  from: string,
  limit: number,
  context: CallContext,
): Promise<Ancestry> {
  checkSnapshot(opened.repository, from);
  const { entries, end } = await readHistory(entriesOf(opened, context), from, limit);
  // The others of a chain may have been expired; the one asked for must be there.
  if (entries.length === 0 && end === "missing") throw noSnapshot(from, "no-object");
  return { from, entries: entries.map(snapshotEntry), end };
}

/** Snapshots of format 1 are a request each: they are kept, and each is reported. */
export function entriesOf({ store, repository, entries }: OpenedRepository, context: CallContext): EntryOf {
  const entryOf = historyEntries(icechunkObjects(store, context), repository, icechunkZstd(context.signal));
  if (repository.format === 2) return entryOf;
  let asked = 0;
  return async (id) => {
    context.signal.throwIfAborted();
    const known = entries.get(id) ?? (await entryOf(id));
    if (known !== undefined) entries.set(id, known);
    asked += 1;
    context.report({ label: "Reading the history", done: asked, unit: "requests" });
    return known;
  };
}

/** @throws RefscopeError `icechunk-ref-missing` where the text cannot be, or is not, a snapshot of the repository */
export function checkSnapshot({ info }: Repository, id: string): void {
  if (!isObjectId(id)) throw noSnapshot(id, "not-an-id");
  if (info?.snapshots.has(id) === false) throw noSnapshot(id, "not-in-history");
}

type NotThere = Exclude<FactsOf<"icechunk-ref-missing">["problem"], "unknown-ref">;

function noSnapshot(id: string, problem: NotThere): RefscopeError {
  const ref = id.slice(0, 80);
  return failure("icechunk-ref-missing", targetAt(snapshotPath(ref)), { problem, ref });
}

/** @throws RefscopeError of `readOlderUpdates` */
export function olderOperations(
  { store }: OpenedRepository,
  file: string,
  context: CallContext,
): Promise<OlderOperations> {
  return readOlderUpdates(icechunkObjects(store, context), icechunkZstd(context.signal), file);
}
