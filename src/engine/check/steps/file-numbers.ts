/**
 * Names of files that differ in a number alone: which number, how it counts on, and which file is missing between two.
 */

interface FileNumbers {
  /** Numbers by position in the list: days, months or the number itself. */
  readonly counts: readonly number[];
  /** The name with another number. */
  nameOf(count: number): string;
}

interface Counting {
  readonly read: (digits: string) => number | undefined;
  readonly write: (count: number, width: number) => string;
}

const PLAIN: Counting = {
  read: (digits) => (digits.length <= 15 ? Number(digits) : undefined),
  write: (count, width) => String(count).padStart(width, "0"),
};

const MONTHS: Counting = {
  read: (digits) => {
    const month = Number(digits.slice(4));
    const year = Number(digits.slice(0, 4));
    return digits.length === 6 && dayOf(year, month, 1) !== undefined ? year * 12 + month - 1 : undefined;
  },
  write: (count) => `${Math.floor(count / 12)}${String((count % 12) + 1).padStart(2, "0")}`,
};

const DATES: Counting = {
  read: (digits) =>
    digits.length === 8
      ? dayOf(Number(digits.slice(0, 4)), Number(digits.slice(4, 6)), Number(digits.slice(6)))
      : undefined,
  write: (count) => new Date(count * DAY).toISOString().slice(0, 10).replaceAll("-", ""),
};

const DAYS_OF_YEAR: Counting = {
  read: (digits) => (digits.length === 7 ? dayOfYear(Number(digits.slice(0, 4)), Number(digits.slice(4))) : undefined),
  write: (count) => {
    const year = new Date(count * DAY).getUTCFullYear();
    return `${year}${String(count - Date.UTC(year, 0, 1) / DAY + 1).padStart(3, "0")}`;
  },
};

/** The more particular first. */
const COUNTINGS: readonly Counting[] = [MONTHS, DATES, DAYS_OF_YEAR, PLAIN];

/** `undefined` where names differ in more than a number, or in none. Names: at least two, each different. */
export function fileNumbers(names: readonly string[]): FileNumbers | undefined {
  const [start, end] = sameEnds(names);
  if (start === undefined || end === undefined) return undefined;
  const digits = names.map((name) => name.slice(start.length, name.length - end.length));
  if (digits.some((one) => !/^\d{1,15}$/.test(one))) return undefined;
  const width = Math.min(...digits.map((one) => one.length));
  for (const { read, write } of COUNTINGS) {
    const counts = digits.map(read);
    if (counts.some((count) => count === undefined)) continue;
    return { counts: counts as number[], nameOf: (count) => start + write(count, width) + end };
  }
  return undefined;
}

/** Common beginning and end of all names, up to a whole number. */
function sameEnds(names: readonly string[]): readonly [string | undefined, string | undefined] {
  const [first = "", ...others] = names;
  let start = first.length;
  let end = first.length;
  for (const name of others) {
    start = Math.min(start, name.length);
    end = Math.min(end, name.length);
    while (!name.startsWith(first.slice(0, start))) start -= 1;
    while (end > 0 && !name.endsWith(first.slice(first.length - end))) end -= 1;
  }
  while (start > 0 && isDigit(first[start - 1])) start -= 1;
  while (end > 0 && isDigit(first[first.length - end])) end -= 1;
  if (start + end >= first.length) return [undefined, undefined];
  return [first.slice(0, start), first.slice(first.length - end)];
}

const isDigit = (letter: string | undefined): boolean => letter !== undefined && letter >= "0" && letter <= "9";

// Which file a step should be read from, by the numbers in the names of the files of the other steps.

/** With more steps, names are not compared. */
const MAX_STEPS = 100_000;

/**
 * From a step to the name of the file that it should be of. `targets`: steps in order, each with its target or a
 * negative number where it has none; `but`: steps that are not asked.
 * `undefined` where the names say nothing.
 */
export function expectedFiles(
  targets: Iterable<readonly [step: number, target: number]>,
  but: readonly number[],
  nameOf: (target: number) => string,
): ((step: number) => string) | undefined {
  const [steps, ids]: [number[], number[]] = [[], []];
  for (const [step, target] of targets) {
    if (target < 0 || but.includes(step)) continue;
    if (steps.push(step) > MAX_STEPS) return undefined;
    ids.push(target);
  }
  if (ids.length < 2 || new Set(ids).size !== ids.length) return undefined;
  const numbers = fileNumbers(ids.map(nameOf));
  if (numbers === undefined) return undefined;
  const { counts } = numbers;
  const slope = mostFrequent(counts.slice(1).map((count, at) => slopeOf(steps, counts, at, count)));
  if (slope === undefined || slope === 0) return undefined;
  const start = mostFrequent(steps.map((step, at) => (counts[at] as number) - step * slope));
  if (start === undefined) return undefined;
  return (step) => numbers.nameOf(start + step * slope);
}

function slopeOf(steps: readonly number[], counts: readonly number[], at: number, count: number): number {
  return (count - (counts[at] as number)) / ((steps[at + 1] as number) - (steps[at] as number));
}

/** Value that more than half of all are. */
function mostFrequent(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one);
  return best === undefined || best[1] * 2 <= values.length || !Number.isInteger(best[0]) ? undefined : best[0];
}

// Dates in the names of files: which span of time a name says its data are of. Written as 2003, 200307, 2003-07-15,
// 2003196, 20030715T06, and two of them as from and to. A name may hold several, of which one may be that of its
// making.

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
