/** The five answers, of findings as they are said. */
import { describe, expect, it } from "vitest";
import { explained } from "./findings/explain.ts";
import { finding } from "./findings/finding.ts";
import { chunkAt, targetAt } from "./findings/place.ts";
import { headlineOf, verdictOf, type Judged } from "./verdict-words.ts";

const SET = { format: "Kerchunk JSON, Version 1", references: 6, states: {}, cells: 4 };

/** Four chunks of one target, all of which decode. */
function judged(found: ReturnType<typeof finding>): Judged {
  const chunks = { of: 4, decoded: 4, failed: 0 };
  const checked = { chunks, targets: { of: 1, asked: 1, answered: 1 } };
  return { set: SET, findings: [{ found, said: explained(found) }], checked } as unknown as Judged;
}

describe("whether the values are right", () => {
  const place = { ...targetAt("a.nc"), chunk: chunkAt("a", [0]) };

  it("is denied where chunks decode that were not read from the data", () => {
    const page = judged(finding("web-page", place, { words: "Sign in" }));
    expect(headlineOf(page)).toBe("Opens, but 1 chunk cannot be read");
    expect(verdictOf(page).values).toEqual({
      answer: "no",
      why: "1 chunk cannot be read as referenced: A web page instead of the data.",
    });
  });

  it("is not touched by what costs time alone", () => {
    const slow = judged(finding("range-ignored", place, { outcome: "seen", size: 100 }));
    expect(verdictOf(slow).values).toEqual({ answer: "yes", why: "All 4 chunks decode." });
  });
});
