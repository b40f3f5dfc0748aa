/** The fix of each cause that a check found, for who cannot choose among them: the best, as it would be written. */
import { areMany, isCheap, joinedOffers, offerTitle, subjectsOf } from "#core/check/cause-offers.ts";
import type { CauseSubjects } from "#core/check/cause-offers.ts";
import type { CallContext } from "#core/byte-source.ts";
import { isAbort } from "#core/findings/finding.ts";
import type { SaidFinding } from "#core/findings/explained.ts";
import { outOfReach } from "#core/findings/out-of-reach.ts";
import { nodesByPath } from "#core/metadata/chunk-of-key.ts";
import type { CauseFix } from "#core/report/report.ts";
import { certaintyWords, evidenceLines, nothingFoundWords } from "#core/repair.ts";
import type { RepairOffer } from "#core/repair-offer.ts";
import { lineOfKey } from "#engine/edit/row-place.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { repairsOf } from "./find-repairs.ts";

/** Causes for which one is looked for. */
const MAX_CAUSES = 12;
const QUIET = (): void => undefined;

/** Result of searching for the fix of a cause. */
export interface SearchedCause {
  readonly fix?: CauseFix;
  /** Nothing was found: what was tried. */
  readonly tried?: string;
  /** With their edits: all that the fix consists of. */
  readonly offers: readonly RepairOffer[];
}

/**
 * `isDeep`: chunks are read anyway, so that the search may cost more than one that nobody asked for. `most`: causes for
 * which one is looked for.
 */
export async function fixesOfCauses(
  set: EngineSet,
  causes: readonly SaidFinding[],
  { isDeep, most = MAX_CAUSES }: { readonly isDeep: boolean; readonly most?: number },
  { signal }: CallContext,
): Promise<ReadonlyMap<SaidFinding, SearchedCause>> {
  const nodes = nodesByPath(set.nodes);
  const fixes = new Map<SaidFinding, SearchedCause>();
  // A target that could not be asked may be right as it is.
  const isOpen = ({ said, found }: SaidFinding) => said.severity !== "info" && outOfReach(found) !== "unasked";
  const wrong = causes.filter(isOpen).slice(0, most);
  for (const one of wrong) {
    const cause = subjectsOf(one.found, nodes);
    if (cause.subjects.length === 0 || !(isDeep || isCheap(cause, one.said.severity, nodes))) continue;
    const searched = await searchFor(set, cause, isDeep, { signal, report: QUIET });
    // A search without result does not count for findings that may be no fault.
    if (searched?.fix !== undefined || (searched !== undefined && one.said.severity === "error"))
      fixes.set(one, searched);
  }
  return fixes;
}

async function searchFor(
  set: EngineSet,
  cause: CauseSubjects,
  isDeep: boolean,
  context: CallContext,
): Promise<SearchedCause | undefined> {
  try {
    const searches = await repairsOf(set, { ...cause, isUnasked: !isDeep }, context);
    const joined = joinedOffers(searches);
    const [first] = joined?.offers ?? [];
    if (joined === undefined || first === undefined) return { tried: nothingFoundWords(searches), offers: [] };
    const isOfAll = !areMany(cause) || first.alike !== undefined || OF_ALL.has(first.change.kind);
    const { key, before, after } = first;
    const line = lineOfKey(set, key);
    const fix: CauseFix = {
      title: offerTitle(joined),
      certainty: first.certainty,
      words: certaintyWords(first),
      key,
      ...(line !== undefined && { line }),
      before,
      after,
      evidence: evidenceLines(first),
      ...(!isOfAll && { ofFirstAlone: true as const }),
    };
    return { fix, offers: joined.offers };
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    return undefined;
  }
}

/** Kinds of changes that change all of an array at once. */
const OF_ALL: ReadonlySet<string> = new Set(["separator", "metadata"]);
