import { expect, test } from "vitest";
import { limitsOf, overBudget, withLowerLimits } from "./budget.mjs";

const BUDGET = `| figure | first | at most | raised by |
|---|--:|--:|---|
| lines | 1,200 | 1,000 | |
| files | 10 | 12 | [a view](2026-11-29.md) |
`;

test("a figure above its limit is named, with where to raise it", () => {
  const limits = limitsOf(BUDGET);
  expect(limits.get("lines")).toEqual({ first: 1200, limit: 1000, decision: "" });
  expect(
    overBudget(
      limits,
      new Map([
        ["lines", 1000],
        ["files", 12],
      ]),
    ),
  ).toEqual([]);
  expect(
    overBudget(
      limits,
      new Map([
        ["lines", 1001],
        ["files", 1],
      ]),
    ),
  ).toEqual([
    "lines: 1001, at most 1000 allowed. Bring it down, or raise it in docs/decisions/budget.md with a decision.",
  ]);
});

test("a limit that was raised needs a decision, and each figure a row", () => {
  const raised = limitsOf(BUDGET.replace("1,000 | |", "1,300 | |"));
  expect(
    overBudget(
      raised,
      new Map([
        ["lines", 1250],
        ["files", 1],
        ["codes", 5],
      ]),
    ),
  ).toEqual([
    'docs/decisions/budget.md has no row "codes" (now 5).',
    "lines: raised from 1200 to 1300 without a link to a decision.",
  ]);
  expect(overBudget(raised, new Map([["files", 1]])).join()).toContain('a row "lines", which nobody measures');
});

test("limits are only ever lowered to the figures of now", () => {
  const lower = withLowerLimits(
    BUDGET,
    new Map([
      ["lines", 900],
      ["files", 50],
    ]),
  );
  expect(lower).toContain("| lines | 1,200 | 900 |");
  expect(lower).toContain("| files | 10 | 12 |");
});
