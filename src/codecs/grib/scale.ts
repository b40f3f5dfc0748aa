/** From packed whole numbers to values, in the order of operations of each reader, so that every bit agrees. */
import type { Steps } from "./numbers.ts";
import type { Scale } from "./packing.ts";

/**
 * Whose results are given: kerchunk's `GRIBCodec` reads with eccodes, gribberish with its own code. They differ in how
 * 10^-decimal is rounded and in whether first values have a sign.
 */
export type Reader = "eccodes" | "gribberish";

/** Scales in place. NaN (missing) stays NaN. */
export function applyScale(values: Float64Array, scale: Scale, reader: Reader): void {
  const { reference, two, ten } = scaleSteps(scale, reader);
  for (let i = 0; i < values.length; i++) values[i] = ((values[i] as number) * two + reference) * ten;
}

export function scaleSteps({ reference, binary, decimal }: Scale, reader: Reader): Steps {
  const ten = reader === "eccodes" ? powerByDivision(-decimal) : powerByInverse(-decimal);
  return { reference, two: 2 ** binary, ten };
}

/** 10^exponent as eccodes' `codes_power` has it: one multiplication or division after another, each rounded. */
function powerByDivision(exponent: number): number {
  let power = 1;
  for (let i = exponent; i > 0; i--) power *= 10;
  for (let i = exponent; i < 0; i++) power /= 10;
  return power;
}

/** 10^exponent as Rust's `powi` has it: by squaring, turned over at the end. */
function powerByInverse(exponent: number): number {
  let power = 1;
  let square = 10;
  for (let rest = Math.abs(exponent); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power *= square;
    square *= square;
  }
  return exponent < 0 ? 1 / power : power;
}
