import { useEffect, useMemo } from "react";
import { useActions } from "../../store/react.tsx";
import type { AcceptedProblems } from "../../store/state.ts";
import { acceptedProblems, causesBySeverity, type ListedFinding } from "./findings.ts";
import { useFindings } from "./use-findings.ts";

/** Counts what was noticed, for the parts of the page that say how many there are. Draws nothing. */
export function ProblemsNoted() {
  const { findings, aside, state } = useFindings();
  const mayLackIn = state?.expectation?.mayLackIn;
  const accepted = useMemo(
    () => acceptedProblems(aside?.accepted.map(({ one }) => one) ?? [], mayLackIn ?? [], aside?.findings ?? []),
    [aside, mayLackIn],
  );
  useNoted(findings, accepted);
  return null;
}

/** `undefined`: not known yet. */
export function useNoted(findings: readonly ListedFinding[] | undefined, accepted?: AcceptedProblems): void {
  const actions = useActions();
  useEffect(() => {
    const counts = findings && { ...causesBySeverity(findings), ...(accepted === undefined ? {} : { accepted }) };
    actions.noteProblems(counts);
  }, [actions, findings, accepted]);
}
