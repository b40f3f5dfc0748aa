import { describe, expect, it } from "vitest";
import type { AxisRole } from "#core/cf/axis.ts";
import { axisRange } from "./axis-range.ts";
import { shortNumber } from "#core/values/number-text.ts";
import { typeWords } from "./VariableRow.tsx";
import { unitsText } from "#core/values/value-text.ts";
import type { Finding } from "#core/findings/finding.ts";
import { readText, variableHealth } from "./VariableHealth.tsx";
import { failureOf, failureWords, type ReadValues } from "./variable-look.ts";

const numbers = (values: readonly number[], role: AxisRole = "other", units?: string) =>
  axisRange({ role, units, values: { kind: "numbers", numbers: Float64Array.from(values) } });

const dates = (...texts: readonly string[]) =>
  axisRange({
    role: "time",
    units: undefined,
    values: {
      kind: "dates",
      nanoseconds: BigInt64Array.from(texts, (text) =>
        text === "" ? -(2n ** 63n) : BigInt(Date.parse(text)) * 1_000_000n,
      ),
    },
  });

describe("ranges of coordinates", () => {
  it("of places are in degrees with their side", () => {
    expect(numbers([-89, -87, -85], "latitude")).toEqual({ range: "89°S … 85°S", steps: "every 2°, ascending" });
    expect(numbers([90, 0, -90], "latitude")).toEqual({ range: "90°N … 90°S", steps: "every 90°, descending" });
    expect(numbers([0, 179.5, 359], "longitude")?.range).toBe("0° … 1°W");
    expect(numbers([0, 90, 180, 270], "longitude")?.range).toBe("0° … 90°W, full circle");
    expect(numbers([-90, 0, 90], "longitude")?.range).toBe("90°W … 90°E");
    expect(numbers([12], "longitude")).toEqual({ range: "12°E", steps: "one value" });
  });

  it("of other numbers are with units, and say what is uneven, without order or missing", () => {
    expect(numbers([0.5, 1.5, 5500], "other", "m")).toEqual({ range: "0.5 … 5500 m", steps: "uneven, ascending" });
    expect(numbers([3, 1, 2])).toEqual({ range: "1 … 3", steps: "in no order" });
    expect(numbers([1, Number.NaN, 3])).toEqual({ range: "1 … 3", steps: "uneven, ascending, 1 value missing" });
    expect(numbers([Number.NaN])).toEqual({ range: "no value", steps: "" });
    expect(numbers([])).toEqual({ range: "empty", steps: "" });
  });

  it("of 32-bit floats are even where the values are that near", () => {
    const values = Array.from({ length: 1440 }, (_, at) => Math.fround(0.1 + at * 0.25));
    expect(numbers(values)?.steps).toBe("every 0.25, ascending");
  });

  it("of times are dates, with the step of the calendar", () => {
    expect(dates("2026-01-01Z", "2026-01-02Z", "2026-01-03Z")).toEqual({
      range: "2026-01-01 … 2026-01-03",
      steps: "every day, 3 steps",
    });
    expect(dates("2026-01-01T00:00Z", "2026-01-01T06:00Z")).toEqual({
      range: "2026-01-01 … 2026-01-01 06:00",
      steps: "every 6 hours, 2 steps",
    });
    expect(dates("2026-01-16Z", "2026-02-16Z", "2026-03-16Z")?.steps).toBe("every month, 3 steps");
    expect(dates("2023-01-01Z", "2024-01-01Z", "2025-01-01Z")?.steps).toBe("every year, 3 steps");
    expect(dates("2026-01-01Z", "2026-01-02Z", "2026-01-05Z")?.steps).toBe("uneven, 3 steps");
    expect(dates("2026-01-01Z", "", "2026-01-05Z")?.steps).toBe("uneven, 3 steps, 1 date missing");
    expect(dates("")).toEqual({ range: "no date", steps: "" });
  });

  it("of texts are the first and the last", () => {
    const values = { kind: "texts", texts: ["a", "b", "c"] } as const;
    expect(axisRange({ role: "other", units: undefined, values })).toEqual({ range: "a … c", steps: "3 texts" });
    const times = { kind: "texts", texts: ["1850-01-16T00:00:00", "1850-02-30T12:00:00"] } as const;
    const said = { range: "1850-01-16 … 1850-02-30 12:00:00", steps: "2 steps" };
    expect(axisRange({ role: "time", units: undefined, values: times })).toEqual(said);
    expect(axisRange({ role: "other", units: undefined })).toBeUndefined();
  });
});

it("numbers keep four digits", () => {
  expect([-5.4524, 26.956, 0, 5500, 1.23456e9, -2e-7].map((value) => shortNumber(value, 4))).toEqual([
    "−5.452",
    "26.96",
    "0",
    "5500",
    "1235000000",
    "−2e−7",
  ]);
});

it("units are written as people do, where they are known", () => {
  expect(["degC", "m s-1", "kg m**-2", "W m^-2", "1", "K", "mm/day", "m2", "hPa"].map(unitsText)).toEqual([
    "°C",
    "m s⁻¹",
    "kg m⁻²",
    "W m⁻²",
    "1",
    "K",
    "mm/day",
    "m²",
    "hPa",
  ]);
});

it("types are named as readers name them", () => {
  const type = { kind: "int", itemSize: 2, isBigEndian: false, text: "<i2" } as const;
  expect(typeWords({ type, isPacked: true })).toBe("int16, packed");
  expect(typeWords({ type: { ...type, itemSize: 4, isBigEndian: true, text: ">i4" }, isPacked: false })).toBe(
    "int32, big-endian",
  );
  expect(typeWords({ type: { ...type, kind: "object", itemSize: 0, text: "|O" }, isPacked: false })).toBe("|O");
});

describe("the health of a variable", () => {
  const of = (cells: number, present: number, unknown: number, ok = 0, failed = 0, bad = 0) =>
    variableHealth({ cells, present, unknown }, { bad, ok, failed });

  it("says the worst that is known", () => {
    expect(of(54, 54, 0, 10, 4)).toEqual({ sign: "bad", text: "4 of 54 failed", more: undefined });
    expect(of(25, 5, 0, 0, 0, 2)).toEqual({ sign: "bad", text: "2 bad references", more: "18 missing" });
    expect(of(25, 5, 0)).toEqual({ sign: "partly", text: "5 of 25 present", more: "20 missing" });
    expect(of(25, 5, 10)).toEqual({ sign: "unknown", text: "15 of 25 known", more: "10 missing" });
  });

  it("does not count what is set aside as an open problem, and says so", () => {
    const aside = (failing: number, mayLack = false) => ({ failing, mayLack });
    const outcome = { bad: 0, ok: 10, failed: 4 };
    const whole = { cells: 54, present: 54, unknown: 0 };
    expect(variableHealth(whole, outcome, aside(3))).toEqual({
      sign: "bad",
      text: "1 of 54 failed",
      more: "3 more accepted",
    });
    expect(variableHealth(whole, outcome, aside(4))).toEqual({
      sign: "unknown",
      text: "10 of 54 read",
      more: "4 accepted",
    });
    expect(variableHealth(whole, { ...outcome, ok: 50 }, aside(4))).toMatchObject({
      sign: "ok",
      text: "50 of 54 read",
    });
    const lacking = { cells: 25, present: 5, unknown: 0 };
    expect(variableHealth(lacking, { bad: 0, ok: 0, failed: 0 }, aside(0, true))).toEqual({
      sign: "unknown",
      text: "5 of 25 present",
      more: "20 missing, accepted",
    });
    const bad = { bad: 2, ok: 0, failed: 0 };
    expect(variableHealth(lacking, bad, aside(1, true))).toMatchObject({ sign: "bad", text: "2 bad references" });
    expect(variableHealth(lacking, bad, aside(2, true)).sign).toBe("unknown");
    expect([readText(9, 0, 0), readText(9, 2, 1), readText(9, 0, 3)]).toEqual([
      "9 chunks read so far.",
      "9 chunks read so far, 2 of them failed, 1 more because of accepted problems.",
      "9 chunks read so far, 3 of them failed because of accepted problems.",
    ]);
  });

  it("calls nothing right that was not read", () => {
    expect(of(6, 6, 0)).toEqual({ sign: "unknown", text: "6 chunks", more: undefined });
    expect(of(6, 6, 0, 2)).toEqual({ sign: "unknown", text: "2 of 6 read", more: undefined });
    expect(of(6, 6, 0, 6)).toEqual({ sign: "ok", text: "6 of 6 read", more: undefined });
  });
});

describe("a variable without values", () => {
  const error = (code: "offline" | "target-missing" | "decode-failed"): Finding =>
    ({ code, place: { kind: "set" }, facts: {}, count: 1 }) as unknown as Finding;
  const part = (more: object): ReadValues => ({ kind: "values", isAll: false, chunks: 1, failed: 1, ...more });

  it("is out of reach where nothing came of its source", () => {
    for (const code of ["offline", "target-missing"] as const) {
      expect(failureOf({ kind: "failed", error: error(code) })).toBe("out of reach");
      expect(failureWords({ kind: "failed", error: error(code) })).toBe("out of reach");
      expect(failureWords(part({ error: error(code) }))).toBe("its chunk is out of reach");
      expect(failureWords(part({ error: error(code), chunks: 9 }))).toBe("its first chunks are out of reach");
    }
  });

  it("could not be read where what came is wrong", () => {
    const failed = error("decode-failed");
    expect(failureOf({ kind: "failed", error: failed })).toBe("failed");
    expect(failureWords({ kind: "failed", error: failed })).toBe("could not be read");
    expect(failureWords(part({ error: failed }))).toBe("its chunk could not be read");
    expect(failureWords(part({ error: failed, failed: 4, chunks: 9 }))).toBe("its first chunks could not be read");
    expect(failureOf({ kind: "waiting" })).toBeUndefined();
  });
});
