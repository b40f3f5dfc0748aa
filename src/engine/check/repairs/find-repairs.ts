/** Repairs of what a check found: each was read, and decodes to exactly the bytes that the chunk should have. */
import { metadataOfLargest } from "../../../core/array-metadata.ts";
import { chunkBytes } from "../../../core/chunk-bytes.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import { FEW_PLACES, type RepairOffer, type RepairSearch, type RepairSubject } from "../../../core/repairs.ts";
import { chunkReference } from "../../chunk/chunk-reference.ts";
import { arrayNode, type EngineSet } from "../../engine-set.ts";
import { alikeRepair } from "./alike/alike-offer.ts";
import { alikeRemoval } from "./alike/alike-removal.ts";
import { ALIKE_LIMITS, limitsFor, UNASKED_LIMITS, withBudget, type RepairLimits } from "./budget.ts";
import { searchRanges } from "./chunk-search.ts";
import { gridOffers } from "./grid-offer.ts";
import { rangeOffers } from "./range-offers.ts";
import { separatorOffer } from "./separator-offer.ts";
import { strayOffers } from "./stray-offers.ts";

/** Throws `no-such-array`, `outside-grid`, and an `AbortError` when the call is aborted. */
export async function findRepairs(
  set: EngineSet,
  subject: RepairSubject,
  context: CallContext,
  limits: RepairLimits = limitsFor(bytesOf(set, subject)),
): Promise<RepairSearch> {
  const budget = withBudget(set, limits);
  const label = labelOf(subject);
  context.report({ label: `Looking for repairs of ${label}`, done: 0, unit: "requests" });
  const quiet: CallContext = { signal: context.signal, report: () => undefined };
  const offers = await offersOf(budget.set, subject, quiet);
  const ended = budget.ended();
  return { subject, offers, spent: budget.spent(), ...(ended && { ended }) };
}

function labelOf(subject: RepairSubject): string {
  if (subject.kind === "key") return subject.key;
  const name = subject.array === "" ? "/" : subject.array;
  return subject.kind === "chunk" ? `${name} ${subject.coordinates.join(".")}` : `the metadata of ${name}`;
}

function offersOf(set: EngineSet, subject: RepairSubject, context: CallContext): Promise<readonly RepairOffer[]> {
  switch (subject.kind) {
    case "key":
      return strayOffers(set, subject.key, context);
    case "chunk":
      return chunkOffers(set, subject.array, subject.coordinates, context);
    case "metadata":
      return gridOffers(set, subject.array, subject.chunks, context);
  }
}

async function chunkOffers(
  set: EngineSet,
  array: string,
  coordinates: readonly number[],
  context: CallContext,
): Promise<readonly RepairOffer[]> {
  const node = arrayNode(set, array);
  const chunk = await chunkReference(set, node, coordinates, context);
  if (chunk.reference.kind === "missing") {
    const renamed = await separatorOffer(set, set.index.arrayIds.get(node.path) ?? -1, context);
    return renamed === undefined ? [] : [renamed];
  }
  const found = await searchRanges(set, chunk, context);
  return found === undefined ? [] : rangeOffers(set, chunk, found, context);
}

function bytesOf(set: EngineSet, subject: RepairSubject): number {
  const node = subject.kind !== "key" ? set.hierarchy.nodes.get(subject.array) : undefined;
  return node?.kind === "array" ? chunkBytes(metadataOfLargest(node.metadata)) : 0;
}

export interface CauseRequest {
  /** The first places of the cause; before them the array whose metadata may be its cause. */
  readonly subjects: readonly RepairSubject[];
  /** Chunks, or keys, of the cause; more than `subjects` where not all are told. */
  readonly chunks: number;
  /** Within less, and only for single places. */
  readonly isUnasked: boolean;
}

/**
 * Of a cause: one repair that holds for all of its chunks where the same is wrong with each; else of each place, of many
 * the first. Throws as `findRepairs` does.
 */
export async function repairsOf(
  set: EngineSet,
  { subjects: all, chunks, isUnasked }: CauseRequest,
  context: CallContext,
): Promise<readonly RepairSearch[]> {
  const limits = isUnasked ? UNASKED_LIMITS : undefined;
  const ofMetadata = all.find(({ kind }) => kind === "metadata");
  const grid = ofMetadata && (await findRepairs(set, ofMetadata, context, limits));
  const subjects = all.filter((one) => one !== ofMetadata);
  // Where the metadata are wrong, the references are not.
  if (grid !== undefined && (grid.offers.length > 0 || subjects.length === 0)) return [grid];
  const isMany = chunks > Math.min(subjects.length, FEW_PLACES);
  const alike = isMany ? await alikeRepairs(set, subjects, chunks, isUnasked, context) : undefined;
  if (alike !== undefined && alike.offers.length > 0) return [alike];
  const found: RepairSearch[] = alike === undefined ? [] : [alike];
  for (const subject of chunks > FEW_PLACES ? subjects.slice(0, 1) : subjects) {
    found.push(await findRepairs(set, subject, context, limits));
  }
  return found;
}

/** Keys cost nothing to look at; chunks are read only where somebody asks for it. */
async function alikeRepairs(
  set: EngineSet,
  subjects: readonly RepairSubject[],
  chunks: number,
  isUnasked: boolean,
  context: CallContext,
): Promise<RepairSearch | undefined> {
  const [first] = subjects;
  if (first?.kind === "key") return alikeRemoval(set, first.key, context);
  const bytes = first === undefined ? 0 : bytesOf(set, first);
  return isUnasked ? undefined : alikeRepair(set, subjects, chunks, context, limitsFor(bytes, ALIKE_LIMITS));
}
