/** What an edit changed: every key of the edited set against the set as it was opened. */
import type { CallContext } from "../../core/byte-source.ts";
import {
  LENGTH_BIG,
  ORDINAL_STRAY,
  TARGET_BAD,
  TARGET_INLINE,
  TARGET_NULL,
  type ReferenceTable,
  type TargetDictionary,
} from "../../core/table/reference-table.ts";
import type { Reference } from "../../core/table/reference.ts";
import type { ChangeCounts } from "../../core/studio.ts";
import { eachBlock } from "../table/array-index.ts";
import { columnsAt, ordinalOfRow } from "../table/batch.ts";
import { startPace } from "../pace.ts";
import { rowFinder } from "./row-finder.ts";
import { keyOfRow, type DocumentIndex } from "./document-index.ts";
import { sameBytes } from "../../core/values/same-bytes.ts";

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

function sameReference(a: Reference, b: Reference): boolean {
  if (a.kind === "inline" && b.kind === "inline") return sameBytes(a.bytes, b.bytes);
  if (a.kind === "whole" && b.kind === "whole") return a.target === b.target;
  if (a.kind === "range" && b.kind === "range") {
    return a.target === b.target && a.offset === b.offset && a.length === b.length;
  }
  return a.kind === "bad" && b.kind === "bad" && a.written === b.written && a.reason === b.reason;
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
  const same = valueComparison(base.set.table, table);
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

/** Whether two rows have the same value. Targets have other ids in the two tables: their texts decide, once a pair. */
function valueComparison(base: ReferenceTable, draft: ReferenceTable): (baseRow: number, draftRow: number) => boolean {
  const partners = new Float64Array(draft.targets.count).fill(-1);
  const sameTarget = (old: number, id: number): boolean => {
    if (partners[id] === old) return true;
    if (!isSameTarget(base.targets, old, draft.targets, id)) return false;
    partners[id] = old;
    return true;
  };
  return (baseRow, draftRow) => {
    const [old, now] = [columnsAt(base, baseRow), columnsAt(draft, draftRow)];
    const [oldTarget, target] = [old.target, now.target];
    if (target === TARGET_INLINE || oldTarget === TARGET_INLINE) {
      return target === oldTarget && inlineText(base, baseRow) === inlineText(draft, draftRow);
    }
    if (target === TARGET_BAD || oldTarget === TARGET_BAD) {
      return target === oldTarget && sameBad(base, baseRow, draft, draftRow);
    }
    const same =
      target === TARGET_NULL || oldTarget === TARGET_NULL ? target === oldTarget : sameTarget(oldTarget, target);
    if (!same || old.offset !== now.offset || old.length !== now.length) return false;
    return now.length !== LENGTH_BIG || base.bigLengths.get(baseRow) === draft.bigLengths.get(draftRow);
  };
}

/** By their bytes where possible; making texts of a hundred thousand URLs takes longer than all else here. */
function isSameTarget(base: TargetDictionary, old: number, draft: TargetDictionary, id: number): boolean {
  const [before, now] = [base.raw?.(old), draft.raw?.(id)];
  if (before !== undefined && now !== undefined) {
    if (sameBytes(before, now)) return true;
    if (isPlain(before) && isPlain(now)) return false;
  }
  return base.text(old) === draft.text(id);
}

/** The text that inline values mean: their JSON may be spelled in several ways. */
function inlineText(table: ReferenceTable, row: number): string {
  const { offset, length } = columnsAt(table, row);
  const text = new TextDecoder().decode(table.inline.slice(offset, length));
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}

function sameBad(base: ReferenceTable, baseRow: number, draft: ReferenceTable, draftRow: number): boolean {
  const [old, now] = [base.bad.get(baseRow), draft.bad.get(draftRow)];
  return old?.written === now?.written && old?.reason === now?.reason;
}
