/** The five answers for the open set, from all that is known of it by now. */
import { useMemo } from "react";
import type { Checked, Verdict } from "../../core/check.ts";
import type { SaidFinding } from "../../core/findings/explained.ts";
import type { KnownFinding } from "../../core/report/report.ts";
import type { SetSummary } from "../../core/open-set.ts";
import { headlineOf, verdictOf, type Judged } from "../../core/verdict-words.ts";
import { saidFinding, type ListedFinding } from "./findings.ts";
import type { Findings } from "./use-findings.ts";

export interface KnownVerdict {
  readonly verdict: Verdict;
  readonly headline: string;
  readonly checked: Checked;
  /** Rules over references were not run: there are very many, and nobody asked. */
  readonly isUnchecked: boolean;
  /** What is set aside, as reports have it. */
  readonly known: readonly KnownFinding[];
}

/** `undefined` until it is known. */
export function useVerdict(set: SetSummary, { state, findings, aside }: Findings): KnownVerdict | undefined {
  return useMemo(() => {
    if (state === undefined || findings === undefined) return undefined;
    const judged: Judged = {
      set: judgedSet(set),
      findings: saidOf(findings),
      checked: state,
      accepted: aside?.accepted.map(({ acceptance: { code } }) => code) ?? [],
      aside: saidOf(aside?.accepted.map(({ one }) => one) ?? []),
    };
    return {
      verdict: verdictOf(judged),
      headline: headlineOf(judged),
      checked: state,
      isUnchecked: state.isUnchecked,
      known: (aside?.accepted ?? []).map(({ found, acceptance: { reason, date } }) => ({ ...found, reason, date })),
    };
  }, [set, findings, state, aside]);
}

/** As the verdict takes them. */
export const saidOf = (findings: readonly ListedFinding[]): readonly SaidFinding[] => findings.map(saidFinding);

function judgedSet({ format, references, states, nodes }: SetSummary): NonNullable<Judged["set"]> {
  return { format, references, states, cells: nodes.reduce((sum, { cells = 0 }) => sum + cells, 0) };
}
