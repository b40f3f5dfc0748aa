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

export function outcomeWords({ outcome, unread }: BisectResult): string {
  const others =
    unread.length === 0 ? "" : ` ${counted(unread.length, "commit")} before it could not be read and may be the first.`;
  return `${OUTCOMES[outcome]}${others}`;
}
