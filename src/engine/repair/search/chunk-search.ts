/** Searches for the bytes of a chunk that are not where its reference says: candidates, weighed. */
import { chunkBytes, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import { ordinalOf } from "#core/metadata/chunk-grid.ts";
import { once } from "#core/basics.ts";
import { editDistance } from "#core/words/near-name.ts";
import type { ChunkReference } from "#engine/chunk/chunk-reference.ts";
import { keyOfRow } from "#engine/edit/document-index.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { suggestedMoves } from "../suggest.ts";
import { storedShape } from "../suggest/find-range.ts";
import { rowOf } from "#engine/table/array-index.ts";
import { columnsAt } from "#engine/table/batch.ts";
import { type Claim, type Claims, claimsOf, type Gap, gapsIn } from "./claims.ts";
import { type GridPlace, gridPlaceOf, type NearChunk, nearestIn, rangeOfRow, targetOfRow } from "./grid-place.ts";
import { candidatesIn, type DecodingTask, type RangeCandidate, tryRange } from "./range-candidates.ts";
import { rangeReader } from "./range-reader.ts";
import { told, weigh } from "./weigh.ts";
import type { AlikePlace, EvenOffset, OwnReference, Surroundings, Weighed } from "./weigh.ts";

export interface FoundRanges {
  /** The best first; none where the reference is as good as any. */
  readonly ranges: readonly Weighed[];
  readonly own: OwnReference;
  readonly place: GridPlace;
}

interface ChunkSearch extends DecodingTask {
  readonly set: EngineSet;
  readonly chunk: ChunkReference;
  readonly place: GridPlace;
  readonly own: OwnReference;
  readonly around: Surroundings;
  /** Targets in which to look for candidates, its own first. */
  readonly targets: readonly (string | null)[];
}

const MAX_TARGETS = 3;

/** `set` reads within a budget. */
export async function searchRanges(
  set: EngineSet,
  chunk: ChunkReference,
  context: CallContext,
): Promise<FoundRanges | undefined> {
  const search = await beginSearch(set, chunk, context);
  if (search === undefined) return undefined;
  const { own, place } = search;
  const rival = await declaredScore(search);
  if (rival === "right") return { ranges: [], own, place };
  const found = new Map<string, Weighed>();
  const take = (candidates: readonly RangeCandidate[]) => {
    for (const one of candidates) {
      const weighed = weigh(one, search.around);
      if (weighed !== undefined) found.set(`${one.target} ${one.offset} ${one.length}`, weighed);
    }
  };
  if (rival === undefined) take(await ownMoves(search));
  take(await sameRanges(search));
  for (const target of search.targets) {
    if ([...found.values()].some(isSure)) break;
    take(await inGaps(search, target));
  }
  const least = rival === undefined ? -Infinity : rival + CLEARLY;
  const ranges = told([...found.values()], rival === undefined)
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score);
  return { ranges, own, place };
}

/** Factor by which another range must fit better than one that decodes as declared. */
const CLEARLY = 1.5;

const isSure = ({ proof, isPlaced, score }: Weighed): boolean => proof === "checksum" && isPlaced && score >= SURE;
const SURE = 8;

async function beginSearch(
  set: EngineSet,
  chunk: ChunkReference,
  context: CallContext,
): Promise<ChunkSearch | undefined> {
  const { node, coordinates } = chunk;
  const metadata = metadataOfChunk(node.metadata, coordinates);
  const expected = chunkBytes(metadata);
  const place = await gridPlaceOf(set, node, coordinates, context);
  const own = ownReference(chunk);
  if (place === undefined || own === undefined || metadata.sharding !== undefined || expected > MAX_CHUNK)
    return undefined;
  const reader = rangeReader(set, context);
  const isOwnUnread = own.target !== undefined && !(await reader.probe(own.target)).isRead;
  const near = isOwnUnread && typeof own.target === "string" ? nearNames(own.target, urlsOf(set)) : [];
  const targets = [
    ...new Set([
      ...(own.target === undefined || isOwnUnread ? [] : [own.target]),
      ...place.targets.slice(0, MAX_TARGETS).map(({ target }) => target),
      ...near,
    ]),
  ].filter((target) => !isOwnUnread || target !== own.target);
  const beside = chunksBeside(set, place, coordinates);
  const asked = [...targets, ...beside.map(({ target }) => target)];
  const claims = await claimsOf(set.index, [...new Set(asked)], place.row, context);
  const around = surroundingsOf(set, { place, own, claims, beside, isOwnUnread, nearNames: near });
  const stored = storedShape(metadata, expected);
  return { set, chunk, place, own, around, targets, metadata, stored, expected, reader, context };
}

/** Decoded bytes: the search keeps several. */
const MAX_CHUNK = 2 ** 28;

function* urlsOf({ table: { targets } }: EngineSet): Iterable<string> {
  for (let id = 0; id < targets.count; id += 1) yield targets.text(id);
}

/** `undefined` where there is no reference that could be another; what can be told of a bad one is its target. */
function ownReference({ reference }: ChunkReference): OwnReference | undefined {
  if (reference.kind === "range") return reference;
  if (reference.kind === "whole") return { target: reference.target };
  return reference.kind === "bad" ? badReference(reference.written) : undefined;
}

function badReference(written: string): OwnReference {
  try {
    const value: unknown = JSON.parse(written);
    const target: unknown = Array.isArray(value) ? value[0] : undefined;
    if (!Array.isArray(value) || typeof target !== "string" || target.includes("{{")) return {};
    const offset: unknown = value[1];
    return Number.isSafeInteger(offset) && (offset as number) >= 0 ? { target, offset: offset as number } : { target };
  } catch {
    return {};
  }
}

/**
 * `right`: the reference decodes, and no other has its bytes. Else how well it fits where it decodes all the same;
 * `undefined` where it does not.
 */
async function declaredScore(search: ChunkSearch): Promise<"right" | number | undefined> {
  const { own, around } = search;
  if (own.target === undefined || own.offset === undefined || own.length === undefined) return undefined;
  const range = { offset: own.offset, length: own.length };
  const candidate = await tryRange(search, own.target, range);
  if (candidate === undefined) return undefined;
  const claims = around.claims.get(own.target) ?? [];
  if (weigh(candidate, around) !== undefined) return "right";
  const end = range.offset + range.length;
  const free = claims.filter(({ start, end: to }) => start >= end || to <= range.offset);
  // Like itself is every reference: that speaks for none.
  const alone = weigh(candidate, { ...around, own: {}, claims: new Map([[own.target, free]]) });
  return alone?.score ?? 0;
}

/** Candidates that the lab finds by moving the range. */
async function ownMoves(search: ChunkSearch): Promise<readonly RangeCandidate[]> {
  const { set, chunk, own, context, stored, around } = search;
  const { target, offset, length } = own;
  if (target === undefined || offset === undefined || around.isOwnUnread) return [];
  if (stored.size !== undefined) {
    const candidate = await tryRange(search, target, { offset, length: stored.size });
    return candidate === undefined ? [] : [candidate];
  }
  if (length === undefined || length <= 0) return [];
  const found: RangeCandidate[] = [];
  const indexed = set.met.indexed.get(`${target} ${offset} ${length}`);
  const byIndex = indexed && (await tryRange(search, target, indexed));
  if (byIndex !== undefined) return [byIndex];
  for (const { shift, lengthen } of await suggestedMoves(set, chunk, context)) {
    const candidate = await tryRange(search, target, { offset: offset + shift, length: length + lengthen });
    if (candidate !== undefined) found.push(candidate);
  }
  return found;
}

/** The same bytes of other targets. */
async function sameRanges(search: ChunkSearch): Promise<readonly RangeCandidate[]> {
  const { own, targets } = search;
  if (own.offset === undefined || own.length === undefined || own.length <= 0) return [];
  const range = { offset: own.offset, length: own.length };
  const found: RangeCandidate[] = [];
  for (const target of targets) {
    if (target === own.target) continue;
    const candidate = await tryRange(search, target, range);
    if (candidate !== undefined) found.push(candidate);
  }
  return found;
}

const MAX_GAPS = 10;
const LEAST_BYTES = 8;

async function inGaps(search: ChunkSearch, target: string | null): Promise<readonly RangeCandidate[]> {
  const { stored, reader } = search;
  const { claims, alike, evenOffsets } = search.around;
  const known = claims.get(target);
  if (known === undefined) return [];
  const { isRead, size } = await reader.probe(target);
  if (!isRead) return [];
  const least = stored.size ?? LEAST_BYTES;
  const gaps = gapsIn(known, size).filter(({ start, end }) => end - start >= least);
  const declared = target === search.own.target && search.own.offset !== undefined ? [search.own.offset] : [];
  const offsets = [...declared, ...[...alike(target), ...evenOffsets(target)].map(({ offset }) => offset)];
  const found: RangeCandidate[] = [];
  for (const gap of byNearness(search, target, gaps, offsets).slice(0, MAX_GAPS)) {
    const inside = offsets.filter((offset) => offset >= gap.start && offset < gap.end);
    found.push(...(await candidatesIn(search, target, gap, inside)));
    const good = found.flatMap((one) => weigh(one, search.around) ?? []);
    if (good.some(isSure)) break;
  }
  return found;
}

/** Gaps beside the chunks before and behind it first, then those between them, then those beside its array's chunks. */
function byNearness(
  { set, place, around: { near } }: ChunkSearch,
  target: string | null,
  gaps: readonly Gap[],
  offsets: readonly number[],
): readonly Gap[] {
  const { before, after } = near(target);
  const own = set.index.arrayIds.get(place.node.path);
  const isOwn = (claim: Claim | undefined) => claim !== undefined && columnsAt(set.table, claim.row).array === own;
  const rank = (gap: Gap) => {
    if (gap.before?.row === before?.row && before !== undefined) return 0;
    if (gap.after?.row === after?.row && after !== undefined) return 0;
    if (offsets.some((offset) => offset >= gap.start && offset < gap.end)) return 1;
    if (gap.start >= (before?.end ?? Infinity) && gap.end <= (after?.start ?? -Infinity)) return 2;
    return isOwn(gap.before) || isOwn(gap.after) ? 3 : 4;
  };
  return gaps
    .map((gap) => ({ gap, rank: rank(gap) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ gap }) => gap);
}

// Targets whose names are nearly the same as one that cannot be read.

const MAX_NAMES = 50_000;
const MAX_EDITS = 2;
const MAX_NEAR = 3;
/** Length of a name up to which two differences say little. */
const SHORT_NAME = 4;

/** The nearest first. */
function nearNames(written: string, names: Iterable<string>): readonly string[] {
  const near: { readonly name: string; readonly edits: number }[] = [];
  let looked = 0;
  for (const name of names) {
    if (++looked > MAX_NAMES) break;
    if (name === written) continue;
    const edits = editsBetween(written, name);
    if (edits <= MAX_EDITS && Math.min(written.length, name.length) > SHORT_NAME) near.push({ name, edits });
  }
  return near
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name);
}

/** Counts edits between two names without their common ends, which are most of a URL. */
function editsBetween(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let [start, end] = [0, 0];
  while (start < most && one[start] === other[start]) start += 1;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [a, b] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  return Math.max(a.length, b.length) > MAX_DIFFERENT ? MAX_EDITS + 1 : editDistance(a, b, MAX_EDITS);
}

/** Longest rest after the common beginning and end; two edits leave a short one. */
const MAX_DIFFERENT = 64;

// Surroundings of a chunk in its targets, for `weigh`.

interface BesideChunk extends NearChunk {
  readonly target: string | null;
}

/** Chunks one and two steps along the first dimension that are in other targets. */
function chunksBeside(set: EngineSet, { grid, index, row }: GridPlace, coordinates: readonly number[]) {
  const own = targetOfRow(set.table, row);
  return [-1, 1, -2, 2].flatMap((step): readonly BesideChunk[] => {
    const at = coordinates.with(0, (coordinates[0] ?? 0) + step);
    const ordinal = coordinates.length === 0 ? undefined : ordinalOf(grid, at);
    const other = ordinal === undefined ? -1 : rowOf(index, ordinal);
    const target = other < 0 ? undefined : targetOfRow(set.table, other);
    const found = target === undefined || target === own ? undefined : rangeOfRow(set, other);
    return found === undefined || target === undefined ? [] : [{ ...found, target }];
  });
}

interface Known extends Pick<Surroundings, "own" | "claims" | "isOwnUnread" | "nearNames"> {
  readonly place: GridPlace;
  readonly beside: readonly BesideChunk[];
}

function surroundingsOf(set: EngineSet, known: Known): Surroundings {
  const { place, claims, beside } = known;
  const near = byTarget((target) => {
    const before = nearestIn(set, place, target, -1);
    const after = nearestIn(set, place, target, 1);
    return { ...(before && { before }), ...(after && { after }) };
  });
  return {
    ...known,
    votes: place.targets,
    near,
    alike: byTarget((target) => alikeIn(target, claims, beside)),
    evenOffsets: byTarget((target) => evenOffsets(set, place, target)),
    keyOf: (row) => keyOfRow(set, row),
  };
}

function byTarget<T>(make: (target: string | null) => T): (target: string | null) => T {
  const made = new Map<string | null, () => T>();
  return (target) => {
    const one = made.get(target) ?? once(() => make(target));
    made.set(target, one);
    return one();
  };
}

const LEAST_ALIKE = 2;

/**
 * Chunks in other targets that begin at one offset, all of them; of a single one only where most of what begins in its
 * target begins at the same offset in the other.
 */
function alikeIn(
  target: string | null,
  claims: ReadonlyMap<string | null, Claims | undefined>,
  beside: readonly BesideChunk[],
): readonly AlikePlace[] {
  const others = beside.filter((one) => one.target !== target);
  const [first] = others;
  if (first === undefined || others.some(({ start }) => start !== first.start)) return [];
  const starts = new Set(claims.get(target)?.map(({ start }) => start));
  const shared = (claims.get(first.target) ?? []).filter(({ start }) => starts.has(start)).length;
  const isAlike =
    new Set(others.map((one) => one.target)).size >= LEAST_ALIKE ||
    (shared >= LEAST_ALIKE && shared * 2 >= starts.size);
  return isAlike ? [{ offset: first.start, row: first.row, target: first.target }] : [];
}

/** Records: chunks that follow each other at one distance, twice at least, say where those beside them begin. */
function evenOffsets(set: EngineSet, { index, ordinal }: GridPlace, target: string | null): readonly EvenOffset[] {
  const startOf = (at: number) => {
    const row = at < 0 || at >= index.cells ? -1 : rowOf(index, at);
    return row < 0 || targetOfRow(set.table, row) !== target ? undefined : rangeOfRow(set, row)?.start;
  };
  const starts = [-3, -2, -1, 1, 2, 3].map((step) => ({ step, start: startOf(ordinal + step) }));
  const known = starts.flatMap(({ step, start }) => (start === undefined ? [] : [{ step, start }]));
  const distances = known.flatMap((one, at) => {
    const next = known[at + 1];
    return next === undefined ? [] : [{ step: (next.start - one.start) / (next.step - one.step), from: one }];
  });
  const [first] = distances;
  const isEven = distances.length >= LEAST_EVEN && distances.every(({ step }) => step === first?.step);
  if (first === undefined || !isEven || first.step <= 0) return [];
  const offset = first.from.start - first.from.step * first.step;
  return Number.isSafeInteger(offset) && offset >= 0 ? [{ offset, step: first.step }] : [];
}

const LEAST_EVEN = 2;
