/**
 * Holds what transaction logs name against the manifests of both snapshots. Logs also name chunks that were written and cut
 * off again, or deleted without being there; and they do not name those that a shorter shape cut off.
 */
import type { CallContext } from "#core/byte-source.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { finding, nodeAt } from "#core/findings/finding.ts";
import type { ManifestRef } from "#formats/icechunk/index.ts";
import { lowerBound } from "../table/array-index.ts";
import { eachReference } from "./blame/array-references.ts";
import { reported } from "./blame/walk-commits.ts";
import { type ChangedCells, ordinalIn, pack, withPacked } from "./changed-cells.ts";
import type { Compared } from "./compare-logs.ts";
import type { OpenManifest } from "./manifest-cache.ts";
import { boxAround, boxOf, meet, sameRef } from "./page-plan.ts";
import type { ArrayPair, SideArray } from "./snapshot-side.ts";

interface Task {
  readonly open: OpenManifest;
  /** Compares the manifests of a pair. */
  readonly exactly: (pair: ArrayPair) => Promise<Compared>;
  readonly findings: FindingLog;
  readonly context: CallContext;
}

/** Manifests that cannot be read are reported; then an array's chunks are those of the logs. */
export async function reconciled(logged: Compared, asked: Omit<Task, "findings">): Promise<Compared> {
  const task = { ...asked, findings: new FindingLog() };
  const updated = new Set(logged.nodes.flatMap(({ kind, path }) => (kind === "updated" ? [path] : [])));
  const cells = new Map<ArrayPair, ChangedCells>();
  let { uncompared } = logged;
  for (const [pair, named] of logged.cells) {
    const mayBeCut = pair.from !== undefined && pair.to !== undefined && pair.box !== undefined;
    const exact = mayBeCut && updated.has(pair.path) ? await task.exactly(pair) : undefined;
    task.findings.addAll(exact?.findings ?? []);
    uncompared += exact?.uncompared ?? 0;
    cells.set(pair, await reconciledCells(pair, named, exact?.cells.get(pair), task));
  }
  return { ...logged, cells, uncompared, findings: [...logged.findings, ...task.findings.list()] };
}

async function reconciledCells(
  pair: ArrayPair,
  cells: ChangedCells,
  exact: ChangedCells | undefined,
  task: Task,
): Promise<ChangedCells> {
  const { packed } = cells;
  const isThere = new Uint8Array(packed.length);
  const see = (ordinal: number): boolean => {
    const at = lowerBound(packed, pack(ordinal, "set"));
    if (at === packed.length || ordinalIn(packed[at] ?? 0) !== ordinal) return false;
    isThere[at] = 1;
    return true;
  };
  // Unnamed chunks are known only where all named ones are kept.
  const differ = exact?.packed.filter((one) => !see(ordinalIn(one))) ?? new Float64Array(0);
  const unnamed = cells.notKept === 0 ? differ : differ.subarray(0, 0);
  const { path, from, to, box } = pair;
  if (unnamed.length > 0)
    task.findings.add(
      finding("icechunk-log-resized", nodeAt(path), { from: from?.grid, to: to?.grid, unnamed: unnamed.length }),
    );
  const same = new Set(to?.manifests.map(sameRef));
  const others = from?.manifests.filter((one) => from.id !== to?.id || !same.has(sameRef(one))) ?? [];
  const isRead = (await lookedUp(to, to?.manifests ?? [])) && (await lookedUp(from, others));
  const there = isRead ? packed.filter((_, at) => isThere[at] === 1) : packed;
  const both = new Float64Array(there.length + unnamed.length);
  both.set(there);
  both.set(unnamed, there.length);
  return withPacked(cells, both.sort());

  /** False: manifests could not be read. */
  async function lookedUp(array: SideArray | undefined, manifests: readonly ManifestRef[]): Promise<boolean> {
    const open = packed.filter((_, at) => isThere[at] === 0);
    if (array === undefined || box === undefined || open.length === 0) return true;
    const around = boxAround(box, Array.from(open, ordinalIn));
    const near = manifests.filter(({ extents }) => meet(boxOf(array.grid, extents), around));
    const reading = eachReference(array, near, box, (ordinal) => void see(ordinal), task.open, task.context);
    const done = reading.then(() => true);
    return (await reported(done, task.findings)) ?? false;
  }
}
