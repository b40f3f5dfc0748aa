import { expect, it } from "vitest";
import type { ReaderSummary } from "../../core/studio.ts";
import { nunjucksWords } from "./ReadersTable.tsx";

const said = (outcome: ReaderSummary["outcome"], first?: string) =>
  nunjucksWords({ summary: { outcome, first }, keys: 12 });

it("says what nunjucks gave, of how many keys", () => {
  expect(said({ kind: "same" })).toBe("It was run on 12 keys: all come out as Jinja2 renders them.");
  expect(said({ kind: "differs", lost: 1, other: 2, extra: 1 }, "a/0")).toBe(
    "It was run on 12 keys: 1 key is lost, 2 keys have another value, 1 key is too many, the first “a/0”.",
  );
  expect(said({ kind: "refuses", error: "filter not found" })).toBe(
    "It was run, and fails on the whole set: “filter not found”.",
  );
  expect(said({ kind: "unknown", reason: "It was stopped after 10 s." })).toBe(
    "It was not compared. It was stopped after 10 s.",
  );
});
