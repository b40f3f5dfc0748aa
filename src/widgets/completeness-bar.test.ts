import { describe, expect, it } from "vitest";
import { completenessSentence, shownPercent } from "./values/CompletenessBar.tsx";

describe("the completeness bar", () => {
  it("is full only of all and empty only of nothing", () => {
    expect(shownPercent(54, 54)).toBe(100);
    expect(shownPercent(0, 54)).toBe(0);
    expect(shownPercent(999_999, 1_000_000)).toBeLessThanOrEqual(92);
    expect(shownPercent(1, 1_000_000)).toBeGreaterThan(0);
    expect(shownPercent(0, 0)).toBe(0);
  });

  it("says the exact numbers", () => {
    expect(completenessSentence(1052, 2054)).toBe("1,052 of 2,054 chunks exist (51.2%).");
    expect(completenessSentence(0, 0)).toContain("length 0");
  });
});
