import { useEffect } from "react";
import { useActions } from "../../store/react.tsx";
import { causesBySeverity, type ListedFinding } from "./findings.ts";
import { useFindings } from "./use-findings.ts";

/** Counts what was noticed, for the parts of the page that say how many there are. Draws nothing. */
export function ProblemsNoted() {
  useNoted(useFindings().findings);
  return null;
}

/** `undefined`: not known yet. */
export function useNoted(findings: readonly ListedFinding[] | undefined): void {
  const actions = useActions();
  useEffect(() => {
    actions.noteProblems(findings === undefined ? undefined : causesBySeverity(findings));
  }, [actions, findings]);
}
