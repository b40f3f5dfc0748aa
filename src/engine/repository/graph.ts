/** The graph of a repository's snapshots, by windows of rows. */
import type { CallContext } from "#core/byte-source.ts";
import { commitLanes, commitOrder, compareTimes, linesIn } from "#core/commit-graph.ts";
import { type Finding, ofFinding } from "#core/findings/finding.ts";
import type { CommitGraph, CommitRow, SnapshotEntry } from "#core/repository.ts";
import type { HistoryEntry } from "#formats/icechunk/index.ts";
import { MAIN } from "#formats/icechunk/paths.ts";
import { checkSnapshot, entriesOf, headsOf, reachedBy, snapshotEntry, snapshotIds } from "./history.ts";
import type { GraphWindow } from "../engine-set.ts";
import type { OpenedRepository } from "./set-repository.ts";

interface Loaded {
  readonly entries: readonly HistoryEntry[];
  /** Ids that lead on and were not fetched. */
  readonly waiting: ReadonlySet<string>;
  readonly failed: ReadonlyMap<string, Finding>;
}

type Built = ReturnType<typeof build>;

/** Answers windows; the graph is built once for each question. */
export function graphReader(opened: OpenedRepository) {
  let last: { readonly of: string | undefined; readonly limit: number; readonly built: Built } | undefined;
  return async ({ of, limit, from, to }: GraphWindow, context: CallContext): Promise<CommitGraph> => {
    if (of !== undefined) checkSnapshot(opened.repository, of);
    // Asked for the facts once more, what failed is tried again.
    const isStale = to === 0 && (last?.built.loaded.failed.size ?? 0) > 0;
    if (last === undefined || isStale || last.of !== of || last.limit !== limit) {
      last = { of, limit, built: build(opened, of, await load(opened, of, limit, context)) };
    }
    return windowOf(last.built, opened, from, to);
  };
}

/** @throws where the only snapshot asked for cannot be read */
async function load(
  opened: OpenedRepository,
  of: string | undefined,
  limit: number,
  context: CallContext,
): Promise<Loaded> {
  const { info } = opened.repository;
  const heads = of === undefined ? [...headsOf(opened.repository), opened.shown.snapshot] : [of];
  if (info === undefined) {
    // Only where all branches are known that may lead to them.
    const isAll = of === undefined && opened.repository.refsComplete;
    const listed = isAll ? snapshotIds(opened.store.keys ?? []) : [];
    return fetched(opened, new Set(heads), listed, limit, context);
  }
  const reached = of === undefined ? undefined : reachedBy(heads, info.snapshots);
  const entries = [...info.snapshots.values()].filter(({ id }) => reached?.has(id) ?? true);
  return { entries, waiting: new Set(), failed: new Map() };
}

const AT_ONCE = 6;

/** Snapshots of format 1, a generation of each line after the other; then those listed that no line has. */
async function fetched(
  opened: OpenedRepository,
  waiting: Set<string>,
  listed: readonly string[],
  limit: number,
  context: CallContext,
): Promise<Loaded> {
  const entryOf = entriesOf(opened, context);
  const entries = new Map<string, HistoryEntry>();
  const failed = new Map<string, Finding>();
  const asked = new Set<string>();
  for (let isListed = false; ;) {
    if (waiting.size === 0 && !isListed) {
      isListed = true;
      for (const id of listed) if (!asked.has(id)) waiting.add(id);
    }
    const next = firstOf(waiting, Math.min(AT_ONCE, limit - asked.size));
    if (next.length === 0) break;
    const read = await Promise.all(next.map((id) => entryOf(id).catch(ofFinding(({ finding }) => finding))));
    for (const [at, id] of next.entries()) {
      const entry = read[at];
      waiting.delete(id);
      asked.add(id);
      if (entry === undefined) continue;
      if ("code" in entry) failed.set(id, entry);
      else entries.set(id, entry);
    }
    for (const id of next) {
      const parent = entries.get(id)?.parent;
      if (parent !== undefined && !asked.has(parent)) waiting.add(parent);
    }
  }
  return { entries: [...entries.values()], waiting, failed };
}

function firstOf(ids: Iterable<string>, most: number): readonly string[] {
  const first: string[] = [];
  for (const id of ids) {
    if (first.length >= most) break;
    first.push(id);
  }
  return first;
}

/** Snapshots of format 1 that are read for those that nothing leads to. */
const MAX_READ = 1000;

/** Snapshots that no branch or tag leads to, newest first; of format 1 where the folder can be listed. */
export async function detachedSnapshots(
  opened: OpenedRepository,
  context: CallContext,
): Promise<readonly SnapshotEntry[]> {
  if (!opened.repository.refsComplete) return [];
  const { entries } = await load(opened, undefined, MAX_READ, context);
  const reached = reachedBy(headsOf(opened.repository), new Map(entries.map((one) => [one.id, one])));
  const rest = entries.filter(({ id }) => !reached.has(id)).map(snapshotEntry);
  return rest.sort((a, b) => compareTimes(b.time, a.time));
}

function build({ repository, shown }: OpenedRepository, of: string | undefined, loaded: Loaded) {
  const { order, parents, circles } = commitOrder(loaded.entries);
  const sorted = order.flatMap((at) => loaded.entries[at] ?? []);
  const rows = new Map(sorted.map(({ id }, row) => [id, row]));
  const first = of ?? repository.branches.get(MAIN) ?? shown.snapshot;
  const { lanes, count } = commitLanes(parents, rows.get(first) ?? -1);
  const children = Array.from(sorted, (): number[] => []);
  for (const [row, parent] of parents.entries()) children[parent]?.push(row);
  const joins = joinsOf(parents, lanes);
  const reached =
    of === undefined ? reachedBy(headsOf(repository), new Map(sorted.map((one) => [one.id, one]))) : undefined;
  return { loaded, sorted, parents, circles, rows, lanes, count, children, joins, reached };
}

/** The first ancestor of each row in another lane; -1 where there is none. Parents are below. */
function joinsOf(parents: Int32Array, lanes: Uint32Array): Int32Array {
  const joins = new Int32Array(parents.length).fill(-1);
  for (let row = parents.length - 1; row >= 0; row -= 1) {
    const parent = parents[row] ?? -1;
    if (parent >= 0) joins[row] = lanes[parent] === lanes[row] ? (joins[parent] ?? -1) : parent;
  }
  return joins;
}

function windowOf(built: Built, { shown, repository }: OpenedRepository, from: number, to: number): CommitGraph {
  const { loaded, sorted, parents, rows, lanes, count } = built;
  const end = Math.min(to, sorted.length);
  const lines = linesIn(parents, lanes, from, end);
  const row = rows.get(shown.snapshot);
  const heads = [...new Set(headsOf(repository))].flatMap((id): readonly SnapshotEntry[] => {
    const entry = sorted[rows.get(id) ?? -1];
    return entry === undefined ? [] : [snapshotEntry(entry)];
  });
  return {
    total: sorted.length,
    lanes: count,
    hasMore: loaded.waiting.size > 0,
    ...(row === undefined ? {} : { shown: { row, ...chainFrom(built, row) } }),
    heads,
    failed: [...loaded.failed.values()],
    from,
    rows: sorted.slice(from, end).map((entry, at) => rowOf(built, from + at, entry, lines[at])),
  };
}

function chainFrom({ sorted, parents }: Built, from: number) {
  let commits = 0;
  let last = from;
  for (let row = from; row >= 0; row = parents[row] ?? -1) {
    commits += 1;
    last = row;
  }
  const newest = sorted[from];
  return { commits, last, ...(newest && { entry: snapshotEntry(newest) }) };
}

function rowOf(
  built: Built,
  row: number,
  entry: HistoryEntry,
  lines: ReturnType<typeof linesIn>[number] | undefined,
): CommitRow {
  const { parents, lanes, children, joins, reached } = built;
  const lane = lanes[row] ?? 0;
  const parent = parents[row] ?? -1;
  const fork = children[row]?.findLast((child) => lanes[child] !== lane);
  const join = joins[row] ?? -1;
  const end = parent >= 0 ? undefined : endOf(built, row, entry);
  return {
    ...snapshotEntry(entry),
    row,
    lane,
    passing: lines?.passing ?? [],
    joining: lines?.joining ?? [],
    isContinued: lines?.isContinued ?? false,
    ...(parent < 0 ? {} : { parentRow: parent }),
    ...(join < 0 ? {} : { joinRow: join }),
    ...(fork === undefined ? {} : { forkRow: fork }),
    ...(end === undefined ? {} : { end }),
    ...(reached?.has(entry.id) === false ? { isDetached: true } : {}),
  };
}

function endOf({ circles, loaded }: Built, row: number, { parent }: HistoryEntry): NonNullable<CommitRow["end"]> {
  if (circles.has(row)) return "circle";
  if (parent === undefined) return "first";
  if (loaded.waiting.has(parent)) return "limit";
  return loaded.failed.has(parent) ? "unreadable" : "missing";
}
