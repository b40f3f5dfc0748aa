/** The five answers for the open set, from all that is known of it by now. */
import { useMemo } from "react";
import type { Checked, Verdict } from "../../core/check.ts";
import type { SaidFinding } from "../../core/findings/explained.ts";
import type { SetSummary } from "../../core/open-set.ts";
import { headlineOf, verdictOf, type Judged } from "../../core/verdict-words.ts";
import { useCheckState } from "../../store/use-check-state.ts";
import type { ListedFinding } from "./findings.ts";

export interface KnownVerdict {
  readonly verdict: Verdict;
  readonly headline: string;
  readonly checked: Checked;
  /** Rules over references were not run: there are very many, and nobody asked. */
  readonly isUnchecked: boolean;
}

/** `undefined` until it is known. */
export function useVerdict(set: SetSummary, findings: readonly ListedFinding[] | undefined): KnownVerdict | undefined {
  const state = useCheckState();
  return useMemo(() => {
    if (state === undefined || findings === undefined) return undefined;
    const judged: Judged = {
      set: judgedSet(set),
      findings: saidOf(findings),
      checked: state,
    };
    return {
      verdict: verdictOf(judged),
      headline: headlineOf(judged),
      checked: state,
      isUnchecked: state.isUnchecked,
    };
  }, [set, findings, state]);
}

/** As the verdict takes them. */
export const saidOf = (findings: readonly ListedFinding[]): readonly SaidFinding[] =>
  findings.map(({ finding, explained, failing }) => ({
    found: finding,
    said: explained,
    ...(failing === undefined ? {} : { failing }),
  }));

function judgedSet({ format, references, states, nodes }: SetSummary): NonNullable<Judged["set"]> {
  return { format, references, states, cells: nodes.reduce((sum, { cells = 0 }) => sum + cells, 0) };
}
