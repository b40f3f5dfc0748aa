import { describe, expect, it } from "vitest";
import { progressText } from "./ProgressBar.tsx";

describe("progress in words", () => {
  it("has amounts in its unit, and a total where one is known", () => {
    expect(progressText({ label: "Reading references", done: 12_400_000, total: 1_300_000_000, unit: "bytes" })).toBe(
      "Reading references, 12.4 MB of 1.30 GB",
    );
    expect(progressText({ label: "Sorting", done: 1200, unit: "rows" })).toBe("Sorting, 1,200 rows");
  });
});
