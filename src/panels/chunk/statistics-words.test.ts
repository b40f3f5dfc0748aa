import { describe, expect, it } from "vitest";
import { isTimeView, timeView } from "#core/cf/cf-time.ts";
import { fillWords, scalingWords, statisticsLines, validWords } from "./values/StatisticsPart.tsx";

describe("statistics in words", () => {
  it("copies exact text, line by line", () => {
    const text = statisticsLines({ count: 10_240, missing: 3, minimum: "-9007199254740993", equalToFill: 0 });
    expect(text).toBe("Count\t10240\nMissing\t3\nMinimum\t-9007199254740993\nMaximum\t\nMean\t");
  });
  it("says what the CF view does", () => {
    const plain = { scaleFactor: 1, addOffset: 0, fillValues: [] };
    expect(scalingWords({ scaleFactor: 0.01, addOffset: 273.15, fillValues: ["-32768"] })).toBe(
      "× 0.01 + 273.15, −32768 missing",
    );
    expect(scalingWords({ ...plain, addOffset: -273.15 })).toBe("− 273.15");
    expect(scalingWords({ ...plain, scaleFactor: -2, readAs: "unsigned" })).toBe("integers read as unsigned, × −2");
    expect(scalingWords({ ...plain, fillValues: ["0", "-1"] })).toBe("0 and −1 missing");
    const time = timeView("days since 1970-01-01", "noleap");
    expect(isTimeView(time) && scalingWords({ ...plain, fillValues: ["-1"], time })).toBe(
      "−1 missing, days since 1970-01-01 as dates of the calendar noleap",
    );
    expect(scalingWords({ ...plain, valid: { minimum: 0 } })).toBe("values as stored");
  });
  it("says what is outside the valid range", () => {
    const scaling = { scaleFactor: 1, addOffset: 0, fillValues: [], valid: { minimum: -5, maximum: 100 } };
    const of = (outsideValid: number) => validWords({ count: 9, missing: 0, equalToFill: 0, outsideValid }, scaling);
    expect(of(0)).toBe("No value is outside the valid range (stored values from −5 to 100)");
    expect(of(1)).toContain("1 value is outside the valid range (stored values from −5 to 100): kept");
    expect(validWords({ count: 9, missing: 0, equalToFill: 0 }, { ...scaling, valid: { maximum: 1 } })).toBeUndefined();
  });
  it("says how many raw values are fill values", () => {
    const of = (equalToFill: number) => ({ count: 10, missing: 0, equalToFill });
    expect(fillWords(of(0), "0", undefined)).toBeUndefined();
    expect(fillWords(of(1), "-32768", "-32768")).toBe("1 value equals the fill value −32768");
    expect(fillWords(of(2), "null", "-1")).toBe("2 values equal the fill value −1");
    expect(fillWords(of(10), "0", "-1")).toBe("All values equal the fill value 0 or −1");
  });
});
