/** Targets in the order of their URLs, with the rows that refer to each: made once, and again when the set has grown. */
import type { CallContext } from "../../core/byte-source.ts";
import { isAbort } from "../../core/errors.ts";
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { LENGTH_BIG, LENGTH_WHOLE, type ColumnBlock, type ReferenceTable } from "../../core/table/reference-table.ts";
import type { SourceArray } from "../../core/check/sources.ts";
import { targetIdOf } from "../check/sources/target-rows.ts";
import { startPace, type Pace } from "../pace.ts";
import { eachBlock } from "../table/array-index.ts";
import { blockOf, lengthOf } from "../table/batch.ts";
import type { TableIndex } from "../table/table-index.ts";
import type { TargetClaims } from "./target-claims.ts";
import { inTextOrder } from "./text-order.ts";

/** Columns by place: targets that are referred to, by their URLs, then the one that null URLs mean. */
export interface SourceIndex {
  readonly index: TableIndex;
  readonly count: number;
  /** Places that have a URL. */
  readonly named: number;
  /** Id of the target, of equal URLs the first. */
  readonly ids: Uint32Array;
  /** Rows of a place are `rows[starts[place]]` to before `rows[starts[place + 1]]`, in the order of the document. */
  readonly rows: Uint32Array;
  readonly starts: Uint32Array;
  readonly whole: Uint32Array;
  readonly end: Float64Array;
  /** Bytes of all places before it; one more than there are places. */
  readonly bytesBefore: Float64Array;
  /** How many arrays refer to it. */
  readonly arrays: Uint32Array;
  /** Answers about single targets and lists that were given last. */
  readonly kept: KeptAnswers;
}

export interface KeptAnswers {
  readonly lists: Map<string, Uint32Array>;
  readonly boxes: Map<number, readonly SourceArray[]>;
  readonly claims: Map<number, TargetClaims>;
}

export const sourceText = (sources: SourceIndex, place: number): string =>
  sources.index.table.targets.text(sources.ids[place] as number);

export const referencesOf = ({ starts }: SourceIndex, place: number): number =>
  (starts[place + 1] as number) - (starts[place] as number);

export const bytesOf = ({ bytesBefore }: SourceIndex, place: number): number =>
  (bytesBefore[place + 1] as number) - (bytesBefore[place] as number);

/** The URLs of more targets than this would not fit a tab's memory all at once. */
const MAX_TARGETS = 4_000_000;

interface Made {
  readonly rows: number;
  readonly sources: Promise<SourceIndex>;
}

const MADE = new WeakMap<TableIndex, Made>();

/** @throws RefscopeError `too-many-targets` */
export async function sourceIndex(index: TableIndex, context: CallContext): Promise<SourceIndex> {
  for (;;) {
    context.signal.throwIfAborted();
    const known = MADE.get(index);
    const made =
      known?.rows === index.table.rows ? known : { rows: index.table.rows, sources: makeIndex(index, context) };
    MADE.set(index, made);
    try {
      return await made.sources;
    } catch (error) {
      if (MADE.get(index) === made) MADE.delete(index);
      // Another call made it, and was aborted: this one still wants it.
      if (!isAbort(error) || made !== known) throw error;
    }
  }
}

async function makeIndex(index: TableIndex, context: CallContext): Promise<SourceIndex> {
  const { table } = index;
  const rows = table.rows;
  const pace = startPace(context, "Listing targets", rows * 2);
  await index.firstTargets.update(pace);
  const nullId = table.targets.count;
  const counts = new Uint32Array(nullId + 1);
  await eachRowBlock(table, rows, pace, 0, ({ target }, _first, count) => {
    for (let i = 0; i < count; i += 1) {
      const id = targetIdOf(index, target[i] as number, nullId);
      if (id >= 0) (counts[id] as number) += 1;
    }
  });
  const used = Uint32Array.from(counts.keys()).filter((id) => id < nullId && (counts[id] as number) > 0);
  if (used.length > MAX_TARGETS)
    throw failure("too-many-targets", WHOLE_SET, { targets: used.length, limit: MAX_TARGETS });
  const named = await inTextOrder(used, (id) => table.targets.text(id), pace);
  const ids = (counts[nullId] as number) > 0 ? withLast(named, nullId) : named;
  const sources = emptyIndex(index, ids, named.length, counts);
  await fillRows(sources, counts.fill(0), rows, pace);
  await countArrays(sources, pace);
  return sources;
}

function withLast(ids: Uint32Array, last: number): Uint32Array {
  const all = new Uint32Array(ids.length + 1);
  all.set(ids);
  all[ids.length] = last;
  return all;
}

function emptyIndex(index: TableIndex, ids: Uint32Array, named: number, counts: Uint32Array): SourceIndex {
  const starts = new Uint32Array(ids.length + 1);
  for (const [place, id] of ids.entries()) starts[place + 1] = (starts[place] as number) + (counts[id] as number);
  return {
    index,
    count: ids.length,
    named,
    ids,
    starts,
    rows: new Uint32Array(starts.at(-1) ?? 0),
    whole: new Uint32Array(ids.length),
    end: new Float64Array(ids.length),
    bytesBefore: new Float64Array(ids.length + 1),
    arrays: new Uint32Array(ids.length),
    kept: { lists: new Map(), boxes: new Map(), claims: new Map() },
  };
}

/** `places`: room for a number an id. */
async function fillRows(sources: SourceIndex, places: Uint32Array, rows: number, pace: Pace): Promise<void> {
  const { index, ids, starts, whole, end, bytesBefore } = sources;
  const { table } = index;
  const nullId = places.length - 1;
  for (const [place, id] of ids.entries()) places[id] = place;
  const next = starts.slice();
  await eachRowBlock(table, rows, pace, rows, ({ target, offset, length }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const to = target[i] as number;
      const id = targetIdOf(index, to, nullId);
      if (id < 0) continue;
      const place = places[id] as number;
      const at = next[place] as number;
      next[place] = at + 1;
      sources.rows[at] = first + i;
      const raw = length[i] as number;
      if (raw === LENGTH_WHOLE) {
        (whole[place] as number) += 1;
        continue;
      }
      const bytes = raw < LENGTH_BIG ? raw : lengthOf(table, first + i, to, raw);
      (bytesBefore[place + 1] as number) += bytes;
      if (bytes > 0) end[place] = Math.max(end[place] as number, (offset[i] as number) + bytes);
    }
  });
  for (let place = 0; place < ids.length; place += 1)
    (bytesBefore[place + 1] as number) += bytesBefore[place] as number;
}

const LOOK = 0xffff;

async function countArrays({ index, starts, rows, arrays }: SourceIndex, pace: Pace): Promise<void> {
  /** By array id: the last place that was seen to have it, plus 1. */
  const seen = new Uint32Array(0x1_0000);
  for (let place = 0; place < arrays.length; place += 1) {
    for (let at = starts[place] as number; at < (starts[place + 1] as number); at += 1) {
      const row = rows[at] as number;
      const array = blockOf(index.table, row).array[row & 0xffff] as number;
      if (seen[array] !== place + 1) (arrays[place] as number) += 1;
      seen[array] = place + 1;
      if ((at & LOOK) === LOOK) await pace.yieldIfDue(at);
    }
  }
}

/** Rows up to `rows`: more may come meanwhile. */
function eachRowBlock(
  table: ReferenceTable,
  rows: number,
  pace: Pace,
  done: number,
  visit: (block: ColumnBlock, first: number, count: number) => void,
): Promise<void> {
  const ahead: Pace = { yieldIfDue: (at) => pace.yieldIfDue(done + at) };
  return eachBlock(table, ahead, (block, first, count) => {
    visit(block, first, Math.min(count, rows - first));
  });
}
