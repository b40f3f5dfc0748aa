import { describe, expect, it } from "vitest";
import type { ChunkVerdict, RepairCheck } from "../../core/lab.ts";
import { againWords, sampleWords, verdictWords } from "./repair-words.ts";

const check = (verdicts: readonly ChunkVerdict[], more: Partial<RepairCheck> = {}): RepairCheck => {
  const chunks = verdicts.map((verdict, at) => ({ coordinates: [at], key: `a/${at}`, verdict, before: "", after: "" }));
  return { chunks, of: 1200, edits: [], documents: [], ranges: undefined, ...more };
};

describe("a repair tried on a sample", () => {
  it("is summed up by what it does to the chunks", () => {
    expect(verdictWords(check(["better", "worse", "worse"]))).toBe("1 better, 2 worse");
    expect(verdictWords(check(["unread", "same", "failing"]))).toBe("1 the same, 1 failing as before, 1 not read");
  });

  it("says of how many chunks, and what ended it", () => {
    expect(sampleWords(check(["better"]))).toBe("Tried on 1 of 1,200 chunks");
    const ended = "Tried on 0 of 1,200 chunks, then the limit of 64 MiB was reached";
    expect(sampleWords(check([], { stopped: "bytes" }))).toBe(ended);
  });

  it("is claimed only when it was read again", () => {
    expect(againWords({ read: 1, wrong: [] })).toBe("Read again: the chunk decodes.");
    expect(againWords({ read: 5, wrong: [{ key: "a/1", found: "fails" }] })).toBe(
      "Read again: 1 of 5 chunks do not read as they should.",
    );
  });
});
