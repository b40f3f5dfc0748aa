/**
 * Targets in the order of their URLs, with the rows that refer to each: made once, and again when the set has grown.
 */
import type { CallContext } from "#core/byte-source.ts";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { ARRAY_NONE, LENGTH_BIG } from "#core/table/reference-table.ts";
import type { SourceArray } from "#core/check/sources.ts";
import { keptLast, madeTogether } from "../kept.ts";
import { type Pace, startPace } from "../pace.ts";
import { blockOf, lengthOf, ordinalOfRow } from "../table/batch.ts";
import type { TableIndex } from "../table/table-index.ts";
import { type TargetClaims, targetRanges, type TargetRanges } from "../table/target-ranges.ts";
import { OrdinalBox } from "../table/ordinal-box.ts";
import { firstPlace } from "#core/basics.ts";

/** Columns by place: targets that are referred to, by their URLs, then the one that null URLs mean. */
export interface SourceIndex {
  readonly index: TableIndex;
  readonly count: number;
  /** Places that have a URL. */
  readonly named: number;
  /** Id of the target, of equal URLs the first. */
  readonly ids: Uint32Array;
  readonly ranges: TargetRanges;
  /** References of all places before it; one more than there are places. */
  readonly before: Uint32Array;
  readonly whole: Uint32Array;
  readonly end: Float64Array;
  /** Bytes of all places before it; one more than there are places. */
  readonly bytesBefore: Float64Array;
  /** How many arrays refer to it. */
  readonly arrays: Uint32Array;
  /** Answers about single targets and lists that were given last. */
  readonly kept: {
    readonly lists: Map<string, Uint32Array>;
    readonly boxes: Map<number, readonly SourceArray[]>;
    readonly claims: Map<number, TargetClaims>;
  };
}

export const sourceText = (sources: SourceIndex, place: number): string =>
  sources.index.table.targets.text(sources.ids[place] as number);

export const referencesOf = ({ before }: SourceIndex, place: number): number =>
  (before[place + 1] as number) - (before[place] as number);

/** Rows of the table. */
function rowsOfPlace({ ids, ranges: { rows, starts } }: SourceIndex, place: number): Uint32Array {
  const id = ids[place] as number;
  return rows.subarray(starts[id], starts[id + 1]);
}

export const bytesOf = ({ bytesBefore }: SourceIndex, place: number): number =>
  (bytesBefore[place + 1] as number) - (bytesBefore[place] as number);

/** The URLs of more targets than this would not fit a tab's memory all at once. */
const MAX_TARGETS = 4_000_000;

const indexOfRanges = madeTogether(async (ranges: TargetRanges, context: CallContext): Promise<SourceIndex> => {
  const { index, nullId, starts } = ranges;
  const { table } = index;
  const pace = startPace(context, "Listing targets", ranges.rows.length);
  const countOf = (id: number): number => (starts[id + 1] as number) - (starts[id] as number);
  const used = Uint32Array.from({ length: nullId }, (_, id) => id).filter((id) => countOf(id) > 0);
  if (used.length > MAX_TARGETS)
    throw failure("too-many-targets", WHOLE_SET, { targets: used.length, limit: MAX_TARGETS });
  const named = await inTextOrder(used, (id) => table.targets.text(id), pace);
  const ids = countOf(nullId) > 0 ? withLast(named, nullId) : named;
  const count = ids.length;
  const sources: SourceIndex = {
    index,
    ranges,
    count,
    named: named.length,
    ids,
    before: new Uint32Array(count + 1),
    whole: new Uint32Array(count),
    end: new Float64Array(count),
    bytesBefore: new Float64Array(count + 1),
    arrays: new Uint32Array(count),
    kept: { lists: new Map(), boxes: new Map(), claims: new Map() },
  };
  await countPlaces(sources, pace);
  return sources;
});

/** @throws RefscopeError `too-many-targets` */
export const sourceIndex = async (index: TableIndex, context: CallContext): Promise<SourceIndex> =>
  indexOfRanges(await targetRanges(index, context), context);

function withLast(ids: Uint32Array, last: number): Uint32Array {
  const all = new Uint32Array(ids.length + 1);
  all.set(ids);
  all[ids.length] = last;
  return all;
}

const LOOK = 0xffff;

async function countPlaces(sources: SourceIndex, pace: Pace): Promise<void> {
  const { index, before, whole, end, bytesBefore, arrays } = sources;
  const { table } = index;
  /** Last place that has the array, plus 1, by array id. */
  const seen = new Uint32Array(0x1_0000);
  let looked = 0;
  for (let place = 0; place < sources.count; place += 1) {
    const rows = rowsOfPlace(sources, place);
    before[place + 1] = (before[place] as number) + rows.length;
    bytesBefore[place + 1] = bytesBefore[place] as number;
    for (const row of rows) {
      const { array, target, offset, length } = blockOf(table, row);
      const at = row & 0xffff;
      const own = array[at] as number;
      if (seen[own] !== place + 1) (arrays[place] as number) += 1;
      seen[own] = place + 1;
      const raw = length[at] as number;
      const bytes = raw < LENGTH_BIG ? raw : lengthOf(table, row, target[at] as number, raw);
      if (bytes < 0) (whole[place] as number) += 1;
      else (bytesBefore[place + 1] as number) += bytes;
      if (bytes > 0) end[place] = Math.max(end[place] as number, (offset[at] as number) + bytes);
      if ((looked++ & LOOK) === LOOK) await pace.yieldIfDue(looked);
    }
  }
}

// Which arrays refer to a target, and which part of each: the box of their chunks.

const MAX_KEPT = 2000;

/** Those with most references first; strays of no array are of none. */
export function arraysOfTarget(
  sources: SourceIndex,
  place: number,
  context: CallContext,
): Promise<readonly SourceArray[]> {
  return keptLast(sources.kept.boxes, place, MAX_KEPT, () => boxesOf(sources, place, context));
}

async function boxesOf(sources: SourceIndex, place: number, context: CallContext): Promise<readonly SourceArray[]> {
  const { table } = sources.index;
  const rows = rowsOfPlace(sources, place);
  const found = new Map<number, { readonly array: number; references: number; readonly box: OrdinalBox }>();
  const pace = startPace(context, "Looking where chunks lie", rows.length);
  for (const [at, row] of rows.entries()) {
    const array = blockOf(table, row).array[row & 0xffff] as number;
    const grid = table.arrays[array]?.grid;
    const one = found.get(array) ?? { array, references: 0, box: new OrdinalBox(grid ?? []) };
    found.set(array, one);
    one.references += 1;
    const ordinal = ordinalOfRow(table, row);
    if (ordinal >= 0 && grid !== undefined) one.box.add(ordinal);
    if ((at & LOOK) === LOOK) await pace.yieldIfDue(at);
  }
  return [...found.values()]
    .toSorted((a, b) => b.references - a.references || a.array - b.array)
    .map(({ array, references, box }) => {
      const { chunks, from, to } = box.extent("");
      const path = array === ARRAY_NONE ? "" : (table.arrays[array]?.path ?? "");
      return { array: path, references, ...(chunks === 0 ? {} : { box: { from, to } }) };
    });
}

// Texts in the order of their code units: what begins alike stands together. Interruptible, since there may be
// millions.

/** Sorted without a look at the clock, in about 10 ms. */
const RUN = 8192;

/** `ids` by their texts, in place of the platform's sort, which cannot be aborted. Stable. */
async function inTextOrder(ids: Uint32Array, text: (id: number) => string, pace: Pace): Promise<Uint32Array> {
  const texts: string[] = [];
  for (const [at, id] of ids.entries()) {
    texts.push(text(id));
    if (at % RUN === 0) await pace.yieldIfDue(0);
  }
  let order = Uint32Array.from(ids.keys());
  for (let from = 0; from < order.length; from += RUN) {
    order.subarray(from, from + RUN).sort((a, b) => compareTexts(texts[a] as string, texts[b] as string) || a - b);
    await pace.yieldIfDue(0);
  }
  let other = new Uint32Array(order.length);
  for (let width = RUN; width < order.length; width *= 2) {
    for (let from = 0; from < order.length; from += 2 * width) {
      merge(order, other, from, width, texts);
      await pace.yieldIfDue(0);
    }
    [order, other] = [other, order];
  }
  return order.map((at) => ids[at] as number);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function merge(order: Uint32Array, into: Uint32Array, from: number, width: number, texts: readonly string[]): void {
  const middle = Math.min(order.length, from + width);
  const end = Math.min(order.length, middle + width);
  let [left, right] = [from, middle];
  for (let at = from; at < end; at += 1) {
    const takesLeft =
      right >= end ||
      (left < middle && (texts[order[left] as number] as string) <= (texts[order[right] as number] as string));
    into[at] = order[takesLeft ? left++ : right++] as number;
  }
}

/**
 * The end of the texts that begin with `prefix`, of which the one at `from` is the first. Near ends are found sooner.
 */
export function endOfPrefix(text: (place: number) => string, prefix: string, from: number, to: number): number {
  const isBelow = (place: number): boolean => text(place).startsWith(prefix);
  let step = 1;
  while (from + step < to && isBelow(from + step)) step *= 2;
  return firstPlace(from + 1, Math.min(to, from + step), isBelow);
}
