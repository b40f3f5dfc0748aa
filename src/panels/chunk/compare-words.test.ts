import { describe, expect, it } from "vitest";
import type { Reading } from "#core/reading.ts";
import { bytesWords, comparedStatistics, outcomeWords } from "./trial/TrialPanel.tsx";

const READ = { outcome: "ok", stages: [{ id: "stored", bytesOut: 10 }] } as unknown as Reading;
const error = { code: "decode-failed", doing: "x" };
const FAILED = {
  outcome: "failed",
  error,
  stages: [
    { id: "stored", bytesOut: 10 },
    { id: "zlib", error },
  ],
} as unknown as Reading;

describe("two readings side by side", () => {
  it("say where one stopped", () => {
    expect(outcomeWords(READ)).toBe("✓ yes");
    expect(outcomeWords(FAILED)).toBe("✕ no: zlib fails");
    expect(outcomeWords({ ...FAILED, stages: [] })).toBe("✕ no: decode-failed");
  });

  it("say how many bytes came of how many", () => {
    expect([bytesWords(READ, 10), bytesWords(READ, 4000), bytesWords(READ, undefined), bytesWords(FAILED, 10)]).toEqual(
      ["✓ 10", "10 of 4,000", "10", "none of 10"],
    );
  });

  it("set the same figures beside each other, a dash for what there is not", () => {
    const one = { count: 1200, missing: 0, equalToFill: 0, minimum: "-1", maximum: "5", mean: "2" };
    expect(comparedStatistics(one, undefined)).toEqual([
      ["Count", "1,200", "–"],
      ["Missing", "0", "–"],
      ["Minimum", "−1", "–"],
      ["Maximum", "5", "–"],
      ["Mean", "2", "–"],
    ]);
  });
});
