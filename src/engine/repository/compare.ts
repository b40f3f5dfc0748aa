/**
 * Compares two snapshots of a repository: by the transaction logs of the commits between them where one is an ancestor
 * of the other and all logs are there, else by their manifests.
 */
import type { CallContext } from "../../core/byte-source.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { nodeAt } from "../../core/findings/place.ts";
import {
  CHANGES,
  type ArrayChanges,
  type ChangedChunk,
  type ChangedChunks,
  type ComparisonReason,
  type SnapshotChanges,
} from "../../core/repository.ts";
import type { ChangedOrdinals, ComparedSnapshots } from "../engine-set.ts";
import { pairArrays, type ArrayPair } from "./array-pairs.ts";
import { cellWindow, MAX_CHANGED, type ChangedCells } from "./changed-cells.ts";
import { changedOrdinals, MAX_EXPANDED } from "./changed-ordinals.ts";
import { chainBetween } from "./commit-logs.ts";
import { compareByLogs, type Compared, type ComparedSides } from "./compare-logs.ts";
import { compareByManifests } from "./compare-manifests.ts";
import type { Comparison } from "./comparison.ts";
import { checkSnapshot } from "./history.ts";
import type { OpenedRepository } from "./set-repository.ts";
import { snapshotSide } from "./snapshot-side.ts";

/** @throws RefscopeError `icechunk-ref-missing` where one is not a snapshot, and of `fetchSnapshot` */
export async function compareSnapshots(
  { from, to, method }: ComparedSnapshots,
  opened: OpenedRepository,
  context: CallContext,
): Promise<Comparison> {
  for (const id of [from, to]) checkSnapshot(opened.repository, id);
  const sides = [await snapshotSide(opened, from, context), await snapshotSide(opened, to, context)] as const;
  const pairs = pairArrays(...sides);
  const compared = await comparedBy(method, opened, { from: sides[0], to: sides[1], pairs }, context);
  return comparisonOf(compared, { from, to }, opened);
}

async function comparedBy(
  method: ComparedSnapshots["method"],
  opened: OpenedRepository,
  sides: ComparedSides,
  context: CallContext,
): Promise<Compared> {
  const { from, to } = sides;
  const byManifests = (because: ComparisonReason) =>
    compareByManifests(sides, because, opened.manifests, { left: MAX_CHANGED }, context);
  if (from.id === to.id) return byManifests({ kind: "same-snapshot" });
  if (method === "manifests") return byManifests({ kind: "as-asked" });
  const chain = await chainBetween(opened, from.id, to.id, context);
  const byLogs =
    chain.kind === "none" ? chain : await compareByLogs(opened, chain, sides, { left: MAX_CHANGED }, context);
  if (byLogs.kind === "compared") return byLogs;
  const compared = await byManifests(byLogs.because);
  return { ...compared, findings: [...byLogs.findings, ...compared.findings] };
}

type Changed = readonly [ArrayPair, ChangedCells];

/** For an array of the open set: the pair with its node's id, else the one with its path. */
function comparisonOf(
  compared: Compared,
  snapshots: Pick<SnapshotChanges, "from" | "to">,
  { hierarchy, ids }: OpenedRepository,
): Comparison {
  const changed = [...compared.cells].filter(([, { count }]) => count > 0);
  const byPath = changesByPath(changed);
  const byId = changesById(changed);
  const changeOf = (path: string): Changed | undefined => {
    const node = hierarchy.nodes.get(path);
    if (node?.kind !== "array") return undefined;
    return byId.get(nameOf(ids.get(path) ?? "", node.metadata.shape.length)) ?? byPath.get(path)?.[0];
  };
  const shown = (path: string) => changeOf(path)?.[0].path === path;
  const ordinals = new Map<string, ChangedOrdinals | undefined>();
  const ordinalsOf = (path: string): ChangedOrdinals | undefined => {
    const [node, change] = [hierarchy.nodes.get(path), changeOf(path)];
    return change === undefined || node?.kind !== "array" ? undefined : changedOrdinals(change[1], node.metadata);
  };
  const { method, because, nodes, uncompared } = compared;
  return {
    changes: {
      ...snapshots,
      method,
      because,
      nodes,
      arrays: [...byPath].map(([path, all]) => arrayChanges(path, all, shown(path))),
      uncompared,
      findings: [
        ...compared.findings,
        ...changed.flatMap(([pair, cells]) => cellFindings(pair, cells)),
        ...[...byPath].flatMap(([path, all]) =>
          all.length > 1 ? [finding("icechunk-changes-of-two-arrays", nodeAt(path), {})] : [],
        ),
      ],
    },
    changedChunks: (path, from, to) => windowOf(byPath.get(path) ?? [], path, from, to),
    changesOf(array) {
      if (!ordinals.has(array)) ordinals.set(array, ordinalsOf(array));
      return ordinals.get(array);
    },
  };
}

/** An array that has other dimensions in the other snapshot is in two pairs. */
const nameOf = (id: string, rank: number): string => `${id} ${rank}`;

function changesById(changed: readonly Changed[]): ReadonlyMap<string, Changed> {
  const byId = new Map<string, Changed>();
  for (const one of changed) {
    for (const side of [one[0].from, one[0].to])
      if (side !== undefined) byId.set(nameOf(side.id, side.grid.length), one);
  }
  return byId;
}

/** Where an array of each snapshot has the path, and they are not compared with each other, that in `to` comes first. */
function changesByPath(changed: readonly Changed[]): ReadonlyMap<string, readonly Changed[]> {
  const byPath = new Map<string, readonly Changed[]>();
  for (const one of changed) {
    const others = byPath.get(one[0].path) ?? [];
    byPath.set(one[0].path, one[0].to === undefined ? [...others, one] : [one, ...others]);
  }
  return byPath;
}

function arrayChanges(path: string, all: readonly Changed[], shown: boolean): ArrayChanges {
  const before = all[0]?.[0].before;
  const kinds = { set: 0, added: 0, removed: 0, changed: 0 };
  for (const [, cells] of all) for (const kind of CHANGES) kinds[kind] += cells.kinds[kind];
  const count = all.reduce((sum, [, cells]) => sum + cells.count, 0);
  return { path, ...(before === undefined ? {} : { before }), count, kinds, shown };
}

const MAX_IN_WINDOW = 2000;

function windowOf(all: readonly Changed[], path: string, from: number, to: number): ChangedChunks {
  const listed = ([, { packed, outside }]: Changed): number => packed.length + outside.length;
  const total = all.reduce((sum, one) => sum + listed(one), 0);
  const start = Math.max(0, Math.min(from, total));
  const end = Math.min(to, start + MAX_IN_WINDOW);
  const chunks: ChangedChunk[] = [];
  let first = 0;
  for (const one of all) {
    if (end > first) chunks.push(...cellWindow(one[1], Math.max(0, start - first), end - first));
    first += listed(one);
  }
  return { path, from: start, total, chunks };
}

/** What is said of the list of an array's changes. */
export function cellFindings(
  { path, to, from }: ArrayPair,
  { notKept, count, packed, kinds }: ChangedCells,
): readonly Finding[] {
  const findings: Finding[] = [];
  const { innerChunks: chunks = 1 } = to ?? from ?? {};
  if (chunks > 1) {
    const mapped = packed.length * chunks > MAX_EXPANDED ? Math.ceil(MAX_EXPANDED / chunks) : undefined;
    findings.push(finding("icechunk-changes-of-shards", nodeAt(path), { chunks, mapped }));
  }
  if (notKept > 0) {
    const facts = { changes: count, unlisted: notKept, limit: MAX_CHANGED, mayRepeat: kinds.set > 0 };
    findings.push(finding("icechunk-changes-cut", nodeAt(path), facts));
  }
  return findings;
}
