/** Python's `round(number, digits)`: exact, halves to the even neighbour. */
import type { Budget } from "../budget.ts";
import { TemplateError } from "../template-error.ts";
import { integer, type Integer } from "../value.ts";

/** Beyond these many digits a double does not change, or vanishes. */
const MAX_DIGITS = 323;
const LEAST_DIGITS = -308;

/** @throws TemplateError OverflowError where the rounded value is not a finite double */
export function roundFloat(value: number, digits: Integer): number {
  if (!Number.isFinite(value) || digits > MAX_DIGITS) return value;
  if (digits < LEAST_DIGITS) return value < 0 ? -0 : 0;
  const places = Number(digits);
  const { mantissa, exponent } = exactly(Math.abs(value));
  // |value| × 10^places as one fraction.
  const up = places >= 0 ? 10n ** BigInt(places) : 1n;
  const down = places < 0 ? 10n ** BigInt(-places) : 1n;
  const numerator = mantissa * up * (exponent >= 0 ? 2n ** BigInt(exponent) : 1n);
  const denominator = down * (exponent < 0 ? 2n ** BigInt(-exponent) : 1n);
  const rounded = Number(`${halfEven(numerator, denominator)}e${-places}`);
  if (!Number.isFinite(rounded)) throw new TemplateError("OverflowError", "rounded value too large to represent");
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}

export function roundInteger(value: Integer, digits: Integer, budget: Budget): Integer {
  if (digits >= 0) return value;
  const length = `${value}`.length;
  if (-digits > length + 1) return 0;
  budget.bits(4 * length);
  const unit = 10n ** BigInt(-digits);
  const exact = BigInt(value);
  const rounded = halfEven(exact < 0n ? -exact : exact, unit) * unit;
  return integer(exact < 0n ? -rounded : rounded);
}

function halfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}

/** A finite double ≥ 0 as mantissa × 2^exponent. */
function exactly(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const power = Number(bits >> 52n);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return power === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10_0000_0000_0000n, exponent: power - 1075 };
}
