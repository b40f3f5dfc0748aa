/** Chunks that claim the same bytes: the same range, overlaps, a whole file beside its parts. */
import type { CallContext } from "#core/byte-source.ts";
import { type Finding, finding } from "#core/findings/finding.ts";
import {
  ARRAY_NONE,
  FIRST_SPECIAL_TARGET,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  ORDINAL_WIDE,
} from "#core/table/reference-table.ts";
import { eachWindow, type RangeWindow, targetRanges, type TargetRanges } from "#engine/table/target-ranges.ts";
import { findClaims, overlapLog, sameLog } from "../claims.ts";
import type { OverlapLog, SameLog, SamePair, SharingArrays, ClaimSink } from "../claims.ts";
import { rangeRows, type RangeRows, wrongFirst } from "../range-rows.ts";
import { repeatedStepFindings, repeatedSteps } from "../steps/repeated-step-findings.ts";
import type { Coverage } from "#core/open-set.ts";
import { ChunkPlaces, type SetRule, type SetView } from "#engine/rules/rule.ts";
import { sourceSteps, type SourceSteps } from "../steps/source-steps.ts";
import { startPace } from "#engine/pace.ts";
import { eachBlock, wideOrdinal } from "#engine/table/array-index.ts";
import { commonSize } from "../stored-size.ts";

type Sink = (found: Finding) => void;

/** Share of an array's chunks from which on shared ranges are how the set was made. */
const MANY = 0.25;
const MAX_TOLD = 100;

/** The same range. Comes first: whose range another's is has a wrong length for that reason. */
export const repeatedRanges: SetRule = {
  id: "repeated-ranges",
  codes: [
    "steps-from-same-bytes",
    "range-repeated",
    "range-shared",
    "range-of-other-array",
    "arrays-share-ranges",
    "whole-beside-ranges",
  ],
  async run(view, sink, context) {
    const found = await claimsIn(view, (rows) => sameLog(rows.arrayOf), context);
    const { rows, ranges, log, coverage } = found;
    await samePairs(found, sink, context);
    tellShared(rows, log, sink);
    for (const sharing of log.between.values()) tellBetween(found, sharing, sink);
    await wholeBesideRanges(view, rows, ranges, sink, context);
    return coverage;
  },
};

/** Overlapping ranges, of which nothing else is wrong: not the length, nor that another array's was written. */
export const overlappingRanges: SetRule = {
  id: "overlapping-ranges",
  codes: ["ranges-overlap"],
  async run(view, sink, context) {
    const newLog = (rows: RangeRows) => overlapLog(rows.arrayOf, (place) => isOpen({ view, rows }, place));
    const { rows, log, coverage } = await claimsIn(view, newLog, context);
    tellOverlaps(rows, log, sink);
    return coverage;
  },
};

/** One pass over all ranges, in the order of their bytes. */
async function claimsIn<Log extends ClaimSink>(
  view: SetView,
  newLog: (rows: RangeRows) => Log,
  context: CallContext,
): Promise<Claims<Log>> {
  const ranges = await targetRanges(view.index, context);
  const rows = rangeRows(view, ranges);
  const log = newLog(rows);
  let lookedAt = 0;
  const see = (window: RangeWindow): void => {
    for (const length of window.lengths) lookedAt += Number(length > 0);
    findClaims(window, log);
  };
  await eachWindow(ranges, see, context, readableByRange(view));
  const coverage = { unit: "references", of: view.counts.references, lookedAt, sampled: 0 } as const;
  return { view, rows, ranges, log, coverage };
}

/**
 * Arrays whose chunks can be read by range, by id: not inner chunks of shards, whose entries are judged with their
 * shard, nor GRIB messages, which several arrays are read from. `undefined`: all, and there are no strays.
 */
function readableByRange({ index, arrays }: SetView): Uint8Array | undefined {
  const takes = new Uint8Array(ARRAY_NONE + 1);
  let isAll = index.strays().list.length === 0;
  for (const { path, metadata } of arrays) {
    const id = index.arrayIds.get(path);
    const isPart = metadata.decoding.some(({ id: codec }) => /grib/i.test(codec));
    const isTaken = metadata.sharding === undefined && !isPart;
    if (id !== undefined && isTaken) takes[id] = 1;
    isAll &&= isTaken;
  }
  return isAll && index.table.arrays.every((_, id) => takes[id] === 1) ? undefined : takes;
}

interface Claims<Log> {
  readonly view: SetView;
  readonly rows: RangeRows;
  readonly ranges: TargetRanges;
  readonly log: Log;
  readonly coverage: Coverage;
}

type Told = Claims<SameLog>;

/** True unless the key is written twice: then the wrong reference may have won. */
const isOpen = ({ view, rows }: Pick<Told, "view" | "rows">, place: number): boolean =>
  view.ledger.isOpen(rows.nodeOf(place)?.path ?? "", rows.ordinalOf(place));

async function samePairs(told: Told, sink: Sink, context: CallContext): Promise<void> {
  const { view, rows, ranges, log } = told;
  if (log.pairs.size === 0) return;
  const steps = await sourceSteps(view, context);
  const repeated: Parameters<typeof repeatedStepFindings>[2][number][] = [];
  for (const [id, { count, examples }] of log.pairs) {
    const own = steps.get(id);
    const found = own === undefined ? { repeated: [], left: examples } : repeatedSteps(rows, own, examples);
    repeated.push(...found.repeated.map((one) => ({ steps: own as SourceSteps, ...one })));
    const more = count - examples.length;
    if (found.left.length === 0 && more === 0) continue;
    const { path } = view.index.table.arrays[id] ?? { path: "" };
    const present = view.counts.arrays.get(path)?.references ?? 0;
    const isMany = found.left.length + more > Math.max(2, present * MANY);
    for (const pair of found.left.slice(0, MAX_TOLD)) {
      if (!pair.every((place) => isOpen(told, place))) continue;
      const rest = pair === found.left[0] ? found.left.length + more - Math.min(MAX_TOLD, found.left.length) : 0;
      sink(repeatedRange(rows, wrongFirst(rows, ranges, ...pair), isMany, 1 + rest));
    }
  }
  for (const found of repeatedStepFindings(view, rows, repeated)) sink(found);
}

function repeatedRange(rows: RangeRows, [wrong, owner]: SamePair, isMany: boolean, count: number): Finding {
  const facts = {
    ...rangeOf(rows, wrong),
    one: rows.textOf(owner),
    other: rows.textOf(wrong),
    problem: isMany ? "many" : "few",
  } as const;
  return {
    ...finding("range-repeated", rows.chunkOf(wrong), facts, count),
    places: [rows.chunkOf(wrong), rows.chunkOf(owner)],
  };
}

const rangeOf = (rows: RangeRows, place: number) => ({
  target: rows.targetOf(place),
  offset: rows.offsetOf(place),
  length: rows.lengthOf(place),
});

function tellShared(rows: RangeRows, { shared }: SameLog, sink: Sink): void {
  for (const { count, ranges, examples } of shared.values()) {
    const first = examples[0] as number;
    const places = examples.map((place) => rows.chunkOf(place));
    sink({
      ...finding("range-shared", places[0] as (typeof places)[0], { ...rangeOf(rows, first), ranges }, count),
      places,
    });
  }
}

function tellBetween(told: Told, { one, other, count, examples }: SharingArrays, sink: Sink): void {
  const { view, rows, ranges } = told;
  const [a, b] = [one, other].map((id) => view.index.table.arrays[id]?.path ?? "") as [string, string];
  const [known, knownOther] = [a, b].map((path) => view.counts.arrays.get(path)?.present ?? 0) as [number, number];
  const [first] = examples;
  if (first === undefined) return;
  const least = Math.min(known, knownOther);
  const isWhole = count >= 3 && count * 2 >= least;
  if (isWhole || (count === least && known === knownOther && isReadAlike(rows, first))) {
    const [chunk, same] = [rows.chunkOf(first[0]), rows.chunkOf(first[1])];
    sink({ ...finding("arrays-share-ranges", chunk, { one: a, other: b }, count), places: [chunk, same] });
    return;
  }
  for (const [at, pair] of examples.entries()) {
    if (!pair.every((place) => isOpen(told, place))) continue;
    const [wrong, owner] = wrongFirst(rows, ranges, ...pair);
    view.ledger.explain(rows.nodeOf(wrong)?.path ?? "", rows.ordinalOf(wrong));
    const facts = { ...rangeOf(rows, wrong), other: rows.textOf(owner) };
    const all = at === 0 ? 1 + count - examples.length : 1;
    sink({
      ...finding("range-of-other-array", rows.chunkOf(wrong), facts, all),
      places: [rows.chunkOf(wrong), rows.chunkOf(owner)],
    });
  }
}

/** True if both arrays read the bytes alike: then one is another name of the other. */
function isReadAlike(rows: RangeRows, [one, other]: SamePair): boolean {
  const outlines = [one, other].map((place) => {
    const metadata = rows.nodeOf(place)?.metadata;
    const codecs = metadata?.decoding.map(({ id }) => id).join();
    return JSON.stringify([metadata?.dataType.text, metadata?.shape, metadata?.chunks, codecs]);
  });
  return outlines[0] === outlines[1];
}

function tellOverlaps(rows: RangeRows, { overlaps, moreOverlaps }: OverlapLog, sink: Sink): void {
  const more = new Map(moreOverlaps);
  for (const one of overlaps.values()) {
    // Overlaps with a range that lies on bytes of others follow from that.
    const cause = overlaps.get(one.other);
    if (cause?.problem === "claimed" && one.problem !== "claimed") cause.others.push(one.wrong);
  }
  for (const { wrong, other, others, problem, bytes } of overlaps.values()) {
    if (problem !== "claimed" && overlaps.get(other)?.problem === "claimed") continue;
    const further = more.get(rows.arrayOf(wrong)) ?? 0;
    more.delete(rows.arrayOf(wrong));
    const facts = { ...rangeOf(rows, wrong), problem, bytes, other: rows.textOf(other), others: others.length };
    const places = [wrong, other, ...others].map((place) => rows.chunkOf(place));
    sink({ ...finding("ranges-overlap", places[0] as (typeof places)[0], facts, 1 + further), places });
  }
}

// A chunk that is a whole file of which other chunks are parts: its offset and length were lost.

interface Wholes {
  readonly places: ChunkPlaces;
  readonly target: number;
  readonly parts: number;
  /** End of the last of the parts. */
  readonly end: number;
}

async function wholeBesideRanges(
  view: SetView,
  rows: RangeRows,
  ranges: TargetRanges,
  sink: (found: Finding) => void,
  context: CallContext,
): Promise<void> {
  const { table, arrayIds, firstTargets } = view.index;
  if (view.counts.states.whole === 0) return;
  const nodes = new Map(view.arrays.map((node) => [arrayIds.get(node.path) ?? -1, node]));
  const endOf = endsOf(rows, ranges);
  const found = new Map<number, Wholes>();
  const pace = startPace(context, "Looking for whole files", table.rows);
  await eachBlock(table, pace, ({ array, ordinal, target, length }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const to = target[i] as number;
      if (length[i] !== LENGTH_WHOLE || to >= FIRST_SPECIAL_TARGET || ordinal[i] === ORDINAL_STRAY) continue;
      const own = firstTargets.of(to);
      const parts = (ranges.ends[own] as number) - (ranges.starts[own] as number);
      const id = array[i] as number;
      const node = nodes.get(id);
      if (parts === 0 || node === undefined) continue;
      const known = found.get(id) ?? { places: new ChunkPlaces(node), target: own, parts, end: endOf(own) };
      found.set(id, known);
      known.places.add(ordinal[i] === ORDINAL_WIDE ? wideOrdinal(table, first + i) : (ordinal[i] as number));
    }
  });
  for (const [id, { places, target, parts, end }] of found) {
    const metadata = nodes.get(id)?.metadata;
    const size = metadata && commonSize(metadata);
    const stored = size === undefined || size.compressor !== undefined ? undefined : size.plain + size.checksums;
    // An uncompressed file may be one chunk here, and several there.
    const isPossible = stored !== undefined && stored >= end;
    sink(places.finding("whole-beside-ranges", { target: table.targets.text(target), parts, end, stored, isPossible }));
  }
}

/** End of a target's last range; computed once for each. */
function endsOf(rows: RangeRows, { starts, ends }: TargetRanges): (target: number) => number {
  const known = new Map<number, number>();
  return (target) => {
    let end = known.get(target) ?? 0;
    if (end > 0) return end;
    for (let at = starts[target] as number; at < (ends[target] as number); at += 1)
      end = Math.max(end, rows.offsetOf(at) + rows.lengthOf(at));
    known.set(target, end);
    return end;
  };
}
