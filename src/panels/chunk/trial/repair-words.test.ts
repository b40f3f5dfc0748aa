import { describe, expect, it } from "vitest";
import type { ChunkVerdict, RepairCheck } from "#core/repair-offer.ts";
import { againWords, outcomeWords, refusedWords, sampleWords, verdictWords, wrongWords } from "./RepairButtons.tsx";
import { finding, WHOLE_SET } from "#core/findings/finding.ts";
import { explained } from "#core/findings/explain.ts";

const MISSING = { kind: "missing" } as const;
const check = (verdicts: readonly ChunkVerdict[], more: Partial<RepairCheck> = {}): RepairCheck => {
  const chunks = verdicts.map((verdict, at) => ({
    coordinates: [at],
    key: `a/${at}`,
    verdict,
    before: MISSING,
    after: MISSING,
  }));
  return { chunks, of: 1200, edits: [], documents: [], ranges: undefined, ...more };
};

describe("a repair tried on a sample", () => {
  it("is summed up by what it does to the chunks", () => {
    expect(verdictWords(check(["better", "worse", "worse"]))).toBe("1 better, 2 worse");
    expect(verdictWords(check(["unread", "same", "failing"]))).toBe("1 the same, 1 still failing, 1 not read");
  });

  it("says of how many chunks, and what ended it", () => {
    expect(sampleWords(check(["better"]))).toBe("Tested on 1 of 1,200 chunks");
    const ended = "Tested on 0 of 1,200 chunks, up to the limit of 64 MiB was reached";
    expect(sampleWords(check([], { stopped: "bytes" }))).toBe(ended);
  });

  it("is claimed only when it was read again", () => {
    expect(againWords({ read: 1, wrong: [] })).toBe("Read again: the chunk decodes.");
    expect(againWords({ read: 5, wrong: [{ key: "a/1", found: { kind: "missing" } }] })).toBe(
      "Read again: 1 of 5 chunks do not read as expected.",
    );
  });

  it("is not offered for the array with the counts that say why", () => {
    expect(refusedWords(check(["better", "worse", "worse"], { refused: "worse" }))).toBe(
      "Not offered for the array: 1 better, 2 worse.",
    );
    expect(refusedWords(check(["same"], { refused: "none-better" }))).toContain("no chunk of the sample");
    expect(refusedWords(check(["better", "undecided"], { refused: "undecided" }))).toContain("1 with different values");
  });

  it("says what reading a chunk gives", () => {
    const error = finding("unexpected", WHOLE_SET, { doing: "Reading", message: "no" });
    expect(outcomeWords({ kind: "failed", error }, explained)).toBe("fails: Reading failed: no");
    expect(outcomeWords({ kind: "failed", error }, undefined)).toBe("fails: unexpected");
    expect(outcomeWords({ kind: "missing" }, explained)).toBe("has no reference");
    expect(outcomeWords({ kind: "no-values" }, explained)).toBe("gives no values");
    expect(outcomeWords({ kind: "reads" }, explained)).toBe("reads");
    const reads = { kind: "reads", range: ["271.2", "303.9"] } as const;
    expect(outcomeWords(reads, explained)).toBe("reads, 271.2 to 303.9");
    expect(wrongWords(reads, explained)).toBe("reads, 271.2 to 303.9: different values from when it was tested");
  });
});
