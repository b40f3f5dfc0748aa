import { describe, expect, it } from "vitest";
import {
  countOf,
  formatBytes,
  formatCount,
  formatDuration,
  formatExactBytes,
  formatShape,
  formatShare,
} from "./number-format.ts";

describe("counts", () => {
  it("are grouped and exact", () => {
    expect(formatCount(1_234_567)).toBe("1,234,567");
    expect(formatCount(Number.MAX_SAFE_INTEGER)).toBe("9,007,199,254,740,991");
    expect(countOf(1, "array")).toBe("1 array");
    expect(countOf(0, "array")).toBe("0 arrays");
    expect(countOf(2, "match", "matches")).toBe("2 matches");
  });
});

describe("bytes", () => {
  it("are exact while that is short, then three digits in powers of 1000", () => {
    expect(formatBytes(0)).toBe("0 B");
    expect(formatBytes(6851)).toBe("6,851 B");
    expect(formatBytes(10_000)).toBe("10.0 kB");
    expect(formatBytes(1_970_464)).toBe("1.97 MB");
    expect(formatBytes(999_499)).toBe("999 kB");
    expect(formatBytes(999_500)).toBe("1.00 MB");
    expect(formatBytes(12_345_678_901)).toBe("12.3 GB");
    expect(formatBytes(9.2e21)).toBe("9,200 EB");
    expect(formatExactBytes(1_970_464)).toBe("1,970,464 bytes");
    expect(formatExactBytes(1)).toBe("1 byte");
  });
});

describe("shares", () => {
  it("say all only of all and nothing only of nothing", () => {
    expect(formatShare(0, 10)).toBe("0%");
    expect(formatShare(10, 10)).toBe("100%");
    expect(formatShare(999_999, 1_000_000)).toBe("> 99.9%");
    expect(formatShare(1, 1_000_000)).toBe("< 0.1%");
    expect(formatShare(52, 54)).toBe("96.3%");
    expect(formatShare(0, 0)).toBe("–");
  });
});

describe("durations and shapes", () => {
  it("are short", () => {
    expect(formatDuration(0.42)).toBe("0.4 ms");
    expect(formatDuration(38.2)).toBe("38 ms");
    expect(formatDuration(1234)).toBe("1.2 s");
    expect(formatDuration(12_345)).toBe("12 s");
    expect(formatDuration(125_000)).toBe("2 min 5 s");
    expect(formatShape([24, 90, 180])).toBe("24 × 90 × 180");
    expect(formatShape([])).toBe("scalar");
  });
});
