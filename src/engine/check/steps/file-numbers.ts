/** Names of files that differ in a number alone: which number, how it counts on, and which file is missing between two. */
import { DAY, dayOf, dayOfYear } from "./name-dates.ts";

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
