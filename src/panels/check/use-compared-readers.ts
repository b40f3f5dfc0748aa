/** All readers, compared from when that is first asked for; the report has what is known then, shown or not. */
import { useState } from "react";
import type { ReaderVerdict } from "#core/readers/verdict.ts";
import { useEngine } from "#store/react.tsx";

export type ComparedReaders = ReturnType<typeof useComparedReaders>;

const NONE: readonly ReaderVerdict[] = [];

export function useComparedReaders(set: number) {
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
