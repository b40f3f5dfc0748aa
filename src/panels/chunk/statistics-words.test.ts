import { describe, expect, it } from "vitest";
import { fillWords, scalingWords, statisticsLines } from "./statistics-words.ts";

describe("statistics in words", () => {
  it("copies exact text, line by line", () => {
    const text = statisticsLines({ count: 10_240, missing: 3, minimum: "-9007199254740993", equalToFill: 0 });
    expect(text).toBe("Count\t10240\nMissing\t3\nMinimum\t-9007199254740993\nMaximum\t\nMean\t");
  });
  it("says what scaling does", () => {
    expect(scalingWords({ scaleFactor: 0.002, addOffset: 10, fillValues: ["-32768"] })).toBe(
      "scaled = raw × 0.002 + 10; -32768 is missing",
    );
    expect(scalingWords({ scaleFactor: 1, addOffset: -273.15, fillValues: [] })).toBe("scaled = raw − 273.15");
    expect(scalingWords({ scaleFactor: 1, addOffset: 0, fillValues: ["0", "-1"] })).toBe(
      "scaled = raw; 0 and -1 are missing",
    );
  });
  it("says how many raw values are fill values", () => {
    const of = (equalToFill: number) => ({ count: 10, missing: 0, equalToFill });
    expect(fillWords(of(0), "0", undefined)).toBeUndefined();
    expect(fillWords(of(1), "-32768", "-32768")).toBe("1 value equals the fill value -32768");
    expect(fillWords(of(2), "null", "-1")).toBe("2 values equal the fill value -1");
    expect(fillWords(of(10), "0", "-1")).toBe("All values equal the fill value 0 or -1");
  });
});
