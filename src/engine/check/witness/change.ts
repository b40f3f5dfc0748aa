/**
 * Plain mistakes that turn one row of numbers into another: the smallest that explains how two statements differ. Pure.
 */
import { middle } from "#engine/check/values/value-rule.ts";
import type { StatedChange } from "#core/check/statement.ts";

/** Numbers of a statement; where it states a range, each lies within `within` of its middle. NaN: nothing is stated. */
export interface Stated {
  readonly numbers: ArrayLike<number>;
  readonly within?: ArrayLike<number>;
}

export interface ChangeOptions {
  /** Differences that do not count, whatever the ranges. */
  readonly tolerance: number;
  /** Length of a step or a cell, if they are even. */
  readonly cell?: number | undefined;
  /** Length of a unit of numbers that count time. */
  readonly seconds?: number | undefined;
  /** Degrees of longitude go around. */
  readonly wraps?: boolean;
}

export const TURN = 360;
const [HOUR, DAY, YEAR] = [3600, 86_400, 365 * 86_400] as const;

/** Factors between units of one quantity. */
const FACTORS = [24, 60, 3600, 1440, 86_400, 1000, 100, 10, 1e6, 1e9, 7, 12, 30, 2, 4, 180 / Math.PI] as const;

/** Positions at which the two differ. */
export function differing(one: Stated, other: Stated, options: ChangeOptions): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < one.numbers.length; at += 1) if (!isLike(one, at, other, at, options)) found.push(at);
  return found;
}

function isLike(one: Stated, at: number, other: Stated, there: number, { tolerance, wraps }: ChangeOptions): boolean {
  const [a, b] = [one.numbers[at] ?? NaN, other.numbers[there] ?? NaN];
  if (a === b || Number.isNaN(a) || Number.isNaN(b)) return true;
  const room =
    (one.within?.[at] ?? 0) + (other.within?.[there] ?? 0) + tolerance + 1e-6 * Math.min(Math.abs(a), Math.abs(b));
  const apart = Math.abs(a - b);
  return apart <= room || (wraps === true && Math.abs(apart - TURN * Math.round(apart / TURN)) <= room);
}

/** `undefined` where no single change makes the first agree with the second. */
export function changeBetween(one: Stated, other: Stated, options: ChangeOptions): StatedChange | undefined {
  const wrong = differing(one, other, options);
  const [length, first = 0] = [one.numbers.length, wrong[0]];
  if (wrong.length === 0) return undefined;
  const byAt = (at: number) => (one.numbers[at] as number) - (other.numbers[at] as number);
  const swapped = wrong.length === 2 && wrong.length < length ? swapOf(one, other, wrong, options) : undefined;
  if (swapped !== undefined) return swapped;
  if (wrong.length === 1 && length > 2) return { kind: "one", position: first, by: byAt(first) };
  return (
    reversedOf(one, other, wrong, options) ??
    shiftedOf(one, other, options) ??
    scaledOf(one, other, options) ??
    movedOf(one, other, options) ??
    orderedOf(one, other, wrong, options) ??
    (wrong.length === 1 ? { kind: "one", position: first, by: byAt(first) } : undefined)
  );
}

function swapOf(one: Stated, other: Stated, [a = 0, b = 0]: readonly number[], options: ChangeOptions) {
  const isSwap = isLike(one, a, other, b, options) && isLike(one, b, other, a, options);
  return isSwap ? ({ kind: "swapped", positions: [a, b] } as const) : undefined;
}

function reversedOf(one: Stated, other: Stated, wrong: readonly number[], options: ChangeOptions) {
  const { length } = one.numbers;
  if (length < 2 || wrong.length < Math.min(2, length - 1)) return undefined;
  for (let at = 0; at < length; at += 1) if (!isLike(one, at, other, length - 1 - at, options)) return undefined;
  return { kind: "reversed" } as const;
}

const changed = ({ numbers, within }: Stated, by: (value: number) => number): Stated => ({
  numbers: Float64Array.from(numbers, by),
  ...(within === undefined ? {} : { within }),
});

/** All of it lies as far away: named by the cell, the turn, or the unit of time that it is a multiple of. */
function shiftedOf(one: Stated, other: Stated, options: ChangeOptions): StatedChange | undefined {
  const by = middle(Array.from({ length: one.numbers.length }, (_, at) => difference(one, other, at)));
  if (Number.isNaN(by) || by === 0 || one.numbers.length < 2) return undefined;
  const strict = { ...options, wraps: false };
  const back = changed(one, (value) => value - by);
  if (differing(back, other, strict).length > 0) return undefined;
  const { cell = NaN, seconds } = options;
  const cells = Number((by / Math.abs(cell)).toFixed(3));
  const isOfCells = Number.isInteger(cells * 2) && Math.abs(cells) <= 4 && cells !== 0;
  return {
    kind: "shifted",
    by,
    ...(isOfCells ? { cells } : {}),
    ...(seconds === undefined ? {} : { time: timeOf(by * seconds) }),
  };
}

const difference = ({ numbers }: Stated, other: Stated, at: number): number =>
  (numbers[at] as number) - (other.numbers[at] as number);

function timeOf(by: number): { readonly amount: number; readonly unit: string } {
  const size = Number(Math.abs(by).toPrecision(12));
  const years = Math.round(size / YEAR);
  if (years > 0 && Math.abs(size - years * 365.25 * DAY) <= (years / 4 + 1) * DAY)
    return { amount: years, unit: "years" };
  if (size % DAY === 0) return { amount: size / DAY, unit: "days" };
  if (size % HOUR === 0) return { amount: size / HOUR, unit: "hours" };
  return size % 60 === 0 ? { amount: size / 60, unit: "minutes" } : { amount: size, unit: "seconds" };
}

/** Step of an axis of two values or more that is even but for such a share of it; below 0 where it runs down. */
export function evenStep(values: ArrayLike<number>, within = 1e-6): number | undefined {
  const [first = NaN, last = NaN] = [values[0], values[values.length - 1]];
  const step = (last - first) / (values.length - 1);
  const isEven = (value: number, at: number) => Math.abs(value - first - at * step) < Math.abs(step) * within;
  return values.length > 1 && Array.from(values).every(isEven) ? step : undefined;
}

/** All of it is as many times the other: a unit, a sign. */
function scaledOf(one: Stated, other: Stated, options: ChangeOptions): StatedChange | undefined {
  const ratios = Array.from({ length: one.numbers.length }, (_, at) => {
    const there = other.numbers[at] as number;
    return there === 0 ? NaN : (one.numbers[at] as number) / there;
  });
  const ratio = middle(ratios);
  const factor = [-1, ...FACTORS, ...FACTORS.map((known) => 1 / known)].find(
    (known) => Math.abs(ratio / known - 1) < 1e-3,
  );
  const back = factor === undefined ? one : changed(one, (value) => value / factor);
  if (factor === undefined || differing(back, other, options).length > 0) return undefined;
  return factor === -1 ? { kind: "sign" } : { kind: "times", factor };
}

/** Each element has the value of the one beside it. */
function movedOf(one: Stated, other: Stated, options: ChangeOptions): StatedChange | undefined {
  const { length } = one.numbers;
  for (const steps of length < 4 ? [] : [1, -1]) {
    let isMoved = true;
    for (let at = Math.max(0, -steps); isMoved && at < length - Math.max(0, steps); at += 1)
      isMoved = isLike(one, at, other, at + steps, options);
    if (isMoved) return { kind: "moved", steps };
  }
  return undefined;
}

/** The same values in another order. */
function orderedOf(
  one: Stated,
  other: Stated,
  wrong: readonly number[],
  options: ChangeOptions,
): StatedChange | undefined {
  const sorted = ({ numbers }: Stated): Stated => ({ numbers: Float64Array.from(numbers).sort() });
  const isSame = wrong.length > 1 && differing(sorted(one), sorted(other), options).length === 0;
  return isSame ? { kind: "permuted" } : undefined;
}
