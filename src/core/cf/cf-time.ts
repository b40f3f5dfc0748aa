/**
 * Counts of time as dates: `units` of the form "days since 1970-01-01" with a `calendar` (CF §4.4), as xarray's
 * `decode_times` reads them: by way of NumPy's nanoseconds where these reach, else by way of cftime's microseconds.
 */
import { editDistance } from "../words/near-name.ts";
import type { TimeUnits } from "../findings/catalogue/cf.ts";
import { floorDivide, modulo } from "../basics.ts";

/**
 * The calendars of CF §4.4.1: days counted from 1970-01-01 of each calendar, to dates and back. Years are astronomical
 * (1 BC is 0); how they are written is `writtenYear`.
 */
export const CALENDARS = ["standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day"] as const;
type Calendar = (typeof CALENDARS)[number];

interface CalendarDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

const SYNONYMS = new Map<string, Calendar>([
  ...CALENDARS.map((name) => [name, name] as const),
  ["gregorian", "standard"],
  ["365_day", "noleap"],
  ["366_day", "all_leap"],
]);

/**
 * Calendar by its name in an attribute, in any case; `undefined` for others, `utc` and `tai` (which xarray refuses)
 * among them.
 */
export const calendarNamed = (name: string): Calendar | undefined => SYNONYMS.get(name.toLowerCase());

/** First day of the Gregorian calendar, 1582-10-15, from 1970-01-01; the day before is 1582-10-04 of the Julian one. */
const REFORM = -141_427;
/** 1970-01-01 of the Julian calendar is the 14th of the Gregorian one. */
const JULIAN_SHIFT = 13;

type ByCalendar<T> = Readonly<Record<Calendar, T>>;

const DAYS_OF: ByCalendar<(year: number, month: number, day: number) => number | undefined> = {
  proleptic_gregorian: gregorianDays,
  julian: julianDays,
  standard: (year, month, day) => {
    const days = gregorianDays(year, month, day);
    if (days >= REFORM) return days;
    const older = julianDays(year, month, day) + JULIAN_SHIFT;
    return older < REFORM ? older : undefined;
  },
  noleap: (year, month, day) => (year - 1970) * 365 + dayOfYear(month, day, false),
  all_leap: (year, month, day) => (year - 1970) * 366 + dayOfYear(month, day, true),
  "360_day": (year, month, day) => (year - 1970) * 360 + (month - 1) * 30 + day - 1,
};

/** For a date in its calendar; `undefined` where the calendar has no such day. */
export function daysOf({ year, month, day }: CalendarDate, calendar: Calendar): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month, calendar)) return undefined;
  return DAYS_OF[calendar](year, month, day);
}

const DATE_OF: ByCalendar<(days: number) => CalendarDate> = {
  proleptic_gregorian: gregorianDate,
  julian: julianDate,
  standard: (days) => (days >= REFORM ? gregorianDate(days) : julianDate(days - JULIAN_SHIFT)),
  noleap: (days) => equalYears(days, 365),
  all_leap: (days) => equalYears(days, 366),
  "360_day": (days) => {
    const year = Math.floor(days / 360);
    const rest = days - year * 360;
    return { year: year + 1970, month: Math.floor(rest / 30) + 1, day: (rest % 30) + 1 };
  },
};

/** `days`: a whole number, not past ±2^40. */
export const dateOf = (days: number, calendar: Calendar): CalendarDate => DATE_OF[calendar](days);

/** True if 0 is a year that can be written (CF §4.4.1 from version 1.9 on, as in cftime). */
const hasYearZero = (calendar: Calendar): boolean => calendar !== "standard" && calendar !== "julian";

/** The year as it is written: calendars without a year 0 go from -1 to 1. */
export function writtenYear(year: number, calendar: Calendar): number {
  return year <= 0 && !hasYearZero(calendar) ? year - 1 : year;
}

/** The opposite; `undefined` where the calendar has no such year. */
export function astronomicalYear(written: number, calendar: Calendar): number | undefined {
  if (hasYearZero(calendar) || written > 0) return written;
  return written === 0 ? undefined : written + 1;
}

function isLeap(year: number, calendar: Calendar): boolean {
  if (calendar === "noleap") return false;
  if (calendar === "all_leap") return true;
  const isGregorian = calendar === "proleptic_gregorian" || (calendar === "standard" && year > 1582);
  return year % 4 === 0 && (!isGregorian || year % 100 !== 0 || year % 400 === 0);
}

const CALENDAR_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number, calendar: Calendar): number {
  if (calendar === "360_day") return 30;
  return month === 2 && isLeap(year, calendar) ? 29 : (CALENDAR_MONTHS[month - 1] ?? 0);
}

/** From 0. */
function dayOfYear(month: number, day: number, isLeapYear: boolean): number {
  const before = CALENDAR_MONTHS.slice(0, month - 1).reduce((sum, days) => sum + days, 0);
  return before + (isLeapYear && month > 2 ? 1 : 0) + day - 1;
}

function equalYears(days: number, length: 365 | 366): CalendarDate {
  const years = Math.floor(days / length);
  let rest = days - years * length;
  for (const [index, plain] of CALENDAR_MONTHS.entries()) {
    const extent = index === 1 && length === 366 ? 29 : plain;
    if (rest < extent) return { year: years + 1970, month: index + 1, day: rest + 1 };
    rest -= extent;
  }
  return { year: years + 1970, month: 12, day: 31 };
}

/** Years that begin on 1 March have their leap day at the end, so that months are a formula. */
function marchDay(month: number, day: number): number {
  const fromMarch = month > 2 ? month - 3 : month + 9;
  return Math.floor((153 * fromMarch + 2) / 5) + day - 1;
}

function fromMarch(year: number, dayInYear: number): CalendarDate {
  const march = Math.floor((5 * dayInYear + 2) / 153);
  const day = dayInYear - Math.floor((153 * march + 2) / 5) + 1;
  const month = march < 10 ? march + 3 : march - 9;
  return { year: month <= 2 ? year + 1 : year, month, day };
}

/** Days from 0000-03-01 to 1970-01-01, by each calendar's own dates. */
const GREGORIAN_EPOCH = 719_468;
const JULIAN_EPOCH = 719_483;

function gregorianDays(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  return (
    365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + marchDay(month, day) - GREGORIAN_EPOCH
  );
}

function julianDays(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  return 365 * y + Math.floor(y / 4) + marchDay(month, day) - JULIAN_EPOCH;
}

function gregorianDate(days: number): CalendarDate {
  const shifted = days + GREGORIAN_EPOCH;
  const era = Math.floor(shifted / 146_097);
  const day = shifted - era * 146_097;
  const year = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365);
  return fromMarch(year + era * 400, day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100)));
}

function julianDate(days: number): CalendarDate {
  const shifted = days + JULIAN_EPOCH;
  const era = Math.floor(shifted / 1461);
  const day = shifted - era * 1461;
  const year = Math.min(3, Math.floor(day / 365));
  return fromMarch(year + era * 4, day - 365 * year);
}

// The date after "since" in units of time (CF §4.4), as the two readers that xarray asks have it: pandas for the
// standard calendars, and cftime for the others and for all that pandas refuses.

/** A date in UTC. */
interface ReferenceDate {
  /** From 1970-01-01 of the calendar. */
  readonly days: number;
  /** Nanoseconds of the day, from 0. */
  readonly nanoseconds: number;
}

interface Written extends CalendarDate {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  /** Minutes east of UTC. */
  readonly offset: number;
}

const NANOSECONDS_A_DAY = 86_400_000_000_000;

const DATE = String.raw`(?<year>-?\d{4})(?:-(?<month>\d{1,2})(?:-(?<day>\d{1,2})|$)|$)|(?<year2>\d{4})/(?<month2>\d{1,2})/(?<day2>\d{1,2})|(?<year3>\d{4})(?<month3>\d\d)(?<day3>\d\d)|(?<day4>\d{1,2})-(?<name>[a-z]{3})-(?<year4>\d{4})`;
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:\.(?<fraction>\d*))?)?|(?<hour2>\d\d)(?![\d:])|(?<hour3>\d\d)(?<minute3>\d\d)(?<second3>\d\d)`;
const ZONE = String.raw` *(?:Z|UTC|GMT|(?<sign>[+-])(?<zoneHours>\d{1,2})(?::?(?<zoneMinutes>\d\d))?)| +00?:00`;
const BY_PANDAS = new RegExp(`^(?:${DATE})(?:(?:[Tt]|,? +)(?:${CLOCK})(?:${ZONE})?)?$`, "i");
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** True if pandas's reading of the text is known: a date, or none if there is no such day. */
function isFormOfPandas(text: string): boolean {
  const date = text.trim();
  // pandas drops the minus of years before 0 in some forms.
  return BY_PANDAS.test(date) && !/^-.*(?:UTC|GMT|[+-]\d{1,2}:?\d*$)/i.test(date.replace(/^-\d+-\d+-\d+$/, ""));
}

/** The forms that pandas is known to read the same way; `undefined` for all others, which it may or may not read. */
function dateByPandas(text: string): ReferenceDate | undefined {
  const groups = BY_PANDAS.exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const of = (...names: readonly string[]) => names.map((name) => groups[name]).find((part) => part !== undefined);
  const named = MONTHS.indexOf((groups["name"] ?? "").toLowerCase()) + 1;
  return placed(
    {
      year: Number(of("year", "year2", "year3", "year4")),
      month: groups["name"] === undefined ? Number(of("month", "month2", "month3") ?? 1) : named,
      day: Number(of("day", "day2", "day3", "day4") ?? 1),
      hour: Number(of("hour", "hour2", "hour3") ?? 0),
      minute: Number(of("minute", "minute3") ?? 0),
      second: Number(of("second", "second3") ?? 0),
      nanosecond: Number((groups["fraction"] ?? "").slice(0, 9).padEnd(9, "0")),
      offset: offsetOf(groups),
    },
    "proleptic_gregorian",
  );
}

/** Minutes east of UTC. */
const offsetOf = ({ sign, zoneHours = "0", zoneMinutes = "0" }: Readonly<Record<string, string | undefined>>): number =>
  (sign === "-" ? -1 : 1) * (60 * Number(zoneHours) + Number(zoneMinutes));

const BY_CFTIME =
  /^(?<year>[+-]?\d+)-(?<month>\d{1,2})-(?<day>\d{1,2})(?:.(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:\.(?<fraction>\d+))?)?)?(?:.?(?:Z|(?<sign>[+-])(?<zoneHours>\d\d)(?::?(?<zoneMinutes>\d\d))?))?/;

/**
 * Reads a date as cftime does, to the microsecond, and ignores what follows, as cftime does. `undefined` if it fails.
 */
function dateByCftime(text: string, calendar: Calendar): ReferenceDate | undefined {
  const groups = BY_CFTIME.exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const year = astronomicalYear(Number(groups["year"]), calendar);
  if (year === undefined || Math.abs(year) > 1_000_000) return undefined;
  return placed(
    {
      year,
      month: Number(groups["month"]),
      day: Number(groups["day"]),
      hour: Number(groups["hour"] ?? 0),
      minute: Number(groups["minute"] ?? 0),
      second: Number(groups["second"] ?? 0),
      nanosecond: Math.trunc(Number(`0.${groups["fraction"] ?? "0"}`) * 1e6) * 1000,
      offset: offsetOf(groups),
    },
    calendar,
  );
}

function placed(written: Written, calendar: Calendar): ReferenceDate | undefined {
  const { hour, minute, second, nanosecond, offset } = written;
  const day = daysOf(written, calendar);
  if (day === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const inDay = (hour * 3600 + (minute - offset) * 60 + second) * 1e9 + nanosecond;
  const carried = Math.floor(inDay / NANOSECONDS_A_DAY);
  return { days: day + carried, nanoseconds: inDay - carried * NANOSECONDS_A_DAY };
}

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

/** Microseconds in a unit; nanoseconds are counted apart. */
const MICROSECONDS = {
  nanoseconds: 0,
  microseconds: 1,
  milliseconds: 1000,
  seconds: 1_000_000,
  minutes: 60_000_000,
  hours: 3_600_000_000,
  days: 86_400_000_000,
  /** Months of the calendar 360_day. */
  months: 30 * 86_400_000_000,
  /** Years of the calendar noleap. */
  common_years: 365 * 86_400_000_000,
} as const;

/** Names of units in cftime; xarray adds "nanoseconds", with or without its s. */
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
  if (!units.includes("since")) return misspelt(units);
  const written = units.slice(0, 80);
  const calendar = typeof calendarName === "string" ? calendarNamed(calendarName) : undefined;
  if (calendarName !== undefined && calendar === undefined) return unknownCalendar(calendarName);
  const [, name = "", word = "", date = ""] = /^\s*(\S+)\s+(\S+)\s+(\S[^]*)$/.exec(units) ?? [];
  const unit = NAMES.get(name.toLowerCase());
  if (word.toLowerCase() !== "since") return { problem: "form", units: written };
  if (unit === undefined) return { problem: "unit", units: written, countedIn: name.slice(0, 40) };
  return viewOf({ calendar: calendar ?? "standard", unit, units, name, date });
}

/** "days sinse 2000-01-01": a unit of time and a date, and between them almost the word. */
function misspelt(units: string): TimeProblem | undefined {
  const [, name = "", word = ""] = /^\s*(\S+)\s+(\S{1,10})\s+\d+-\d/.exec(units) ?? [];
  const isMeant = NAMES.has(name.toLowerCase()) && editDistance(word.toLowerCase(), "since", 2) <= 2;
  return isMeant ? { problem: "misspelt", units: units.slice(0, 80), word } : undefined;
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

/** True if cftime reads all of a date that pandas refuses. */
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

const totalNanoseconds = ({ days, nanoseconds }: ReferenceDate): bigint => BigInt(days) * A_DAY + BigInt(nanoseconds);

/** cftime counts microseconds in as many bits as NumPy nanoseconds. */
const isInt64 = (total: bigint): boolean => total > -LONGEST && total < LONGEST;

/**
 * A count (integers as bigint: floats are rounded as NumPy or cftime do) as ISO 8601 in its calendar, with as many digits after the second as it needs: `2000-01-01T12:00:00`,
 * `2000-01-01T00:00:00.500`. A year of 1 BC is `-0001` where the calendar has no year 0. `undefined` for what no date
 * is: counts that are not finite, and more than 292,471 years.
 */
export function timeText(count: number | bigint, time: TimeView): string | undefined {
  const total = timeTotal(count, time);
  return total === undefined ? undefined : isoText(total, time.calendar);
}

/** Nanoseconds since 1970-01-01 as ISO 8601. */
export const isoDate = (nanoseconds: bigint): string => isoText(nanoseconds, "proleptic_gregorian");

/**
 * Formats a mean time like `timeText`, to the second (the millisecond for units below it), since a mean is no more
 * exact.
 */
export function meanTimeText(count: number, time: TimeView): string | undefined {
  const total = timeTotal(count, time);
  const step = MICROSECONDS[time.unit] >= 1_000_000 ? 1_000_000_000n : 1_000_000n;
  return total === undefined ? undefined : isoText(floorDivide(total + step / 2n, step) * step, time.calendar);
}

/** Nanoseconds since 1970-01-01 as NumPy's `datetime64[ns]` holds them; `undefined` where it holds no such date. */
export function timeNanoseconds(count: number | bigint, time: TimeView): bigint | undefined {
  const isStandard = time.calendar === "standard" || time.calendar === "proleptic_gregorian";
  const total = isStandard && time.near !== undefined ? timeTotal(count, time) : undefined;
  return total !== undefined && isInt64(total) ? total : undefined;
}

/** Nanoseconds from 1970-01-01 of the calendar. */
export function timeTotal(count: number | bigint, { unit, near, far }: TimeView): bigint | undefined {
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

/** Converts float64 to int64 as NumPy does. */
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

const two = (value: number): string => String(value).padStart(2, "0");
