/**
 * Counts of time as dates: `units` of the form "days since 1970-01-01" with a `calendar` (CF §4.4), as xarray's
 * `decode_times` reads them: by way of NumPy's nanoseconds where these reach, else by way of cftime's microseconds.
 */
import { CALENDARS, calendarNamed, dateOf, REFORM, writtenYear, type Calendar } from "./calendar.ts";
import type { TimeUnits } from "./findings/catalogue/cf.ts";
import { floorDivide, modulo } from "./floor-division.ts";
import { dateByCftime, dateByPandas, isFormOfPandas, type ReferenceDate } from "./cf-reference-date.ts";

export interface TimeView {
  readonly calendar: Calendar;
  readonly unit: TimeUnit;
  /** The reference as pandas reads it, for dates that int64 nanoseconds reach (1678 to 2262). */
  readonly near?: ReferenceDate;
  /** The reference as cftime reads it, to the microsecond, for all others. At least one of the two is there. */
  readonly far?: ReferenceDate;
  /** "days since 1970-01-01", as written. */
  readonly units: string;
}

export type TimeUnit = keyof typeof MICROSECONDS;

/** In a unit; nanoseconds are counted apart. */
const MICROSECONDS = {
  nanoseconds: 0,
  microseconds: 1,
  milliseconds: 1000,
  seconds: 1_000_000,
  minutes: 60_000_000,
  hours: 3_600_000_000,
  days: 86_400_000_000,
  /** In the calendar 360_day. */
  months: 30 * 86_400_000_000,
  /** In the calendar noleap. */
  common_years: 365 * 86_400_000_000,
} as const;

/** What cftime takes for each; xarray adds "nanoseconds", with or without its s. */
const NAMES = new Map<string, TimeUnit>([
  ...namesOf("microseconds", "microsecond microsecs microsec"),
  ...namesOf("milliseconds", "millisecond millisecs millisec msecs msec ms"),
  ...namesOf("seconds", "second secs sec s"),
  ...namesOf("minutes", "minute mins min"),
  ...namesOf("hours", "hour hrs hr h"),
  ...namesOf("days", "day d"),
  ...namesOf("months", "month"),
  ...namesOf("common_years", "common_year"),
  ...namesOf("nanoseconds", "nanosecond"),
]);

function namesOf(unit: TimeUnit, others: string): readonly (readonly [string, TimeUnit])[] {
  return [unit, ...others.split(" ")].map((name) => [name, unit]);
}

/** Why units of time cannot be decoded. */
export type TimeProblem = TimeUnits;

/** `undefined` where the units do not mean a time since a date: xarray looks for the word "since" in small letters. */
export function timeView(units: string, calendarName: unknown): TimeView | TimeProblem | undefined {
  if (!units.includes("since")) return undefined;
  const written = units.slice(0, 80);
  const calendar = typeof calendarName === "string" ? calendarNamed(calendarName) : undefined;
  if (calendarName !== undefined && calendar === undefined) return unknownCalendar(calendarName);
  const [, name = "", word = "", date = ""] = /^\s*(\S+)\s+(\S+)\s+(\S[^]*)$/.exec(units) ?? [];
  const unit = NAMES.get(name.toLowerCase());
  if (word.toLowerCase() !== "since") return { problem: "form", units: written };
  if (unit === undefined) return { problem: "unit", units: written, countedIn: name.slice(0, 40) };
  return viewOf({ calendar: calendar ?? "standard", unit, units, name, date });
}

export function isTimeView(time: TimeView | TimeProblem | undefined): time is TimeView {
  return time !== undefined && !("problem" in time);
}

function unknownCalendar(name: unknown): TimeProblem {
  return { problem: "calendar", calendar: typeof name === "string" ? name.slice(0, 40) : undefined, known: CALENDARS };
}

interface Parts {
  readonly calendar: Calendar;
  readonly unit: TimeUnit;
  readonly units: string;
  /** The unit as written. */
  readonly name: string;
  readonly date: string;
}

function viewOf({ calendar, unit, units, name, date }: Parts): TimeView | TimeProblem {
  const countedIn = unitOutsideCalendar(unit, calendar);
  if (countedIn !== undefined) return { problem: "unit-of-calendar", units: units.slice(0, 80), countedIn, calendar };
  const isStandard = calendar === "standard" || calendar === "proleptic_gregorian";
  // pandas takes the year first where no number has four digits, and has no year that early.
  const byPandas = isStandard && isPandasUnit(name, unit) && /\d{4}/.test(date);
  const precise = byPandas ? dateByPandas(date) : undefined;
  const far = unit === "nanoseconds" ? undefined : dateByCftime(date, calendar);
  const both = { calendar, unit, units, ...(far === undefined ? {} : { far }) };
  if (precise !== undefined && isInt64(totalNanoseconds(precise)) && isAfterReform(precise, calendar)) {
    return { ...both, near: precise };
  }
  const written = date.slice(0, 60);
  if (byPandas && !isFormOfPandas(date) && !isPlainDate(date) && /\d/.test(date)) {
    return { problem: "unknown-form", date: written };
  }
  return far === undefined ? { problem: "date", date: written, calendar } : both;
}

/** The unit, where the calendar does not have it, or not always of one length. */
function unitOutsideCalendar(unit: TimeUnit, calendar: Calendar) {
  if (unit === "months" && calendar !== "360_day") return unit;
  if (unit === "common_years" && calendar !== "noleap") return unit;
  const isStandard = calendar === "standard" || calendar === "proleptic_gregorian";
  return unit === "nanoseconds" && !isStandard ? unit : undefined;
}

/** pandas is asked for units in full, the others go to cftime. */
function isPandasUnit(name: string, unit: TimeUnit): boolean {
  const plural = name.toLowerCase().replace(/s?$/, "s");
  return plural === unit && unit !== "months" && unit !== "common_years";
}

/** Where pandas refuses such a date, cftime reads all of it. */
function isPlainDate(written: string): boolean {
  const date = written.trim();
  const isDate = /^[+-]?\d+-\d{1,2}-\d{1,2}(?:[ T]\d{1,2}:\d{1,2}(?::\d{1,2}(?:\.\d+)?)?)?(?: ?(?:Z|utc))?$/.test(date);
  return isDate || /^\d+-\d{1,2}-\d{1,2} UTC$/.test(date);
}

function isAfterReform({ days }: ReferenceDate, calendar: Calendar): boolean {
  return calendar === "proleptic_gregorian" || days >= REFORM;
}

const A_DAY = 86_400_000_000_000n;
const LONGEST = 2n ** 63n;

function totalNanoseconds({ days, nanoseconds }: ReferenceDate): bigint {
  return BigInt(days) * A_DAY + BigInt(nanoseconds);
}

/** cftime counts microseconds in as many bits as NumPy nanoseconds. */
function isInt64(total: bigint): boolean {
  return total > -LONGEST && total < LONGEST;
}

/**
 * A count (integers as bigint: floats are rounded as NumPy or cftime do) as ISO 8601 in its calendar, with as many digits after the second as it needs: `2000-01-01T12:00:00`,
 * `2000-01-01T00:00:00.500`. A year of 1 BC is `-0001` where the calendar has no year 0. `undefined` for what no date
 * is: counts that are not finite, and more than 292,471 years.
 */
export function timeText(count: number | bigint, time: TimeView): string | undefined {
  const total = totalOf(count, time);
  return total === undefined ? undefined : isoText(total, time.calendar);
}

/** Nanoseconds since 1970-01-01 as ISO 8601. */
export const isoDate = (nanoseconds: bigint): string => isoText(nanoseconds, "proleptic_gregorian");

/** As `timeText`, to the second (the millisecond for units below it): a mean has no more to say. */
export function meanTimeText(count: number, time: TimeView): string | undefined {
  const total = totalOf(count, time);
  const step = MICROSECONDS[time.unit] >= 1_000_000 ? 1_000_000_000n : 1_000_000n;
  return total === undefined ? undefined : isoText(floorDivide(total + step / 2n, step) * step, time.calendar);
}

/** Nanoseconds since 1970-01-01 as NumPy's `datetime64[ns]` holds them; `undefined` where it holds no such date. */
export function timeNanoseconds(count: number | bigint, time: TimeView): bigint | undefined {
  const isStandard = time.calendar === "standard" || time.calendar === "proleptic_gregorian";
  const total = isStandard && time.near !== undefined ? totalOf(count, time) : undefined;
  return total !== undefined && isInt64(total) ? total : undefined;
}

/** Nanoseconds from 1970-01-01 of the calendar. */
function totalOf(count: number | bigint, { unit, near, far }: TimeView): bigint | undefined {
  const inUnit = unit === "nanoseconds" ? 1n : BigInt(MICROSECONDS[unit]) * 1000n;
  if (near !== undefined) {
    const elapsed = typeof count === "bigint" ? count * inUnit : truncated(count * Number(inUnit));
    const total = elapsed === undefined ? undefined : totalNanoseconds(near) + elapsed;
    if (total !== undefined && isInt64(total)) return total;
  }
  if (far === undefined || (typeof count === "number" && !Number.isFinite(count))) return undefined;
  const elapsed = typeof count === "bigint" ? count * BigInt(MICROSECONDS[unit]) : asCftimeRounds(count, unit);
  if (elapsed === undefined || !isInt64(elapsed)) return undefined;
  return totalNanoseconds(far) + elapsed * 1000n;
}

/** As NumPy turns float64 into int64. */
function truncated(nanoseconds: number): bigint | undefined {
  return Math.abs(nanoseconds) < 2 ** 63 ? BigInt(Math.trunc(nanoseconds)) : undefined;
}

/**
 * Whole microseconds by way of x86's extended float (a mantissa of 64 bits), rounded to even; a microsecond beside a
 * full second is taken to lie on the second's side (cftime `cast_to_int`).
 */
function asCftimeRounds(count: number, unit: TimeUnit): bigint | undefined {
  const { mantissa, exponent } = extended(count, BigInt(MICROSECONDS[unit]));
  if (exponent >= 0) {
    const whole = exponent > 64 ? LONGEST : mantissa << BigInt(exponent);
    return whole > -LONGEST && whole < LONGEST ? whole : undefined;
  }
  const by = BigInt(-exponent);
  const nearest = shiftToEven(mantissa, by);
  if (nearest <= -LONGEST || nearest >= LONGEST) return undefined;
  if (MICROSECONDS[unit] <= 1000) return nearest;
  const inSecond = modulo(nearest, 1_000_000n);
  if (inSecond === 1n) return mantissa >> by;
  return inSecond === 999_999n ? -(-mantissa >> by) : nearest;
}

/** count × factor = mantissa × 2^exponent, the mantissa rounded to 64 bits. */
function extended(count: number, factor: bigint): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, count);
  const bits = view.getBigUint64(0);
  const power = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  const size = (power === 0 ? fraction : fraction | (1n << 52n)) * factor;
  const exponent = Math.max(power, 1) - 1075;
  const excess = size.toString(2).length - 64;
  const mantissa = excess > 0 ? shiftToEven(size, BigInt(excess)) : size;
  return { mantissa: count < 0 ? -mantissa : mantissa, exponent: exponent + Math.max(excess, 0) };
}

/** value / 2^by to the nearest whole number, ties to even. */
function shiftToEven(value: bigint, by: bigint): bigint {
  const down = value >> by;
  const twice = (value - (down << by)) << 1n;
  const one = 1n << by;
  if (twice > one || (twice === one && (down & 1n) === 1n)) return down + 1n;
  return down;
}

function isoText(total: bigint, calendar: Calendar): string {
  const days = floorDivide(total, A_DAY);
  const inDay = Number(total - days * A_DAY);
  const { year, month, day } = dateOf(Number(days), calendar);
  const written = writtenYear(year, calendar);
  const seconds = Math.floor(inDay / 1e9);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(":");
  const yearText = `${written < 0 ? "-" : ""}${String(Math.abs(written)).padStart(4, "0")}`;
  return `${yearText}-${two(month)}-${two(day)}T${clock}${fractionText(inDay - seconds * 1e9)}`;
}

/** Three, six or nine digits, or none. */
function fractionText(nanoseconds: number): string {
  if (nanoseconds === 0) return "";
  return `.${String(nanoseconds)
    .padStart(9, "0")
    .replace(/(?:000){1,2}$/, "")}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
