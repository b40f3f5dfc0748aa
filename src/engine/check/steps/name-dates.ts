/**
 * Dates in the names of files: which span of time a name says its data are of. Written as 2003, 200307, 2003-07-15,
 * 2003196, 20030715T06, and two of them as from and to. A name may hold several, of which one may be that of its making.
 */

/** UTC milliseconds, `to` excluded. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Unit of the last part in the name: year, month, day or hour, in milliseconds. */
  readonly unit: number;
  /** Date as written in the name. */
  readonly text: string;
}

export const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Digits of one date, with what may stand between its parts; the longest first. */
const DATE =
  /(?<!\d)(?:(\d{4})([-_./]?)(\d{2})\2(\d{2})(?:[T_-]?(\d{2})(?:\d{2}){0,2}Z?(?!\d)|(?!\d))|(\d{4})\/?(\d{3})(?:\d{2,7})?(?!\d)|(\d{4})([-_./]?)(\d{2})(?!\d)|(\d{4})(?!\d))/g;

const [FIRST_YEAR, LAST_YEAR] = [1500, 2199];
/** Four digits alone are more often a size than a year of these. */
const [FIRST_ALONE, LAST_ALONE] = [1800, 2120];

const isYear = (year: number): boolean => year >= FIRST_YEAR && year <= LAST_YEAR;

/** Days since 1970; `undefined` for what is not a day of the (proleptic) Gregorian calendar. */
export function dayOf(year: number, month: number, day: number): number | undefined {
  const time = Date.UTC(year, month - 1, day);
  return isYear(year) && month >= 1 && month <= 12 && new Date(time).getUTCDate() === day ? time / DAY : undefined;
}

export const dayOfYear = (year: number, day: number): number | undefined =>
  isYear(year) && day >= 1 && day <= 366 ? Date.UTC(year, 0, 1) / DAY + day - 1 : undefined;

/** Spans in the last part of a URL; in its folders if that holds none. */
export function spansInName(url: string): readonly Span[] {
  const path = url.replace(/[?#].*$/s, "");
  const at = path.lastIndexOf("/") + 1;
  const own = spansIn(path.slice(at));
  return own.length > 0 ? own : spansIn(path.slice(0, at));
}

function spansIn(text: string): readonly Span[] {
  const singles = [...text.matchAll(DATE)].flatMap((match) => {
    const span = spanOf(match);
    return span === undefined ? [] : [{ ...span, at: match.index, end: match.index + match[0].length }];
  });
  const pairs = singles.flatMap((one, index): readonly Span[] => {
    const next = singles[index + 1];
    if (next === undefined || next.from < one.from || !/^(?:[-_.]|_?to_?)$/.test(text.slice(one.end, next.at)))
      return [];
    return [{ from: one.from, to: next.to, unit: one.unit, text: text.slice(one.at, next.end) }];
  });
  return [...pairs, ...singles.map(({ from, to, unit, text: own }) => ({ from, to, unit, text: own }))];
}

function spanOf(match: RegExpExecArray): Span | undefined {
  const [text, ...parts] = match;
  const [year, , month, day, hour, doyYear, doy, monthYear, , monthOnly, yearOnly] = parts.map((part) =>
    part === undefined || !/^\d+$/.test(part) ? undefined : Number(part),
  );
  const days = (from: number | undefined, count: number): Span | undefined =>
    from === undefined ? undefined : { from: from * DAY, to: (from + count) * DAY, unit: count * DAY, text };
  if (year !== undefined) {
    const span = days(dayOf(year, month ?? 0, day ?? 0), 1);
    // Year, day of the year and time, of as many digits.
    if (span === undefined)
      return /^\d{11,}$/.test(text) ? days(dayOfYear(year, Number(text.slice(4, 7))), 1) : undefined;
    if (hour === undefined || hour > 23) return span;
    return { ...span, from: span.from + hour * HOUR, to: span.from + (hour + 1) * HOUR, unit: HOUR };
  }
  if (doyYear !== undefined) return days(dayOfYear(doyYear, doy ?? 0), 1);
  if (monthYear !== undefined) {
    const daysOfMonth = new Date(Date.UTC(monthYear, monthOnly ?? 0, 0)).getUTCDate();
    return days(dayOf(monthYear, monthOnly ?? 0, 1), daysOfMonth);
  }
  if (yearOnly === undefined || yearOnly < FIRST_ALONE || yearOnly > LAST_ALONE) return undefined;
  const [from, to] = [yearOnly, yearOnly + 1].map((one) => dayOf(one, 1, 1) ?? 0) as [number, number];
  return days(from, to - from);
}
