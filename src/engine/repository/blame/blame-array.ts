/**
 * Which commit last wrote or removed each chunk of an array: by the transaction logs of the commits behind the snapshot,
 * newest first, until all chunks are explained; where a log is not there, by the manifests of the commit and its parent.
 */
import type { ArrayBlame, BlamedCommit } from "#core/blame.ts";
import type { CallContext } from "#core/byte-source.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { failure, finding, nodeAt } from "#core/findings/finding.ts";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { transactionPath, type HistoryEntry } from "#formats/icechunk/index.ts";
import { kindOf } from "#formats/icechunk/references.ts";
import { kindIn, MAX_CHANGED, ordinalIn } from "../changed-cells.ts";
import { compareByManifests } from "../compare.ts";
import { checkSnapshot } from "../history.ts";
import { manifestCache, type OpenManifest } from "../manifest-cache.ts";
import { boxAround, boxOf, meet, sameRef } from "../page-plan.ts";
import type { OpenedRepository } from "../set-repository.ts";
import { pairArrays, snapshotSide, type SideArray } from "../snapshot-side.ts";
import { eachReference, renumbered } from "./array-references.ts";
import { blamedCommit, CODE, type Ledger, loggedOrdinal, openLedger } from "./ledger.ts";
import {
  amendmentReader,
  arrayReader,
  isAfterFirst,
  oldestWith,
  reported,
  walkCommits,
  type ArrayThen,
  type Leap,
  type ReadArray,
} from "./walk-commits.ts";
import { startPace } from "#engine/pace.ts";

interface BlamedArray extends Pick<Ledger, "by" | "kinds"> {
  readonly blame: ArrayBlame;
}

export interface AskedArray {
  readonly array: string;
  readonly snapshot: string;
}

/** Five bytes a chunk are kept. */
const MAX_CHUNKS = 2 ** 26;

interface Task {
  readonly opened: OpenedRepository;
  readonly array: SideArray;
  readonly ledger: Ledger;
  readonly arrayIn: ReadArray;
  readonly manifests: OpenManifest;
  readonly mayAmend: ReturnType<typeof amendmentReader>;
  readonly findings: FindingLog;
  readonly context: CallContext;
  /** Commits that were walked, newest first. */
  readonly walked: HistoryEntry[];
  /** Transaction logs that are not there. */
  readonly absentLogs: string[];
  /** True once the commit that made the array was seen. */
  isBorn: boolean;
  /** True once a commit changed more chunks than can be kept: what is open stays so. */
  isCut: boolean;
}

/** @throws RefscopeError `no-such-array`, `icechunk-references-too-many`, and what reading the snapshot throws */
export async function blameArray(
  opened: OpenedRepository,
  asked: AskedArray,
  context: CallContext,
): Promise<BlamedArray> {
  const task = await openTask(opened, asked, context);
  const { array, ledger, findings } = task;
  await addReferences(task);
  const end = await walkCommits(
    opened,
    { start: asked.snapshot, node: array.id, findings },
    async (leap) => {
      task.walked.push(leap.entry);
      await explain(leap, task);
      return task.isBorn || task.isCut || ledger.open.present + ledger.open.absent === 0;
    },
    context,
  );
  await explainRest(end, task);
  const [file] = task.absentLogs;
  if (file !== undefined)
    findings.add(finding("icechunk-log-absent", nodeAt(array.path), { file }, task.absentLogs.length));
  return blameOf(asked, task);
}

async function openTask(
  opened: OpenedRepository,
  { array: path, snapshot }: AskedArray,
  context: CallContext,
): Promise<Task> {
  const findings = new FindingLog();
  const array = await arrayAt(opened, { array: path, snapshot }, context);
  if (cellCount(array.grid) > MAX_CHUNKS)
    throw failure("icechunk-references-too-many", nodeAt(path), { rows: cellCount(array.grid), limit: MAX_CHUNKS });
  return {
    opened,
    array,
    ledger: openLedger(array.grid),
    arrayIn: arrayReader(opened, array.id, findings, context),
    manifests: manifestCache(opened.store),
    mayAmend: amendmentReader(opened, context),
    findings,
    context,
    walked: [],
    absentLogs: [],
    isBorn: false,
    isCut: false,
  };
}

/** @throws RefscopeError `no-such-array`, `icechunk-ref-missing`, and of `fetchSnapshot` */
export async function arrayAt(
  opened: OpenedRepository,
  { array, snapshot }: AskedArray,
  context: CallContext,
): Promise<SideArray> {
  checkSnapshot(opened.repository, snapshot);
  const side = await snapshotSide(opened, snapshot, context, ({ path }) => path === `/${array}`);
  const [node] = side.nodes.values();
  if (node?.kind === "array") return node;
  throw failure("no-such-array", nodeAt(array), { found: node === undefined ? "nothing" : "group" });
}

async function addReferences({ array, ledger, manifests, context }: Task): Promise<void> {
  await eachReference(
    array,
    array.manifests,
    array.grid,
    (ordinal, columns, row) => ledger.addReference(ordinal, CODE[kindOf(columns, row)]),
    manifests,
    context,
  );
}

/** Chunks without a reference that a commit names, each with the newest commit that does. */
type Lost = ReadonlyMap<number, BlamedCommit>;

async function explain(leap: Leap, task: Task): Promise<void> {
  const lost = await explainByLogs(leap, task);
  const { entry, logs } = leap;
  const { ledger, arrayIn } = task;
  task.isBorn ||= logs.at(-1)?.made === true;
  if (ledger.open.present + ledger.open.absent === 0) return;
  if (logs.some(({ isThere }) => !isThere)) return explainByManifests(leap, task);
  const isUpdated = logs.some(({ updated }) => updated);
  if (ledger.open.absent === 0 || task.isBorn || (lost.size === 0 && !isUpdated)) return;
  const before = await arrayIn(entry.parent);
  if (before === "unread" || before === undefined) return;
  await findLosses(before, await arrayIn(entry.id), leap, lost, task);
}

async function explainByLogs({ entry, logs }: Leap, { ledger, context }: Task): Promise<Lost> {
  const lost = new Map<number, BlamedCommit>();
  for (const { id, isThere, chunks: all } of logs) {
    // It may have rewritten what older ones name.
    if (!isThere) break;
    const commit = blamedCommit(entry, false, id);
    for (const chunks of all) {
      const pace = startPace(context, "Reading transaction logs", chunks.count);
      for (let index = 0; index < chunks.count; index += 1) {
        if ((index & 4095) === 0) await pace.yieldIfDue(index);
        const ordinal = loggedOrdinal(ledger.grid, chunks, index);
        if (ordinal < 0 || !ledger.isOpen(ordinal)) continue;
        if (!ledger.isAbsent(ordinal)) ledger.wrote(ordinal, commit);
        else if (!lost.has(ordinal)) lost.set(ordinal, commit);
      }
    }
  }
  return lost;
}

/**
 * Finds chunks that the parent had: logs also name chunks that were deleted without being there, and do not name those that a
 * shorter shape cuts off. An amending commit, and several in one, may have cut and lengthened the shape again.
 */
async function findLosses(before: SideArray, now: ArrayThen, leap: Leap, lost: Lost, task: Task): Promise<void> {
  const { ledger } = task;
  const after = now === "unread" || now === undefined ? undefined : now;
  const isShorter = after === undefined || before.grid.some((length, axis) => length > (after.grid[axis] ?? 0));
  const resizes = leap.logs.filter(({ updated }) => updated).length;
  const mayCut = resizes > 1 || (resizes > 0 && (isShorter || (await task.mayAmend(leap.entry.id))));
  if (!mayCut && lost.size === 0) return;
  const kept = new Set(isShorter ? [] : after.manifests.map(sameRef));
  const box = mayCut ? undefined : boxAround(ledger.grid, lost.keys());
  const manifests = before.manifests.filter(
    (one) => !kept.has(sameRef(one)) && (box === undefined || meet(boxOf(before.grid, one.extents), box)),
  );
  const toNow = renumbered(ledger.grid, after?.grid ?? before.grid);
  const taken = (ordinal: number): void => {
    const named = lost.get(ordinal);
    if (!ledger.isAbsent(ordinal) || (named === undefined && !mayCut)) return;
    // A chunk that was written and then cut off is named, too.
    const how = named === undefined || toNow(ordinal) < 0 ? "resized" : "deleted";
    ledger.took(ordinal, named ?? blamedCommit(leap.entry, leap.logs.length > 1), how);
  };
  await reported(eachReference(before, manifests, ledger.grid, taken, task.manifests, task.context), task.findings);
}

/** Compares the manifests of the commit and its parent. */
async function explainByManifests(leap: Leap, task: Task): Promise<void> {
  const { entry, logs } = leap;
  const { ledger, arrayIn } = task;
  task.absentLogs.push(...logs.flatMap(({ id, isThere }) => (isThere ? [] : [transactionPath(id)])));
  const [before, now] = [await arrayIn(entry.parent), await arrayIn(entry.id)];
  if (now === undefined || now === "unread" || before === "unread") return;
  task.isBorn ||= before === undefined;
  const commit = blamedCommit(
    entry,
    logs.length > 1 || (before === undefined && (await isAfterFirst(task.opened, entry, task.context))),
  );
  const cells = await comparedCells(before, now, task);
  task.isCut = (cells?.notKept ?? 0) > 0;
  const place = renumbered(cells?.box ?? [], ledger.grid);
  const toNow = renumbered(ledger.grid, now.grid);
  for (const value of cells?.packed ?? []) {
    const ordinal = place(ordinalIn(value));
    if (ordinal < 0 || !ledger.isOpen(ordinal)) continue;
    if (!ledger.isAbsent(ordinal)) ledger.wrote(ordinal, commit);
    else if (kindIn(value) === "removed") ledger.took(ordinal, commit, toNow(ordinal) < 0 ? "resized" : "deleted");
  }
}

async function comparedCells(before: SideArray | undefined, now: SideArray, task: Task) {
  const { ledger, manifests, findings, context } = task;
  const side = (one: SideArray | undefined) => ({ id: "", nodes: new Map(one === undefined ? [] : [[one.id, one]]) });
  const [from, to] = [side(before), side(now)];
  const sides = { from, to, pairs: pairArrays(from, to) };
  const budget = { left: Math.max(MAX_CHANGED, ledger.by.length) };
  const compared = await compareByManifests(sides, { kind: "as-asked" }, manifests, budget, context);
  findings.addAll(compared.findings);
  return [...compared.cells].find(([pair]) => pair.to !== undefined)?.[1];
}

/** Chunks that nothing explains are of the oldest known commit that has them, or of one before it. */
async function explainRest(end: Awaited<ReturnType<typeof walkCommits>>, task: Task): Promise<void> {
  const { ledger, findings, array, walked, context } = task;
  const { present, absent } = ledger.open;
  const [newest] = walked;
  if (newest === undefined || (present === 0 && (task.isBorn || absent === 0))) return;
  const oldest = task.isBorn ? walked.length - 1 : await oldestWith(walked, task.arrayIn);
  const entry = walked[oldest] ?? newest;
  const then = await task.arrayIn(entry.id);
  const commit = blamedCommit(entry, true);
  const wrote = (ordinal: number): void => {
    if (ledger.isOpen(ordinal) && !ledger.isAbsent(ordinal)) ledger.wrote(ordinal, commit);
  };
  if (present > 0 && then !== "unread" && then !== undefined)
    await reported(eachReference(then, then.manifests, ledger.grid, wrote, task.manifests, context), findings);
  const last = blamedCommit(newest, true);
  for (let at = 0; ledger.open.present > 0 && at < ledger.by.length; at += 1)
    if (ledger.isOpen(at) && !ledger.isAbsent(at)) ledger.wrote(at, last);
  const why = end === "enough" || end === "first" ? "unrecorded" : end;
  findings.add(
    finding("icechunk-history-incomplete", nodeAt(array.path), { end: why, since: entry.id, chunks: present }),
  );
}

function blameOf({ array, snapshot }: AskedArray, { ledger, findings }: Task): BlamedArray {
  const { grid, by, kinds, commits, open } = ledger;
  const counts = commits.map(() => ({
    written: 0,
    removed: 0,
    from: grid.map(() => Infinity),
    to: grid.map(() => -1),
  }));
  const at = grid.map(() => 0);
  for (let ordinal = 0; ordinal < by.length; ordinal += 1) {
    const count = counts[(by[ordinal] ?? 0) - 1];
    if (count !== undefined) {
      count[(kinds[ordinal] ?? 0) >= CODE.deleted ? "removed" : "written"] += 1;
      for (let axis = 0; axis < at.length; axis += 1) {
        const cell = at[axis] as number;
        if (cell < (count.from[axis] as number)) count.from[axis] = cell;
        if (cell > (count.to[axis] as number)) count.to[axis] = cell;
      }
    }
    // The next coordinates in C order.
    let axis = at.length - 1;
    for (; axis >= 0 && at[axis] === (grid[axis] ?? 0) - 1; axis -= 1) at[axis] = 0;
    if (axis >= 0) (at[axis] as number) += 1;
  }
  const found = commits.map((commit, index) => ({ ...commit, ...(counts[index] as (typeof counts)[number]) }));
  const blame = { array, snapshot, grid, commits: found, absent: open.absent, findings: findings.list() };
  return { blame, by, kinds };
}
