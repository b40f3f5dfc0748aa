/** Compares two snapshots by the transaction logs of the commits between them. */
import type { CallContext } from "#core/byte-source.ts";
import { finding, nodeAt } from "#core/findings/finding.ts";
import type { ComparisonReason, NodeChange, SnapshotChanges } from "#core/repository.ts";
import type { MovedNode, TransactionLog, UpdatedChunks } from "#formats/icechunk/index.ts";
import { startPace } from "../pace.ts";
import type { ArrayPair, SnapshotSide, SideNode } from "./snapshot-side.ts";
import { cellCollector, type CellBudget, type CellCollector, type ChangedCells } from "./changed-cells.ts";
import { eachLog, noLogs, type CommitChain, type NoLogs } from "./commit-logs.ts";
import type { OpenedRepository } from "./set-repository.ts";
import { attempt } from "#core/basics.ts";
import { cut } from "#core/words.ts";
import { jsonChanges, type JsonChange } from "#core/json/json-changes.ts";
import type { JsonValue } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import { sameBytes } from "#core/bytes.ts";

export interface Compared extends Pick<SnapshotChanges, "method" | "because" | "nodes" | "uncompared" | "findings"> {
  readonly kind: "compared";
  readonly cells: ReadonlyMap<ArrayPair, ChangedCells>;
}

export interface ComparedSides {
  readonly from: SnapshotSide;
  readonly to: SnapshotSide;
  readonly pairs: readonly ArrayPair[];
}

interface PairCells {
  readonly pair: ArrayPair;
  readonly cells: CellCollector;
}

/** All that the logs name of the nodes of both snapshots, in one: others were made and deleted in between. */
type LogSum = ReturnType<typeof newSum>;

/** Logs name all that was touched: a chunk set back to what it was counts as set. */
export async function compareByLogs(
  opened: OpenedRepository,
  chain: CommitChain,
  sides: ComparedSides,
  budget: CellBudget,
  context: CallContext,
): Promise<Compared | NoLogs> {
  const sum = newSum(sides, budget);
  const failed = await eachLog(opened, chain, (log) => addLog(sum, log, context), context);
  if (failed !== undefined) return failed;
  const [older, newer] = chain.reversed ? [sides.to, sides.from] : [sides.from, sides.to];
  const untold = untoldNode(older, newer, sum);
  if (untold !== undefined) return noLogs(untold);
  return {
    kind: "compared",
    method: "logs",
    because: { kind: "logs", reversed: chain.reversed, commits: chain.commits, expired: chain.expired },
    nodes: nodesOf(sides, chain, sum),
    cells: new Map(sum.pairs.map(({ pair, cells }) => [pair, cells.finish()])),
    uncompared: 0,
    findings: [...sum.wrongRank].map(([path, count]) => finding("icechunk-log-wrong-rank", nodeAt(path), {}, count)),
  };
}

function newSum(sides: ComparedSides, budget: CellBudget) {
  const all = sides.pairs.map((pair): PairCells => ({ pair, cells: cellCollector(pair.box, true, budget) }));
  const arrays = new Map<string, PairCells>();
  for (const one of all) if (one.pair.from !== undefined) arrays.set(one.pair.from.id, one);
  // An array with other dimensions now is in two pairs: the chunks that logs name count as the newer's.
  for (const one of all) if (one.pair.to !== undefined) arrays.set(one.pair.to.id, one);
  return {
    sides,
    made: new Set<string>(),
    deleted: new Set<string>(),
    updated: new Set<string>(),
    /** First path of a moved node of `to`, by its id. */
    firstPaths: new Map<string, string>(),
    /** Ids of the nodes of `to`, where a log names a moved node only by its path. */
    byPath: new Map([...sides.to.nodes.values()].map(({ id, path }) => [path, id])),
    /** Pairs in order; a pair may have two ids. */
    pairs: all,
    /** Arrays by id. */
    arrays,
    /** Coordinates with more or fewer dimensions than the array, by its path. */
    wrongRank: new Map<string, number>(),
  };
}

async function addLog(sum: LogSum, log: TransactionLog, context: CallContext): Promise<void> {
  const { from, to } = sum.sides;
  const addAll = (into: Set<string>, ...lists: readonly (readonly string[])[]): void => {
    for (const list of lists) for (const id of list) if (from.nodes.has(id) || to.nodes.has(id)) into.add(id);
  };
  addAll(sum.made, log.newGroups, log.newArrays);
  addAll(sum.deleted, log.deletedGroups, log.deletedArrays);
  addAll(sum.updated, log.updatedGroups, log.updatedArrays);
  for (const move of log.moved) addMove(sum, move);
  for (const chunks of log.updatedChunks) await addChunks(sum, chunks, context);
}

function addMove({ sides, byPath, firstPaths }: LogSum, { node, from, to }: MovedNode): void {
  const id = node ?? byPath.get(to.replace(/^\//, ""));
  if (id === undefined || !sides.to.nodes.has(id) || firstPaths.has(id)) return;
  firstPaths.set(id, from.replace(/^\//, ""));
}

/** Arrays in neither snapshot were created and deleted in between. */
async function addChunks(sum: LogSum, chunks: UpdatedChunks, context: CallContext): Promise<void> {
  const array = sum.arrays.get(chunks.node);
  if (array === undefined) return;
  const { pair, cells } = array;
  const { coordinates, starts, count } = chunks;
  const rank = (pair.to ?? pair.from)?.grid.length ?? 0;
  const pace = startPace(context, "Reading transaction logs", count);
  for (let index = 0; index < count; index += 1) {
    if ((index & 4095) === 0) await pace.yieldIfDue(index);
    const [start, end] = [starts[index] ?? 0, starts[index + 1] ?? 0];
    if (end - start !== rank) sum.wrongRank.set(pair.path, (sum.wrongRank.get(pair.path) ?? 0) + 1);
    else addCell(cells, pair, coordinates.subarray(start, end));
  }
}

/** Chunks that neither grid has were written or deleted while the array was larger. */
function addCell(cells: CellCollector, { box, from, to }: ArrayPair, at: Uint32Array): void {
  if (!isInGrid(from?.grid, at) && !isInGrid(to?.grid, at)) return;
  let ordinal = box === undefined ? NaN : 0;
  for (const [axis, length] of (box ?? []).entries()) {
    const cell = at[axis] ?? 0;
    ordinal = cell < length ? ordinal * length + cell : NaN;
  }
  if (Number.isNaN(ordinal)) cells.addOutside(Array.from(at), "set");
  else cells.add(ordinal, "set");
}

const isInGrid = (grid: readonly number[] | undefined, at: Uint32Array): boolean =>
  grid?.every((length, axis) => (at[axis] ?? 0) < length) === true;

/** The first difference between the two that the logs do not name; then they are not the logs of all that happened. */
function untoldNode(
  older: SnapshotSide,
  newer: SnapshotSide,
  { made, deleted, updated }: LogSum,
): ComparisonReason | undefined {
  for (const node of newer.nodes.values()) {
    const { id, path } = node;
    const old = older.nodes.get(id);
    if (old === undefined && !made.has(id)) return { kind: "log-incomplete", path, change: "created" };
    if (isUpdated(old, node) && !updated.has(id)) return { kind: "log-incomplete", path, change: "updated" };
  }
  for (const { id, path } of older.nodes.values()) {
    if (!newer.nodes.has(id) && !deleted.has(id)) return { kind: "log-incomplete", path, change: "deleted" };
  }
  return undefined;
}

function nodesOf({ from, to }: ComparedSides, { reversed }: CommitChain, sum: LogSum): readonly NodeChange[] {
  if (reversed) {
    const both = [...sum.updated].filter((id) => from.nodes.has(id) && to.nodes.has(id));
    return nodeChanges(from, to, { updated: new Set(both), firstPaths: new Map() });
  }
  return nodeChanges(from, to, sum);
}

// Nodes of two snapshots: what was added, removed, moved, and whose metadata changed.

/** Facts that logs add to the two snapshots. */
export interface LoggedNodes {
  /** Ids. */
  readonly updated: ReadonlySet<string>;
  /** First path of a node that is only in `to`, by its id. */
  readonly firstPaths: ReadonlyMap<string, string>;
}

/**
 * Changes by id. Without logs, "updated" are nodes of both with different metadata; with logs all nodes that these
 * name, as in the official reader, also if the metadata are the same in the end or the node is new.
 */
export function nodeChanges(from: SnapshotSide, to: SnapshotSide, logged?: LoggedNodes): readonly NodeChange[] {
  const changes: NodeChange[] = [];
  const room = { members: MAX_MEMBERS };
  for (const node of to.nodes.values()) {
    const old = from.nodes.get(node.id);
    const before = old?.path ?? logged?.firstPaths.get(node.id) ?? node.path;
    if (old === undefined) changes.push(changeOf("added", node));
    if (before !== node.path) changes.push({ ...changeOf("moved", node), before });
    if (logged?.updated.has(node.id) ?? isUpdated(old, node)) {
      changes.push({ ...changeOf("updated", node), ...(old === undefined ? {} : membersOf(old, node, room)) });
    }
  }
  for (const node of from.nodes.values()) {
    if (to.nodes.has(node.id)) continue;
    changes.push(changeOf("removed", node));
    if (logged?.updated.has(node.id) === true) changes.push(changeOf("updated", node));
  }
  return changes.sort(byPath);
}

/** For all nodes together. */
const MAX_MEMBERS = 2000;
const MAX_MEMBERS_OF_NODE = 50;
const MAX_CHARACTERS = 300;
/** Larger documents are not compared: the page must stay quick to draw. */
const MAX_DOCUMENT_BYTES = 2 ** 20;

/** Nothing where a document cannot be read, or there is no more room. */
function membersOf(old: SideNode, node: SideNode, room: { members: number }): Pick<NodeChange, "members"> {
  if (room.members <= 0 || Math.max(old.metadata.length, node.metadata.length) > MAX_DOCUMENT_BYTES) return {};
  const [before, after] = [valueOf(old), valueOf(node)];
  if (before === undefined || after === undefined) return {};
  const all = jsonChanges(before, after);
  const changes = all.slice(0, Math.min(MAX_MEMBERS_OF_NODE, room.members)).map(withShortTexts);
  room.members -= changes.length;
  return { members: { changes, count: all.length } };
}

function valueOf({ metadata }: SideNode): JsonValue | undefined {
  return attempt(() => parseJson(new TextDecoder().decode(metadata)).value);
}

const withShortTexts = ({ path, before, after }: JsonChange): JsonChange => ({
  path: cut(path, MAX_CHARACTERS),
  ...(before === undefined ? {} : { before: cut(before, MAX_CHARACTERS) }),
  ...(after === undefined ? {} : { after: cut(after, MAX_CHARACTERS) }),
});

const changeOf = (kind: NodeChange["kind"], { kind: node, path }: SideNode): NodeChange => ({ kind, node, path });

const isUpdated = (old: SideNode | undefined, node: SideNode): boolean =>
  old !== undefined && !sameBytes(old.metadata, node.metadata);

const byPath = (a: NodeChange, b: NodeChange): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
