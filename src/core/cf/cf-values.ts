/** Elements as xarray's `decode_cf` gives them: missing ones NaN, packed ones unpacked, counts of time as dates. */
import { maskOf, missingTest } from "./cf-statistics.ts";
import { dateText, isUnscaled, scale, viewedValues, type Scaling } from "./cf.ts";
import { timeNanoseconds, type TimeView } from "./cf-time.ts";
import { NOT_A_TIME } from "./time-text.ts";
import type { ChunkValues, LongArray, NumberArray } from "../values/values.ts";

/** `texts`: dates of calendars that NumPy does not have, ISO 8601 in their calendar; null where missing. */
export type CfValues =
  | { readonly kind: "numbers"; readonly numbers: Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> }
  | { readonly kind: "dates"; readonly nanoseconds: BigInt64Array<ArrayBuffer> }
  | { readonly kind: "texts"; readonly texts: readonly (string | null)[] };

/** `values` are numbers, as arrays with a `Scaling` have. */
export function cfValues(stored: ChunkValues, scaling: Scaling): CfValues {
  const values = viewedValues(stored, scaling);
  const { numbers } = values;
  if (numbers === undefined) throw new TypeError("Only numbers have a CF view.");
  const isMissing = missingTest(values, numbers, scaling, maskOf(stored, scaling));
  if (scaling.time !== undefined) return dates(values, numbers, scaling, scaling.time, isMissing);
  const result = isNarrow(values, scaling) ? new Float32Array(numbers.length) : new Float64Array(numbers.length);
  for (let at = 0; at < numbers.length; at += 1) {
    result[at] = isMissing(at) ? NaN : scale(Number(numbers[at]), scaling);
  }
  return { kind: "numbers", numbers: result };
}

/**
 * float32, where xarray has it (`coding/variables.py`, `_choose_float_dtype`): nothing is unpacked, and it is exact.
 */
function isNarrow({ dataType }: ChunkValues, scaling: Scaling): boolean {
  if (!isUnscaled(scaling)) return false;
  return dataType.kind === "float" ? dataType.itemSize <= 4 : dataType.kind !== "object" && dataType.itemSize <= 2;
}

type Test = (index: number) => boolean;

function dates(
  { dataType, length }: ChunkValues,
  numbers: NumberArray | LongArray,
  scaling: Scaling,
  time: TimeView,
  isMissing: Test,
): CfValues {
  const isFloat = dataType.kind === "float";
  const isCount = isUnscaled(scaling) && !isFloat;
  const nanoseconds = new BigInt64Array(length);
  for (let at = 0; at < length; at += 1) {
    const raw = numbers[at] ?? 0;
    const total = isMissing(at)
      ? NOT_A_TIME
      : timeNanoseconds(isCount ? BigInt(raw) : scale(Number(raw), scaling), time);
    if (total === undefined) return texts(numbers, scaling, time, isFloat, isMissing);
    nanoseconds[at] = total;
  }
  return { kind: "dates", nanoseconds };
}

function texts(
  numbers: NumberArray | LongArray,
  scaling: Scaling,
  time: TimeView,
  isFloat: boolean,
  isMissing: Test,
): CfValues {
  const all = Array.from({ length: numbers.length }, (_, at) =>
    isMissing(at) ? null : dateText(numbers[at] ?? 0, scaling, time, isFloat),
  );
  return { kind: "texts", texts: all };
}
