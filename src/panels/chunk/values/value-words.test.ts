import { describe, expect, it } from "vitest";
import { isTimeView, timeView } from "#core/cf/cf-time.ts";
import { ordinal } from "#core/values/number-text.ts";
import { clippedWords, shownUnits, strideWords, valueLabel } from "./value-words.ts";

describe("what a picture leaves out", () => {
  it("says which values of a large slice are shown", () => {
    expect(strideWords({ rows: 9, strideDown: 1, strideAlong: 1 })).toBeUndefined();
    expect(strideWords({ rows: 9, strideDown: 3, strideAlong: 3 })).toContain("every 3rd is shown");
    expect(strideWords({ rows: 9, strideDown: 2, strideAlong: 1 })).toContain("every 2nd row and every column");
    expect(strideWords({ rows: 1, strideDown: 1, strideAlong: 50 })).toContain("line: every 50th is shown");
    expect([1, 2, 3, 4, 11, 12, 21, 103, 1111].map(ordinal).join(" ")).toBe(
      "1st 2nd 3rd 4th 11th 12th 21st 103rd 1,111th",
    );
  });
  it("says what lies outside the colours", () => {
    expect(clippedWords({ below: 0, above: 0 })).toBeUndefined();
    expect(clippedWords({ below: 1200, above: 3 })).toBe("1,200 below and 3 above the range, drawn in its end colours");
  });
});

describe("values of the CF view", () => {
  const plain = { scaleFactor: 1, addOffset: 0, fillValues: [], units: "days since 1970-01-01" };
  const time = timeView(plain.units, undefined);

  it("are dates in a legend, without units", () => {
    if (!isTimeView(time)) throw new Error("not decoded");
    expect(valueLabel(31, { ...plain, time })).toBe("1970-02-01");
    expect(valueLabel(0.5, { ...plain, time })).toBe("1970-01-01 12:00:00");
    expect(valueLabel(1e300, { ...plain, time })).toBe("1e300");
    expect(shownUnits({ ...plain, time })).toBeUndefined();
  });

  it("are numbers where they are not decoded", () => {
    expect(valueLabel(31.25, plain)).toBe("31.25");
    expect(valueLabel(31.25, undefined)).toBe("31.25");
    expect(shownUnits(plain)).toBe("days since 1970-01-01");
  });
});
