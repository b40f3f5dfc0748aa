/**
 * Compares two snapshots of a repository: by the transaction logs of the commits between them where one is an ancestor
 * of the other and all logs are there, else by their manifests.
 */
import type { CallContext } from "#core/byte-source.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { finding, type Finding, findingOfError, nodeAt, RefscopeError } from "#core/findings/finding.ts";
import { groupedBy } from "#core/basics.ts";
import { coordinatesOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import { CHANGES } from "#core/repository.ts";
import type { ArrayChanges, ChangedChunk, ChangedChunks, ComparisonReason, SnapshotChanges } from "#core/repository.ts";
import { type ComparedReference, sameReference } from "#core/table/reference.ts";
import type { Extents, ManifestRef } from "#formats/icechunk/index.ts";
import { checksumAt, kindOf, locationOf, ORDINAL_OUTSIDE, rangeAt, referenceAt } from "#formats/icechunk/references.ts";
import type { ChunkColumns } from "#formats/icechunk/references.ts";
import type { ChangedOrdinals, ComparedSnapshots, Comparison } from "../engine-set.ts";
import { type Pace, startPace } from "../pace.ts";
import { placesInOrder } from "../table/radix.ts";
import { type ArrayPair, pairArrays, type SideArray, snapshotSide, type SnapshotSide } from "./snapshot-side.ts";
import { manifestColumns } from "./array-references.ts";
import { boxOf, meet } from "./page-plan.ts";
import { cellCollector, cellWindow, MAX_CHANGED } from "./changed-cells.ts";
import type { CellBudget, CellCollector, ChangedCells } from "./changed-cells.ts";
import { changedOrdinals, MAX_EXPANDED } from "./changed-ordinals.ts";
import { chainBetween } from "./commit-logs.ts";
import { compareByLogs, type Compared, type ComparedSides, nodeChanges } from "./compare-logs.ts";
import { checkSnapshot } from "./history.ts";
import type { OpenManifest } from "./manifest-cache.ts";
import { reconciled } from "./reconcile.ts";
import type { OpenedRepository } from "./set-repository.ts";

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
  const budget = { left: MAX_CHANGED };
  const byLogs = chain.kind === "none" ? chain : await compareByLogs(opened, chain, sides, budget, context);
  if (byLogs.kind === "compared") {
    const bare = ({ id }: SnapshotSide): SnapshotSide => ({ id, nodes: new Map() });
    const exactly = (pair: ArrayPair) =>
      compareByManifests(
        { from: bare(from), to: bare(to), pairs: [pair] },
        byLogs.because,
        opened.manifests,
        budget,
        context,
      );
    return reconciled(byLogs, { open: opened.manifests, exactly, context });
  }
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
    return byId.get(groupKey(ids.get(path) ?? "", node.metadata.shape.length)) ?? byPath.get(path)?.[0];
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
const groupKey = (id: string, rank: number): string => `${id} ${rank}`;

function changesById(changed: readonly Changed[]): ReadonlyMap<string, Changed> {
  const byId = new Map<string, Changed>();
  for (const one of changed) {
    for (const side of [one[0].from, one[0].to])
      if (side !== undefined) byId.set(groupKey(side.id, side.grid.length), one);
  }
  return byId;
}

/**
 * Changes by path. If each snapshot has another array at the path, and they are not compared with each other, that in
 * `to` comes first.
 */
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

/** Findings about the list of an array's changes. */
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

// Compares two snapshots by both and their manifests: exact, whatever happened in between.

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
  const total = groups.reduce(
    (sum, { groups }) => sum + groups.reduce((all, group) => all + manifestCount(group), 0),
    0,
  );
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

const manifestCount = ({ from, to }: ManifestGroup): number => from.length + to.length;

async function comparePair(pair: ArrayPair, groups: readonly ManifestGroup[], task: Task): Promise<ChangedCells> {
  const cells = cellCollector(pair.box, false, task.budget);
  if (pair.box !== undefined) {
    for (const group of groups) await compareGroup({ ...pair, box: pair.box }, group, cells, task);
  } else {
    const { path, from, to } = pair;
    task.uncompared.add(path);
    task.findings.add(finding("icechunk-grid-not-compared", nodeAt(path), { from: from?.grid, to: to?.grid }));
  }
  return cells.finish();
}

type BoxedPair = ArrayPair & { readonly box: readonly number[] };

/** Unreadable manifests are reported; the others are still compared. */
async function compareGroup(pair: BoxedPair, group: ManifestGroup, cells: CellCollector, task: Task): Promise<void> {
  task.context.signal.throwIfAborted();
  try {
    const before = await countedRows(pair.from, group.from, pair.box, task);
    const after = await countedRows(pair.to, group.to, pair.box, task);
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
  const same = sameRows(before, after, () => task.findings.add(unreadable));
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

// Compares two manifests' references of a chunk.

type SameReference = (row: number, otherRow: number) => boolean;

const MAX_REMEMBERED = 100_000;

/**
 * Kind, place and range, checksum, inline bytes. Locations are compared as stored, decompressed; one that cannot be is
 * like no other, and `unreadable` is called.
 */
function referenceComparer(one: ChunkColumns, other: ChunkColumns, unreadable: () => void): SameReference {
  const known = new Map<number, { readonly entry: number; readonly same: boolean }>();
  const sameLocation = (entry: number, otherEntry: number): boolean => {
    const found = known.get(entry);
    if (found?.entry === otherEntry) return found.same;
    const same = readable(() => locationOf(one, entry) === locationOf(other, otherEntry), unreadable);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(entry, { entry: otherEntry, same });
    return same;
  };
  const isOneTarget = (row: number, otherRow: number): boolean => {
    const kind = kindOf(one, row);
    if (kind !== kindOf(other, otherRow)) return false;
    if (kind === "native") return chunkId(one, row) === chunkId(other, otherRow);
    return (
      sameLocation(one.entry[row] ?? 0, other.entry[otherRow] ?? 0) &&
      readable(() => sameChecksum(one, row, other, otherRow), unreadable)
    );
  };
  return (row, otherRow) => sameReference(rowAt(one, row), rowAt(other, otherRow), isOneTarget);
}

/** A row whose target is the row itself: locations are not looked at before ranges are the same. */
function rowAt(columns: ChunkColumns, row: number): ComparedReference<number> {
  const kind = kindOf(columns, row);
  if (kind === "bad") return { kind, written: "" };
  if (kind !== "inline") {
    const { offset, length } = rangeAt(columns, row);
    return { kind: "range", target: row, offset, length };
  }
  const reference = referenceAt(columns, row);
  return reference.kind === kind ? reference : { kind, bytes: new Uint8Array(0) };
}

function readable(compare: () => boolean, unreadable: () => void): boolean {
  try {
    return compare();
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    unreadable();
    return false;
  }
}

function chunkId(columns: ChunkColumns, row: number): string {
  const reference = referenceAt(columns, row);
  return reference.kind === "native" ? reference.chunk : "";
}

function sameChecksum(one: ChunkColumns, row: number, other: ChunkColumns, otherRow: number): boolean {
  const [first, second] = [checksumAt(one, row), checksumAt(other, otherRow)];
  if (first?.kind === "etag" && second?.kind === "etag") return first.etag === second.etag;
  if (first?.kind === "last-modified" && second?.kind === "last-modified") return first.seconds === second.seconds;
  return first === second;
}

// Which manifests of an array must be compared with which: those of both snapshots whose boxes of chunks meet, directly
// or through others. A group that is the same on both sides need not be fetched.

interface ManifestGroup {
  /** Manifests in the order of precedence. */
  readonly from: readonly ManifestRef[];
  readonly to: readonly ManifestRef[];
}

interface Boxed {
  readonly side: "from" | "to";
  readonly manifest: ManifestRef;
  /** Within the side's grid. */
  readonly box: Extents;
}

/** Pairs of boxes that are looked at; beyond, all manifests are one group. */
const MAX_MEETINGS = 20_000_000;

/** Groups that may differ. */
export function manifestGroups(from: SideArray | undefined, to: SideArray | undefined): readonly ManifestGroup[] {
  const boxed = [...boxesOf("from", from), ...boxesOf("to", to)];
  return manifestGroupsGroupsOf(boxed).flatMap((group) => {
    const [one, other] = [group.filter(({ side }) => side === "from"), group.filter(({ side }) => side === "to")];
    // The same manifest says other things of another array.
    return from?.id === to?.id && equalBoxes(one, other)
      ? []
      : [{ from: one.map(manifestOf), to: other.map(manifestOf) }];
  });
}

const manifestOf = ({ manifest }: Boxed): ManifestRef => manifest;

function boxesOf(side: Boxed["side"], array: SideArray | undefined): readonly Boxed[] {
  if (array === undefined) return [];
  const boxed = array.manifests.map((manifest) => ({ side, manifest, box: boxOf(array.grid, manifest.extents) }));
  return boxed.filter(({ box }) => box.every(({ from, to }) => from < to));
}

function equalBoxes(one: readonly Boxed[], other: readonly Boxed[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ manifest, box }, index) => {
      const match = other[index];
      return match?.manifest.id === manifest.id && sameBox(box, match.box) && sameExtents(manifest, match.manifest);
    })
  );
}

const sameExtents = (one: ManifestRef, other: ManifestRef): boolean =>
  one.extents.length === other.extents.length && sameBox(one.extents, other.extents);

const sameBox = (one: Extents, other: Extents): boolean =>
  one.every(({ from, to }, axis) => from === other[axis]?.from && to === other[axis]?.to);

/** Groups of manifests, each in the order of `all`. */
function manifestGroupsGroupsOf(all: readonly Boxed[]): readonly (readonly Boxed[])[] {
  const parent = all.map((_, index) => index);
  const root = (index: number): number => {
    let at = index;
    for (let up = parent[at] ?? at; up !== at; up = parent[at] ?? at) {
      parent[at] = parent[up] ?? up;
      at = up;
    }
    return at;
  };
  if (!joinMeeting(all, (one, other) => (parent[root(one)] = root(other)))) return [all];
  const groups = groupedBy(all.entries(), ([index]) => root(index));
  return [...groups.values()].map((group) => group.map(([, boxed]) => boxed));
}

/** A sweep along the first dimension. False: too many meetings to look at. */
function joinMeeting(all: readonly Boxed[], join: (one: number, other: number) => void): boolean {
  const start = (index: number) => all[index]?.box[0]?.from ?? 0;
  const order = all.map((_, index) => index).sort((a, b) => start(a) - start(b));
  let open: number[] = [];
  let looked = 0;
  for (const index of order) {
    const box = all[index]?.box ?? [];
    open = open.filter((other) => (all[other]?.box[0]?.to ?? Infinity) > start(index));
    looked += open.length;
    if (looked > MAX_MEETINGS) return false;
    for (const other of open) if (meet(box, all[other]?.box ?? [])) join(index, other);
    open.push(index);
  }
  return true;
}

// The references of an array in some manifests that readers see, in the order of their chunks.

interface CountedRows {
  readonly columns: readonly ChunkColumns[];
  readonly count: number;
  /** Ordinals in the box, ascending, each once. */
  readonly ordinal: Float64Array | Uint32Array;
  /** Index in `columns`, and row there; absent where it is the first and the same. */
  readonly source: Uint32Array | undefined;
  readonly row: Uint32Array | undefined;
}

const NO_ROWS: CountedRows = { columns: [], count: 0, ordinal: new Uint32Array(0), source: undefined, row: undefined };

/** References outside the array's grid are left out: they are never asked for. Throws what opening manifests throws. */
async function countedRows(
  array: SideArray | undefined,
  manifests: readonly ManifestRef[],
  box: readonly number[],
  { open, context }: Pick<Task, "open" | "context">,
): Promise<CountedRows> {
  if (array === undefined) return NO_ROWS;
  const { id: node, grid } = array;
  const columns = await manifestColumns({ node, grid, manifests }, open, context);
  const [first] = columns;
  if (first === undefined) return NO_ROWS;
  const alike = grid.every((length, axis) => axis === 0 || length === box[axis]);
  if (columns.length === 1 && alike && first.inOrder && first.strays.size === 0) {
    return { columns, count: first.rows, ordinal: first.ordinal, source: undefined, row: undefined };
  }
  const inBox = (ordinal: number) => (alike ? ordinal : (ordinalOf(box, coordinatesOf(grid, ordinal)) ?? 0));
  return gathered(columns, inBox, context);
}

/** Gathers the chunks of all columns; the first of several references to a chunk counts. */
async function gathered(
  columns: readonly ChunkColumns[],
  place: (ordinal: number) => number,
  context: CallContext,
): Promise<CountedRows> {
  const total = columns.reduce((sum, { rows }) => sum + rows, 0);
  const all = {
    ordinal: new Float64Array(total),
    source: new Uint32Array(total),
    row: new Uint32Array(total),
  };
  const pace = startPace(context, "Comparing references", total);
  let used = 0;
  for (const [source, { ordinal, rows, strays }] of columns.entries()) {
    for (let row = 0; row < rows; row += 1) {
      if ((row & 4095) === 0) await pace.yieldIfDue(used);
      if (strays.has(row)) continue;
      all.ordinal[used] = place(ordinal[row] ?? ORDINAL_OUTSIDE);
      all.source[used] = source;
      all.row[used] = row;
      used += 1;
    }
  }
  const order = await orderOf(all.ordinal.subarray(0, used), pace);
  return {
    columns,
    count: order.length,
    ordinal: Float64Array.from(order, (at) => all.ordinal[at] ?? 0),
    source: Uint32Array.from(order, (at) => all.source[at] ?? 0),
    row: Uint32Array.from(order, (at) => all.row[at] ?? 0),
  };
}

/** Positions in ascending order of their values, the first of equal ones alone. */
async function orderOf(values: Float64Array, pace: Pace): Promise<Uint32Array> {
  if (isAscending(values)) return Uint32Array.from(values.keys());
  const order = await placesInOrder(values, pace);
  const value = (at: number | undefined) => values[at ?? 0];
  return order.filter((at, index) => index === 0 || value(at) !== value(order[index - 1]));
}

function isAscending(values: Float64Array): boolean {
  return values.every((value, at) => at === 0 || value > (values[at - 1] ?? 0));
}
