import { expect, it } from "vitest";
import type { Suggestions } from "#core/repair.ts";
import { searchWords } from "./DecodeTab.tsx";

it("what the search came to is a sentence", () => {
  const none: Suggestions = { suggestions: [], declared: "fails", expected: 16_384, tried: 1 };
  const one = { change: { kind: "move", shift: 0, lengthen: 4 }, trial: {}, evidence: [], score: 1 } as const;
  expect(searchWords(none)).toBe("1 other reading was tried; none gives 16,384 bytes.");
  expect(searchWords({ ...none, tried: 7, expected: 0 })).toBe(
    "7 other readings were tried; none gives the chunk's elements.",
  );
  expect(searchWords({ ...none, suggestions: [one, one], tried: 7 })).toBe(
    "The chunk does not decode as declared; 7 other readings were tried, and 2 give 16,384 bytes.",
  );
  expect(searchWords({ ...none, declared: "decodes" })).toBe(
    "The chunk decodes as declared, and no other reading is more plausible.",
  );
  expect(searchWords({ ...none, suggestions: [one], declared: "decodes" })).toContain("another reading is far more");
  expect(searchWords({ ...none, declared: "no-reference" })).toContain("no reference");
  expect(searchWords({ ...none, declared: "no-bytes" })).toContain("could not be fetched");
});
