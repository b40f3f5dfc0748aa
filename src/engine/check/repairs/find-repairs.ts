/** Repairs of what a check found: each was read, and decodes to exactly the bytes that the chunk should have. */
import type { CallContext } from "../../../core/byte-source.ts";
import type { RepairOffer, RepairSearch, RepairSubject } from "../../../core/repairs.ts";
import { chunkReference } from "../../chunk/chunk-reference.ts";
import { arrayNode, type EngineSet } from "../../engine-set.ts";
import { limitsFor, UNASKED_LIMITS, withBudget, type RepairLimits } from "./budget.ts";
import { searchRanges } from "./chunk-search.ts";
import { rangeOffers } from "./range-offers.ts";
import { separatorOffer } from "./separator-offer.ts";
import { strayOffers } from "./stray-offers.ts";

/** Throws `no-such-array`, `outside-grid`, and an `AbortError` when the call is aborted. */
export async function findRepairs(
  set: EngineSet,
  subject: RepairSubject,
  context: CallContext,
  limits: RepairLimits = limitsFor(chunkBytes(set, subject)),
): Promise<RepairSearch> {
  const budget = withBudget(set, limits);
  const label = subject.kind === "key" ? subject.key : `${subject.array} ${subject.coordinates.join(".")}`;
  context.report({ label: `Looking for repairs of ${label}`, done: 0, unit: "requests" });
  const quiet: CallContext = { signal: context.signal, report: () => undefined };
  const offers =
    subject.kind === "key"
      ? await strayOffers(budget.set, subject.key, quiet)
      : await chunkOffers(budget.set, subject.array, subject.coordinates, quiet);
  const ended = budget.ended();
  return { subject, offers, spent: budget.spent(), ...(ended && { ended }) };
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

function chunkBytes(set: EngineSet, subject: RepairSubject): number {
  const node = subject.kind === "chunk" ? set.hierarchy.nodes.get(subject.array) : undefined;
  if (node?.kind !== "array") return 0;
  const { chunks, dataType } = node.metadata;
  return chunks.reduce((product, length) => product * length, dataType.itemSize);
}

/** Of each subject; of those that nobody asked for within less. */
export async function repairsOf(
  set: EngineSet,
  subjects: readonly RepairSubject[],
  isUnasked: boolean,
  context: CallContext,
): Promise<readonly RepairSearch[]> {
  const found: RepairSearch[] = [];
  for (const subject of subjects) {
    found.push(await findRepairs(set, subject, context, isUnasked ? UNASKED_LIMITS : undefined));
  }
  return found;
}
