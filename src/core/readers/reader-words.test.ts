/** Verdicts on readers in words: the worst that is certain, how much, and from where it is known. */
import { describe, expect, it } from "vitest";
import { allReadersWords, answerOfReader, basisWords, effectTitle, outcomeOf, runWords } from "./outcome-words.ts";
import { outcomeShare, whyWords } from "./reader-words.ts";
import { evidenceLink, evidenceWords } from "./rule-words.ts";
import { READER_RULES, READERS, readerOf, type Effect } from "./rules.ts";
import type { ReaderEffect, ReaderSample, ReaderVerdict } from "./verdict.ts";

const zarrita = readerOf("zarrita") ?? expect.fail("zarrita");

const effect = (rule: string, kind: Effect, count = 1, isConditional = false): ReaderEffect => ({
  rule,
  effect: kind,
  isConditional,
  use: { feature: "whole-file", count, of: 4, unit: "reference" },
});

const READS = effect("json-zarrita", "reads", 4);
const verdict = (effects: readonly ReaderEffect[], more: Partial<ReaderVerdict> = {}): ReaderVerdict => ({
  reader: zarrita,
  answer: "yes",
  effects,
  ...more,
});
const run = (more: Partial<ReaderSample>): ReaderSample => ({
  of: 10,
  compared: 4,
  same: 4,
  different: 0,
  failed: 0,
  unjudged: 0,
  ...more,
});

describe("the outcome", () => {
  it("is the worst that is certain: the whole refused, then what is silent, then errors on a part", () => {
    const [refuses, fails] = [effect("a", "refuses", 4), effect("zarrita-whole-file", "refuses")];
    const [wrong, loss] = [effect("zarrita-empty-inline", "wrong"), effect("zarrita-encoded-keys", "loss")];
    expect(outcomeOf(verdict([refuses, wrong, READS]))).toBe("refuses");
    expect(outcomeOf(verdict([fails, wrong, loss, READS]))).toBe("wrong");
    expect(outcomeOf(verdict([fails, loss, READS]))).toBe("loss");
    expect(outcomeOf(verdict([fails, READS]))).toBe("fails");
    expect(outcomeOf(verdict([READS, effect("zarrita-templates", "refuses", 4, true)]))).toBe("reads");
    expect(outcomeOf(verdict([], { answer: "unknown" }))).toBe("unknown");
  });

  it("is also what a run showed", () => {
    const wrong = verdict([READS], { run: run({ same: 3, different: 1 }) });
    expect(outcomeOf(wrong)).toBe("wrong");
    expect(answerOfReader(wrong)).toBe("partly");
    expect(outcomeOf(verdict([READS], { run: run({ same: 3, failed: 1 }) }))).toBe("fails");
    expect(outcomeOf(verdict([READS], { run: run({}) }))).toBe("reads");
    expect(outcomeOf(verdict([], { answer: "unknown", run: run({}) }))).toBe("reads");
  });

  it("says how much it concerns, and what else there is", () => {
    const several = verdict([
      effect("zarrita-empty-inline", "wrong"),
      effect("zarrita-whole-file", "refuses"),
      READS,
      effect("zarrita-relative", "refuses", 4, true),
    ]);
    expect(outcomeShare(several)).toBe("1 of 4 references");
    expect(whyWords(several)).toMatch(
      /^zarrita reads an empty text .* Also: 1 more effect, and 1 that depends on more than the dataset\.$/,
    );
    expect(outcomeShare(verdict([READS]))).toBe("");
    const some = verdict([{ ...READS, finds: { arrays: 3, of: 4 } }]);
    expect(whyWords(some)).toMatch(/Of this dataset it finds 3 of 4 arrays: it asks for each array by its path, /);
    expect(whyWords(verdict([READS]))).toMatch(/^zarrita reads Kerchunk JSON with its ReferenceStore\./);
    expect(whyWords(verdict([], { answer: "unknown" }))).toBe("Refscope has no rules for zarrita and this format.");
  });
});

describe("a run", () => {
  it("says of how many chunks, and of how many nothing is learnt", () => {
    expect(basisWords(verdict([READS]))).toBe("by rules");
    expect(basisWords(verdict([READS], { run: run({}) }))).toBe("run on 4 of 10 chunks");
    expect(basisWords(verdict([READS], { run: run({ of: 4 }) }))).toBe("run on all 4 chunks");
    expect(runWords("zarrita", run({ same: 1, different: 1, failed: 2, unjudged: 3 }))).toBe(
      " zarrita was run on 4 of 10 chunks: 1 differs from Python's, 2 failed. 3 more could not be compared.",
    );
    expect(runWords("zarrita", run({ compared: 0, same: 0, unjudged: 1 }))).toBe(" 1 chunk could not be compared.");
    expect(runWords("zarrita", undefined)).toBe("");
  });
});

it("of all readers it is said how many read the set", () => {
  const all = [
    verdict([READS]),
    verdict([effect("a", "refuses", 4)]),
    verdict([effect("b", "loss")]),
    verdict([], { answer: "unknown" }),
  ];
  expect(allReadersWords(all)).toBe(
    "1 of 4 readers reads all of it, 1 only part of it or with wrong values, 1 nothing. Refscope has no rules for 1 reader.",
  );
});

it("an effect that depends on more than the set is called so", () => {
  expect(effectTitle(effect("a", "wrong", 1, true))).toBe("Depends on more than the dataset");
  expect(effectTitle(effect("a", "refuses"))).toBe("Fails on part of the data");
  expect(effectTitle(effect("a", "refuses", 4))).toBe("Refuses");
});

describe("evidence", () => {
  it("is a link where there is one to follow", () => {
    expect(evidenceLink({ issue: "OSGeo/gdal#12099" })).toBe("https://github.com/OSGeo/gdal/issues/12099");
    expect(evidenceLink({ documentation: "https://gdal.org" })).toBe("https://gdal.org");
    expect(evidenceLink({ measured: "x" })).toBeUndefined();
    const issues = READER_RULES.flatMap(({ evidence }) => evidence).filter(({ issue }) => issue !== undefined);
    for (const one of issues) expect(evidenceLink(one), evidenceWords(one)).toMatch(/^https:\/\/github\.com\//);
  });

  it("says what a test ran, not where the test is", () => {
    const tests = READER_RULES.flatMap(({ evidence }) => evidence).filter(({ test }) => test !== undefined);
    const said = new Set(tests.map(evidenceWords));
    expect([...said].toSorted()).toEqual([
      "run by Refscope's tests with reference-spec-reader 0.2.0",
      "run by Refscope's tests with zarrita 0.7.5",
    ]);
  });

  it("stands beside a version and a date", () => {
    for (const { id, version, date } of READERS) {
      expect(version, id).not.toBe("");
      expect(date, id).toMatch(/^20\d\d-\d\d$/);
    }
  });
});
