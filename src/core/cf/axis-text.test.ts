import { describe, expect, it } from "vitest";
import { type Axis, type AxisRole, placeRange, placeText } from "./axis.ts";

const numbers = (role: AxisRole, values: readonly number[], units?: string): Axis => ({
  array: "a",
  role,
  units,
  values: { kind: "numbers", numbers: Float64Array.from(values) },
});
const dates = (...texts: readonly string[]): Axis => {
  const nanoseconds = BigInt64Array.from(texts, (text) => BigInt(Date.parse(text)) * 1_000_000n);
  return { array: "time", role: "time", units: undefined, values: { kind: "dates", nanoseconds } };
};

describe("placeText", () => {
  it("says degrees with their side", () => {
    expect(placeText(numbers("latitude", [-31.5]), 0)).toBe("31.5°S");
    expect(placeText(numbers("longitude", [200]), 0)).toBe("160°W");
    expect(placeText(numbers("latitude", [0]), 0)).toBe("0°");
  });

  it("says other numbers with their units, and nothing where nothing stands", () => {
    expect(placeText(numbers("other", [-1013.25], "hPa"), 0)).toBe("−1013.25 hPa");
    expect(placeText(numbers("other", [3], "1"), 0)).toBe("3");
    expect(placeText(numbers("other", [Number.NaN]), 0)).toBeUndefined();
    expect(placeText(numbers("other", [1]), 5)).toBeUndefined();
    expect(placeText({ array: "a", role: "other", units: undefined }, 0)).toBeUndefined();
  });
});

describe("placeRange", () => {
  it("does not repeat the year or the day", () => {
    expect(placeRange(dates("2026-01-01", "2026-01-04"), 0, 1)).toBe("2026-01-01 – 01-04");
    expect(placeRange(dates("2025-12-31", "2026-01-04"), 0, 1)).toBe("2025-12-31 – 2026-01-04");
    expect(placeRange(dates("2026-01-01T06:00Z", "2026-01-01T18:00Z"), 0, 1)).toBe("2026-01-01 06:00 – 18:00");
  });

  it("is one place where both ends are the same", () => {
    expect(placeRange(numbers("latitude", [-89, -11]), 0, 1)).toBe("89°S – 11°S");
    expect(placeRange(numbers("latitude", [-89, -11]), 1, 1)).toBe("11°S");
  });
});
