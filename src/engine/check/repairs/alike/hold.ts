/** Whether a pattern holds for a group of references: few of them are read all, of many a sample that is spread over all. */
import { metadataOfChunk } from "../../../../core/array-metadata.ts";
import type { CallContext } from "../../../../core/byte-source.ts";
import { arrayNode } from "../../../engine-set.ts";
import type { Attempt } from "../../../lab/suggest/attempts.ts";
import type { Budget } from "../budget.ts";
import { claimsOf, type Claims } from "../claims.ts";
import { decodingTask, tryRange } from "../range-candidates.ts";
import { rangeReader, type RangeReader } from "../range-reader.ts";
import { memberAt, type Member } from "./members.ts";
import { changed, type Pattern, type TargetRange } from "./pattern.ts";

/** As many as a finding has places. */
const MAX_ALL = 100;
const SAMPLE = 24;
/** With fewer read before the budget was spent nothing is said of the rest. */
const LEAST_READ = 8;

export interface ReadMember {
  readonly member: Member;
  readonly range: TargetRange;
  readonly attempt: Attempt;
}

export interface Holding {
  readonly rows: readonly number[];
  /** Those that were read. */
  readonly read: readonly ReadMember[];
}

/** `told`: rows that must be among those for which it holds. */
export async function holdingOf(
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
    // What could not be read for want of a budget says nothing.
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

/** Of few, those that would have bytes of another chunk are left as they are; of a sample none may. */
async function withoutOverlaps(
  { budget: { set }, pattern, context }: MemberTrial,
  { rows, read }: Holding,
  told: ReadonlySet<number>,
  isAll: boolean,
): Promise<Holding | undefined> {
  const claims = await claimsOf(set.table, [...new Set(read.map(({ range }) => range.target))], -1, context);
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

/** In one request, where both are in one target. */
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
