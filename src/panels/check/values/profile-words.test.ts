import { expect, test } from "vitest";
import type { ProfileColumns, ValueProfile } from "#core/values/value-profile.ts";
import {
  binsText,
  binWords,
  endsText,
  fileOf,
  markedWords,
  numberText,
  rangeText,
  shortName,
  stepText,
} from "./profile-words.ts";

const column = (...values: readonly number[]) => Float64Array.from(values);
const NONE = column(NaN, NaN, NaN, NaN);

const columns: ProfileColumns = {
  minimum: column(270, 271, 2700, NaN),
  maximum: column(300, 301, 3010, NaN),
  mean: column(285, 286, 2850, NaN),
  spread: column(5, 6, 50, NaN),
  missing: column(0, 0.25, 0, 1),
  step: column(NaN, 1, 2500, NaN),
  rough: NONE,
  read: column(1, 1, 1, 1),
  failed: column(0, 0, 0, 0),
};

const PROFILE: ValueProfile = {
  kind: "chunks",
  array: "sst",
  axis: 0,
  length: 4,
  first: 0,
  perBin: 1,
  bins: 4,
  columns,
  isLine: false,
  files: [
    { name: "https://x.org/a.nc?key=1", bin: 0 },
    { name: "https://x.org/b.nc", bin: 2 },
  ],
  fileCount: 2,
  units: "degC",
};
const DATED = { ...PROFILE, places: ["2026-12-28 – 12-29", "2026-12-30 – 12-31", "2027-01-01 – 01-02", "2027-01-03"] };
const AXIS = { dimension: "time", edges: 2, end: 7 };

test("places are said in what stands along the axis, a year once", () => {
  expect(binsText(DATED, AXIS, 2, 3)).toBe("2027-01-01 – 01-02");
  expect(binsText(DATED, AXIS, 0, 2)).toBe("2026-12-28 – 12-31");
  expect(binsText(DATED, AXIS, 1, 4)).toBe("2026-12-30 – 2027-01-03");
});

test("at the ends of the axis stand its first place and its last, in full", () => {
  expect(endsText(DATED, AXIS)).toEqual(["2026-12-28", "2027-01-03"]);
  expect(endsText({ ...DATED, bins: 3 }, AXIS)).toEqual(["2026-12-28", "2027-01-02"]);
  expect(endsText(PROFILE, AXIS)).toEqual(["time 0", "time 6"]);
});

test("else by position, not beyond the end of the array", () => {
  expect(binsText(PROFILE, AXIS, 1, 2)).toBe("time 2 – 3");
  expect(binsText(PROFILE, AXIS, 3, 4)).toBe("time 6");
  expect(binsText({ ...PROFILE, kind: "elements", first: 10, length: 40 }, AXIS, 1, 3)).toBe("positions 11 – 12");
});

test("a bin is said with its file, its values, what is missing and what failed", () => {
  expect(binWords(DATED, AXIS, 1)).toBe(
    "2026-12-30 – 12-31 · a.nc · 271 to 301 °C, mean 286 · 25.0% missing · step of 1 from the one before",
  );
  expect(binWords(PROFILE, AXIS, 3)).toBe("time 6 · b.nc · no element has a value");
  const broken = { ...columns, read: column(0, 1, 1, 1), missing: NONE, failed: column(1, 0, 0, 0) };
  expect(binWords({ ...PROFILE, columns: broken }, AXIS, 0)).toBe("time 0 – 1 · a.nc · 1 chunk failed");
  const unread = { ...broken, failed: column(0, 0, 0, 0) };
  expect(binWords({ ...PROFILE, columns: unread }, AXIS, 0)).toBe("time 0 – 1 · a.nc · nothing read");
});

test("what is marked is told against all else", () => {
  expect(markedWords(DATED, AXIS, new Set([2]), "step")).toBe(
    "Marked: 2027-01-01 – 01-02 in b.nc. There 2700 to 3010 °C; elsewhere 270 to 301 °C. The step is 2500, elsewhere at most 1.",
  );
  const back = { ...PROFILE, columns: { ...columns, step: column(NaN, 30, 31, 2) } };
  expect(markedWords(back, AXIS, new Set([1]), "step")).toContain("The step is 31, elsewhere at most 2.");
  expect(markedWords(PROFILE, AXIS, new Set([3]), "missing")).toBe(
    "Marked: time 6 in b.nc. No value there; elsewhere 270 to 3010 °C. Without a value are 100%, elsewhere at most 25.0%.",
  );
  expect(markedWords(PROFILE, AXIS, new Set([0, 2]), undefined)).toBe(
    "Marked: time 0 – 1 and time 4 – 5. There 270 to 3010 °C; elsewhere 271 to 301 °C.",
  );
  expect(markedWords(PROFILE, AXIS, new Set(), "step")).toBe("");
});

test("counts of time are dates, steps of them counts of their unit; a number alone has no unit", () => {
  const time = { calendar: "standard", unit: "days", units: "days since 2000-01-01" } as const;
  expect(stepText(1, { time })).toBe("1 day");
  expect(stepText(2.5, { time })).toBe("2.5 days");
  expect(numberText(3, { units: "K" })).toBe("3");
  expect(rangeText(3, 3, { units: "1" })).toBe("3");
});

test("files by their own names", () => {
  expect([fileOf(PROFILE, 1), fileOf(PROFILE, 3)].map((name) => shortName(name ?? ""))).toEqual(["a.nc", "b.nc"]);
});
