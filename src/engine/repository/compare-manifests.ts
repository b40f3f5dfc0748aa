/** What two snapshots differ in, from both and their manifests: exact, whatever happened in between. */
import type { CallContext } from "../../core/byte-source.ts";
import { RefscopeError } from "../../core/errors.ts";
import { findingOfError } from "../../core/findings/failure.ts";
import { finding } from "../../core/findings/finding.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import { nodeAt } from "../../core/findings/place.ts";
import type { ComparisonReason } from "../../core/repository.ts";
import { startPace } from "../pace.ts";
import type { ArrayPair } from "./array-pairs.ts";
import { cellCollector, type CellBudget, type CellCollector, type ChangedCells } from "./changed-cells.ts";
import { referenceComparer, type SameReference } from "./chunk-compare.ts";
import type { Compared, ComparedSides } from "./compare-logs.ts";
import { countedRows, type CountedRows } from "./counted-rows.ts";
import type { OpenManifest } from "./manifest-cache.ts";
import { manifestGroups, type ManifestGroup } from "./manifest-groups.ts";
import { nodeChanges } from "./node-changes.ts";

interface Task {
  readonly open: OpenManifest;
  readonly budget: CellBudget;
  readonly findings: FindingLog;
  /** Paths of arrays not all of whose chunks were compared. */
  readonly uncompared: Set<string>;
  readonly context: CallContext;
}

export async function compareByManifests(
  { from, to, pairs }: ComparedSides,
  because: ComparisonReason,
  open: OpenManifest,
  budget: CellBudget,
  context: CallContext,
): Promise<Compared> {
  const groups = await groupsOf(pairs, context);
  const total = groups.reduce((sum, { groups }) => sum + groups.reduce((all, group) => all + sizeOf(group), 0), 0);
  const findings = new FindingLog();
  const uncompared = new Set<string>();
  const cells = new Map<ArrayPair, ChangedCells>();
  let done = 0;
  const counting: OpenManifest = (id, context) => {
    context.report({ label: "Comparing manifests", done, total, unit: "requests" });
    done += 1;
    return open(id, context);
  };
  for (const { pair, groups: own } of groups) {
    if (own.length === 0) continue;
    cells.set(pair, await comparePair(pair, own, { open: counting, budget, findings, uncompared, context }));
  }
  context.report({ label: "Comparing manifests", done: total, total, unit: "requests" });
  return {
    kind: "compared",
    method: "manifests",
    because,
    nodes: nodeChanges(from, to),
    cells,
    uncompared: uncompared.size,
    findings: findings.list(),
  };
}

async function groupsOf(pairs: readonly ArrayPair[], context: CallContext) {
  const pace = startPace(context, "Comparing the manifests of arrays", pairs.length);
  const all: { readonly pair: ArrayPair; readonly groups: readonly ManifestGroup[] }[] = [];
  for (const pair of pairs) {
    await pace.yieldIfDue(all.length);
    all.push({ pair, groups: manifestGroups(pair.from, pair.to) });
  }
  return all;
}

const sizeOf = ({ from, to }: ManifestGroup): number => from.length + to.length;

async function comparePair(pair: ArrayPair, groups: readonly ManifestGroup[], task: Task): Promise<ChangedCells> {
  const cells = cellCollector(pair.box, false, task.budget);
  if (pair.box !== undefined) {
    for (const group of groups) await compareGroup(pair, pair.box, group, cells, task);
  } else {
    const { path, from, to } = pair;
    task.uncompared.add(path);
    task.findings.add(finding("icechunk-grid-not-compared", nodeAt(path), { from: from?.grid, to: to?.grid }));
  }
  return cells.finish();
}

/** What cannot be read is reported; the other manifests are still compared. */
async function compareGroup(
  pair: ArrayPair,
  box: readonly number[],
  group: ManifestGroup,
  cells: CellCollector,
  task: Task,
): Promise<void> {
  task.context.signal.throwIfAborted();
  try {
    const before = await countedRows(pair.from, group.from, box, task.open, task.context);
    const after = await countedRows(pair.to, group.to, box, task.open, task.context);
    await merge(before, after, cells, pair.path, task);
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    const cause = findingOfError(error);
    task.uncompared.add(pair.path);
    task.findings.add(finding("icechunk-array-not-compared", nodeAt(pair.path), { cause }));
  }
}

const NOT_COMPARED = { problem: "not-compared", text: undefined, reason: undefined } as const;

/** Both are in the order of their chunks. */
async function merge(before: CountedRows, after: CountedRows, cells: CellCollector, path: string, task: Task) {
  const total = before.count + after.count;
  const pace = startPace(task.context, "Comparing references", total);
  const unreadable = finding("icechunk-location-unreadable", nodeAt(path), NOT_COMPARED);
  const same = sameRows(before, after, () => {
    task.findings.add(unreadable);
  });
  let [one, other] = [0, 0];
  for (let step = 0; one < before.count || other < after.count; step += 1) {
    if ((step & 1023) === 0) await pace.yieldIfDue(one + other);
    const was = one < before.count ? (before.ordinal[one] ?? 0) : Infinity;
    const is = other < after.count ? (after.ordinal[other] ?? 0) : Infinity;
    if (was < is) cells.add(was, "removed");
    else if (is < was) cells.add(is, "added");
    else if (!same(one, other)) cells.add(is, "changed");
    if (was <= is) one += 1;
    if (is <= was) other += 1;
  }
}

/** A comparer for each two manifests that are met. */
function sameRows(before: CountedRows, after: CountedRows, unreadable: () => void): SameReference {
  const comparers = new Map<number, SameReference>();
  return (at, otherAt) => {
    const [source, other] = [before.source?.[at] ?? 0, after.source?.[otherAt] ?? 0];
    const key = source * after.columns.length + other;
    const [one, two] = [before.columns[source], after.columns[other]];
    if (one === undefined || two === undefined) return false;
    const compare = comparers.get(key) ?? referenceComparer(one, two, unreadable);
    comparers.set(key, compare);
    return compare(before.row?.[at] ?? at, after.row?.[otherAt] ?? otherAt);
  };
}
