/** Numbers of any type as floats, to compare them with: integers beyond 2^53 lose their last digits. */
import type { LongArray, NumberArray } from "../../../core/values/values.ts";

export function float64Of(numbers: NumberArray | LongArray): Float64Array<ArrayBuffer> {
  if (!(numbers instanceof BigInt64Array || numbers instanceof BigUint64Array)) return new Float64Array(numbers);
  const floats = new Float64Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) floats[at] = Number(numbers[at]);
  return floats;
}
