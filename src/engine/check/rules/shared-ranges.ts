/** Chunks that claim the same bytes: the same range, overlaps, a whole file beside its parts. */
import { hasRegularChunks } from "../../../core/metadata/array-metadata.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import { finding } from "../../../core/findings/finding.ts";
import { ARRAY_NONE } from "../../../core/table/reference-table.ts";
import { claimLog, type ClaimLog, type SamePair, type SharingArrays } from "../claim-log.ts";
import { findClaims } from "../claims.ts";
import { markExplained } from "../explained-chunks.ts";
import { wrongFirst } from "../owner-of-range.ts";
import { rangeOrder, type RangeOrder, type RangeWindow } from "../range-order.ts";
import { rangeRows, type RangeRows } from "../range-rows.ts";
import { repeatedStepFindings } from "../steps/repeated-step-findings.ts";
import { repeatedSteps } from "../steps/repeated-steps.ts";
import type { SetRule, SetView } from "../rule.ts";
import { sourceSteps, type SourceSteps } from "../steps/source-steps.ts";
import { commonSize, storedSizes } from "../stored-size.ts";
import { keyOfChunk, toldKeys } from "../told-keys.ts";
import { wholeBesideRanges } from "../whole-beside-ranges.ts";

type Sink = (found: Finding) => void;

/** Of an array's chunks, from which on that two share a range is how the set was made. */
const MANY = 0.25;
const MAX_TOLD = 100;

export const sharedRanges: SetRule = {
  id: "shared-ranges",
  codes: [
    "steps-from-same-bytes",
    "range-repeated",
    "range-shared",
    "range-of-other-array",
    "arrays-share-ranges",
    "ranges-overlap",
    "whole-beside-ranges",
  ],
  needs: "references",
  cost: "rows",
  async run(view, sink, context) {
    const takes = readableByRange(view);
    // In place by the time that the ranges of a window are seen.
    let rowAt: RangeOrder["rowAt"] = () => 0;
    const rows = rangeRows(view, { rowAt: (place) => rowAt(place) });
    const log = claimLog((place) => rows.arrayOf(place), wrongLengths(view, rows));
    const see = (window: RangeWindow, order: RangeOrder): boolean => {
      ({ rowAt } = order);
      const before = log.noted();
      findClaims(window, log);
      // Where a whole file is a chunk, too, all its parts are asked for.
      return log.noted() > before || view.counts.states.whole > 0;
    };
    const order = await rangeOrder(view.index, takes, see, context);
    const doubled = toldKeys(view, "duplicate-key");
    // Of a key that is written twice the wrong reference may have won.
    const isTold = (place: number) => doubled.size > 0 && doubled.has(keyOfChunk(view, rows.chunkOf(place)));
    const told = { view, rows, order, log, isTold };
    await samePairs(told, sink, context);
    tellShared(rows, log, sink);
    for (const sharing of log.between.values()) tellBetween(told, sharing, sink);
    tellOverlaps(rows, log, sink);
    await wholeBesideRanges(view, rows, order, sink, context);
    return { unit: "references", of: view.counts.references, lookedAt: order.starts.at(-1) ?? 0, sampled: 0 };
  },
};

/** By array id: not inner chunks of shards, whose entries are judged with their shard, nor GRIB messages, which several arrays are read from. */
function readableByRange({ index, arrays }: SetView): Uint8Array {
  const takes = new Uint8Array(ARRAY_NONE + 1);
  for (const { path, metadata } of arrays) {
    const id = index.arrayIds.get(path);
    const isPart = metadata.decoding.some(({ id: codec }) => /grib/i.test(codec));
    if (id !== undefined && metadata.sharding === undefined && !isPart) takes[id] = 1;
  }
  return takes;
}

/** Whether a range has a length that its chunk cannot have: then that is what is wrong with it. */
function wrongLengths({ index, arrays }: SetView, rows: RangeRows): (place: number) => boolean {
  const right = new Map<number, number>();
  const unequal = new Map<number, ReturnType<typeof storedSizes>>();
  for (const { path, metadata } of arrays) {
    const id = index.arrayIds.get(path) ?? -1;
    if (!hasRegularChunks(metadata)) unequal.set(id, storedSizes(metadata));
    const size = commonSize(metadata);
    if (size !== undefined && size.compressor === undefined) right.set(id, size.plain + size.checksums);
  }
  return (place) => {
    const length = rows.lengthOf(place);
    const size = unequal.get(rows.arrayOf(place))?.(rows.chunkOf(place).coordinates);
    if (size !== undefined) return size.compressor === undefined && size.plain + size.checksums !== length;
    return (right.get(rows.arrayOf(place)) ?? length) !== length;
  };
}

interface Told {
  readonly view: SetView;
  readonly rows: RangeRows;
  readonly order: RangeOrder;
  readonly log: ClaimLog;
  readonly isTold: (place: number) => boolean;
}

async function samePairs({ view, rows, order, log, isTold }: Told, sink: Sink, context: CallContext): Promise<void> {
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
      if (pair.some(isTold)) continue;
      const rest = pair === found.left[0] ? found.left.length + more - Math.min(MAX_TOLD, found.left.length) : 0;
      sink(repeatedRange(rows, wrongFirst(rows, order, ...pair), isMany, 1 + rest));
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

function tellShared(rows: RangeRows, { shared }: ClaimLog, sink: Sink): void {
  for (const { count, ranges, examples } of shared.values()) {
    const first = examples[0] as number;
    const places = examples.map((place) => rows.chunkOf(place));
    sink({
      ...finding("range-shared", places[0] as (typeof places)[0], { ...rangeOf(rows, first), ranges }, count),
      places,
    });
  }
}

function tellBetween(
  { view, rows, order, isTold }: Told,
  { one, other, count, examples }: SharingArrays,
  sink: Sink,
): void {
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
    if (pair.some(isTold)) continue;
    const [wrong, owner] = wrongFirst(rows, order, ...pair);
    markExplained(view, rows.nodeOf(wrong)?.path ?? "", rows.ordinalOf(wrong));
    const facts = { ...rangeOf(rows, wrong), other: rows.textOf(owner) };
    const all = at === 0 ? 1 + count - examples.length : 1;
    sink({
      ...finding("range-of-other-array", rows.chunkOf(wrong), facts, all),
      places: [rows.chunkOf(wrong), rows.chunkOf(owner)],
    });
  }
}

/** Whether both arrays make the same of the bytes: then one is another name of the other. */
function isReadAlike(rows: RangeRows, [one, other]: SamePair): boolean {
  const outlines = [one, other].map((place) => {
    const metadata = rows.nodeOf(place)?.metadata;
    const codecs = metadata?.decoding.map(({ id }) => id).join();
    return JSON.stringify([metadata?.dataType.text, metadata?.shape, metadata?.chunks, codecs]);
  });
  return outlines[0] === outlines[1];
}

function tellOverlaps(rows: RangeRows, { overlaps, moreOverlaps }: ClaimLog, sink: Sink): void {
  const more = new Map(moreOverlaps);
  for (const one of overlaps.values()) {
    // What overlaps a range that lies on bytes of others is one of these.
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
