/** Findings about the open set and the chunks read so far, with their words; what they say of it, for all the page. */
import { useEffect, useMemo, useState } from "react";
import type { Acceptance } from "#core/check/acceptance.ts";
import type { CheckState } from "#core/check/check.ts";
import { QUESTIONS, type Question } from "#core/check/question.ts";
import { type Judged, shownAnswer, type ShownAnswer, verdictOf } from "#core/check/verdict-words.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { SetSummary } from "#core/open-set.ts";
import type { Diagnostic } from "#core/studio.ts";
import { useCheckState } from "#store/hooks/use-check-runs.ts";
import { useActions, useAppState, useEngine } from "#store/react.tsx";
import type { AcceptedProblems } from "#store/state.ts";
import { useExplain } from "#widgets/notes/Notices.tsx";
import { nodesByPath, type NodesByPath } from "#core/metadata/chunk-of-key.ts";
import { acceptedProblems, causesBySeverity, listedFindings, type ListedFinding } from "./findings.ts";
import type { setAside, SetAside } from "./set-aside.ts";

const NO_READINGS: readonly (readonly [string, readonly Finding[]])[] = [];
const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

export interface EditedText {
  /** While the document is edited: findings at places in its text. */
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  /** The document currently invalid: what was noticed about the set before is about another text. */
  readonly unreadable?: boolean;
}

export interface Findings {
  /** `undefined` until there are words for them. */
  readonly findings: readonly ListedFinding[] | undefined;
  readonly nodes: NodesByPath;
  /** Checks that found them: `undefined` until known. */
  readonly state: CheckState | undefined;
  /** Accepted findings, which are not among them; absent if there are none. */
  readonly aside: SetAside | undefined;
}

export function useFindings({ diagnostics = NO_DIAGNOSTICS, unreadable = false }: EditedText = {}): Findings {
  const set = useAppState((state) => state.set);
  // While the text is edited, what is noticed of it stands at its places.
  const isEdited = diagnostics !== NO_DIAGNOSTICS;
  const known = useCheckState();
  const state = isEdited ? undefined : known;
  // Until all is put together, and while the text is another than that of the set: what readings found.
  const asks = set !== undefined && (unreadable || state === undefined);
  const readings = useEngine("chunk.findings", asks ? { set: set.id } : undefined).data ?? NO_READINGS;
  const address = useAppState((state) => state.addressFindings);
  const explain = useExplain();
  const findings = useMemo(() => {
    const ofWhole = unreadable ? [] : (state?.findings ?? set?.findings ?? []);
    const ofSet = [...address, ...ofWhole];
    return explain && listedFindings({ ofSet, ofReadings: readings, diagnostics }, explain);
  }, [address, set, state, readings, diagnostics, unreadable, explain]);
  const accepted = useAppState(({ owner }) => owner.accepted);
  const nodes = useMemo(() => nodesByPath(set?.nodes ?? []), [set]);
  const aside = useSetAside(isEdited ? NO_ACCEPTANCES : accepted, findings, { nodes, state: known });
  return aside === "loading"
    ? { findings: undefined, nodes, state: known, aside: undefined }
    : { findings: aside?.findings ?? findings, nodes, state: known, aside };
}

const NO_ACCEPTANCES: readonly Acceptance[] = [];

type TakeAside = typeof setAside;

/** Stand-in if the code for acceptances does not load: all findings are shown. */
const nothingAside: TakeAside = (findings, waiting) => ({
  findings,
  accepted: [],
  outgrown: new Map(),
  unused: [],
  waiting,
});

/** Absent where nothing is set aside; `loading` until its code is here. */
function useSetAside(
  accepted: readonly Acceptance[],
  findings: readonly ListedFinding[] | undefined,
  { nodes, state }: Pick<Findings, "nodes" | "state">,
): SetAside | "loading" | undefined {
  const [take, setTake] = useState<{ readonly aside: TakeAside }>();
  const isNeeded = accepted.length > 0;
  // The code is loaded early if findings may be accepted.
  const isLikely = useAppState(({ view }) => view === "check");
  useEffect(() => {
    if (!isNeeded && !isLikely) return;
    import("./set-aside.ts").then(
      (code) => setTake({ aside: code.setAside }),
      () => setTake({ aside: nothingAside }),
    );
  }, [isNeeded, isLikely]);
  return useMemo(() => {
    if (!isNeeded) return undefined;
    if (take === undefined || findings === undefined) return "loading";
    return take.aside(findings, accepted, { nodes, state });
  }, [isNeeded, take, findings, accepted, nodes, state]);
}

/** Facts that the verdict is made of; `undefined` until all are known. */
export function useJudged(
  set: SetSummary | undefined,
  { findings, state, aside }: Pick<Findings, "findings" | "state" | "aside">,
) {
  return useMemo(() => {
    if (set === undefined || findings === undefined || state === undefined) return undefined;
    const { format, references, states, isFile } = set;
    const cells = set.nodes.reduce((sum, node) => sum + (node.cells ?? 0), 0);
    return {
      set: { format, references, states, isFile, cells },
      findings,
      checked: state,
      accepted: aside?.accepted.map(({ acceptance: { code } }) => code) ?? [],
      aside: aside?.accepted.map(({ one }) => one) ?? [],
    } satisfies Judged;
  }, [set, findings, state, aside]);
}

/** Counts what was noticed, for the parts of the page that say how many there are. Draws nothing. */
export function ProblemsNoted() {
  const { findings, aside, state } = useFindings();
  const set = useAppState((all) => all.set);
  const mayLackIn = state?.expectation?.mayLackIn;
  const accepted = useMemo(
    () => acceptedProblems(aside?.accepted.map(({ one }) => one) ?? [], mayLackIn ?? [], aside?.findings ?? []),
    [aside, mayLackIn],
  );
  useNoted(findings, accepted, useJudged(set, { findings, aside, state }));
  return null;
}

/** `findings`: `undefined` until they are known; `judged`: gives the answers of Check, for the Overview. */
export function useNoted(
  findings: readonly ListedFinding[] | undefined,
  accepted?: AcceptedProblems,
  judged?: Judged,
): void {
  const actions = useActions();
  useEffect(() => {
    const counts = findings && {
      ...causesBySeverity(findings),
      ...(accepted && { accepted }),
      ...(judged && { answers: answersOf(judged) }),
    };
    actions.noteProblems(counts);
  }, [actions, findings, accepted, judged]);
}

function answersOf(judged: Judged): Readonly<Record<Question, ShownAnswer>> {
  const verdict = verdictOf(judged);
  const shown = QUESTIONS.map((one) => [one, shownAnswer(judged, one, verdict[one])]);
  return Object.fromEntries(shown) as Record<Question, ShownAnswer>;
}
