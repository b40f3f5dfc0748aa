/** Statistics of the CF view: missing elements, elements outside the valid range, and dates. */
import { dateText, scale, viewedValues, type Scaling } from "./cf.ts";
import { meanTimeText, type TimeView } from "./cf-time.ts";
import { fillTest, type FillTest } from "./fill-mask.ts";
import type { Statistics } from "../reading.ts";
import { NOT_A_TIME } from "./time-text.ts";
import type { ChunkValues, LongArray, NumberArray } from "../values/values.ts";

const NEVER: FillTest = () => false;

/** Test by index for elements that the CF view masks; `values` as stored. */
export function maskOf(values: ChunkValues, scaling: Scaling | undefined): FillTest {
  if (scaling === undefined || scaling.fillValues.length === 0) return NEVER;
  return fillTest(viewedValues(values, scaling), null, scaling.fillValues);
}

/**
 * Raw: not finite, or not a time. In the CF view NaN and what is masked; infinite values are values there, as xarray
 * keeps them, unless they count time. Counts of time have NumPy's NaT too.
 */
export function missingTest(
  { dataType }: ChunkValues,
  numbers: NumberArray | LongArray,
  view: Scaling | undefined,
  isMasked: FillTest,
): FillTest {
  const mask = view === undefined ? NEVER : isMasked;
  const isTime = dataType.kind === "datetime" || dataType.kind === "timedelta" || view?.time !== undefined;
  if (isTime && numbers instanceof BigInt64Array) return (index) => numbers[index] === NOT_A_TIME || mask(index);
  if (dataType.kind !== "float") return mask;
  if (view !== undefined && !isTime) return (index) => Number.isNaN(numbers[index]) || mask(index);
  return (index) => !Number.isFinite(numbers[index]) || mask(index);
}

/** Counts values that are not missing. The range is of stored values. */
export function countOutside(
  numbers: NumberArray | LongArray,
  runs: Iterable<{ readonly from: number; readonly to: number }>,
  view: Scaling | undefined,
  isMissing: FillTest,
): Pick<Statistics, "outsideValid"> {
  if (view?.valid === undefined) return {};
  const { minimum = -Infinity, maximum = Infinity } = view.valid;
  let outsideValid = 0;
  for (const { from, to } of runs) {
    for (let i = from; i < to; i++) {
      const value = numbers[i] as number | bigint;
      if ((value < minimum || value > maximum) && !isMissing(i)) outsideValid++;
    }
  }
  return { outsideValid };
}

/** Earliest, latest and mean date; the mean to the second. */
export function describeTimes(
  { minimum, maximum }: { readonly minimum: number | bigint; readonly maximum: number | bigint },
  mean: number,
  scaling: Scaling,
  time: TimeView,
  isFloat: boolean,
): Partial<Statistics> {
  const [first, last] = scaling.scaleFactor < 0 ? [maximum, minimum] : [minimum, maximum];
  const middle = meanTimeText(scale(mean, scaling), time);
  return {
    minimum: dateText(first, scaling, time, isFloat),
    maximum: dateText(last, scaling, time, isFloat),
    ...(middle === undefined ? {} : { mean: middle }),
    counts: { minimum: scale(Number(first), scaling), maximum: scale(Number(last), scaling) },
  };
}
