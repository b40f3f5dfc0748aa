/** Facts that the grid gives about a chunk: the targets that its bytes may be in, and the chunks around it. */
import type { CallContext } from "#core/byte-source.ts";
import { gridOf, ordinalOf, sameEdges } from "#core/metadata/chunk-grid.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { FIRST_SPECIAL_TARGET, TARGET_NULL, type ReferenceTable } from "#core/table/reference-table.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { rowOf, type ArrayIndex } from "#engine/table/array-index.ts";
import { columnsAt } from "#engine/table/batch.ts";
import { referenceAt } from "#engine/chunk/chunk-reference.ts";

export interface GridPlace {
  readonly node: ArrayNode;
  readonly grid: readonly number[];
  readonly ordinal: number;
  readonly index: ArrayIndex;
  /** Row of the chunk's own reference; -1 if there is none. */
  readonly row: number;
  /** Targets of chunks beside it and of other arrays at its place, those that speak loudest first. */
  readonly targets: readonly TargetVote[];
}

export interface TargetVote {
  readonly target: string | null;
  readonly votes: number;
  /** A row that has it. */
  readonly row: number;
}

/** `undefined` where the array has no references at all. */
export async function gridPlaceOf(
  set: EngineSet,
  node: ArrayNode,
  coordinates: readonly number[],
  context: CallContext,
): Promise<GridPlace | undefined> {
  const { shape, chunks } = node.metadata;
  const grid = gridOf(shape, chunks);
  const ordinal = ordinalOf(grid, coordinates);
  const id = set.index.arrayIds.get(node.path);
  if (ordinal === undefined || id === undefined) return undefined;
  const index = await set.index.arrayIndex(id, context);
  const near = [...besideIn(index, grid, coordinates), ...(await besideInOthers(set, node, coordinates, context))];
  const row = rowOf(index, ordinal);
  const votes = new Map<string | null, TargetVote>();
  for (const one of near) {
    const target = one.row === row ? undefined : targetOfRow(set.table, one.row);
    if (target === undefined) continue;
    const known = votes.get(target);
    votes.set(target, { target, row: known?.row ?? one.row, votes: (known?.votes ?? 0) + one.weight });
  }
  const targets = [...votes.values()].toSorted((a, b) => b.votes - a.votes);
  return { node, grid, ordinal, index, row, targets };
}

interface Beside {
  readonly row: number;
  readonly weight: number;
}

/** Files follow each other along the first dimension as a rule: what lies beside a chunk there counts less. */
const ALONG_FIRST = 0.3;
const ELSEWHERE = 1;
const OF_OTHER_ARRAY = 1.5;
const MAX_STEPS = 2;

function besideIn(index: ArrayIndex, grid: readonly number[], coordinates: readonly number[]): readonly Beside[] {
  const steps = Array.from({ length: MAX_STEPS }, (_, at) => at + 1).flatMap((step) => [-step, step]);
  return grid.flatMap((_, axis) =>
    steps.flatMap((step): readonly Beside[] => {
      const ordinal = ordinalOf(grid, coordinates.with(axis, (coordinates[axis] ?? 0) + step));
      const row = ordinal === undefined ? -1 : rowOf(index, ordinal);
      return row < 0 ? [] : [{ row, weight: (axis === 0 ? ALONG_FIRST : ELSEWHERE) / Math.abs(step) }];
    }),
  );
}

const MAX_OTHER_ARRAYS = 6;

/** Arrays that are cut alike along the first dimension, at the same place of it. */
async function besideInOthers(
  set: EngineSet,
  { path, metadata }: ArrayNode,
  coordinates: readonly number[],
  context: CallContext,
): Promise<readonly Beside[]> {
  const name = metadata.dimensionNames?.[0];
  const at = coordinates[0];
  if (name === undefined || at === undefined) return [];
  const others = [...set.hierarchy.nodes.values()].filter(
    (node): node is ArrayNode =>
      node.kind === "array" &&
      node.path !== path &&
      node.metadata.dimensionNames?.[0] === name &&
      node.metadata.shape[0] === metadata.shape[0] &&
      sameEdges(node.metadata.chunks[0], metadata.chunks[0]),
  );
  const found: Beside[] = [];
  for (const other of others.slice(0, MAX_OTHER_ARRAYS)) {
    const id = set.index.arrayIds.get(other.path);
    const grid = gridOf(other.metadata.shape, other.metadata.chunks);
    const ordinal = ordinalOf(grid, [at, ...grid.slice(1).map(() => 0)]);
    const row =
      id === undefined || ordinal === undefined ? -1 : rowOf(await set.index.arrayIndex(id, context), ordinal);
    if (row >= 0) found.push({ row, weight: OF_OTHER_ARRAY });
  }
  return found;
}

/** `undefined` where the row has no target. */
export function targetOfRow(table: ReferenceTable, row: number): string | null | undefined {
  const { target } = columnsAt(table, row);
  if (target === TARGET_NULL) return null;
  return target >= FIRST_SPECIAL_TARGET ? undefined : table.targets.text(target);
}

export interface NearChunk {
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

const MAX_LOOKED = 64;

/** The nearest chunk before (`step` -1) or behind it in the grid whose bytes are in the target. */
export function nearestIn(
  set: EngineSet,
  { index, ordinal }: GridPlace,
  target: string | null,
  step: 1 | -1,
): NearChunk | undefined {
  for (let at = ordinal + step, looked = 0; at >= 0 && at < index.cells && looked < MAX_LOOKED; at += step, looked++) {
    const row = rowOf(index, at);
    if (row < 0 || targetOfRow(set.table, row) !== target) continue;
    const found = rangeOfRow(set, row);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function rangeOfRow(set: EngineSet, row: number): NearChunk | undefined {
  const { reference } = referenceAt(set, row);
  if (reference.kind !== "range") return undefined;
  return { row, start: reference.offset, end: reference.offset + reference.length };
}
