/** One repair for all chunks of a cause, where the same is wrong with each: read, in part where they are many. */
import { chunkBytes, hasRegularChunks, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { ForeseenChunk, RepairOffer, RepairSearch } from "#core/repair-offer.ts";
import {
  ARRAY_NONE,
  type ColumnBlock,
  FIRST_SPECIAL_TARGET,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  type ReferenceTable,
  TARGET_NULL,
} from "#core/table/reference-table.ts";
import type { Certainty, NotEditable, RepairEvidence, RepairSubject } from "#core/repair.ts";
import type { TableEdit } from "#core/studio.ts";
import { chunkReference, type ChunkReference, referenceAt } from "#engine/chunk/chunk-reference.ts";
import { keyOfRow } from "#engine/edit/document-index.ts";
import { arrayNode, type EngineSet } from "#engine/engine-set.ts";
import { foreseenChunk } from "#engine/repair/judge-chunk.ts";
import { suggestedMoves } from "#engine/repair/suggest.ts";
import type { Attempt } from "#engine/repair/suggest/attempts.ts";
import { proofOf } from "#engine/repair/suggest/candidate.ts";
import { storedShape } from "#engine/repair/suggest/find-range.ts";
import { startPace } from "#engine/pace.ts";
import { eachBlock, rowOf } from "#engine/table/array-index.ts";
import { columnsAt, ordinalOfRow } from "#engine/table/batch.ts";
import { meantUrls } from "#core/urls/meant-url.ts";
import { type Budget, type RepairLimits, withBudget } from "../budget.ts";
import { searchRanges } from "../chunk-search.ts";
import { type Claims, claimsOf } from "../claims.ts";
import { targetOfRow } from "../grid-place.ts";
import { decodingTask, tryRange } from "../range-candidates.ts";
import { rangeOffers } from "../range-offers.ts";
import { rangeReader, type RangeReader } from "../range-reader.ts";
import { editsOrWhyNot, notEditable } from "../written-reference.ts";
import { changed, changedTarget, changeOf, patternOf, prefixBetween } from "./pattern.ts";
import type { Pattern, TargetRange } from "./pattern.ts";

interface ChunkSubject {
  readonly array: string;
  readonly coordinates: readonly number[];
}

/** `chunks`: of the cause, of which `subjects` are the first. Nothing is offered where no pattern holds. */
export async function alikeRepair(
  set: EngineSet,
  subjects: readonly RepairSubject[],
  chunks: number,
  context: CallContext,
  limits: RepairLimits,
): Promise<RepairSearch | undefined> {
  const [subject] = subjects;
  if (subject?.kind !== "chunk") return undefined;
  const budget = withBudget(set, limits);
  context.report({ label: "Looking for a repair of all", done: 0, unit: "requests" });
  const quiet: CallContext = { signal: context.signal, report: () => undefined };
  const told = await toldOf(budget.set, subjects, chunks, quiet);
  const offer = await firstHolding(budget, told, { ...quiet, report: context.report });
  const ended = budget.ended();
  const offers = offer === undefined ? [] : [offer];
  return { subject, offers, spent: budget.spent(), ...(ended && { ended }) };
}

async function firstHolding(budget: Budget, told: Told, context: CallContext): Promise<RepairOffer | undefined> {
  const { set } = budget;
  const rows = new Set(told.chunks.map(({ row }) => row));
  const quiet: CallContext = { signal: context.signal, report: () => undefined };
  const tried = new Set<string>();
  for await (const pattern of patternsIn(set, told.chunks, quiet)) {
    if (tried.has(JSON.stringify(pattern))) continue;
    tried.add(JSON.stringify(pattern));
    for (const group of await groupsOf(set, pattern, told, quiet)) {
      const holding = await holdingOf(budget, pattern, group, rows, context);
      const held = holding && (await offerOf(set, { pattern, holding, first: told.chunks[0] }, quiet));
      if (held !== undefined) return held;
    }
  }
  return undefined;
}

async function toldOf(
  set: EngineSet,
  subjects: readonly RepairSubject[],
  chunks: number,
  context: CallContext,
): Promise<Told> {
  const asked = subjects.filter((one): one is ChunkSubject & RepairSubject => one.kind === "chunk");
  const found: ToldChunk[] = [];
  for (const { array, coordinates } of asked) {
    const told = await toldChunk(set, arrayNode(set, array), coordinates, context);
    if (told !== undefined) found.push(told);
  }
  // Another array's chunks have patterns of their own, but for addresses, which all arrays share.
  const [first] = found;
  const own = found.filter(({ chunk }) => chunk.node.path === first?.chunk.node.path);
  return { chunks: own, isAll: own.length >= chunks };
}

interface Held {
  readonly pattern: Pattern;
  readonly holding: Holding;
  readonly first: ToldChunk | undefined;
}

async function offerOf(
  set: EngineSet,
  { pattern, holding: { rows, read }, first }: Held,
  context: CallContext,
): Promise<RepairOffer | undefined> {
  if (first === undefined) return undefined;
  const { path } = first.chunk.node;
  const { reference, key, written } = first.chunk;
  const before = reference.kind === "range" ? changed(pattern, reference) : undefined;
  const after = before === undefined ? "" : `[${JSON.stringify(before.target)}, ${before.offset}, ${before.length}]`;
  const isMove = pattern.kind === "move";
  return {
    change: changeOf(pattern),
    certainty: certaintyOf(rows, read),
    key,
    array: path,
    ...editsOrWhyNot(editsOf(set, pattern, rows)),
    before: written,
    after,
    evidence: evidenceOf(pattern, read),
    alike: { references: rows.length, read: read.length },
    chunks: await foreseen(set, path, read, context),
    ...(isMove && { trial: { shift: pattern.shift, lengthen: pattern.lengthen } }),
  };
}

/** A checksum that holds in each of them is no accident; what was not read is likely at best. */
function certaintyOf(rows: readonly number[], read: readonly ReadMember[]): Certainty {
  const isProved = read.length >= rows.length && read.every(({ attempt }) => attempt.verified.length > 0);
  return isProved ? "safe" : "likely";
}

function evidenceOf(pattern: Pattern, read: readonly ReadMember[]): readonly RepairEvidence[] {
  const [first] = read;
  // Evidence of the group is that of its weakest member.
  const least = read.reduce((one, other) => (proofScore(other) < proofScore(one) ? other : one), first as ReadMember);
  return [
    ...(pattern.kind === "prefix" ? [{ kind: "target-unread" } as const] : []),
    ...(pattern.kind === "index" ? [{ kind: "file-index" } as const] : []),
    ...proofOf(least.attempt).evidence,
    ...(pattern.kind === "size" ? [{ kind: "only-size", bytes: pattern.size } as const] : []),
    { kind: "all-alike", read: read.length },
  ];
}

const proofScore = ({ attempt }: ReadMember): number => proofOf(attempt).score;

/** Chunks that are read again once the repair is applied. */
export const MAX_READ_AGAIN = 12;

async function foreseen(
  set: EngineSet,
  path: string,
  read: readonly ReadMember[],
  context: CallContext,
): Promise<readonly ForeseenChunk[]> {
  const { metadata } = arrayNode(set, path);
  const found: ForeseenChunk[] = [];
  for (const { member, attempt } of read.filter(({ member: { array } }) => array === path).slice(0, MAX_READ_AGAIN)) {
    const { coordinates } = member;
    const [stored] = attempt.stages;
    found.push(stored === undefined ? { coordinates } : await foreseenChunk(metadata, coordinates, stored, context));
  }
  return found;
}

const MAX_EDITED = 20_000;

function editsOf(set: EngineSet, pattern: Pattern, rows: readonly number[]): readonly TableEdit[] | NotEditable {
  for (const row of rows) {
    const refused = notEditable(set, row);
    if (refused !== undefined) return refused;
  }
  if (rows.length > MAX_EDITED) return "too-many";
  const values = new Map<string, string>();
  for (const row of rows) {
    const value = writtenAfter(set, pattern, row);
    if (value !== undefined) values.set(keyOfRow(set, row), value);
  }
  return [{ kind: "set-references", values: [...values] }];
}

/** JSON text of the row's reference after the change; of its address only what must be is written anew. */
function writtenAfter(set: EngineSet, pattern: Pattern, row: number): string | undefined {
  const { targets } = set.table;
  const { reference } = referenceAt(set, row);
  const id = columnsAt(set.table, row).target;
  const url = id < FIRST_SPECIAL_TARGET ? targets.written(id) : null;
  if (reference.kind === "whole" && pattern.kind === "prefix" && url !== null) {
    const other = changedTarget(pattern, url) ?? changedTarget(pattern, targets.text(id));
    return other === undefined ? undefined : JSON.stringify([other]);
  }
  const range = reference.kind === "range" ? changed(pattern, reference) : undefined;
  if (range === undefined) return undefined;
  const target = pattern.kind !== "prefix" || url === null ? url : (changedTarget(pattern, url) ?? range.target);
  return JSON.stringify([target, range.offset, range.length]);
}

// Patterns that some of a cause's chunks show, the likeliest first.

/** `set` reads within a budget. */
async function* patternsIn(set: EngineSet, told: readonly ToldChunk[], context: CallContext): AsyncGenerator<Pattern> {
  const [first] = told;
  if (first === undefined) return;
  const { node, reference } = first.chunk;
  const { metadata } = node;
  // Unequal chunks have no length in common.
  const { size } = hasRegularChunks(metadata) ? storedShape(metadata, chunkBytes(metadata)) : {};
  if (reference.kind === "range" && size !== undefined && reference.length !== size) yield { kind: "size", size };
  const own = reference.kind === "range" || reference.kind === "whole" ? reference : undefined;
  if (reference.kind === "range" && changed(indexPattern(set), reference) !== undefined) yield indexPattern(set);
  yield* ofAddress(set, own?.target, context);
  yield* ofFirst(set, first, own ?? {}, size, context);
  if (reference.kind === "range") yield* movesOfAll(set, spread(told), context);
}

const indexPattern = ({ met }: EngineSet): Pattern => ({ kind: "index", ranges: met.indexed });

/** Offers for a target that is not read: the address that is probably meant. */
async function* ofAddress(
  set: EngineSet,
  target: string | null | undefined,
  context: CallContext,
): AsyncGenerator<Pattern> {
  const meant = typeof target === "string" ? meantUrls(target) : [];
  if (typeof target !== "string" || meant.length === 0) return;
  if ((await rangeReader(set, context).probe(target)).isRead) return;
  for (const one of meant) yield prefixBetween(target, one);
}

/** The repair of the first chunk alone. */
async function* ofFirst(
  set: EngineSet,
  { chunk }: ToldChunk,
  own: Partial<TargetRange>,
  size: number | undefined,
  context: CallContext,
): AsyncGenerator<Pattern> {
  const found = await searchRanges(set, chunk, context);
  const offers = found === undefined ? [] : await rangeOffers(set, chunk, found, context);
  for (const { change } of offers) {
    const pattern = patternOf(change, own, size);
    if (pattern !== undefined) yield pattern;
  }
}

/** Moves of the range by which each of them decodes: where all are wrong, one alone seems to have bytes of the next. */
async function* movesOfAll(set: EngineSet, told: readonly ToldChunk[], context: CallContext): AsyncGenerator<Pattern> {
  let common: ReadonlyMap<string, Pattern> | undefined;
  for (const { chunk } of told) {
    const own = new Map<string, Pattern>();
    for (const move of await suggestedMoves(set, chunk, context))
      own.set(JSON.stringify(move), { kind: "move", ...move });
    const before: ReadonlyMap<string, Pattern> = common ?? own;
    common = new Map([...before].filter(([key]) => own.has(key)));
    if (common.size === 0) return;
  }
  yield* common?.values() ?? [];
}

/** The first, one in the middle, and the last. */
function spread(told: readonly ToldChunk[]): readonly ToldChunk[] {
  const places = [0, Math.floor(told.length / 2), told.length - 1];
  return [...new Set(places)].flatMap((at) => told[at] ?? []);
}

// Tests if a pattern holds for a group of references: few of them are all read, of many a sample that is spread over
// all.

/** Most references that are all read: as many as a finding has places. */
const MAX_ALL = 100;
const SAMPLE = 24;
/** With fewer read before the budget was spent nothing is said of the rest. */
const LEAST_READ = 8;

interface ReadMember {
  readonly member: Member;
  readonly range: TargetRange;
  readonly attempt: Attempt;
}

interface Holding {
  readonly rows: readonly number[];
  /** Those that were read. */
  readonly read: readonly ReadMember[];
}

/** `told`: rows that must be among those for which it holds. */
async function holdingOf(
  budget: Budget,
  pattern: Pattern,
  rows: readonly number[],
  told: ReadonlySet<number>,
  context: CallContext,
): Promise<Holding | undefined> {
  const isAll = rows.length <= MAX_ALL;
  const sampled = isAll ? rows : sampleOf(rows, told);
  const members = sampled.flatMap((row) => memberAt(budget.set, row) ?? []);
  // References to whole files are changed with the ranges of the same address; a move is of ranges alone.
  if (members.length === 0 || (pattern.kind !== "prefix" && members.length < sampled.length)) return undefined;
  const quiet: CallContext = { signal: context.signal, report: () => undefined };
  const reader = rangeReader(budget.set, quiet);
  const trial: MemberTrial = { budget, pattern, reader, unread: new Set(), context: quiet };
  const read: ReadMember[] = [];
  const left = new Set<number>();
  for (const [done, member] of members.entries()) {
    context.signal.throwIfAborted();
    context.report({ label: "Trying a repair for all", done, total: members.length, unit: "chunks" });
    const tried = await tryMember(trial, member);
    // A reference that was not read for want of a budget says nothing.
    if (budget.ended() !== undefined) break;
    if (typeof tried !== "string") read.push(tried);
    else if (!isAll || told.has(member.row)) return undefined;
    else left.add(member.row);
  }
  const isCut = budget.ended() !== undefined;
  if (read.length < Math.min(LEAST_READ, members.length)) return undefined;
  if (isAll && isCut) return undefined;
  return withoutOverlaps(trial, { rows: rows.filter((row) => !left.has(row)), read }, told, isAll);
}

/** Leaves out references that would take bytes of another chunk, if they are few; a sample may have none. */
async function withoutOverlaps(
  { budget: { set }, pattern, context }: MemberTrial,
  { rows, read }: Holding,
  told: ReadonlySet<number>,
  isAll: boolean,
): Promise<Holding | undefined> {
  const claims = await claimsOf(set.index, [...new Set(read.map(({ range }) => range.target))], -1, context);
  const moved = new Set(rows);
  const isFree = ({ range }: ReadMember) => !overlapsOther(pattern, moved, claims.get(range.target), range);
  const free = read.filter((one) => isFree(one));
  const isLost = read.some((one) => !free.includes(one) && (!isAll || told.has(one.member.row)));
  if (isLost || free.length === 0) return undefined;
  const lost = new Set(read.flatMap((one) => (free.includes(one) ? [] : [one.member.row])));
  return { rows: rows.filter((row) => !lost.has(row)), read: free };
}

/** Spread evenly from the first to the last, with some of those told. */
function sampleOf(rows: readonly number[], told: ReadonlySet<number>): readonly number[] {
  const spread = Array.from({ length: SAMPLE }, (_, at) => rows[Math.floor((at * (rows.length - 1)) / (SAMPLE - 1))]);
  const own = rows.filter((row) => told.has(row));
  return [...new Set([...own.slice(0, SAMPLE / 4), ...spread])].filter((row) => row !== undefined);
}

interface MemberTrial {
  readonly budget: Budget;
  readonly pattern: Pattern;
  readonly reader: RangeReader;
  /** Targets that were seen not to be read. */
  readonly unread: Set<string | null>;
  readonly context: CallContext;
}

/** `right`: it is read as written. `neither`: changed it is not read either. */
async function tryMember(trial: MemberTrial, member: Member): Promise<ReadMember | "right" | "neither"> {
  const { budget, pattern, reader, context } = trial;
  const { metadata } = arrayNode(budget.set, member.array);
  const range = changed(pattern, member.range);
  if (range === undefined) return "neither";
  const task = decodingTask(metadataOfChunk(metadata, member.coordinates), reader, context);
  if (pattern.kind !== "prefix") await readBoth(reader, member.range, range);
  if (!(await isKnownUnread(trial, member.range.target))) {
    const declared = await tryRange(task, member.range.target, member.range);
    if (declared !== undefined && isTold(pattern, declared.attempt)) return "right";
  }
  const candidate = await tryRange(task, range.target, range);
  if (candidate === undefined || !isTold(pattern, candidate.attempt)) return "neither";
  return { member, range, attempt: candidate.attempt };
}

/** Reads both ranges in one request, if both are in one target. */
async function readBoth(reader: RangeReader, one: TargetRange, other: TargetRange): Promise<void> {
  const offset = Math.min(one.offset, other.offset);
  const end = Math.max(one.offset + one.length, other.offset + other.length);
  await reader.bytes(one.target, { offset, length: end - offset });
}

/** Hosts that do not answer are asked a few times, not for each chunk. */
const MAX_ASKED = 3;

async function isKnownUnread({ pattern, reader, unread }: MemberTrial, target: string | null): Promise<boolean> {
  if (pattern.kind !== "prefix") return false;
  if (unread.has(target) || unread.size >= MAX_ASKED) return true;
  const { isRead } = await reader.probe(target);
  if (!isRead) unread.add(target);
  return !isRead;
}

/** Any range of the right length decodes where nothing is compressed: where it begins must then not be what changes. */
function isTold({ kind }: Pattern, { verified, sound }: Attempt): boolean {
  return kind !== "move" || verified.length + sound.length > 0;
}

/** Others of the group are where the pattern puts them. */
function overlapsOther(
  pattern: Pattern,
  rows: ReadonlySet<number>,
  claims: Claims | undefined,
  range: TargetRange,
): boolean {
  if (claims === undefined) return true;
  const end = range.offset + range.length;
  let same = 0;
  for (const { row, start, end: to } of claims) {
    const declared = { target: range.target, offset: start, length: to - start };
    const place = rows.has(row) ? (changed(pattern, declared) ?? declared) : declared;
    const isItself = rows.has(row) && place.offset === range.offset && place.length === range.length;
    if (isItself) same += 1;
    else if (place.offset < end && place.offset + place.length > range.offset) return true;
  }
  return same > 1;
}

// Which references a pattern may be the repair of: by one pass over the columns.

/** A chunk of which the cause is told, with the row of its reference. */
interface ToldChunk {
  readonly chunk: ChunkReference;
  readonly row: number;
}

interface Told {
  readonly chunks: readonly ToldChunk[];
  /** True if these are all chunks of the cause. */
  readonly isAll: boolean;
}

/** Rows are numbers: so many of a set are some megabytes. */
const MAX_ROWS = 2_000_000;

/** Groups of rows for which the pattern may hold, the one to be tried first at the head; each has all chunks told. */
async function groupsOf(
  set: EngineSet,
  pattern: Pattern,
  told: Told,
  context: CallContext,
): Promise<readonly (readonly number[])[]> {
  const own = told.chunks.map(({ row }) => row);
  if (pattern.kind === "prefix") return kept([await rowsOfPrefix(set.table, pattern, context)], own);
  const [first] = told.chunks;
  const array = first === undefined ? undefined : set.index.arrayIds.get(first.chunk.node.path);
  if (array === undefined) return [];
  const all = await rowsWhere(set.table, isRangeOf(array), context);
  const targets = new Set(own.map((row) => targetOfRow(set.table, row)));
  const ofTargets = all.filter((row) => targets.has(targetOfRow(set.table, row)));
  const groups = ofTargets.length === all.length ? [all] : [all, ofTargets];
  return told.isAll ? [own, ...kept(groups, own)] : kept(groups, own);
}

function kept(groups: readonly (readonly number[])[], own: readonly number[]): readonly (readonly number[])[] {
  return groups.filter((rows) => {
    const known = new Set(rows);
    return rows.length > 0 && rows.length < MAX_ROWS && own.every((row) => known.has(row));
  });
}

/** Rows of chunks, not of strays, that are meant. */
export async function rowsWhere(
  table: ReferenceTable,
  isMeant: (block: ColumnBlock, at: number) => boolean,
  context: CallContext,
): Promise<readonly number[]> {
  const rows: number[] = [];
  const pace = startPace(context, "Looking for references that are alike", table.rows);
  await eachBlock(table, pace, (block, first, count) => {
    for (let i = 0; i < count && rows.length < MAX_ROWS; i += 1)
      if (block.ordinal[i] !== ORDINAL_STRAY && isMeant(block, i)) rows.push(first + i);
  });
  return rows;
}

/** Ranges of an array's chunks. */
const isRangeOf =
  (id: number) =>
  ({ array, target, length }: ColumnBlock, at: number): boolean =>
    array[at] === id &&
    length[at] !== LENGTH_WHOLE &&
    ((target[at] as number) < FIRST_SPECIAL_TARGET || target[at] === TARGET_NULL);

/** Chunks whose target the pattern changes, whichever array's. */
async function rowsOfPrefix(
  table: ReferenceTable,
  pattern: Extract<Pattern, { kind: "prefix" }>,
  context: CallContext,
): Promise<readonly number[]> {
  const { targets } = table;
  const isMeant = new Uint8Array(targets.count);
  for (let id = 0; id < targets.count; id += 1) {
    if (changedTarget(pattern, targets.text(id)) !== undefined) isMeant[id] = 1;
  }
  const isOne = ({ array, target }: ColumnBlock, at: number) =>
    isMeant[target[at] as number] === 1 && array[at] !== ARRAY_NONE;
  return rowsWhere(table, isOne, context);
}

/** A chunk and its range, by row; `undefined` where it is no range. */
export interface Member {
  readonly row: number;
  readonly array: string;
  readonly coordinates: readonly number[];
  readonly range: TargetRange;
}

export function memberAt(set: EngineSet, row: number): Member | undefined {
  const { table } = set;
  const slot = table.arrays[columnsAt(table, row).array];
  const ordinal = ordinalOfRow(table, row);
  const { reference } = referenceAt(set, row);
  if (slot?.grid === undefined || ordinal < 0 || reference.kind !== "range") return undefined;
  const { target, offset, length } = reference;
  const coordinates = coordinatesOf(slot.grid, ordinal);
  return { row, array: slot.path, coordinates, range: { target, offset, length } };
}

/** The chunk with the row of its reference; `undefined` where it has none. Throws as `chunkReference` does. */
async function toldChunk(
  set: EngineSet,
  node: ChunkReference["node"],
  coordinates: readonly number[],
  context: CallContext,
): Promise<ToldChunk | undefined> {
  const chunk = await chunkReference(set, node, coordinates, context);
  const id = set.index.arrayIds.get(node.path);
  const row = id === undefined ? -1 : rowOf(await set.index.arrayIndex(id, context), chunk.ordinal);
  return row < 0 ? undefined : { chunk, row };
}
