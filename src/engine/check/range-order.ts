/** Ranges by target and offset, in columns: what lies beside what in a file. */
import type { CallContext } from "../../core/byte-source.ts";
import {
  FIRST_SPECIAL_TARGET,
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  type ReferenceTable,
} from "../../core/reference-table.ts";
import { startPace, type Pace } from "../pace.ts";
import { eachBlock } from "../table/array-index.ts";
import { placesInOrder } from "../table/radix.ts";
import type { TableIndex } from "../table/table-index.ts";

export interface RangeOrder {
  /** Rows, those of a target together, by offset: a place in it is what a range is known by. */
  readonly rows: Uint32Array;
  /** Where the ranges of a target begin; one more than there are targets. */
  readonly starts: Uint32Array;
}

/** Some targets, with what their ranges say: of all at once that would take four times the memory. */
export interface RangeWindow extends RangeOrder {
  /** Place of the first; `offsets` and `lengths` begin there. */
  readonly base: number;
  readonly offsets: Float64Array;
  readonly lengths: Float64Array;
  readonly targets: readonly [from: number, to: number];
}

/** Ranges of a window, unless one target has more. */
const WINDOW = 1 << 22;
/** So few are put in order one by one. */
const FEW = 24;

/** `takes`: by array id. Ranges of no bytes, strays and null targets are left out. `see` gets one window after the other. */
export async function rangeOrder(
  index: TableIndex,
  takes: Uint8Array,
  see: (window: RangeWindow) => void,
  context: CallContext,
): Promise<RangeOrder> {
  const { table } = index;
  const pace = startPace(context, "Sorting ranges", table.rows * 3);
  await index.firstTargets.update(pace);
  const taken: Taken = { table, takes, firsts: firstsOf(index) };
  const starts = await countRanges(taken, pace);
  const order = { rows: new Uint32Array(starts.at(-1) ?? 0), starts };
  for (let from = 0; from + 1 < starts.length;) {
    let to = from + 1;
    while (to + 1 < starts.length && (starts[to + 1] as number) - (starts[from] as number) <= WINDOW) to += 1;
    const base = starts[from] as number;
    const total = (starts[to] as number) - base;
    const targets = [from, to] as const;
    const window = { ...order, base, targets, offsets: new Float64Array(total), lengths: new Float64Array(total) };
    if (total > 0) await fillWindow(taken, window, pace);
    see(window);
    from = to;
  }
  return order;
}

interface Taken {
  readonly table: ReferenceTable;
  readonly takes: Uint8Array;
  /** By target id the first with the same URL. */
  readonly firsts: Uint32Array | undefined;
}

async function fillWindow(taken: Taken, window: RangeWindow, pace: Pace): Promise<void> {
  await fillRanges(taken, window, pace);
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

async function fillRanges({ table, takes, firsts }: Taken, window: RangeWindow, pace: Pace): Promise<void> {
  const { rows, offsets, lengths, base } = window;
  const [low, high] = window.targets;
  const next = window.starts.slice(low, high);
  await eachBlock(table, pace, ({ array, target, length, offset, ordinal }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const to = target[i] as number;
      const bytes = length[i] as number;
      if (to >= FIRST_SPECIAL_TARGET || bytes === 0 || bytes === LENGTH_WHOLE) continue;
      const own = firsts === undefined ? to : (firsts[to] as number);
      if (own < low || own >= high || takes[array[i] as number] === 0 || ordinal[i] === ORDINAL_STRAY) continue;
      const at = next[own - low] as number;
      next[own - low] = at + 1;
      rows[at] = first + i;
      offsets[at - base] = offset[i] as number;
      lengths[at - base] = bytes === LENGTH_BIG ? (table.bigLengths.get(first + i) ?? bytes) : bytes;
    }
  });
}

function isAscending(offsets: Float64Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at += 1) if ((offsets[at] as number) < (offsets[at - 1] as number)) return false;
  return true;
}

/** Places from the beginning of the window. */
async function sortPart(window: RangeWindow, from: number, to: number, pace: Pace): Promise<void> {
  if (to - from <= FEW) return insertPart(window, from, to);
  const { rows, offsets, lengths, base } = window;
  const own = offsets.subarray(from, to);
  const places = packedOrder(own) ?? (await placesInOrder(own, pace));
  permute(rows.subarray(base + from, base + to), places);
  permute(own, places);
  permute(lengths.subarray(from, to), places);
}

function insertPart({ rows: all, offsets, lengths, base }: RangeWindow, from: number, to: number): void {
  const rows = all.subarray(base);
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
