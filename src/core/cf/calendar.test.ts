import { describe, expect, it } from "vitest";
import { astronomicalYear, calendarNamed, CALENDARS, dateOf, daysOf, writtenYear } from "./cf-time.ts";

describe("calendars", () => {
  it.each(CALENDARS)("%s: from days to dates and back, one after another", (calendar) => {
    let before = dateOf(-1_000_000, calendar);
    for (let days = -999_999; days < 1_000_000; days += days % 7 === 0 ? 1 : 2) {
      const date = dateOf(days, calendar);
      if (daysOf(date, calendar) !== days) expect([days, date]).toBe("the same day");
      const isLater = date.year * 400 + date.month * 32 + date.day > before.year * 400 + before.month * 32 + before.day;
      if (!isLater) expect([days, date]).toBe("a later date");
      before = date;
    }
  });

  it("counts from 1970-01-01 of each", () => {
    for (const calendar of CALENDARS) {
      if (calendar !== "standard") expect(dateOf(0, calendar)).toEqual({ year: 1970, month: 1, day: 1 });
    }
    expect(dateOf(0, "standard")).toEqual({ year: 1970, month: 1, day: 1 });
    expect(daysOf({ year: 2000, month: 3, day: 1 }, "proleptic_gregorian")).toBe(11_017);
    expect(daysOf({ year: 2000, month: 3, day: 1 }, "360_day")).toBe(10_860);
  });

  it("knows the reform of 1582, and days that are none", () => {
    expect(daysOf({ year: 1582, month: 10, day: 15 }, "standard")).toBe(-141_427);
    expect(dateOf(-141_428, "standard")).toEqual({ year: 1582, month: 10, day: 4 });
    expect(daysOf({ year: 1582, month: 10, day: 10 }, "standard")).toBeUndefined();
    expect(daysOf({ year: 1500, month: 2, day: 29 }, "standard")).toBeDefined();
    expect(daysOf({ year: 1500, month: 2, day: 29 }, "proleptic_gregorian")).toBeUndefined();
    expect(daysOf({ year: 1900, month: 2, day: 29 }, "julian")).toBeDefined();
    expect(daysOf({ year: 2000, month: 2, day: 29 }, "noleap")).toBeUndefined();
    expect(daysOf({ year: 2001, month: 2, day: 29 }, "all_leap")).toBeDefined();
    expect(daysOf({ year: 2001, month: 2, day: 30 }, "360_day")).toBeDefined();
    expect(daysOf({ year: 2001, month: 2, day: 31 }, "360_day")).toBeUndefined();
    expect(daysOf({ year: 2001, month: 13, day: 1 }, "julian")).toBeUndefined();
  });

  it("has no year 0 in the calendars of history", () => {
    expect(writtenYear(0, "standard")).toBe(-1);
    expect(writtenYear(0, "proleptic_gregorian")).toBe(0);
    expect(astronomicalYear(-4713, "julian")).toBe(-4712);
    expect(astronomicalYear(0, "standard")).toBeUndefined();
    expect(astronomicalYear(0, "noleap")).toBe(0);
  });

  it("takes names as CF and cftime do", () => {
    expect(["gregorian", "365_day", "366_DAY", "NoLeap"].map(calendarNamed)).toEqual([
      "standard",
      "noleap",
      "all_leap",
      "noleap",
    ]);
    expect([calendarNamed("utc"), calendarNamed("tai"), calendarNamed("")]).toEqual([undefined, undefined, undefined]);
  });
});
