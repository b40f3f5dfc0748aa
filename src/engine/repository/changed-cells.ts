/**
 * The changed chunks of an array, eight bytes each: the ordinal in the box of its grids and the kind of change in one
 * number, in C order. Coordinates that are not in the box (of transaction logs: the array was larger in between) are kept
 * beside it.
 */
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { firstPlace } from "#core/basics.ts";
import { lowerBound } from "../table/array-index.ts";
import { CHANGES, type ChangedChunk, type ChangeKind } from "#core/repository.ts";

/** Changed chunks that may still be kept, of all arrays together. */
export interface CellBudget {
  left: number;
}

export const MAX_CHANGED = 10_000_000;
/** For grids whose chunks can be numbered: ordinals, times the number of kinds of change, are exact. */
export const MAX_CELLS = 2 ** 50;
/** Per array; and what each cell takes from the budget, being an object with a name. */
const MAX_OUTSIDE = 100_000;
const OUTSIDE_COST = 32;
const KINDS = CHANGES.length;
const FIRST_SLOTS = 256;

export interface ChangedCells {
  /** `undefined`: all are outside. */
  readonly box: readonly number[] | undefined;
  /** `ordinal * CHANGES.length + kind`, ascending. */
  readonly packed: Float64Array;
  /** Changes outside the grid, in C order. */
  readonly outside: readonly ChangedChunk[];
  /** Includes changes that were not kept. */
  readonly kinds: Readonly<Record<ChangeKind, number>>;
  readonly count: number;
  /** Changes that are counted only: of logs some may be the same chunk again. */
  readonly notKept: number;
}

export type CellCollector = ReturnType<typeof cellCollector>;

/** `repeats`: whether a chunk may be added more than once, which then counts once. */
export function cellCollector(box: readonly number[] | undefined, repeats: boolean, budget: CellBudget) {
  const slots: Slots = { packed: new Float64Array(0), used: 0, isFull: false };
  const outside = new Map<string, ChangedChunk>();
  const lost = new Map<ChangeKind, number>();
  const lose = (kind: ChangeKind): void => void lost.set(kind, (lost.get(kind) ?? 0) + 1);
  return {
    add(ordinal: number, kind: ChangeKind): void {
      if (slots.used === slots.packed.length) makeRoom(slots, repeats, budget);
      if (slots.used === slots.packed.length) lose(kind);
      else slots.packed[slots.used++] = pack(ordinal, kind);
    },
    /** Not in the box. */
    addOutside(coordinates: readonly number[], kind: ChangeKind): void {
      const name = coordinates.join("/");
      if (outside.has(name)) return;
      if (outside.size >= MAX_OUTSIDE || budget.left < OUTSIDE_COST) return lose(kind);
      budget.left -= OUTSIDE_COST;
      outside.set(name, { coordinates, kind });
    },
    /** The collector is done. */
    finish(): ChangedCells {
      const packed = distinct(slots.packed.subarray(0, slots.used), repeats).slice();
      budget.left += slots.packed.length - packed.length;
      const strays = [...outside.values()].sort((a, b) => inOrder(a.coordinates, b.coordinates));
      return { box, packed, outside: strays, ...countsByKind(packed, strays, lost) };
    },
  };
}

interface Slots {
  packed: Float64Array<ArrayBuffer>;
  used: number;
  /** There is no more room, and looking for repeats once more is not worth it. */
  isFull: boolean;
}

/** Least share of the slots that repeats must give back, where there is no other room: sorting is expensive. */
const LEAST_FREED = 1 / 4;

/** Twice the slots, as far as the budget goes; where chunks repeat, only if that leaves too few. */
function makeRoom(slots: Slots, repeats: boolean, budget: CellBudget): void {
  if (slots.isFull) return;
  if (repeats) slots.used = distinct(slots.packed.subarray(0, slots.used), true).length;
  if (slots.used < slots.packed.length / 2) return;
  const more = Math.min(Math.max(slots.packed.length, FIRST_SLOTS), budget.left);
  slots.isFull = more <= 0 && slots.packed.length - slots.used < slots.packed.length * LEAST_FREED;
  if (more <= 0) return;
  budget.left -= more;
  const grown = new Float64Array(slots.packed.length + more);
  grown.set(slots.packed.subarray(0, slots.used));
  slots.packed = grown;
}

/** Sorted in place; the part that holds each value once. */
function distinct(packed: Float64Array<ArrayBuffer>, repeats: boolean): Float64Array<ArrayBuffer> {
  packed.sort();
  if (!repeats) return packed;
  let kept = 0;
  for (const value of packed) {
    if (kept === 0 || packed[kept - 1] !== value) packed[kept++] = value;
  }
  return packed.subarray(0, kept);
}

function countsByKind(packed: Float64Array, outside: readonly ChangedChunk[], lost: ReadonlyMap<ChangeKind, number>) {
  const kinds = { set: 0, added: 0, removed: 0, changed: 0 };
  for (const value of packed) kinds[kindIn(value)] += 1;
  for (const { kind } of outside) kinds[kind] += 1;
  let notKept = 0;
  for (const [kind, count] of lost) {
    kinds[kind] += count;
    notKept += count;
  }
  return { kinds, count: packed.length + outside.length + notKept, notKept };
}

/** With these in the box instead; those that are counted only were set. */
export const withPacked = ({ box, outside, notKept }: ChangedCells, packed: Float64Array): ChangedCells => ({
  box,
  packed,
  outside,
  ...countsByKind(packed, outside, new Map([["set", notKept]])),
});

export const kindIn = (packed: number): ChangeKind => CHANGES[packed % KINDS] ?? "changed";
export const ordinalIn = (packed: number): number => Math.floor(packed / KINDS);
export const pack = (ordinal: number, kind: ChangeKind): number => ordinal * KINDS + CHANGES.indexOf(kind);

export function inOrder(a: readonly number[], b: readonly number[]): number {
  for (const [axis, cell] of a.entries()) {
    const other = b[axis];
    if (other === undefined) return 1;
    if (cell !== other) return cell - other;
  }
  return a.length - b.length;
}

/** Positions [from, to) of those kept, in C order. */
export function cellWindow(cells: ChangedCells, from: number, to: number): readonly ChangedChunk[] {
  const { box = [], packed, outside } = cells;
  const places = outside.map(({ coordinates }, index) => index + countBefore(cells, coordinates));
  const chunks: ChangedChunk[] = [];
  for (let at = from; at < Math.min(to, packed.length + outside.length); at += 1) {
    const before = lowerBound(places, at);
    const stray = places[before] === at ? outside[before] : undefined;
    const value = packed[at - before] ?? 0;
    chunks.push(stray ?? { coordinates: coordinatesOf(box, ordinalIn(value)), kind: kindIn(value) });
  }
  return chunks;
}

/** How many in the box come before coordinates outside it. */
const countBefore = ({ box = [], packed }: ChangedCells, coordinates: readonly number[]): number =>
  firstPlace(0, packed.length, (at) => inOrder(coordinatesOf(box, ordinalIn(packed[at] ?? 0)), coordinates) < 0);
