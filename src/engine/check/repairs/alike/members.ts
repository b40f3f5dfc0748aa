/** Which references a pattern may be the repair of: by one pass over the columns. */
import type { CallContext } from "../../../../core/byte-source.ts";
import { coordinatesOf } from "../../../../core/chunk-grid.ts";
import {
  ARRAY_NONE,
  BLOCK_ROWS,
  FIRST_SPECIAL_TARGET,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  TARGET_NULL,
  type ReferenceTable,
} from "../../../../core/reference-table.ts";
import type { EngineSet } from "../../../engine-set.ts";
import { chunkReference, referenceAt, type ChunkReference } from "../../../chunk/chunk-reference.ts";
import { startPace } from "../../../pace.ts";
import { eachBlock, rowOf } from "../../../table/array-index.ts";
import { ordinalOfRow } from "../../../table/batch.ts";
import { targetOfRow } from "../grid-place.ts";
import { changedTarget, type Pattern, type TargetRange } from "./pattern.ts";

/** A chunk of which the cause is told, with the row of its reference. */
export interface ToldChunk {
  readonly chunk: ChunkReference;
  readonly row: number;
}

export interface Told {
  readonly chunks: readonly ToldChunk[];
  /** Whether these are all chunks of the cause. */
  readonly isAll: boolean;
}

/** Rows are numbers: so many of a set are some megabytes. */
const MAX_ROWS = 2_000_000;

/** Groups of rows for which the pattern may hold, the one to be tried first at the head; each has all chunks told. */
export async function groupsOf(
  set: EngineSet,
  pattern: Pattern,
  told: Told,
  context: CallContext,
): Promise<readonly (readonly number[])[]> {
  const own = told.chunks.map(({ row }) => row);
  if (pattern.kind === "prefix") return kept([await rowsOfPrefix(set.table, pattern, context)], own);
  const [first] = told.chunks;
  const array = first === undefined ? undefined : set.index.arrayIds.get(first.chunk.node.path);
  if (array === undefined) return [];
  const all = await rangesOf(set.table, array, context);
  const targets = new Set(own.map((row) => targetOfRow(set.table, row)));
  const ofTargets = all.filter((row) => targets.has(targetOfRow(set.table, row)));
  const groups = ofTargets.length === all.length ? [all] : [all, ofTargets];
  return told.isAll ? [own, ...kept(groups, own)] : kept(groups, own);
}

function kept(groups: readonly (readonly number[])[], own: readonly number[]): readonly (readonly number[])[] {
  return groups.filter((rows) => {
    const known = new Set(rows);
    return rows.length > 0 && rows.length < MAX_ROWS && own.every((row) => known.has(row));
  });
}

/** Ranges of an array's chunks. */
async function rangesOf(table: ReferenceTable, id: number, context: CallContext): Promise<readonly number[]> {
  const rows: number[] = [];
  const pace = startPace(context, "Looking for references that are alike", table.rows);
  await eachBlock(table, pace, ({ array, ordinal, target, length }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      if (array[i] !== id || ordinal[i] === ORDINAL_STRAY || rows.length >= MAX_ROWS) continue;
      const isTarget = (target[i] as number) < FIRST_SPECIAL_TARGET || target[i] === TARGET_NULL;
      if (isTarget && length[i] !== LENGTH_WHOLE) rows.push(first + i);
    }
  });
  return rows;
}

/** Chunks whose target the pattern changes, whichever array's. */
async function rowsOfPrefix(
  table: ReferenceTable,
  pattern: Extract<Pattern, { kind: "prefix" }>,
  context: CallContext,
): Promise<readonly number[]> {
  const { targets } = table;
  const isMeant = new Uint8Array(targets.count);
  for (let id = 0; id < targets.count; id += 1) {
    if (changedTarget(pattern, targets.text(id)) !== undefined) isMeant[id] = 1;
  }
  const rows: number[] = [];
  const pace = startPace(context, "Looking for references that are alike", table.rows);
  await eachBlock(table, pace, ({ array, ordinal, target }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      if (isMeant[target[i] as number] !== 1 || rows.length >= MAX_ROWS) continue;
      if (array[i] !== ARRAY_NONE && ordinal[i] !== ORDINAL_STRAY) rows.push(first + i);
    }
  });
  return rows;
}

/** A chunk and its range, by row; `undefined` where it is no range. */
export interface Member {
  readonly row: number;
  readonly array: string;
  readonly coordinates: readonly number[];
  readonly range: TargetRange;
}

export function memberAt(set: EngineSet, row: number): Member | undefined {
  const { table } = set;
  const slot = table.arrays[table.blocks[Math.floor(row / BLOCK_ROWS)]?.array[row % BLOCK_ROWS] ?? ARRAY_NONE];
  const ordinal = ordinalOfRow(table, row);
  const { reference } = referenceAt(set, row);
  if (slot?.grid === undefined || ordinal < 0 || reference.kind !== "range") return undefined;
  const { target, offset, length } = reference;
  const coordinates = coordinatesOf(slot.grid, ordinal);
  return { row, array: slot.path, coordinates, range: { target, offset, length } };
}

/** The chunk with the row of its reference; `undefined` where it has none. Throws as `chunkReference` does. */
export async function toldChunk(
  set: EngineSet,
  node: ChunkReference["node"],
  coordinates: readonly number[],
  context: CallContext,
): Promise<ToldChunk | undefined> {
  const chunk = await chunkReference(set, node, coordinates, context);
  const id = set.index.arrayIds.get(node.path);
  const row = id === undefined ? -1 : rowOf(await set.index.arrayIndex(id, context), chunk.ordinal);
  return row < 0 ? undefined : { chunk, row };
}
