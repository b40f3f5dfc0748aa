/**
 * Order of the references to each target: its ranges in the order of their bytes. The only such order; checks, the list
 * of sources and searches for a fix ask it. Made by two passes when first asked for, four bytes a reference, and again
 * when the table has grown.
 */
import type { CallContext } from "#core/byte-source.ts";
import {
  BLOCK_ROWS,
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  type ReferenceTable,
  TARGET_NULL,
  FIRST_SPECIAL_TARGET,
} from "#core/table/reference-table.ts";
import { firstPlace } from "#core/basics.ts";
import { madeTogether } from "../kept.ts";
import { startPace, type Pace } from "../pace.ts";
import { eachBlock } from "./array-index.ts";
import { blockOf } from "./batch.ts";
import { placesInOrder } from "./radix.ts";
import type { TableIndex } from "./table-index.ts";

/** Columns by target id; of equal URLs at the first. A place in `rows` is what a reference is known by. */
export interface TargetRanges {
  readonly index: TableIndex;
  /** Id of the target that null means: one more than there are targets. */
  readonly nullId: number;
  /** Starts of the targets' references; one more than there are ids. */
  readonly starts: Uint32Array;
  /**
   * Ends of the targets' ranges, which come first, by offset and length; after them come references to no bytes, or to
   * all.
   */
  readonly ends: Uint32Array;
  readonly rows: Uint32Array;
  /** Flags by id, 1 if ranges have bytes in common. */
  readonly common: Uint8Array;
  /** Columns of the rows, by place, if these are few enough: otherwise each is looked up later. */
  readonly columns: Columns | undefined;
}

interface Columns {
  readonly offsets: Float64Array;
  /** 0 for what is left out, names no bytes, or all. */
  readonly lengths: Float64Array;
}

export const targetRanges = madeTogether(
  (index: TableIndex, context: CallContext) => makeRanges(index, context),
  ({ table }) => table.rows,
);

async function makeRanges(index: TableIndex, context: CallContext): Promise<TargetRanges> {
  const { table } = index;
  const rows = table.rows;
  const pace = startPace(context, "Sorting ranges", rows * 3);
  await index.firstTargets.update(pace);
  const nullId = table.targets.count;
  const idOf = idsOfTargets(index, nullId);
  const [starts, ends] = await countReferences(table, rows, idOf, pace);
  const count = starts.at(-1) ?? 0;
  const columns = count > WINDOW ? undefined : { offsets: new Float64Array(count), lengths: new Float64Array(count) };
  const ranges: TargetRanges = {
    index,
    nullId,
    starts,
    ends,
    rows: new Uint32Array(count),
    common: new Uint8Array(nullId + 1),
    columns,
  };
  await fillRows(ranges, rows, idOf, pace);
  await sortRanges(ranges, pace);
  return ranges;
}

/** Id of the target of a reference, -1 where it has none. */
export function targetIdOf({ firstTargets }: TableIndex, target: number, nullId: number): number {
  if (target < FIRST_SPECIAL_TARGET) return firstTargets.of(target);
  return target === TARGET_NULL ? nullId : -1;
}

/** Looks ids up like `targetIdOf`, faster if each target is its own. */
function idsOfTargets(index: TableIndex, nullId: number): (target: number) => number {
  if (index.table.targets.mayRepeat === true) return (target) => targetIdOf(index, target, nullId);
  return (target) => (target < FIRST_SPECIAL_TARGET ? target : target === TARGET_NULL ? nullId : -1);
}

/** Rows up to `rows`: more may come meanwhile. */
async function countReferences(
  table: ReferenceTable,
  rows: number,
  idOf: (target: number) => number,
  pace: Pace,
): Promise<readonly [starts: Uint32Array, ends: Uint32Array]> {
  const starts = new Uint32Array(table.targets.count + 2);
  const ends = new Uint32Array(table.targets.count + 1);
  await eachBlock(table, pace, ({ target, length }, first, count) => {
    for (let i = 0; i < Math.min(count, rows - first); i += 1) {
      const id = idOf(target[i] as number);
      if (id < 0) continue;
      const bytes = length[i] as number;
      (starts[id + 1] as number) += 1;
      if (bytes !== 0 && bytes !== LENGTH_WHOLE) (ends[id] as number) += 1;
    }
  });
  for (let id = 0; id < ends.length; id += 1) {
    (starts[id + 1] as number) += starts[id] as number;
    (ends[id] as number) += starts[id] as number;
  }
  return [starts, ends];
}

async function fillRows(
  { index: { table }, starts, ends, rows, columns }: TargetRanges,
  most: number,
  idOf: (target: number) => number,
  pace: Pace,
): Promise<void> {
  const [ranges, others] = [starts.slice(), ends.slice()];
  await eachBlock(table, pace, ({ target, offset, length }, first, count) => {
    for (let i = 0; i < Math.min(count, most - first); i += 1) {
      const id = idOf(target[i] as number);
      if (id < 0) continue;
      const bytes = length[i] as number;
      const next = bytes !== 0 && bytes !== LENGTH_WHOLE ? ranges : others;
      const at = next[id] as number;
      next[id] = at + 1;
      rows[at] = first + i;
      if (columns === undefined) continue;
      columns.offsets[at] = offset[i] as number;
      if (bytes === LENGTH_WHOLE) continue;
      columns.lengths[at] = bytes === LENGTH_BIG ? (table.bigLengths.get(first + i) ?? bytes) : bytes;
    }
  });
}

/**
 * Some targets with what their ranges say: of all at once that would take as much as the table. Its columns are used
 * again.
 */
export interface RangeWindow extends Columns {
  readonly ranges: TargetRanges;
  /** Ids, `to` excluded. */
  readonly targets: readonly [from: number, to: number];
  /** Place of the first; the columns begin there. */
  readonly base: number;
}

/** References that are looked at together; unless one target has more. */
const WINDOW = 1 << 20;
/** So few are put in order one by one. */
const FEW = 24;

/**
 * One window after the other, those of null left out. `takes`: by array id, whose ranges are looked at; strays are not, then.
 * How many references a window has at most is another in tests.
 */
export async function eachWindow(
  ranges: TargetRanges,
  see: Visit,
  context: CallContext,
  takes?: Uint8Array,
  most = WINDOW,
): Promise<void> {
  await walk(ranges, see, startPace(context, "Comparing ranges", ranges.rows.length), takes, most);
}

type Visit = (window: RangeWindow) => Promise<void> | void;

async function walk(ranges: TargetRanges, see: Visit, pace: Pace, takes?: Uint8Array, most = WINDOW): Promise<void> {
  const { starts, nullId, columns: known } = ranges;
  if (known !== undefined && takes === undefined && most === WINDOW) {
    await see({ ranges, targets: [0, nullId], base: 0, ...known });
    return;
  }
  let [offsets, lengths] = [new Float64Array(0), new Float64Array(0)];
  for (let from = 0; from < nullId;) {
    let to = from + 1;
    while (to < nullId && (starts[to + 1] as number) - (starts[from] as number) <= most) to += 1;
    const [base, end] = [starts[from] as number, starts[to] as number];
    if (offsets.length < end - base) [offsets, lengths] = [new Float64Array(end - base), new Float64Array(end - base)];
    const columns = { offsets: offsets.subarray(0, end - base), lengths: lengths.subarray(0, end - base) };
    fillColumns(ranges, base, columns, takes);
    await see({ ranges, targets: [from, to], base, ...columns });
    await pace.yieldIfDue(end);
    from = to;
  }
}

function fillColumns(
  { index: { table }, rows }: TargetRanges,
  base: number,
  { offsets, lengths }: Columns,
  takes: Uint8Array | undefined,
): void {
  let at = -1;
  let block = blockOf(table, 0);
  for (let i = 0; i < offsets.length; i += 1) {
    const row = rows[base + i] as number;
    if (row >>> 16 !== at) {
      at = row >>> 16;
      block = blockOf(table, row);
    }
    const own = row & (BLOCK_ROWS - 1);
    const bytes = block.length[own] as number;
    const isLeftOut =
      bytes === LENGTH_WHOLE ||
      (takes !== undefined && (takes[block.array[own] as number] === 0 || block.ordinal[own] === ORDINAL_STRAY));
    offsets[i] = block.offset[own] as number;
    lengths[i] = isLeftOut ? 0 : bytes === LENGTH_BIG ? (table.bigLengths.get(row) ?? bytes) : bytes;
  }
}

/** Columns of places `[from, to)`. */
function columnsOf(ranges: TargetRanges, from: number, to: number): Columns {
  const { columns: known } = ranges;
  if (known !== undefined)
    return { offsets: known.offsets.subarray(from, to), lengths: known.lengths.subarray(from, to) };
  const columns = { offsets: new Float64Array(to - from), lengths: new Float64Array(to - from) };
  fillColumns(ranges, from, columns, undefined);
  return columns;
}

async function sortRanges(ranges: TargetRanges, pace: Pace): Promise<void> {
  const { starts, ends, rows, common, nullId } = ranges;
  const sort: Visit = async ({ targets, base, offsets, lengths }) => {
    for (let id = targets[0]; id < targets[1]; id += 1) {
      const [from, to] = [starts[id] as number, ends[id] as number];
      const part = (of: Float64Array) => of.subarray(from - base, to - base);
      common[id] = await sortTarget(rows.subarray(from, to), part(offsets), part(lengths), pace);
    }
  };
  await walk(ranges, sort, pace);
  const [from, to] = [starts[nullId] as number, ends[nullId] as number];
  if (from === to) return;
  const columns = columnsOf(ranges, from, to);
  common[nullId] = await sortTarget(rows.subarray(from, to), columns.offsets, columns.lengths, pace);
}

/** 1 where ranges have bytes in common. Nearly all documents have them in order. */
async function sortTarget(
  rows: Uint32Array,
  offsets: Float64Array,
  lengths: Float64Array,
  pace: Pace,
): Promise<number> {
  if (!isInOrder(offsets, lengths)) {
    if (rows.length <= FEW) insert(rows, offsets, lengths);
    else await sortMany(rows, offsets, lengths, pace);
  }
  for (let at = 1; at < offsets.length; at += 1)
    if ((offsets[at] as number) < (offsets[at - 1] as number) + (lengths[at - 1] as number)) return 1;
  return 0;
}

async function sortMany(rows: Uint32Array, offsets: Float64Array, lengths: Float64Array, pace: Pace): Promise<void> {
  const places = packedOrder(offsets) ?? (await placesInOrder(offsets, pace));
  for (const column of [rows, offsets, lengths]) permute(column, places);
  for (let from = 0; from < rows.length;) {
    let to = from + 1;
    while (to < rows.length && offsets[to] === offsets[from]) to += 1;
    if (to - from > 1) await byLength(rows.subarray(from, to), lengths.subarray(from, to), pace);
    from = to;
  }
}

function isInOrder(offsets: Float64Array, lengths: Float64Array): boolean {
  for (let at = 1; at < offsets.length; at += 1) {
    const step = (offsets[at] as number) - (offsets[at - 1] as number);
    if (step < 0 || (step === 0 && (lengths[at] as number) < (lengths[at - 1] as number))) return false;
  }
  return true;
}

/** Those that begin together. */
async function byLength(rows: Uint32Array, lengths: Float64Array, pace: Pace): Promise<void> {
  if (lengths.every((length, at) => at === 0 || (lengths[at - 1] as number) <= length)) return;
  const places = await placesInOrder(lengths, pace);
  permute(rows, places);
  permute(lengths, places);
}

function insert(rows: Uint32Array, offsets: Float64Array, lengths: Float64Array): void {
  for (let i = 1; i < rows.length; i += 1) {
    const [row, offset, length] = [rows[i] as number, offsets[i] as number, lengths[i] as number];
    let at = i;
    for (; at > 0; at -= 1) {
      const step = (offsets[at - 1] as number) - offset;
      if (step < 0 || (step === 0 && (lengths[at - 1] as number) <= length)) break;
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

/** Id of the target whose references have a place among them. */
export const targetAt = ({ starts }: Pick<TargetRanges, "starts">, place: number): number =>
  firstPlace(1, starts.length - 1, (id) => (starts[id] as number) <= place) - 1;

/** The ranges of one target, in columns: by offset, then length; of the same range in the order of the document. */
export interface TargetClaims {
  readonly count: number;
  readonly rows: Uint32Array;
  readonly from: Float64Array;
  /** Excluded. */
  readonly to: Float64Array;
  /** How far the ranges up to here reach. */
  readonly reach: Float64Array;
}

export function claimsOfTarget(ranges: TargetRanges, id: number): TargetClaims {
  const [base, end] = [ranges.starts[id] as number, ranges.ends[id] as number];
  const { offsets: from, lengths } = columnsOf(ranges, base, end);
  const to = lengths.map((length, at) => length + (from[at] as number));
  let furthest = 0;
  const reach = to.map((one) => (furthest = Math.max(furthest, one)));
  return { count: end - base, rows: ranges.rows.subarray(base, end), from, to, reach };
}
