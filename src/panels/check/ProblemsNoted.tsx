import { useEffect, useMemo } from "react";
import type { Answer } from "#core/check/check.ts";
import { QUESTIONS, type Question } from "#core/check/question.ts";
import { verdictOf } from "#core/check/verdict-words.ts";
import { useActions, useAppState } from "#store/react.tsx";
import type { AcceptedProblems, ProblemCounts } from "#store/state.ts";
import { acceptedProblems, causesBySeverity, type ListedFinding } from "./findings.ts";
import { type Findings, useFindings } from "./use-findings.ts";

/** Counts what was noticed, for the parts of the page that say how many there are. Draws nothing. */
export function ProblemsNoted() {
  const { findings, aside, state } = useFindings();
  const mayLackIn = state?.expectation?.mayLackIn;
  const accepted = useMemo(
    () => acceptedProblems(aside?.accepted.map(({ one }) => one) ?? [], mayLackIn ?? [], aside?.findings ?? []),
    [aside, mayLackIn],
  );
  useNoted(findings, accepted, useAnswers({ findings, aside, state }));
  return null;
}

/** Check's answers, for the Overview. */
function useAnswers({ findings, aside, state }: Pick<Findings, "findings" | "aside" | "state">) {
  const set = useAppState((all) => all.set);
  return useMemo(() => {
    if (set === undefined || findings === undefined || state === undefined) return undefined;
    const cells = set.nodes.reduce((sum, node) => sum + (node.cells ?? 0), 0);
    const accepted = aside?.accepted ?? [];
    const verdict = verdictOf({
      set: { format: set.format, references: set.references, states: set.states, isFile: set.isFile, cells },
      findings,
      checked: state,
      accepted: accepted.map(({ acceptance: { code } }) => code),
      aside: accepted.map(({ one }) => one),
    });
    return Object.fromEntries(QUESTIONS.map((one) => [one, verdict[one].answer])) as Readonly<Record<Question, Answer>>;
  }, [set, findings, aside, state]);
}

/** `undefined`: not known yet. */
export function useNoted(
  findings: readonly ListedFinding[] | undefined,
  accepted?: AcceptedProblems,
  answers?: ProblemCounts["answers"],
): void {
  const actions = useActions();
  useEffect(() => {
    const counts = findings && {
      ...causesBySeverity(findings),
      ...(accepted && { accepted }),
      ...(answers && { answers }),
    };
    actions.noteProblems(counts);
  }, [actions, findings, accepted, answers]);
}
