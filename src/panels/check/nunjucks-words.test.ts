import { expect, it } from "vitest";
import type { ReaderSummary } from "#core/studio.ts";
import { nunjucksWords } from "./ReadersTable.tsx";

const said = (outcome: ReaderSummary["outcome"], first?: string) =>
  nunjucksWords({ summary: { outcome, first }, keys: 12 });

it("says what nunjucks gave, of how many keys", () => {
  expect(said({ kind: "same" })).toBe("It ran on 12 keys: all match Jinja2’s rendering.");
  expect(said({ kind: "differs", lost: 1, other: 2, extra: 1 }, "a/0")).toBe(
    "It ran on 12 keys: 1 key is lost, 2 keys have a different value, 1 extra key, the first “a/0”.",
  );
  expect(said({ kind: "refuses", error: "filter not found" })).toBe(
    "It ran, and failed on the whole dataset: “filter not found”.",
  );
  expect(said({ kind: "unknown", reason: "It was stopped after 10 s." })).toBe(
    "Not compared. It was stopped after 10 s.",
  );
});
