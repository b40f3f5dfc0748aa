/** Which entries of a scope a filter lets through, and the facets beside it, in one pass. */
import type { CallContext } from "#core/byte-source.ts";
import { chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { failure, nodeAt } from "#core/findings/finding.ts";
import type { Facets, ViewFilter } from "#core/open-set.ts";
import { type ArraySlot, FIRST_SPECIAL_TARGET } from "#core/table/reference-table.ts";
import { STATE_CODE } from "#core/table/reference.ts";
import { type Pace, startPace } from "../pace.ts";
import { BATCH, type Batch, type BatchColumns, eachBatch } from "./batch.ts";
import { type FacetCounter, facetCounter, FAILS_OTHER, FAILS_RESULT, FAILS_STATE, FAILS_TARGET } from "./facets.ts";
import { NO_READINGS, readEntries, type ReadEntries, type Readings, resultMarker } from "./read-entries.ts";
import { answered, type Scope, type TableIndex } from "./table-index.ts";

export interface Filtered {
  /** Entries of the scope in order; `undefined` where none is filtered away. */
  readonly list: Uint32Array<ArrayBuffer> | undefined;
  readonly facets: Facets;
}

/** Throws `coordinates-need-an-array` and `dimension-unknown` where coordinates are filtered that are not there. */
export async function filterScope(
  index: TableIndex,
  scope: Scope,
  filter: ViewFilter,
  context: CallContext,
  readings: Readings = NO_READINGS,
): Promise<Filtered> {
  const { keyText = "", textAs, ...others } = filter;
  if (keyText !== "" && textAs === undefined) {
    const as = (meaning: "key" | "file") =>
      filterScope(index, scope, { ...filter, textAs: meaning }, context, readings);
    const byKey = await as("key");
    if (byKey.list?.length !== 0 || others.targetText) return byKey;
    const byFile = await as("file");
    return byFile.list?.length === 0 ? byKey : byFile;
  }
  const { results, version } = readings;
  const question = JSON.stringify([scope.path, filter, version]);
  // The view without a filter, to which every filter returns, has a place of its own; so has each meaning of a text.
  const isFilter = Object.values(filter).some((value) => value !== undefined);
  const kind = isFilter ? `filter ${keyText === "" ? "" : textAs}` : "no filter";
  return answered(index, kind, question, async () => {
    const read = await readEntries(index, scope, results, context);
    const pace = startPace(context, "Filtering references", scope.count);
    await index.firstTargets.update(pace);
    const by = textAs === "file" && keyText !== "" ? { ...others, targetText: keyText } : filter;
    return runFilter(index, scope, marksOf(index, scope, by, read), facetCounter(index, read), pace);
  });
}

async function runFilter(index: TableIndex, scope: Scope, marks: readonly Mark[], counter: FacetCounter, pace: Pace) {
  const listed = new Uint32Array(marks.length === 0 ? 0 : scope.count);
  const fails = new Uint8Array(BATCH);
  let rows = 0;
  const columns: BatchColumns = { cell: index.table.strays.length > 0 || marks.some((mark) => mark.needsCell) };
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
  if (results.length > 0) {
    marks.push({ needsCell: false, mark: resultMarker(read, results, FAILS_RESULT) });
    if (index.table.strays.length > 0) marks.push({ needsCell: true, mark: markStrays });
  }
  if (targetText) marks.push(markTargets(targetsContaining(index, targetText), FAILS_OTHER));
  if (keyText) marks.push(markKeys(index, keyText));
  if (coordinates !== undefined && coordinates.length > 0) marks.push(markCoordinates(scope, coordinates));
  if (length?.from !== undefined || length?.to !== undefined) marks.push(markLength(length));
  return marks;
}

/** They are never read: no result is theirs. */
function markStrays({ size, ordinal }: Batch, fails: Uint8Array): void {
  for (let i = 0; i < size; i += 1) if ((ordinal[i] as number) < 0) (fails[i] as number) |= FAILS_RESULT;
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

// Which chunk keys of an array contain a text, without writing out the keys: the text is laid over the path and over
// the coordinates' digits in every way it fits, and each way becomes a question about the coordinates.

/** All cells of the array, none, cells that match a mask, or cells whose full key contains the text. */
type KeyMatch =
  | { readonly kind: "all" }
  | { readonly kind: "none" }
  | { readonly kind: "mask"; readonly mask: CellMask }
  | { readonly kind: "text"; matches(ordinal: number): boolean };

/** `text` is not empty. */
export function keysContaining(text: string, slot: ArraySlot, budget: TableBudget): KeyMatch {
  const prefix = slot.path === "" ? "" : `${slot.path}/`;
  const { grid, separator } = slot;
  if (prefix.includes(text)) return { kind: "all" };
  if (grid === undefined) return { kind: "none" };
  if (grid.length === 0) return { kind: `${prefix}0`.includes(text) ? "all" : "none" };
  const ways = [...waysInName(text, grid.length, separator), ...waysAcross(text, prefix, grid.length, separator)];
  if (ways.length === 0) return { kind: "none" };
  // More ways than a mask has bits: rare enough to write the keys out.
  if (ways.length > 32) return { kind: "text", matches: (ordinal) => chunkKeyOf(slot, ordinal).includes(text) };
  const mask = cellMask(grid, budget, (dimension, coordinate) => bitsOf(ways, dimension, coordinate));
  return { kind: "mask", mask };
}

const chunkKeyOf = ({ path, grid, separator }: ArraySlot, ordinal: number): string =>
  chunkKey(path, coordinatesOf(grid ?? [], ordinal), separator);

/** Condition on the digits of one coordinate. */
interface Digits {
  readonly place: "anywhere" | "start" | "end" | "whole";
  readonly value: number;
  /** 10 to the number of digits asked for, and the least number with that many digits. */
  readonly power: number;
  readonly least: number;
}

/** One way in which the text fits: conditions on some of the dimensions. */
type Way = ReadonlyMap<number, Digits>;

/** The text lies within the chunk's name, at any of the dimensions. */
function waysInName(text: string, rank: number, separator: string): readonly Way[] {
  const parts = partsOf(text, separator);
  if (parts === undefined) return [];
  const starts = Array.from({ length: Math.max(0, rank - parts.length + 1) }, (_, at) => at);
  if (parts.length === 1) return starts.flatMap((at) => wayOf(parts, at, ["anywhere"]));
  const middle = parts.slice(2).map((): Digits["place"] => "whole");
  return starts.flatMap((at) => wayOf(parts, at, ["end", ...middle, "start"]));
}

/** The text begins in the path and ends in the chunk's name. */
function waysAcross(text: string, prefix: string, rank: number, separator: string): readonly Way[] {
  const ways: Way[] = [];
  for (let split = Math.max(1, text.length - 20 * rank); split < text.length; split += 1) {
    if (!prefix.endsWith(text.slice(0, split))) continue;
    const parts = partsOf(text.slice(split), separator);
    if (parts === undefined || parts.length > rank) continue;
    const whole = parts.slice(1).map((): Digits["place"] => "whole");
    ways.push(...wayOf(parts, 0, [...whole, "start"]));
  }
  return ways;
}

function partsOf(text: string, separator: string): readonly string[] | undefined {
  const parts = text.split(separator);
  return parts.every((part) => /^\d{0,15}$/.test(part)) ? parts : undefined;
}

/** None where a condition cannot be met: a coordinate is never empty and has no leading zero. */
function wayOf(parts: readonly string[], first: number, places: readonly Digits["place"][]): readonly Way[] {
  const way = new Map<number, Digits>();
  for (const [at, part] of parts.entries()) {
    const place = places[at] ?? "whole";
    const fromStart = place === "start" || place === "whole";
    if (fromStart && part.length > 1 && part.startsWith("0")) return [];
    if (place === "whole" && part === "") return [];
    const least = part.length < 2 ? 0 : 10 ** (part.length - 1);
    if (part !== "") way.set(first + at, { place, value: Number(part), power: 10 ** part.length, least });
  }
  return [way];
}

function bitsOf(ways: readonly Way[], dimension: number, coordinate: number): number {
  let bits = 0;
  for (const [at, way] of ways.entries()) {
    const digits = way.get(dimension);
    if (digits === undefined || hasDigits(coordinate, digits)) bits |= 1 << at;
  }
  return bits;
}

function hasDigits(coordinate: number, { place, value, power, least }: Digits): boolean {
  if (place === "whole") return coordinate === value;
  if (place === "end") return coordinate % power === value && coordinate >= least;
  let rest = coordinate;
  if (place === "start") {
    while (rest >= power) rest = Math.floor(rest / 10);
    return rest === value;
  }
  for (; rest >= least; rest = Math.floor(rest / 10)) {
    if (rest % power === value) return true;
    if (rest < 10) return false;
  }
  return false;
}

// Asks many cells of one grid the same question about their chunk coordinates. A question is up to 32 alternatives, a
// bit each; a coordinate leaves the bits of the alternatives it agrees with, and a cell matches where a bit is left
// after all its coordinates. The bits of a coordinate are looked up; neighbouring short dimensions share one look-up.

type CellMask = readonly MaskAxis[];

interface MaskAxis {
  readonly size: number;
  /** Absent where the budget does not allow a table. */
  readonly table: Uint32Array | undefined;
  readonly bitsOf: (at: number) => number;
}

/** How many coordinates may still be tabled; shared by the masks of one question, so that many grids stay bounded. */
export interface TableBudget {
  left: number;
}

export const newTableBudget = (): TableBudget => ({ left: 1 << 22 });

/** Neighbours are folded into one axis up to this many cells: the table stays in the processor's cache. */
const LONGEST_FOLDED = 1 << 14;

/** `bitsAlong` gives the bits that a coordinate along a dimension leaves. */
function cellMask(
  grid: readonly number[],
  budget: TableBudget,
  bitsAlong: (dimension: number, coordinate: number) => number,
): CellMask {
  const axes: MaskAxis[] = [];
  for (const [dimension, size] of grid.entries()) {
    const axis = tabled({ size, table: undefined, bitsOf: (at) => bitsAlong(dimension, at) }, budget);
    const before = axes.at(-1);
    if (before !== undefined && before.size * size <= LONGEST_FOLDED) axes.splice(-1, 1, folded(before, axis, budget));
    else axes.push(axis);
  }
  return axes;
}

/** Sets `bit` in `fails[i]` for each ordinal from position `from` to `to` (excluded) that does not match. */
export function markMismatches(
  mask: CellMask,
  ordinals: Float64Array,
  from: number,
  to: number,
  fails: Uint8Array,
  bit: number,
): void {
  const inner = mask.at(-1);
  if (inner?.table === undefined) {
    for (let i = from; i < to; i += 1) if (bitsOfCell(mask, ordinals[i] as number) === 0) (fails[i] as number) |= bit;
    return;
  }
  const { size, table } = inner;
  const outer = mask.slice(0, -1);
  // Most cells follow the one before along the innermost axis: the others are asked about when they change.
  for (let i = from; i < to;) {
    let ordinal = ordinals[i] as number;
    const before = Math.floor(ordinal / size);
    const bits = bitsOfCell(outer, before);
    let at = ordinal - before * size;
    do {
      if ((bits & (table[at] as number)) === 0) (fails[i] as number) |= bit;
      at += 1;
      i += 1;
      ordinal += 1;
    } while (i < to && at < size && ordinals[i] === ordinal);
  }
}

/**
 * The alternatives that all coordinates of the cell with that ordinal (C order) agree with; all, without dimensions.
 */
function bitsOfCell(axes: CellMask, ordinal: number): number {
  let rest = ordinal;
  let bits = 0xffff_ffff;
  for (let at = axes.length - 1; at >= 0; at -= 1) {
    const axis = axes[at] as MaskAxis;
    const before = at === 0 ? 0 : Math.floor(rest / axis.size);
    bits &= bitsAt(axis, rest - before * axis.size);
    if (bits === 0) return 0;
    rest = before;
  }
  return bits;
}

const bitsAt = ({ table, bitsOf }: MaskAxis, at: number): number =>
  table === undefined ? bitsOf(at) : (table[at] as number);

function tabled(axis: MaskAxis, budget: TableBudget): MaskAxis {
  if (axis.size > budget.left) return axis;
  budget.left -= axis.size;
  const table = new Uint32Array(axis.size);
  for (let at = 0; at < axis.size; at += 1) table[at] = axis.bitsOf(at);
  return { ...axis, table };
}

function folded(outer: MaskAxis, inner: MaskAxis, budget: TableBudget): MaskAxis {
  const size = outer.size * inner.size;
  const bitsOf = (at: number): number => {
    const before = Math.floor(at / inner.size);
    return bitsAt(outer, before) & bitsAt(inner, at - before * inner.size);
  };
  return tabled({ size, table: undefined, bitsOf }, budget);
}
