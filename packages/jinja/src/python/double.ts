/** Arithmetic that ends in a double and must be rounded once, as CPython's: quotients of large integers, and powers. */
import { TemplateError } from "../template-error.ts";
import { parts } from "./float-text.ts";

/** Bits of an integer's size. */
export function bitLength(value: bigint): number {
  const size = value < 0n ? -value : value;
  if (size === 0n) return 0;
  const hex = size.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}

/** `top / bottom` as the nearest double, half to even; infinite where it is too large. `bottom` is not 0. */
export function roundedQuotient(top: bigint, bottom: bigint): number {
  if (top === 0n) return 0;
  const isNegative = top < 0n !== bottom < 0n;
  const n = top < 0n ? -top : top;
  const d = bottom < 0n ? -bottom : bottom;
  const shift = 66 - (bitLength(n) - bitLength(d));
  const scaledTop = n << BigInt(Math.max(shift, 0));
  const scaledBottom = d << BigInt(Math.max(-shift, 0));
  const quotient = scaledTop / scaledBottom;
  const size = roundedBinary(quotient, -shift, quotient * scaledBottom !== scaledTop);
  return isNegative ? -size : size;
}

/** `mantissa * 2 ** exponent` (and a little more, if `more`) as the nearest double, half to even. */
function roundedBinary(mantissa: bigint, exponent: number, more: boolean): number {
  const drop = Math.max(bitLength(mantissa) - 53, -1074 - exponent);
  if (drop <= 0) return timesPowerOfTwo(Number(mantissa), exponent);
  const low = BigInt.asUintN(drop, mantissa);
  const half = 1n << BigInt(drop - 1);
  const kept = mantissa >> BigInt(drop);
  const up = low > half || (low === half && (more || (kept & 1n) === 1n));
  return timesPowerOfTwo(Number(up ? kept + 1n : kept), exponent + drop);
}

/** Exact, since the caller has rounded to what a double of that size holds. */
function timesPowerOfTwo(value: number, exponent: number): number {
  if (value === 0 || exponent < -1074) return 0;
  return exponent > 971 ? value * 2 ** 971 * 2 ** Math.min(exponent - 971, 60) : value * 2 ** exponent;
}

/** Bits after the point while a power is computed. */
const BITS = 200n;
const ONE = 1n << BITS;
/** ln 2, to `BITS` bits: 2 * artanh(1/3). */
const LN2 = 2n * artanh(ONE / 3n);

/**
 * `base ** exponent` for a finite base > 0 and a finite exponent, rounded correctly. JavaScript's own is often a unit
 * off in the last place. Python's (the C library's, which differs between processors) is in about one of a thousand
 * random cases, mostly where the exact result lies halfway between two floats, as in `10.0 ** 23`: not followed here.
 */
function accuratePower(base: number, exponent: number): number {
  if (base === 1 || exponent === 0) return 1;
  const guess = base ** exponent;
  if (guess === 0 || guess === Infinity) {
    if (Math.abs(Math.log2(base) * exponent) > 1100) return guess;
  }
  const log = fixed(exponent) * naturalLog(base);
  const logarithm = log >> BITS;
  const two = logarithm / LN2;
  const mantissa = exponential(logarithm - two * LN2);
  return nearest(mantissa, Number(two) - Number(BITS));
}

/** Rounds a mantissa that may be off by some of its lowest bits: exact results and ties are recognised. */
function nearest(mantissa: bigint, exponent: number): number {
  const noise = 70n;
  const rounded = ((mantissa + (1n << (noise - 1n))) >> noise) << noise;
  return roundedBinary(rounded, exponent, false);
}

function fixed(value: number): bigint {
  const { mantissa, exponent } = parts(Math.abs(value));
  const shift = Number(BITS) + exponent;
  const size = shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
  return value < 0 ? -size : size;
}

/** ln(base), in fixed point: base is m * 2 ** e with m around 1. */
function naturalLog(base: number): bigint {
  const { mantissa, exponent } = parts(base);
  const width = bitLength(mantissa);
  const length = mantissa * mantissa > 1n << BigInt(2 * width - 1) ? width : width - 1;
  const m = (mantissa << BITS) >> BigInt(length);
  const ratio = ((m - ONE) << BITS) / (m + ONE);
  return 2n * artanh(ratio) + BigInt(exponent + length) * LN2;
}

function artanh(x: bigint): bigint {
  const square = (x * x) >> BITS;
  let power = x;
  let sum = 0n;
  for (let i = 1n; power !== 0n && power !== -1n; i += 2n) {
    sum += power / i;
    power = (power * square) >> BITS;
  }
  return sum;
}

/** e ** x for |x| < ln 2, in fixed point. */
function exponential(x: bigint): bigint {
  let term = ONE;
  let sum = 0n;
  for (let i = 1n; term !== 0n && term !== -1n; i += 1n) {
    sum += term;
    term = ((term * x) >> BITS) / i;
  }
  return sum;
}

/** `base ** exponent` of floats as Python: ZeroDivisionError, OverflowError, and complex results refused. */
export function floatPower(base: number, exponent: number): number {
  if (exponent === 0 || base === 1) return 1;
  if (Number.isNaN(base) || Number.isNaN(exponent)) return NaN;
  if (!Number.isFinite(base) || !Number.isFinite(exponent)) return Math.abs(base) === 1 ? 1 : base ** exponent;
  if (base === 0) {
    if (exponent > 0) return base ** exponent;
    throw new TemplateError("ZeroDivisionError", "0.0 cannot be raised to a negative power");
  }
  if (base < 0 && !Number.isInteger(exponent)) {
    throw new TemplateError(
      "Unsupported",
      "A negative number to a fractional power is a complex number: not supported here.",
    );
  }
  const size = accuratePower(Math.abs(base), exponent);
  if (size === Infinity) throw new TemplateError("OverflowError", "(34, 'Numerical result out of range')");
  return base < 0 && Math.abs(exponent % 2) === 1 ? -size : size;
}
