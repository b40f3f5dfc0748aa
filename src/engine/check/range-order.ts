/** Ranges by target and offset, in columns: what lies beside what in a file. */
import type { CallContext } from "../../core/byte-source.ts";
import {
  BLOCK_ROWS,
  FIRST_SPECIAL_TARGET,
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  type ReferenceTable,
} from "../../core/table/reference-table.ts";
import { startPace, type Pace } from "../pace.ts";
import { eachBlock } from "../table/array-index.ts";
import { placesInOrder } from "../table/radix.ts";
import type { TableIndex } from "../table/table-index.ts";

/** A place in it is what a range is known by: those of a target together, by offset. */
export interface RangeOrder {
  /** Row of a place; only of places in windows whose rows are kept, or which is being seen. */
  readonly rowAt: (place: number) => number;
  /** Where the ranges of a target begin; one more than there are targets. */
  readonly starts: Uint32Array;
}

/**
 * Some targets, with what their ranges say: of all at once that would take as much as the table. Its columns are used again
 * for the next one.
 */
export interface RangeWindow {
  readonly starts: Uint32Array;
  /** Place of the first; the columns begin there. */
  readonly base: number;
  readonly rows: Uint32Array;
  readonly offsets: Float64Array;
  readonly lengths: Float64Array;
  readonly targets: readonly [from: number, to: number];
}

/** Rows that are found by one pass, and of them those whose ranges are looked at together; unless one target has more. */
const SIZES = { pass: 1 << 23, window: 1 << 20 };
/** So few are put in order one by one. */
const FEW = 24;

/**
 * `takes`: by array id. Ranges of no bytes, strays and null targets are left out. `see` gets one window after the other,
 * and says whether its rows are to be kept. How many ranges a pass and a window have at most is another in tests.
 */
export async function rangeOrder(
  index: TableIndex,
  takes: Uint8Array,
  see: (window: RangeWindow, order: RangeOrder) => boolean,
  context: CallContext,
  { pass, window: most } = SIZES,
): Promise<RangeOrder> {
  const { table } = index;
  const pace = startPace(context, "Sorting ranges", table.rows * 3);
  await index.firstTargets.update(pace);
  const taken: Taken = { table, takes, firsts: firstsOf(index) };
  const starts = await countRanges(taken, pace);
  const kept = keptRows();
  const buffers = windowBuffers();
  const order: RangeOrder = { starts, rowAt: (place) => kept.rowAt(place) };
  for (let from = 0; from + 1 < starts.length;) {
    const to = lastWithin(starts, from, starts.length - 1, pass);
    const count = (starts[to] as number) - (starts[from] as number);
    const rows = buffers.rows(count);
    // Where one window has all, its columns are written as the table is passed: later each row would be looked up.
    const columns = count <= most ? buffers.numbers(count) : undefined;
    await collectRanges(taken, starts, [from, to], { rows, columns }, pace);
    for (let low = from; low < to;) {
      const high = columns === undefined ? lastWithin(starts, low, to, most) : to;
      const window: RangeWindow =
        columns === undefined
          ? windowOf(
              table,
              starts,
              [low, high],
              rows.subarray((starts[low] as number) - (starts[from] as number)),
              buffers,
            )
          : {
              starts,
              base: starts[low] as number,
              rows,
              offsets: columns[0],
              lengths: columns[1],
              targets: [low, high],
            };
      await sortWindow(window, pace);
      kept.put(window.base, window.rows);
      if (see(window, order)) kept.keep();
      low = high;
    }
    from = to;
  }
  return order;
}

/** The target behind those from `from` on that have at most `most` ranges together; at least one. */
function lastWithin(starts: Uint32Array, from: number, end: number, most: number): number {
  let to = from + 1;
  while (to < end && (starts[to + 1] as number) - (starts[from] as number) <= most) to += 1;
  return to;
}

/** Rows of windows, by their places. */
function keptRows() {
  const windows: { readonly base: number; readonly rows: Uint32Array }[] = [];
  let last: { readonly base: number; readonly rows: Uint32Array } = { base: 0, rows: new Uint32Array(0) };
  const find = (place: number): void => {
    const found = windows.find(({ base, rows }) => place >= base && place < base + rows.length);
    if (found !== undefined) last = found;
  };
  return {
    put(base: number, rows: Uint32Array): void {
      last = { base, rows };
    },
    /** Those that were put last; not what they lie in. */
    keep: () => windows.push((last = { base: last.base, rows: last.rows.slice() })),
    rowAt(place: number): number {
      if (place < last.base || place >= last.base + last.rows.length) find(place);
      return last.rows[place - last.base] as number;
    },
  };
}

interface WindowBuffers {
  rows(count: number): Uint32Array;
  numbers(count: number): readonly [Float64Array, Float64Array];
}

/** Made once: of tens of millions of ranges they would else be as large as these, until they are collected. */
function windowBuffers(): WindowBuffers {
  let rows = new Uint32Array(0);
  let [one, other] = [new Float64Array(0), new Float64Array(0)];
  return {
    rows(count) {
      if (rows.length < count) rows = new Uint32Array(count);
      return rows.subarray(0, count);
    },
    numbers(count) {
      if (one.length < count) [one, other] = [new Float64Array(count), new Float64Array(count)];
      return [one.subarray(0, count), other.subarray(0, count)];
    },
  };
}

interface Taken {
  readonly table: ReferenceTable;
  readonly takes: Uint8Array;
  /** By target id the first with the same URL. */
  readonly firsts: Uint32Array | undefined;
}

async function sortWindow(window: RangeWindow, pace: Pace): Promise<void> {
  const { starts, targets, base } = window;
  for (let target = targets[0]; target < targets[1]; target += 1) {
    const [from, to] = [(starts[target] as number) - base, (starts[target + 1] as number) - base];
    if (!isAscending(window.offsets, from, to)) await sortPart(window, from, to, pace);
    if ((target & 0xff) === 0) await pace.yieldIfDue(base * 2 + to);
  }
}

/** By id the first with the same URL; absent where each is its own. */
function firstsOf({ table: { targets }, firstTargets }: TableIndex): Uint32Array | undefined {
  if (targets.mayRepeat !== true) return undefined;
  return Uint32Array.from({ length: targets.count }, (_, id) => firstTargets.of(id));
}

async function countRanges({ table, takes, firsts }: Taken, pace: Pace): Promise<Uint32Array> {
  const starts = new Uint32Array(table.targets.count + 1);
  await eachBlock(table, pace, ({ array, target, length, ordinal }, _first, count) => {
    for (let i = 0; i < count; i += 1) {
      const to = target[i] as number;
      const bytes = length[i] as number;
      if (to >= FIRST_SPECIAL_TARGET || bytes === 0 || bytes === LENGTH_WHOLE) continue;
      if (takes[array[i] as number] === 0 || ordinal[i] === ORDINAL_STRAY) continue;
      (starts[(firsts === undefined ? to : (firsts[to] as number)) + 1] as number) += 1;
    }
  });
  for (let at = 1; at < starts.length; at += 1) (starts[at] as number) += starts[at - 1] as number;
  return starts;
}

interface Collected {
  readonly rows: Uint32Array;
  /** Offsets and lengths. */
  readonly columns: readonly [Float64Array, Float64Array] | undefined;
}

/** Fills in rows of the ranges of some targets, those of each together; where there are columns, what they say, too. */
async function collectRanges(
  { table, takes, firsts }: Taken,
  starts: Uint32Array,
  [low, high]: readonly [number, number],
  { rows, columns }: Collected,
  pace: Pace,
): Promise<void> {
  const base = starts[low] as number;
  if (rows.length === 0) return;
  const next = starts.slice(low, high);
  await eachBlock(table, pace, ({ array, target, offset, length, ordinal }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const to = target[i] as number;
      if (to >= FIRST_SPECIAL_TARGET) continue;
      const own = firsts === undefined ? to : (firsts[to] as number);
      if (own < low || own >= high) continue;
      const bytes = length[i] as number;
      if (bytes === 0 || bytes === LENGTH_WHOLE || takes[array[i] as number] === 0 || ordinal[i] === ORDINAL_STRAY)
        continue;
      const at = (next[own - low] as number) - base;
      next[own - low] = at + base + 1;
      rows[at] = first + i;
      if (columns === undefined) continue;
      columns[0][at] = offset[i] as number;
      columns[1][at] = bytes === LENGTH_BIG ? (table.bigLengths.get(first + i) ?? bytes) : bytes;
    }
  });
}

/** `rows`: from the first of the window on. */
function windowOf(
  table: ReferenceTable,
  starts: Uint32Array,
  targets: readonly [number, number],
  from: Uint32Array,
  buffers: WindowBuffers,
): RangeWindow {
  const base = starts[targets[0]] as number;
  const rows = from.subarray(0, (starts[targets[1]] as number) - base);
  const [offsets, lengths] = buffers.numbers(rows.length);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    const { offset, length } = table.blocks[Math.floor(row / BLOCK_ROWS)] as ReferenceTable["blocks"][number];
    const bytes = length[row % BLOCK_ROWS] as number;
    offsets[at] = offset[row % BLOCK_ROWS] as number;
    lengths[at] = bytes === LENGTH_BIG ? (table.bigLengths.get(row) ?? bytes) : bytes;
  }
  return { starts, base, rows, offsets, lengths, targets };
}

function isAscending(offsets: Float64Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at += 1) if ((offsets[at] as number) < (offsets[at - 1] as number)) return false;
  return true;
}

/** Places from the beginning of the window. */
async function sortPart(window: RangeWindow, from: number, to: number, pace: Pace): Promise<void> {
  if (to - from <= FEW) return insertPart(window, from, to);
  const { rows, offsets, lengths } = window;
  const own = offsets.subarray(from, to);
  const places = packedOrder(own) ?? (await placesInOrder(own, pace));
  permute(rows.subarray(from, to), places);
  permute(own, places);
  permute(lengths.subarray(from, to), places);
}

function insertPart({ rows, offsets, lengths }: RangeWindow, from: number, to: number): void {
  for (let i = from + 1; i < to; i += 1) {
    const [row, offset, length] = [rows[i] as number, offsets[i] as number, lengths[i] as number];
    let at = i;
    for (; at > from && (offsets[at - 1] as number) > offset; at -= 1) {
      rows[at] = rows[at - 1] as number;
      offsets[at] = offsets[at - 1] as number;
      lengths[at] = lengths[at - 1] as number;
    }
    rows[at] = row;
    offsets[at] = offset;
    lengths[at] = length;
  }
}

/** Offset and place in one number, which the platform sorts fastest; `undefined` where both do not fit. */
function packedOrder(offsets: Float64Array): Uint32Array | undefined {
  const room = 2 ** Math.ceil(Math.log2(offsets.length));
  const packed = new Float64Array(offsets.length);
  for (let at = 0; at < offsets.length; at += 1) {
    const offset = offsets[at] as number;
    if (offset >= 2 ** 53 / room) return undefined;
    packed[at] = offset * room + at;
  }
  packed.sort();
  const places = new Uint32Array(offsets.length);
  for (let at = 0; at < places.length; at += 1) {
    const one = packed[at] as number;
    places[at] = one - Math.floor(one / room) * room;
  }
  return places;
}

function permute(numbers: Uint32Array | Float64Array, places: Uint32Array): void {
  const old = numbers.slice();
  for (let at = 0; at < places.length; at += 1) numbers[at] = old[places[at] as number] as number;
}
