import { expect, it } from "vitest";
import type { RuleCoverage } from "#core/open-set.ts";
import { coverageWords } from "./ProblemsPanel.tsx";

const rule = (unit: RuleCoverage["unit"], lookedAt: number, of: number, sampled = 0): RuleCoverage => ({
  rule: "x",
  unit,
  of,
  lookedAt,
  sampled,
});

it("gives a denominator to what was found", () => {
  expect(coverageWords([])).toBe("");
  expect(coverageWords([rule("sets", 1, 1)])).toBe("");
  expect(coverageWords([rule("arrays", 8, 8), rule("arrays", 3, 8), rule("references", 121, 121)])).toBe(
    "Checked 3 of 8 arrays and 121 references.",
  );
  expect(coverageWords([rule("chunks", 0, 9000, 400)])).toBe(
    "Checked 400 of 9,000 chunks, 400 of them judged from a sample.",
  );
});
