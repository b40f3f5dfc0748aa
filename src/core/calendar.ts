/**
 * The calendars of CF §4.4.1: days counted from 1970-01-01 of each calendar, to dates and back. Years are astronomical
 * (1 BC is 0); how they are written is `writtenYear`.
 */
export const CALENDARS = ["standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day"] as const;
export type Calendar = (typeof CALENDARS)[number];

export interface CalendarDate {
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

/** By the name in an attribute, in any case; `undefined` for others, `utc` and `tai` (which xarray refuses) among them. */
export function calendarNamed(name: string): Calendar | undefined {
  return SYNONYMS.get(name.toLowerCase());
}

/** First day of the Gregorian calendar, 1582-10-15, from 1970-01-01; the day before is 1582-10-04 of the Julian one. */
export const REFORM = -141_427;
/** 1970-01-01 of the Julian calendar is the 14th of the Gregorian one. */
const JULIAN_SHIFT = 13;

/** For a date in its calendar; `undefined` where the calendar has no such day. */
export function daysOf({ year, month, day }: CalendarDate, calendar: Calendar): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month, calendar)) return undefined;
  switch (calendar) {
    case "proleptic_gregorian":
      return gregorianDays(year, month, day);
    case "julian":
      return julianDays(year, month, day);
    case "standard": {
      const days = gregorianDays(year, month, day);
      if (days >= REFORM) return days;
      const older = julianDays(year, month, day) + JULIAN_SHIFT;
      return older < REFORM ? older : undefined;
    }
    case "noleap":
      return (year - 1970) * 365 + dayOfYear(month, day, false);
    case "all_leap":
      return (year - 1970) * 366 + dayOfYear(month, day, true);
    case "360_day":
      return (year - 1970) * 360 + (month - 1) * 30 + day - 1;
  }
}

/** `days`: a whole number, not past ±2^40. */
export function dateOf(days: number, calendar: Calendar): CalendarDate {
  switch (calendar) {
    case "proleptic_gregorian":
      return gregorianDate(days);
    case "julian":
      return julianDate(days);
    case "standard":
      return days >= REFORM ? gregorianDate(days) : julianDate(days - JULIAN_SHIFT);
    case "noleap":
      return equalYears(days, 365);
    case "all_leap":
      return equalYears(days, 366);
    case "360_day": {
      const year = Math.floor(days / 360);
      const rest = days - year * 360;
      return { year: year + 1970, month: Math.floor(rest / 30) + 1, day: (rest % 30) + 1 };
    }
  }
}

/** Whether 0 is a year that can be written (CF §4.4.1 from version 1.9 on, as cftime has it). */
export function hasYearZero(calendar: Calendar): boolean {
  return calendar !== "standard" && calendar !== "julian";
}

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

const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number, calendar: Calendar): number {
  if (calendar === "360_day") return 30;
  return month === 2 && isLeap(year, calendar) ? 29 : (MONTHS[month - 1] ?? 0);
}

/** From 0. */
function dayOfYear(month: number, day: number, isLeapYear: boolean): number {
  const before = MONTHS.slice(0, month - 1).reduce((sum, days) => sum + days, 0);
  return before + (isLeapYear && month > 2 ? 1 : 0) + day - 1;
}

function equalYears(days: number, length: 365 | 366): CalendarDate {
  const years = Math.floor(days / length);
  let rest = days - years * length;
  for (const [index, plain] of MONTHS.entries()) {
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
