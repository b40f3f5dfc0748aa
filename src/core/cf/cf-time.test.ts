import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isTimeView, meanTimeText, timeText, timeView, type TimeView } from "./cf-time.ts";

function view(units: string, calendar?: string): TimeView {
  const time = timeView(units, calendar);
  if (!isTimeView(time)) throw new Error(`${units} are not decoded: ${time?.problem ?? "no units of time"}`);
  return time;
}

/** Tells if xarray refuses the units too; `undefined` if they are decoded or are not units of time. */
const problem = (units: string, calendar?: unknown): { readonly refused: boolean } | undefined => {
  const time = timeView(units, calendar);
  return time === undefined || isTimeView(time) ? undefined : { refused: time.problem !== "unknown-form" };
};

type Recorded = [units: string, calendar: string | null, dtype: string, value: string | number, text: string];
const recorded = JSON.parse(readFileSync(new URL("../fixtures/cf-times.json", import.meta.url), "utf8")) as Recorded[];

/** xarray writes nine digits or none, cftime six or none. */
const shortened = (text: string) => text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");

function decoded(units: string, calendar: string | null, value: string | number): string {
  const time = timeView(units, calendar ?? undefined);
  if (!isTimeView(time)) return "ERR";
  return shortened(timeText(typeof value === "string" ? BigInt(value) : value, time) ?? "ERR");
}

describe("times as xarray decodes them", () => {
  it("has the recorded dates, and fails where it fails", () => {
    expect(recorded.length).toBeGreaterThan(200);
    const ours = recorded.map(([units, calendar, dtype, value]) => [
      units,
      calendar,
      dtype,
      value,
      decoded(units, calendar, value),
    ]);
    // A form that we do not decode is not an error of Python's.
    const decidable = ([units, calendar]: readonly unknown[]) =>
      problem(String(units), calendar ?? undefined)?.refused !== false;
    expect(ours.filter(decidable)).toEqual(
      recorded.filter(decidable).map((row) => [...row.slice(0, 4), shortened(row[4])]),
    );
    expect(recorded.filter(decidable).length).toBeGreaterThan(200);
  });

  it("keeps 64-bit counts exact, and rounds floats as they are rounded there", () => {
    expect(timeText(1_600_000_000_123_456_789n, view("nanoseconds since 1970-01-01"))).toBe(
      "2020-09-13T12:26:40.123456789",
    );
    expect(timeText(1_000_000_000_000_000n, view("microseconds since 0001-01-01", "360_day"))).toBe(
      "0033-02-25T01:46:40",
    );
    expect(timeText(0.1, view("hours since 2000-01-01"))).toBe("2000-01-01T00:06:00");
    expect(timeText(1 / 3, view("days since 2000-01-01", "noleap"))).toBe("2000-01-01T08:00:00");
  });

  it("gives nothing for what is not a date", () => {
    const days = view("days since 2000-01-01");
    expect([NaN, Infinity, 1e300, -1e300].map((count) => timeText(count, days))).toEqual(Array(4).fill(undefined));
    expect(timeText(2n ** 63n - 1n, days)).toBeUndefined();
    expect(timeText(2n ** 63n, view("nanoseconds since 2000-01-01"))).toBeUndefined();
  });

  it("shows a mean to the second", () => {
    expect(meanTimeText(0.123456, view("days since 2000-01-01"))).toBe("2000-01-01T02:57:47");
    expect(meanTimeText(1.5, view("milliseconds since 2000-01-01"))).toBe("2000-01-01T00:00:00.002");
  });
});

describe("units of time", () => {
  it.each(["kg", "days", ""])("%j are none", (units) => {
    expect(timeView(units, undefined)).toBeUndefined();
  });

  it.each([
    ["days since"],
    ["mm since 2000-01-01"],
    ["kg m-2 since previous post-processing"],
    ["weeks since 2000-01-01"],
    ["months since 2000-01-01"],
    ["months since 2000-01-01", "noleap"],
    ["common_years since 2000-01-01", "360_day"],
    ["years since 2000-01-01"],
    ["days since 2000-13-01"],
    ["days since 0000-01-01"],
    ["days since 1582-10-10"],
    ["days since 1999-02-29", "noleap"],
    ["days since 2000-01-01", "utc"],
    ["days since 2000-01-01", "tai"],
    ["days since 2000-01-01", ""],
    ["days since 2000-01-01", 360],
    ["nanoseconds since 2000-01-01", "noleap"],
    ["days since initial"],
    ["sinced"],
  ])("%j in %j are refused, as by xarray", (units, calendar?: unknown) => {
    expect(problem(units, calendar)).toEqual({ refused: true });
  });

  it.each([
    "days since Jan 1 2000",
    "days since 01-02-2000",
    "days since 2000-01-01 12:30 PM",
    "days since -4713-01-01 12:00:00 UTC",
  ])("%j are left alone where we do not know", (units) => {
    expect(problem(units)).toEqual({ refused: false });
  });

  it("survives long and hostile texts", () => {
    const long = "9".repeat(100_000);
    expect(problem(`days since ${long}-01-01`, "noleap")).toEqual({ refused: true });
    expect(problem(`${long} since ${long}`)).toEqual({ refused: true });
    expect(problem(`days since ${" ".repeat(100_000)}x`)).toEqual({ refused: true });
    expect(problem(`days since 2000-01-01 ${"0".repeat(100_000)}`)).toEqual({ refused: false });
  });
});

it("takes units for those of time where only the word is misspelt", () => {
  for (const word of ["sinse", "Since"])
    expect(timeView(`days ${word} 2000-01-01`, undefined)).toMatchObject({ problem: "misspelt", word });
  for (const units of ["days after 2000-01-01", "sinse 2000-01-01", "metres sinse 2000-01-01", "m sinc 5", "days"])
    expect(timeView(units, undefined)).toBeUndefined();
});
