/** Changes by an edit: every key of the edited set against the set as it was opened. */
import type { CallContext } from "#core/byte-source.ts";
import { LENGTH_BIG, ORDINAL_STRAY, TARGET_BAD, TARGET_INLINE, TARGET_NULL } from "#core/table/reference-table.ts";
import type { TargetDictionary } from "#core/table/reference-table.ts";
import { sameReference } from "#core/table/reference.ts";
import type { ChangeCounts } from "#core/studio.ts";
import { eachBlock } from "../table/array-index.ts";
import { referenceAt } from "../chunk/chunk-reference.ts";
import { columnsAt, ordinalOfRow } from "../table/batch.ts";
import { startPace } from "../pace.ts";
import type { DocumentSet } from "../engine-set.ts";
import { rowFinder, keyOfRow, type DocumentIndex } from "./document-index.ts";
import { sameBytes } from "#core/bytes.ts";

/** 0 is a row that did not change. */
export const ADDED = 1;
export const CHANGED = 2;

export interface Changes {
  readonly counts: ChangeCounts;
  /** A code for each position of the edited set. */
  readonly codes: Uint8Array;
  /** Positions in the set as opened whose keys are gone, ascending. */
  readonly removed: readonly number[];
}

interface Found {
  /** 1 for each position of the base whose key the draft has too. */
  readonly kept: Uint8Array;
  readonly codes: Uint8Array;
}

export async function compareSets(base: DocumentIndex, draft: DocumentIndex, context: CallContext): Promise<Changes> {
  const found = { kept: new Uint8Array(base.order.total), codes: new Uint8Array(draft.order.total) };
  compareMetadata(base, draft, found);
  await compareRows(base, draft, found, context);
  const removed: number[] = [];
  for (const [position, kept] of found.kept.entries()) if (kept === 0) removed.push(position);
  let [added, changed] = [0, 0];
  for (const code of found.codes) {
    added += Number(code === ADDED);
    changed += Number(code === CHANGED);
  }
  return { counts: { added, removed: removed.length, changed }, codes: found.codes, removed };
}

function compareMetadata(base: DocumentIndex, draft: DocumentIndex, { kept, codes }: Found): void {
  for (const [index, { key, value }] of draft.metadata.entries()) {
    const position = draft.order.positionOf({ kind: "metadata", index });
    const before = base.metadataIndex().get(key);
    const old = before === undefined ? undefined : base.metadata[before]?.value;
    if (before === undefined || old === undefined) codes[position] = ADDED;
    else {
      kept[base.order.positionOf({ kind: "metadata", index: before })] = 1;
      if (!sameReference(old, value)) codes[position] = CHANGED;
    }
  }
}

/** ASCII without escapes: other bytes are another text. */
const isPlain = (bytes: Uint8Array): boolean => bytes.every((byte) => byte <= 127 && byte !== 92);

/** Positions of rows in order need no search: the count of metadata entries before only grows. */
function rowPositions({ metadata }: DocumentIndex): (row: number) => number {
  let entries = 0;
  return (row) => {
    while ((metadata[entries]?.row ?? Number.POSITIVE_INFINITY) <= row) entries += 1;
    return row + entries;
  };
}

async function compareRows(
  base: DocumentIndex,
  draft: DocumentIndex,
  { kept, codes }: Found,
  context: CallContext,
): Promise<void> {
  const { table } = draft.set;
  const same = valueComparison(base.set, draft.set);
  const rowInBase = baseRows(base, draft);
  const positionOf = rowPositions(draft);
  const pace = startPace(context, "Comparing with the set as opened", table.rows);
  await eachBlock(table, pace, ({ array, ordinal }, first, count) => {
    for (let row = first; row < first + count; row += 1) {
      const old = rowInBase(row, array[row - first] as number, ordinal[row - first] as number);
      if (old < 0) codes[positionOf(row)] = ADDED;
      else {
        kept[base.order.positionOfRow(old)] = 1;
        if (!same(old, row)) codes[positionOf(row)] = CHANGED;
      }
    }
  });
}

/** If an array has the same grid in both, equal ordinals are the same chunk; otherwise rows are matched by key. */
function baseRows(base: DocumentIndex, draft: DocumentIndex): (row: number, array: number, ordinal: number) => number {
  const finder = rowFinder(base.set.index);
  const { arrays } = base.set.table;
  const partners = draft.set.table.arrays.map(({ path, grid, separator }) => {
    const id = base.set.index.arrayIds.get(path);
    const other = id === undefined ? undefined : arrays[id];
    const alike = other?.separator === separator && grid !== undefined && other.grid?.join() === grid.join();
    return alike && id !== undefined ? id : -1;
  });
  const rowOfStray = strayRows(base, draft);
  return (row, array, ordinal) => {
    if (ordinal === ORDINAL_STRAY) return rowOfStray(row);
    const partner = partners[array] ?? -1;
    if (partner < 0) return finder.rowOfKey(keyOfRow(draft.set, row));
    return finder.rowOfCell(partner, ordinalOfRow(draft.set.table, row));
  };
}

/**
 * Rows in the base of the stray keys in rows of the draft, asked in order: mostly the next of the base has the very key,
 * so that it need not be looked for.
 */
function strayRows(base: DocumentIndex, draft: DocumentIndex): (row: number) => number {
  const finder = rowFinder(base.set.index);
  let at = 0;
  let next = 0;
  return (row) => {
    const own = draft.set.index.strays();
    const before = base.set.index.strays();
    while ((own.list[at]?.row ?? row) < row) at += 1;
    const key = own.list[at]?.key ?? keyOfRow(draft.set, row);
    const guess = before.list[next];
    const found = guess?.key === key ? guess.row : finder.rowOfKey(key);
    const position = found < 0 ? -1 : before.positionOf(found);
    if (position >= 0) next = position + 1;
    return found;
  };
}

/** Compares the values of two rows. Targets have other ids in the two tables: their texts decide, once a pair. */
function valueComparison(base: DocumentSet, draft: DocumentSet): (baseRow: number, draftRow: number) => boolean {
  const partners = new Float64Array(draft.table.targets.count).fill(-1);
  const sameTarget = (old: number, id: number): boolean => {
    if (partners[id] === old) return true;
    if (!isSameTarget(base.table.targets, old, draft.table.targets, id)) return false;
    partners[id] = old;
    return true;
  };
  return (baseRow, draftRow) => {
    const [old, now] = [columnsAt(base.table, baseRow), columnsAt(draft.table, draftRow)];
    const kinds = [old.target, now.target];
    if (kinds.includes(TARGET_INLINE) || kinds.includes(TARGET_BAD))
      return old.target === now.target && sameContent(base, baseRow, draft, draftRow);
    const same = kinds.includes(TARGET_NULL) ? old.target === now.target : sameTarget(old.target, now.target);
    if (!same || old.offset !== now.offset || old.length !== now.length) return false;
    return now.length !== LENGTH_BIG || base.table.bigLengths.get(baseRow) === draft.table.bigLengths.get(draftRow);
  };
}

/**
 * Compares targets by their bytes if possible; making texts of a hundred thousand URLs takes longer than all else here.
 */
function isSameTarget(base: TargetDictionary, old: number, draft: TargetDictionary, id: number): boolean {
  const [before, now] = [base.raw?.(old), draft.raw?.(id)];
  if (before !== undefined && now !== undefined) {
    if (sameBytes(before, now)) return true;
    if (isPlain(before) && isPlain(now)) return false;
  }
  return base.text(old) === draft.text(id);
}

/** Inline values as written, else by what they mean: JSON may spell them in several ways. */
function sameContent(base: DocumentSet, baseRow: number, draft: DocumentSet, draftRow: number): boolean {
  const rawAt = ({ table }: DocumentSet, row: number) => {
    const { target, offset, length } = columnsAt(table, row);
    return target === TARGET_INLINE ? table.inline.slice(offset, length) : undefined;
  };
  const [before, now] = [rawAt(base, baseRow), rawAt(draft, draftRow)];
  if (before !== undefined && now !== undefined && sameBytes(before, now)) return true;
  const [{ reference: old }, { reference }] = [referenceAt(base, baseRow), referenceAt(draft, draftRow)];
  // An inline value that cannot be decoded is cut where it is shown.
  return (before === undefined || old.kind === "inline") && sameReference(old, reference);
}
