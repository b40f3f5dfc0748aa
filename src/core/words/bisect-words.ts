/** The search for the first bad commit in words: what it will cost, and what it found. */
import type { BisectOutcome, BisectPlan, BisectResult } from "../bisect.ts";
import { count, counted } from "../words.ts";

/** The cost, for people. */
export function planWords({ commits, checks, reads, chunks, bytes }: BisectPlan): string {
  const each =
    reads === "references"
      ? "Each reads metadata and references, and no chunks of source files."
      : `Each decodes up to ${counted(chunks, "chunk")} (${count(bytes)} bytes stored).`;
  return `At most ${counted(checks, "check")} of ${counted(commits, "commit")}. ${each}`;
}

const OUTCOMES: Readonly<Record<BisectOutcome, string>> = {
  found: "First bad commit found.",
  "not-bad": "Nothing is wrong at the newest commit.",
  "at-good": "It is already wrong at the commit given as good.",
  "since-first": "It is wrong since the first commit.",
  "or-earlier":
    "It is wrong at the oldest known commit: it began there or earlier. Older commits have expired or are missing.",
};

export function outcomeWords({ outcome, unread, untried }: BisectResult): string {
  const lost = `${counted(unread.length, "commit")} before it could not be read`;
  if (untried > 0) {
    const most = unread.length + untried + 1;
    const head = outcome === "found" ? `The first bad commit is one of ${count(most)}.` : OUTCOMES[outcome];
    return `${head} ${lost}, and ${count(untried)} more were not tried.`;
  }
  return unread.length === 0 ? OUTCOMES[outcome] : `${OUTCOMES[outcome]} ${lost} and may be the first.`;
}
