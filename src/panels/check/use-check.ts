/** State of the view Check for its parts: the verdict, what was found, what runs, and what the user chose to see. */
import { useMemo, useState } from "react";
import type { CheckCosts } from "#core/check/check.ts";
import { verdictOf } from "#core/check/verdict-words.ts";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import type { SetSummary } from "#core/open-set.ts";
import type { ReaderVerdict } from "#core/readers/verdict.ts";
import { mostFirst, weighed } from "#core/report/report.ts";
import { useCheckRuns } from "#store/hooks/use-check-runs.ts";
import { useExpectation } from "#store/hooks/use-expectation.ts";
import { type ReaderChosen, useReader } from "#store/hooks/use-reader.ts";
import { useEngine } from "#store/react.tsx";
import { useCausePictures } from "./cause-pictures.ts";
import type { ListedFinding } from "./findings.ts";
import { useFindings, useJudged } from "./use-findings.ts";

export type Check = NonNullable<ReturnType<typeof useCheck>>;

/** `undefined` until the findings have their words. */
export function useCheck(set: SetSummary) {
  const { findings, nodes, aside, state: checked } = useFindings();
  const judged = useJudged(set, { findings, aside, state: checked });
  const verdict = useMemo(() => judged && verdictOf(judged), [judged]);
  const ordered = useMemo(() => byWeight(findings ?? [], nodes), [findings, nodes]);
  const runs = useCheckRuns(set.id);
  const reader = useReader(set.id);
  const isGlancing = runs.glance?.running !== false;
  const [array, showArray] = useState<string>();
  const [isExpecting, setExpecting] = useState(false);
  const parts = {
    set,
    nodes,
    aside,
    /** Sorted as reports sort them. */
    findings: ordered,
    runs,
    reader,
    isGlancing,
    costs: useCheckCosts(set.id, reader),
    tally: useEngine("chunk.tally", { set: set.id }).last?.data.arrays ?? [],
    pictures: useCausePictures(set.id, ordered, nodes, !isGlancing),
    compared: useComparedReaders(set.id),
    expectation: useExpectation(set.id),
    /** The expectation was asked for outside its section: it is scrolled to, and written if there is none. */
    isExpecting,
    setExpecting,
    /** The array whose causes alone are shown. */
    array,
    showArray,
  };
  return judged === undefined || verdict === undefined || checked === undefined
    ? undefined
    : { ...parts, judged, verdict, checked };
}

/** Costs of checking all targets and chunks; if zarrita is the reader, with the sample that it reads too. */
function useCheckCosts(set: number, { reader }: ReaderChosen): CheckCosts | undefined {
  const costs = useEngine("check.costs", { set }).last?.data;
  const sample = useEngine("check.readerCost", reader === "zarrita" ? { set } : undefined).data;
  if (costs === undefined || sample === undefined) return costs;
  return { ...costs, values: { ...costs.values, bytes: costs.values.bytes + sample.bytes } };
}

/** Sorts as reports do. */
function byWeight(findings: readonly ListedFinding[], nodes: NodesByPath): readonly ListedFinding[] {
  const keysOf = (array: string) => nodes.get(array)?.keys;
  return findings
    .map((listed) => ({ listed, ...weighed(listed, keysOf, (array) => nodes.get(array)) }))
    .toSorted(mostFirst)
    .map(({ listed }) => listed);
}

const NONE: readonly ReaderVerdict[] = [];

/** Readers, compared from when that is first asked for; the report has what is known then, shown or not. */
function useComparedReaders(set: number) {
  const [opened, setOpened] = useState(false);
  const [isCompared, setCompared] = useState(false);
  const answer = useEngine("check.readers", isCompared ? { set } : undefined);
  const show = (shown: boolean) => {
    setOpened(shown);
    if (shown) setCompared(true);
  };
  /** `verdicts`: none where readers were not compared, or the comparison is not the one of the set as it is. */
  return { opened, show, answer, verdicts: answer.stale ? NONE : (answer.data ?? NONE) };
}
