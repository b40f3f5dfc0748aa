/** One repair for all chunks of a cause, where the same is wrong with each: read, in part where they are many. */
import { metadataOfChunk } from "../../../../core/array-metadata.ts";
import type { CallContext } from "../../../../core/byte-source.ts";
import type { ForeseenChunk } from "../../../../core/lab.ts";
import type {
  Certainty,
  NotEditable,
  RepairEvidence,
  RepairOffer,
  RepairSearch,
  RepairSubject,
} from "../../../../core/repairs.ts";
import { BLOCK_ROWS, FIRST_SPECIAL_TARGET } from "../../../../core/reference-table.ts";
import type { TableEdit } from "../../../../core/studio.ts";
import { arrayNode, type EngineSet } from "../../../engine-set.ts";
import { decodeChunk } from "../../../chunk/decode-chunk.ts";
import { referenceAt } from "../../../chunk/chunk-reference.ts";
import { keyOfRow } from "../../../edit/document-index.ts";
import { fingerprintOf } from "../../../lab/judge-chunk.ts";
import { proofOf } from "../../../lab/suggest/candidate.ts";
import { withBudget, type Budget, type RepairLimits } from "../budget.ts";
import { notEditable } from "../written-reference.ts";
import { patternsIn } from "./find-patterns.ts";
import { holdingOf, type Holding, type ReadMember } from "./hold.ts";
import { groupsOf, toldChunk, type Told, type ToldChunk } from "./members.ts";
import { changed, changedTarget, changeOf, type Pattern } from "./pattern.ts";

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
  const edits = editsOf(set, pattern, rows);
  const refused = typeof edits === "string" ? edits : undefined;
  const { reference, key, written } = first.chunk;
  const before = reference.kind === "range" ? changed(pattern, reference) : undefined;
  const after = before === undefined ? "" : `[${JSON.stringify(before.target)}, ${before.offset}, ${before.length}]`;
  const isMove = pattern.kind === "move";
  return {
    change: changeOf(pattern),
    certainty: certaintyOf(rows, read),
    key,
    array: path,
    edits: typeof edits === "string" ? [] : edits,
    ...(refused && { refused }),
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
  // What each of them shows is shown by the one that shows least.
  const least = read.reduce((one, other) => (proofScore(other) < proofScore(one) ? other : one), first as ReadMember);
  return [
    ...(pattern.kind === "prefix" ? [{ kind: "target-unread" } as const] : []),
    ...proofOf(least.attempt).evidence,
    ...(pattern.kind === "size" ? [{ kind: "only-size", bytes: pattern.size } as const] : []),
    { kind: "all-alike", read: read.length },
  ];
}

const proofScore = ({ attempt }: ReadMember): number => proofOf(attempt).score;

/** Chunks that are read again once the repair is applied. */
const MAX_READ_AGAIN = 12;

async function foreseen(
  set: EngineSet,
  path: string,
  read: readonly ReadMember[],
  context: CallContext,
): Promise<readonly ForeseenChunk[]> {
  const { metadata: declared } = arrayNode(set, path);
  const found: ForeseenChunk[] = [];
  for (const { member, attempt } of read.filter(({ member: { array } }) => array === path).slice(0, MAX_READ_AGAIN)) {
    const { coordinates } = member;
    const metadata = metadataOfChunk(declared, coordinates);
    const stored = attempt.stages[0];
    const decoded = stored === undefined ? undefined : await decodeChunk(metadata, stored, context.signal);
    const fingerprint = decoded && fingerprintOf({ metadata, decoded });
    found.push({ coordinates, ...(fingerprint === undefined ? {} : { fingerprint }) });
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
  const { targets, blocks } = set.table;
  const { reference } = referenceAt(set, row);
  const id = blocks[Math.floor(row / BLOCK_ROWS)]?.target[row % BLOCK_ROWS] ?? FIRST_SPECIAL_TARGET;
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
