import type { TargetSummary } from "../../../core/open-set.ts";
import type { ChosenTarget } from "./filter-draft.ts";

/**
 * The targets to offer: chosen ones stay in the list even where other filters leave them no row, so that they can be
 * taken back. `search` is contained in the URL, whatever the case.
 */
export function targetChoices(
  listed: readonly TargetSummary[],
  chosen: readonly ChosenTarget[],
  search: string,
): readonly TargetSummary[] {
  const known = new Set(listed.map(({ id }) => id));
  const gone = chosen.filter(({ id }) => !known.has(id)).map((target) => ({ ...target, references: 0, bytes: 0 }));
  const wanted = search.trim().toLowerCase();
  return [...gone, ...listed].filter(({ url }) => url.toLowerCase().includes(wanted));
}
