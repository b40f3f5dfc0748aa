/**
 * Floats as Python writes them: `repr`, and the styles e, f, g of its format languages. Both Python and JavaScript
 * print the shortest digits that read back as the same number; they differ in when an exponent appears. With a given
 * number of digits Python rounds the exact binary value half to even, which JavaScript's `toFixed` does not.
 */

/** `repr(float)`: `1.0`, `1e+16`, `1e-05`, `inf`, `nan`, `-0.0`. */
export function floatText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e16) {
    const text = String(value);
    return text.includes(".") ? text : `${text}.0`;
  }
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  if (Number.isNaN(value)) return "nan";
  if (size === Infinity) return value > 0 ? "inf" : "-inf";
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  return digits + exponentText(Number(exponent));
}

export interface FloatStyle {
  /** `short`: a format with a precision and no letter: as g, but distinguished from an int by its `.0`. */
  readonly letter: "e" | "f" | "g" | "short";
  readonly precision: number;
  /** The flag `#`: keep the point and the trailing zeros. */
  readonly alternate: boolean;
}

/** `size` is ≥ 0, inf or nan; the sign is the caller's business. Ask the budget for `precision` characters before. */
export function styledFloat(size: number, { letter, precision, alternate }: FloatStyle): string {
  if (Number.isNaN(size)) return "nan";
  if (size === Infinity) return "inf";
  if (letter === "f") return withPoint(fixedDigits(size, precision), precision, alternate);
  if (letter === "e") {
    const { digits, exponent } = significantDigits(size, precision + 1);
    return withPoint(digits, precision, alternate) + exponentText(exponent);
  }
  return generalText(size, { letter, precision: Math.max(precision, 1), alternate });
}

function generalText(size: number, { letter, precision, alternate }: FloatStyle): string {
  const { digits, exponent } = significantDigits(size, precision);
  const isShort = letter === "short";
  if (exponent < -4 || exponent >= precision - (isShort ? 1 : 0)) {
    return trimmed(withPoint(digits, precision - 1, alternate), alternate) + exponentText(exponent);
  }
  const whole = exponent < 0 ? `${"0".repeat(-exponent)}${digits}` : digits;
  const text = trimmed(withPoint(whole, whole.length - 1 - Math.max(exponent, 0), alternate), alternate);
  return isShort && !text.includes(".") ? `${text}.0` : text;
}

function trimmed(text: string, alternate: boolean): string {
  return alternate || !text.includes(".") ? text : text.replace(/\.?0+$/, "");
}

/** Digits with a point before the last `decimals` of them. */
function withPoint(digits: string, decimals: number, alternate: boolean): string {
  if (decimals === 0) return alternate ? `${digits}.` : digits;
  return `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`;
}

function exponentText(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** No double has more decimals than this that are not zero. */
const MAX_DECIMALS = 1074;

/** The digits of `size`, rounded to that many decimals, without the point; at least one digit before it. */
function fixedDigits(size: number, decimals: number): string {
  const exact = Math.min(decimals, MAX_DECIMALS);
  const digits = String(timesPowerOfTen(size, exact)).padStart(exact + 1, "0");
  return digits + "0".repeat(decimals - exact);
}

/** The first `count` digits of `size`, rounded, and the power of ten of the first of them. */
function significantDigits(size: number, count: number): { readonly digits: string; readonly exponent: number } {
  if (size === 0) return { digits: "0".repeat(count), exponent: 0 };
  const exact = Math.min(count, MAX_DECIMALS);
  let exponent = Number(size.toExponential().split("e")[1]);
  let digits = String(timesPowerOfTen(size, exact - 1 - exponent));
  if (digits.length < exact) {
    // The shortest digits lie above a power of ten and the float itself below: 1e-21 is 9.99999999999999907…e-22.
    exponent -= 1;
    digits = String(timesPowerOfTen(size, exact - 1 - exponent));
  }
  if (digits.length > exact) {
    exponent += 1;
    digits = digits.slice(0, -1);
  }
  return { digits: digits + "0".repeat(count - exact), exponent };
}

/** `size * 10 ** power`, rounded half to even. */
export function timesPowerOfTen(size: number, power: number): bigint {
  const { mantissa, exponent } = parts(size);
  const ten = 10n ** BigInt(Math.abs(power));
  const top = (power > 0 ? mantissa * ten : mantissa) << BigInt(Math.max(exponent, 0));
  return halfEven(top, (power < 0 ? ten : 1n) << BigInt(Math.max(-exponent, 0)));
}

/** `top / bottom` of two that are not negative. */
export function halfEven(top: bigint, bottom: bigint): bigint {
  const quotient = top / bottom;
  const twice = (top % bottom) * 2n;
  return twice > bottom || (twice === bottom && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

const view = new DataView(new ArrayBuffer(8));

/** A finite float ≥ 0 is `mantissa * 2 ** exponent`, exactly. */
export function parts(size: number): { readonly mantissa: bigint; readonly exponent: number } {
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  if (biased === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}
