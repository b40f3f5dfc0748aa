/** Finds the first commit at which something is wrong, by halving the commits between a good and a bad one. */
import type { BisectPlan, BisectResult, BisectState, BisectTest } from "#core/bisect.ts";
import type { CallContext } from "#core/byte-source.ts";
import { failure, type Finding, ofFinding, targetAt } from "#core/findings/finding.ts";
import type { Ancestry, SnapshotEntry } from "#core/repository.ts";
import type { ChunkDecoder } from "#engine/chunk/chunk-decoder.ts";
import { type EngineSet, repositoryOf, type SetRepository } from "#engine/engine-set.ts";
import { costOfTest, type Reads, statedState, stateOf } from "./bisect-test.ts";

export interface BisectAsked {
  readonly test: BisectTest;
  /** Snapshots: an older one without the fault (the first), and a newer one with it (the open one). */
  readonly good?: string | undefined;
  readonly bad?: string | undefined;
  /** Reads of the plan; found out again if not given. */
  readonly reads?: Reads | undefined;
}

/** Snapshots of one branch that are looked at. */
const MAX_COMMITS = 100_000;

interface Chain {
  /** Newest first. */
  readonly commits: readonly SnapshotEntry[];
  readonly end: Ancestry["end"];
}

/** Throws `icechunk-ref-missing` where `good` is not an ancestor of `bad`, and what reading the history throws. */
export async function planBisect(
  set: EngineSet,
  asked: BisectAsked,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<BisectPlan> {
  const { commits } = await chainOf(repositoryOf(set), asked, context);
  return {
    commits: commits.length,
    checks: mostChecks(commits.length),
    ...(await costOfTest(set, asked.test, decoder, context)),
  };
}

/** One of the newest commit, and as many as halve the others down to one. */
const mostChecks = (commits: number): number => 1 + Math.ceil(Math.log2(Math.max(1, commits)));

async function chainOf(repository: SetRepository, { good, bad }: BisectAsked, context: CallContext): Promise<Chain> {
  const newest = bad ?? repository.summary.shown.snapshot;
  const { entries, end } = await repository.ancestry(newest, MAX_COMMITS, context);
  if (good === undefined) return { commits: entries, end };
  const oldest = entries.findIndex(({ id }) => id === good);
  if (oldest < 0)
    throw failure("icechunk-ref-missing", targetAt(good), { problem: "not-an-ancestor", ref: good, of: newest });
  return { commits: entries.slice(0, oldest + 1), end };
}

/** Throws as `planBisect`, and where the newest commit cannot be checked, or lacks what is asked about. */
export async function bisect(
  set: EngineSet,
  asked: BisectAsked,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<BisectResult> {
  const repository = repositoryOf(set);
  const { commits, end } = await chainOf(repository, asked, context);
  const search = { checks: 0, states: new Map<number, BisectState>(), unread: new Map<number, Finding>() };
  const array = "array" in asked.test ? asked.test.array : undefined;
  const node = array === undefined ? undefined : repository.nodeIds.get(array);
  const reads = asked.reads ?? (await costOfTest(set, asked.test, decoder, context)).reads;
  const check = async (at: number): Promise<BisectState> => {
    const commit = commits[at] as SnapshotEntry;
    context.report({
      label: "Searching the history",
      done: search.checks,
      total: mostChecks(commits.length),
      unit: "requests",
    });
    const isShown = commit.id === repository.summary.shown.snapshot;
    const there = isShown ? set : await repository.at(`snapshot:${commit.id}`, context);
    const read = at === 0 ? statedState : stateOf;
    const state = { commit, ...(await read(there, moved(asked.test, there, node), reads, decoder, context)) };
    search.checks += 1;
    search.states.set(at, state);
    return state;
  };
  const done = { checks: 0, commits: commits.length, end, unread: [], untried: 0 };
  if (commits.length === 0) return { outcome: "not-bad", ...done };
  const newest = await check(0);
  if (!newest.isBad) return { outcome: "not-bad", before: newest, ...done, checks: search.checks };
  const [bad, good] = await halve(commits.length, search.unread, async (at) => (await check(at)).isBad);
  const first = search.states.get(bad) as BisectState;
  const unread = [...search.unread].flatMap(([at, why]) =>
    at > bad && at < good ? [{ commit: commits[at] as SnapshotEntry, why }] : [],
  );
  const untried = Math.max(0, good - bad - 1 - unread.length);
  const found = { ...done, first, checks: search.checks, unread, untried };
  const before = search.states.get(good);
  if (before !== undefined) return { outcome: "found", before, ...found };
  if (unread.length > 0) return { outcome: "or-earlier", ...found };
  if (asked.good !== undefined) return { outcome: "at-good", ...found };
  return { outcome: end === "first" ? "since-first" : "or-earlier", ...found };
}

/** Commits that cannot be read, after which the search ends. */
const MAX_UNREAD = 64;

/**
 * The oldest bad commit, and the next older one that is known to be good; those between could not be read, or were not
 * tried after too many others. `count`: all are bad.
 */
export async function halve(
  count: number,
  unread: Map<number, Finding>,
  isBad: (at: number) => Promise<boolean>,
): Promise<readonly [bad: number, good: number]> {
  let [bad, good] = [0, count];
  for (;;) {
    const at = unread.size < MAX_UNREAD ? nextBetween(bad, good, unread) : undefined;
    if (at === undefined) return [bad, good];
    const answer = await isBad(at).catch(ofFinding(({ finding }) => void unread.set(at, finding)));
    if (answer === true) bad = at;
    else if (answer === false) good = at;
  }
}

/** Neighbours of a lost commit are tried first; where they are lost too, the ends of the lost part are looked for. */
function nextBetween(bad: number, good: number, unread: ReadonlyMap<number, Finding>): number | undefined {
  const lost = [...unread.keys()].filter((at) => at > bad && at < good);
  if (lost.length === 0) return good - bad > 1 ? (bad + 1 + good) >> 1 : undefined;
  const [from, to] = [Math.min(...lost), Math.max(...lost)];
  const [newer, older] = [from - bad - 1, good - to - 1];
  const isNear = lost.length < 3;
  if (newer > older) return isNear ? from - 1 : bad + ((newer + 1) >> 1);
  if (older > 0) return isNear ? to + 1 : to + ((older + 1) >> 1);
  for (let at = from + 1; at < to; at += 1) if (!unread.has(at)) return at;
  return undefined;
}

/** The test with the path that the array had then: its node is the same one through all moves. */
function moved(test: BisectTest, { repository }: EngineSet, node: string | undefined): BisectTest {
  if (node === undefined) return test;
  const path = [...(repository?.nodeIds ?? [])].find(([, id]) => id === node)?.[0];
  return path === undefined ? test : ({ ...test, array: path } as BisectTest);
}
