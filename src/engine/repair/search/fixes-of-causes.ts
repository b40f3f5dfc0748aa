/** The fix of each cause that a check found, for who cannot choose among them: the best, as it would be written. */
import {
  areMany,
  type CauseSubjects,
  isCheap,
  joinedOffers,
  offerTitle,
  subjectsOf,
} from "../../../core/check/cause-offers.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import { isAbort } from "../../../core/errors.ts";
import type { SaidFinding } from "../../../core/findings/explained.ts";
import { nodesByPath } from "../../../core/metadata/chunk-of-key.ts";
import type { CauseFix } from "../../../core/report/report.ts";
import { certaintyWords } from "../../../core/repair.ts";
import { documentIndex } from "../../edit/document-index.ts";
import { looseText } from "../../edit/edited-text.ts";
import { placeOfKey } from "../../edit/row-place.ts";
import { type EngineSet, isDocument } from "../../engine-set.ts";
import { repairsOf } from "./find-repairs.ts";

/** Causes for which one is looked for. */
const MAX_CAUSES = 12;
const QUIET = (): void => undefined;

/** `isDeep`: chunks are read anyway, so that the search may cost more than one that nobody asked for. */
export async function fixesOfCauses(
  set: EngineSet,
  causes: readonly SaidFinding[],
  { isDeep }: { readonly isDeep: boolean },
  { signal }: CallContext,
): Promise<ReadonlyMap<SaidFinding, CauseFix>> {
  const nodes = nodesByPath(set.nodes);
  const fixes = new Map<SaidFinding, CauseFix>();
  const wrong = causes.filter(({ said }) => said.severity !== "info").slice(0, MAX_CAUSES);
  for (const one of wrong) {
    const cause = subjectsOf(one.found, nodes);
    if (cause.subjects.length === 0 || !(isDeep || isCheap(cause, one.said.severity, nodes))) continue;
    const fix = await fixOf(set, cause, isDeep, { signal, report: QUIET });
    if (fix !== undefined) fixes.set(one, fix);
  }
  return fixes;
}

async function fixOf(
  set: EngineSet,
  cause: CauseSubjects,
  isDeep: boolean,
  context: CallContext,
): Promise<CauseFix | undefined> {
  try {
    const joined = joinedOffers(await repairsOf(set, { ...cause, isUnasked: !isDeep }, context));
    const [first] = joined?.offers ?? [];
    if (joined === undefined || first === undefined) return undefined;
    const isOfAll = !areMany(cause) || first.alike !== undefined || OF_ALL.has(first.change.kind);
    const { key, before, after } = first;
    const line = lineOf(set, key);
    return {
      title: offerTitle(joined),
      certainty: first.certainty,
      words: certaintyWords(first),
      key,
      ...(line !== undefined && { line }),
      before,
      after,
      ...(!isOfAll && { ofFirstAlone: true as const }),
    };
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    return undefined;
  }
}

/** What changes all of an array at once. */
const OF_ALL: ReadonlySet<string> = new Set(["separator", "metadata"]);

/** Where the document writes what makes the key, from 1; `undefined` where it is all on one line, or not known. */
function lineOf(set: EngineSet, key: string): number | undefined {
  const text = isDocument(set) ? set.documentText : undefined;
  if (!isDocument(set) || text === undefined || !/\n./.test(text)) return undefined;
  const start = placeOfKey(documentIndex(set), looseText(text), key)?.start;
  return start === undefined ? undefined : text.slice(0, start).split(/\r\n|\r|\n/).length;
}
