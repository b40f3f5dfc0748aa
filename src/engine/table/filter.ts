/** Which entries of a scope a filter lets through, and the facets beside it, in one pass. */
import type { CallContext } from "../../core/byte-source.ts";
import { failure } from "../../core/findings/failure.ts";
import { nodeAt } from "../../core/findings/place.ts";
import type { Facets, ViewFilter } from "../../core/open-set.ts";
import { FIRST_SPECIAL_TARGET } from "../../core/reference-table.ts";
import { STATE_CODE } from "../../core/reference.ts";
import { BATCH, eachBatch, type Batch, type BatchColumns } from "./batch.ts";
import { cellMask, markMismatches, newTableBudget } from "./cell-mask.ts";
import { FAILS_OTHER, FAILS_RESULT, FAILS_STATE, FAILS_TARGET, facetCounter } from "./facets.ts";
import { keysContaining, type KeyMatch } from "./key-text.ts";
import { NO_READINGS, readEntries, resultMarker, type ReadEntries, type Readings } from "./read-entries.ts";
import { startPace } from "../pace.ts";
import type { Scope } from "./scope.ts";
import { answered, type TableIndex } from "./table-index.ts";

export interface Filtered {
  /** Entries of the scope in order; `undefined` where none is filtered away. */
  readonly list: Uint32Array<ArrayBuffer> | undefined;
  readonly facets: Facets;
}

/** Throws `coordinates-need-an-array` and `dimension-unknown` where coordinates are filtered that are not there. */
export function filterScope(
  index: TableIndex,
  scope: Scope,
  filter: ViewFilter,
  context: CallContext,
  { results, version }: Readings = NO_READINGS,
): Promise<Filtered> {
  const question = JSON.stringify([scope.path, filter, version]);
  // What one comes back to from every filter has a place of its own.
  const kind = Object.values(filter).some((value) => value !== undefined) ? "filter" : "no filter";
  return answered(index, kind, question, async () => {
    const read = await readEntries(index, scope, results, context);
    return runFilter(index, scope, filter, read, context);
  });
}

async function runFilter(
  index: TableIndex,
  scope: Scope,
  filter: ViewFilter,
  read: ReadEntries,
  context: CallContext,
): Promise<Filtered> {
  const pace = startPace(context, "Filtering references", scope.count);
  await index.firstTargets.update(pace);
  const marks = marksOf(index, scope, filter, read);
  const counter = facetCounter(index, read);
  const listed = new Uint32Array(marks.length === 0 ? 0 : scope.count);
  const fails = new Uint8Array(BATCH);
  let rows = 0;
  const columns: BatchColumns = { cell: marks.some((mark) => mark.needsCell) };
  await eachBatch(index.table, scope, undefined, columns, pace, (batch) => {
    fails.fill(0);
    for (const mark of marks) mark.mark(batch, fails);
    counter.count(batch, fails);
    if (marks.length > 0) rows = appendPassing(batch, fails, listed, rows);
  });
  const facets = counter.facets();
  if (marks.length === 0 || rows === scope.count) return { list: undefined, facets };
  // A short list must not keep the memory of a long one.
  return { list: rows * 2 < listed.length ? listed.slice(0, rows) : listed.subarray(0, rows), facets };
}

function appendPassing({ size, entries }: Batch, fails: Uint8Array, listed: Uint32Array, rows: number): number {
  let at = rows;
  for (let i = 0; i < size; i += 1) {
    listed[at] = entries[i] as number;
    at += Number(fails[i] === 0);
  }
  return at;
}

/** One condition of the filter: sets its bit in `fails` for the rows that do not meet it. */
interface Mark {
  readonly needsCell: boolean;
  mark(batch: Batch, fails: Uint8Array): void;
}

function marksOf(index: TableIndex, scope: Scope, filter: ViewFilter, read: ReadEntries): readonly Mark[] {
  const { results = [], states, targets, targetText, keyText, coordinates, length } = filter;
  const marks: Mark[] = [];
  if (states !== undefined && states.length > 0) marks.push(markStates(states));
  if (targets !== undefined && targets.length > 0) marks.push(markTargets(targetsListed(index, targets), FAILS_TARGET));
  if (results.length > 0) marks.push({ needsCell: false, mark: resultMarker(read, results, FAILS_RESULT) });
  if (targetText) marks.push(markTargets(targetsContaining(index, targetText), FAILS_OTHER));
  if (keyText) marks.push(markKeys(index, keyText));
  if (coordinates !== undefined && coordinates.length > 0) marks.push(markCoordinates(scope, coordinates));
  if (length?.from !== undefined || length?.to !== undefined) marks.push(markLength(length));
  return marks;
}

function markStates(states: NonNullable<ViewFilter["states"]>): Mark {
  const bits = new Uint8Array(8).fill(FAILS_STATE);
  for (const state of states) bits[STATE_CODE[state]] = 0;
  return {
    needsCell: false,
    mark({ size, state }, fails) {
      for (let i = 0; i < size; i += 1) (fails[i] as number) |= bits[state[i] as number] as number;
    },
  };
}

/** Those with the same URLs too. */
function targetsListed({ table, firstTargets }: TableIndex, ids: readonly number[]): Uint8Array {
  const wanted = new Uint8Array(table.targets.count);
  for (const id of ids) if (id < wanted.length) wanted[firstTargets.of(id)] = 1;
  for (let id = 0; id < wanted.length; id += 1) wanted[id] = wanted[firstTargets.of(id)] ?? 0;
  return wanted;
}

function targetsContaining(index: TableIndex, text: string): Uint8Array {
  const { targets } = index.table;
  const wanted = new Uint8Array(targets.count);
  for (let id = 0; id < targets.count; id += 1) wanted[id] = Number(targets.text(id).includes(text));
  return wanted;
}

function markTargets(wanted: Uint8Array, bit: number): Mark {
  return {
    needsCell: false,
    mark({ size, target }, fails) {
      for (let i = 0; i < size; i += 1) {
        const id = target[i] as number;
        if (id >= FIRST_SPECIAL_TARGET || wanted[id] === 0) (fails[i] as number) |= bit;
      }
    },
  };
}

function markLength({ from = 0, to = Infinity }: NonNullable<ViewFilter["length"]>): Mark {
  const least = Math.max(0, from);
  return {
    needsCell: false,
    mark({ size, length }, fails) {
      for (let i = 0; i < size; i += 1) {
        const bytes = length[i] as number;
        if (bytes < least || bytes > to) (fails[i] as number) |= FAILS_OTHER;
      }
    },
  };
}

/** Keys are matched array by array; what an array's keys look like is worked out when its first row is met. */
function markKeys(index: TableIndex, text: string): Mark {
  const { table } = index;
  const matches: (KeyMatch | undefined)[] = Array.from({ length: table.arrays.length });
  const budget = newTableBudget();
  const strays = index.strays();
  const matchOf = (id: number): KeyMatch => {
    const slot = table.arrays[id];
    return (matches[id] ??= slot === undefined ? { kind: "none" } : keysContaining(text, slot, budget));
  };
  const strayMatches = (row: number): boolean => strays.list[strays.positionOf(row)]?.key.includes(text) ?? false;
  return {
    needsCell: true,
    mark(batch, fails) {
      const { rows, ordinal } = batch;
      eachRun(batch, (id, from, to) => {
        if (id >= 0) return markCells(matchOf(id), ordinal, from, to, fails);
        for (let i = from; i < to; i += 1) {
          if (!strayMatches((rows[i] as number) - 1)) (fails[i] as number) |= FAILS_OTHER;
        }
      });
    },
  };
}

/** Visits the stretches of rows of one array; of strays with the id -1. */
function eachRun({ size, array, ordinal }: Batch, visit: (id: number, from: number, to: number) => void): void {
  let from = 0;
  let id = -2;
  for (let i = 0; i < size; i += 1) {
    const of = (ordinal[i] as number) < 0 ? -1 : (array[i] as number);
    if (of === id) continue;
    if (i > from) visit(id, from, i);
    from = i;
    id = of;
  }
  if (size > from) visit(id, from, size);
}

function markCells(match: KeyMatch, ordinals: Float64Array, from: number, to: number, fails: Uint8Array): void {
  if (match.kind === "all") return;
  if (match.kind === "mask") return markMismatches(match.mask, ordinals, from, to, fails, FAILS_OTHER);
  for (let i = from; i < to; i += 1) {
    if (match.kind === "none" || !match.matches(ordinals[i] as number)) (fails[i] as number) |= FAILS_OTHER;
  }
}

type CoordinateRange = NonNullable<ViewFilter["coordinates"]>[number];

/** Strays have no coordinates: none passes. */
function markCoordinates(scope: Scope, ranges: readonly CoordinateRange[]): Mark {
  const grid = gridToFilter(scope, ranges);
  const inRange = (dimension: number, at: number): boolean =>
    ranges.every((range) => range.dimension !== dimension || (at >= range.from && at <= range.to));
  const mask = cellMask(grid, newTableBudget(), (dimension, at) => Number(inRange(dimension, at)));
  return {
    needsCell: true,
    mark(batch, fails) {
      eachRun(batch, (id, from, to) => {
        if (id < 0) fillFails(fails, from, to);
        else markMismatches(mask, batch.ordinal, from, to, fails, FAILS_OTHER);
      });
    },
  };
}

function fillFails(fails: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i += 1) (fails[i] as number) |= FAILS_OTHER;
}

function gridToFilter(scope: Scope, ranges: readonly CoordinateRange[]): readonly number[] {
  if (scope.array === undefined) throw failure("coordinates-need-an-array", nodeAt(scope.path), {});
  const grid = scope.array.index.grid ?? [];
  const unknown = ranges.find(({ dimension }) => !(dimension in grid));
  if (unknown === undefined || scope.array.index.grid === undefined) return grid;
  const facts = { dimension: unknown.dimension, dimensions: grid.length };
  throw failure("dimension-unknown", nodeAt(scope.path), facts);
}
