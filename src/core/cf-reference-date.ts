/**
 * The date after "since" in units of time (CF §4.4), as the two readers that xarray asks have it: pandas for the standard
 * calendars, and cftime for the others and for all that pandas refuses.
 */
import { astronomicalYear, daysOf, type Calendar } from "./calendar.ts";

/** In UTC. */
export interface ReferenceDate {
  /** From 1970-01-01 of the calendar. */
  readonly days: number;
  /** In the day, from 0. */
  readonly nanoseconds: number;
}

interface Written {
  readonly year: number;
  readonly month: number;
  readonly day: number;
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

/** Whether pandas's reading of a text is known: a date, or none where there is no such day. */
export function isFormOfPandas(text: string): boolean {
  const date = text.trim();
  // pandas drops the minus of years before 0 in some forms.
  return BY_PANDAS.test(date) && !/^-.*(?:UTC|GMT|[+-]\d{1,2}:?\d*$)/i.test(date.replace(/^-\d+-\d+-\d+$/, ""));
}

/** The forms that pandas is known to read the same way; `undefined` for all others, which it may or may not read. */
export function dateByPandas(text: string): ReferenceDate | undefined {
  const groups = BY_PANDAS.exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const of = (...names: readonly string[]) => names.map((name) => groups[name]).find((part) => part !== undefined);
  const named = MONTHS.indexOf((groups["name"] ?? "").toLowerCase()) + 1;
  const sign = groups["sign"] === "-" ? -1 : 1;
  return placed(
    {
      year: Number(of("year", "year2", "year3", "year4")),
      month: groups["name"] === undefined ? Number(of("month", "month2", "month3") ?? 1) : named,
      day: Number(of("day", "day2", "day3", "day4") ?? 1),
      hour: Number(of("hour", "hour2", "hour3") ?? 0),
      minute: Number(of("minute", "minute3") ?? 0),
      second: Number(of("second", "second3") ?? 0),
      nanosecond: Number((groups["fraction"] ?? "").slice(0, 9).padEnd(9, "0")),
      offset: sign * (60 * Number(groups["zoneHours"] ?? 0) + Number(groups["zoneMinutes"] ?? 0)),
    },
    "proleptic_gregorian",
  );
}

const BY_CFTIME =
  /^(?<year>[+-]?\d+)-(?<month>\d{1,2})-(?<day>\d{1,2})(?:.(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:\.(?<fraction>\d+))?)?)?(?:.?(?:Z|(?<sign>[+-])(?<zoneHours>\d\d)(?::?(?<zoneMinutes>\d\d))?))?/;

/** As cftime reads it, to the microsecond; what follows is not looked at, as there. `undefined` where it fails. */
export function dateByCftime(text: string, calendar: Calendar): ReferenceDate | undefined {
  const groups = BY_CFTIME.exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const year = astronomicalYear(Number(groups["year"]), calendar);
  if (year === undefined || Math.abs(year) > 1_000_000) return undefined;
  const sign = groups["sign"] === "-" ? -1 : 1;
  return placed(
    {
      year,
      month: Number(groups["month"]),
      day: Number(groups["day"]),
      hour: Number(groups["hour"] ?? 0),
      minute: Number(groups["minute"] ?? 0),
      second: Number(groups["second"] ?? 0),
      nanosecond: Math.trunc(Number(`0.${groups["fraction"] ?? "0"}`) * 1e6) * 1000,
      offset: sign * (60 * Number(groups["zoneHours"] ?? 0) + Number(groups["zoneMinutes"] ?? 0)),
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
