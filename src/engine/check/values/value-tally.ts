/** One pass over the values of a chunk: how many there are, their ends, and sums for mean and spread. */
import type { Run } from "#core/values/runs-inside.ts";
import type { NumberArray } from "#core/values/values.ts";

export type IsMissing = (index: number) => boolean;

export interface Tally {
  readonly count: number;
  readonly present: number;
  readonly zeros: number;
  /** Sums are of differences from the first value, so that large values with small differences keep them. */
  readonly first: number;
  readonly sum: number;
  readonly squares: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly nextMinimum: number;
  readonly nextMaximum: number;
  readonly timesMinimum: number;
  readonly timesMaximum: number;
  readonly atMinimum: number;
  readonly atMaximum: number;
}

export function tallyOf(numbers: NumberArray, runs: readonly Run[], isMissing: IsMissing): Tally {
  let [count, present, zeros, first, sum, squares] = [0, 0, 0, NaN, 0, 0];
  let [minimum, nextMinimum, timesMinimum, atMinimum] = [Infinity, Infinity, 0, -1];
  let [maximum, nextMaximum, timesMaximum, atMaximum] = [-Infinity, -Infinity, 0, -1];
  for (const { from, to } of runs) {
    count += to - from;
    for (let at = from; at < to; at += 1) {
      const value = numbers[at] as number;
      if (value === 0) zeros += 1;
      if (isMissing(at) || value !== value) continue;
      if (present === 0) first = Number.isFinite(value) ? value : 0;
      present += 1;
      const difference = value - first;
      sum += difference;
      squares += difference * difference;
      if (value < minimum) [nextMinimum, minimum, timesMinimum, atMinimum] = [minimum, value, 1, at];
      else if (value === minimum) timesMinimum += 1;
      else if (value < nextMinimum) nextMinimum = value;
      if (value > maximum) [nextMaximum, maximum, timesMaximum, atMaximum] = [maximum, value, 1, at];
      else if (value === maximum) timesMaximum += 1;
      else if (value > nextMaximum) nextMaximum = value;
    }
  }
  const lowest = { minimum, nextMinimum, timesMinimum, atMinimum };
  const highest = { maximum, nextMaximum, timesMaximum, atMaximum };
  return { count, present, zeros, first, sum, squares, ...lowest, ...highest };
}
