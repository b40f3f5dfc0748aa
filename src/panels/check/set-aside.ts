/** Removes accepted findings. Fetched if there are acceptances: it brings the names that reports give findings. */
import type { Acceptance } from "#core/check/acceptance.ts";
import { isLookedAt, unusedFinding, withoutAccepted, type AcceptedOne } from "#core/check/accepted.ts";
import type { CheckState } from "#core/check/check.ts";
import { explained, questionOf } from "#core/findings/explain.ts";
import { checkFinding, type CheckFinding } from "#core/report/report.ts";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import type { ListedFinding } from "./findings.ts";

export interface SetAside {
  /** Findings that are left, and a note for each acceptance that is no longer needed. */
  readonly findings: readonly ListedFinding[];
  readonly accepted: readonly AcceptedOne<ListedFinding>[];
  /** Findings left that reach further than their acceptance. */
  readonly outgrown: ReadonlyMap<ListedFinding, Acceptance>;
  readonly unused: readonly Acceptance[];
  /** Acceptances of problems that were not checked yet. */
  readonly waiting: readonly Acceptance[];
}

export function setAside(
  listed: readonly ListedFinding[],
  acceptances: readonly Acceptance[],
  { nodes, state }: { readonly nodes: NodesByPath; readonly state: CheckState | undefined },
): SetAside {
  const { rest, accepted, outgrown, unmet } = withoutAccepted(listed, acceptances, (one) => inReport(one, nodes));
  const isKnown = ({ code }: Acceptance): boolean =>
    state !== undefined && !state.isUnchecked && isLookedAt(code, questionOf(code), state);
  const unused = unmet.filter(isKnown);
  const told = unused.map((one): ListedFinding => {
    const found = unusedFinding(one);
    return { found, said: explained(found), place: found.place };
  });
  return {
    findings: [...rest, ...told],
    accepted,
    outgrown,
    unused,
    waiting: unmet.filter((one) => !isKnown(one)),
  };
}

/** The finding as acceptances and reports name it. */
export const inReport = (listed: ListedFinding, nodes: NodesByPath): CheckFinding =>
  checkFinding(listed, (array) => nodes.get(array)?.keys);
