import { describe, expect, it } from "vitest";
import type { NotRun, ReaderComparison } from "#core/readers/comparison.ts";
import { finding, WHOLE_SET } from "#core/findings/finding.ts";
import { comparisonTitle, comparisonTone, elementWords, notRunWords } from "./values/ValuesTab.tsx";

const ours = finding("no-repository", WHOLE_SET, { format: "Kerchunk JSON" });

describe("a chunk that zarrita read too", () => {
  it.each<[ReaderComparison, string, string]>([
    [{ kind: "same", of: 1 }, "The same value", "ok"],
    [{ kind: "same", of: 43_200 }, "The same 43,200 values", "ok"],
    [{ kind: "differs", count: 12, of: 48, first: [0, 3], ours: "271", theirs: "0" }, "12 of 48 values differ", "bad"],
    [{ kind: "differs", count: 1, of: 48, first: [0], ours: "1", theirs: "0" }, "1 of 48 values differs", "bad"],
    [{ kind: "error", error: "Error: no" }, "zarrita fails, Python does not", "bad"],
    [{ kind: "error", error: "Error: no", ours }, "zarrita fails too", "quiet"],
    [{ kind: "made-up", first: "0", of: 4, ours }, "zarrita returns values where there are none", "bad"],
    [{ kind: "not-run", why: "timeout" }, "Not compared", "quiet"],
  ])("%o", (found, title, tone) => {
    expect([comparisonTitle(found), comparisonTone(found)]).toEqual([title, tone]);
  });

  it("why it was not asked is said in a sentence", () => {
    const all: readonly NotRun[] = ["format", "shards", "too-large", "timeout", "no-values", "ended"];
    const words = all.map(notRunWords);
    expect(new Set(words).size).toBe(all.length);
    for (const one of words) expect(one).toMatch(/^(?:[A-Z]|zarrita ).*\.$/);
  });

  it("an element is named by its place in the chunk", () => {
    expect(elementWords([0, 3])).toBe("element [0, 3]");
    expect(elementWords([])).toBe("its one element");
  });
});
