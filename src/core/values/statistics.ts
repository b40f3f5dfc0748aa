/** Statistics of a chunk's elements inside the array's edge. */
import { countOutside, describeTimes, maskOf, missingTest } from "../cf/cf-statistics.ts";
import { isUnscaled, scale, type Scaling, viewedValues } from "../cf/cf.ts";
import type { ScalarType } from "../metadata/data-type.ts";
import { fillTest, type FillTest } from "../cf/fill-mask.ts";
import type { JsonValue } from "../json/json.ts";
import { floatText } from "./number-text.ts";
import type { Statistics } from "../reading.ts";
import { runsInside } from "./runs-inside.ts";
import { type ChunkValues, isLong, type LongArray, type NumberArray, numberText } from "./values.ts";

export interface StatisticsOptions {
  /** Fill value as the array's metadata write it. */
  readonly fillValue: JsonValue;
  readonly scaling?: Scaling | undefined;
  /** CF values rather than raw ones; needs `scaling`. */
  readonly scaled: boolean;
}

/**
 * `inside`: extent of the chunk inside the array. Raw: minimum, maximum and mean are over the finite values, whatever
 * `fill_value` says. Scaled: elements equal to a fill value are missing too.
 */
export function statistics(
  stored: ChunkValues,
  inside: readonly number[],
  { fillValue, scaling, scaled }: StatisticsOptions,
): Statistics {
  const view = scaled ? scaling : undefined;
  const values = view === undefined ? stored : viewedValues(stored, view);
  const { numbers, dataType } = values;
  const isMasked = maskOf(stored, scaling);
  const isOwnFill = fillTest(stored, fillValue, []);
  const isFill: FillTest = (index) => isOwnFill(index) || isMasked(index);
  const count = inside.reduce((product, length) => product * length, 1);
  const runs = () => runsInside(values.shape, inside);
  if (numbers === undefined || dataType.kind === "structured" || dataType.kind === "object") {
    return { count, missing: 0, equalToFill: countFills(runs(), isFill) };
  }
  const isMissing = missingTest(values, numbers, view, isMasked);
  const tally = isLong(numbers)
    ? tallyLongs(numbers, runs(), isFill, isMissing)
    : tallyNumbers(numbers, runs(), isFill, isMissing);
  const { present, equalToFill } = tally;
  if (present === 0) return { count, missing: count, equalToFill };
  const mean = pairwiseSum(present, blockReader(numbers, runs(), isMissing)) / present;
  const ends = describe(tally, mean, dataType, view);
  return { count, missing: count - present, equalToFill, ...ends, ...countOutside(numbers, runs(), view, isMissing) };
}

interface Tally {
  readonly present: number;
  readonly equalToFill: number;
  readonly minimum: number | bigint;
  readonly maximum: number | bigint;
}

type Runs = ReturnType<typeof runsInside>;

const isTime = (type: ScalarType): boolean => type.kind === "datetime" || type.kind === "timedelta";

function countFills(runs: Runs, isFill: FillTest): number {
  let fills = 0;
  for (const { from, to } of runs) for (let i = from; i < to; i++) fills += isFill(i) ? 1 : 0;
  return fills;
}

function tallyNumbers(numbers: NumberArray, runs: Runs, isFill: FillTest, isMissing: FillTest): Tally {
  let [present, equalToFill, minimum, maximum] = [0, 0, Infinity, -Infinity];
  for (const { from, to } of runs) {
    for (let i = from; i < to; i++) {
      const value = numbers[i] as number;
      if (isFill(i)) equalToFill++;
      if (isMissing(i)) continue;
      present++;
      if (value < minimum) minimum = value;
      if (value > maximum) maximum = value;
    }
  }
  return { present, equalToFill, minimum, maximum };
}

function tallyLongs(numbers: LongArray, runs: Runs, isFill: FillTest, isMissing: FillTest): Tally {
  let [present, equalToFill] = [0, 0];
  let [minimum, maximum] = [2n ** 64n, -(2n ** 64n)];
  for (const { from, to } of runs) {
    for (let i = from; i < to; i++) {
      const value = numbers[i] as bigint;
      if (isFill(i)) equalToFill++;
      if (isMissing(i)) continue;
      present++;
      if (value < minimum) minimum = value;
      if (value > maximum) maximum = value;
    }
  }
  return { present, equalToFill, minimum, maximum };
}

/** The values that are there, in order, as float64. */
function blockReader(numbers: NumberArray | LongArray, runs: Runs, isMissing: FillTest): ReadBlock {
  let [index, end] = [0, 0];
  return (block, count) => {
    for (let at = 0; at < count; index++) {
      if (index === end) {
        const run = runs.next();
        if (run.done === true) return;
        index = run.value.from;
        end = run.value.to;
      }
      if (!isMissing(index)) block[at++] = Number(numbers[index]);
    }
  };
}

/** Dates have no mean here; booleans count as 0 and 1. */
function describe(tally: Tally, mean: number, type: ScalarType, scaling: Scaling | undefined): Partial<Statistics> {
  const { minimum, maximum } = tally;
  if (scaling?.time !== undefined) return describeTimes(tally, mean, scaling, scaling.time, type.kind === "float");
  if (isTime(type)) return { minimum: numberText(minimum, type), maximum: numberText(maximum, type) };
  if (scaling === undefined || isUnscaled(scaling)) {
    const text = type.kind === "bool" ? String : (value: number | bigint) => numberText(value, type);
    return { minimum: text(minimum), maximum: text(maximum), mean: floatText(mean, 8) };
  }
  const ends = [scale(Number(minimum), scaling), scale(Number(maximum), scaling)] as const;
  return {
    minimum: floatText(Math.min(...ends), 8),
    maximum: floatText(Math.max(...ends), 8),
    mean: floatText(scale(mean, scaling), 8),
  };
}

// Sums as NumPy computes them (pairwise summation, numpy/core/src/umath/loops_utils.h): in blocks of at most 128 with
// eight running sums, halves added in pairs, and 8192 values at a time, as NumPy 1.24 does. Following it step by step
// gives the very mean that Python shows; NumPy 2.4 takes all values at once, which may change the last digit.

/** Writes the next `count` values to the front of `block`. */
type ReadBlock = (block: Float64Array, count: number) => void;

const BUFFER = 8192;
const BLOCK = 128;

function pairwiseSum(count: number, read: ReadBlock): number {
  const block = new Float64Array(BLOCK);
  let sum = 0;
  for (let done = 0; done < count; done += BUFFER) sum += sumPart(Math.min(BUFFER, count - done), read, block);
  return sum;
}

function sumPart(count: number, read: ReadBlock, block: Float64Array): number {
  if (count > BLOCK) {
    const half = Math.floor(count / 2);
    const first = half - (half % 8);
    const sum = sumPart(first, read, block);
    return sum + sumPart(count - first, read, block);
  }
  read(block, count);
  return sumBlock(block, count);
}

function sumBlock(block: Float64Array, count: number): number {
  const whole = count - (count % 8);
  let total = 0;
  if (whole > 0) {
    const sums = block.slice(0, 8);
    for (let i = 8; i < whole; i += 8) {
      for (let lane = 0; lane < 8; lane++) sums[lane] = (sums[lane] as number) + (block[i + lane] as number);
    }
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = sums;
    total = a + b + (c + d) + (e + f + (g + h));
  }
  for (let i = whole; i < count; i++) total += block[i] as number;
  return total;
}
