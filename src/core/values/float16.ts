/** IEEE 754 binary16, which not every JavaScript engine has as a typed array yet. */

const POWERS = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (exponent - 25));

/** The number that 16 bits represent. */
export function fromFloat16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * (POWERS[exponent] as number);
}

/** The bits of the nearest float16; ties go to the even one. */
export function toFloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65_520) return sign | 0x7c00;
  const exponent = Math.max(-14, size === 0 ? -14 : Math.floor(Math.log2(size)));
  // log2 may be off by one next to a power of two; the rounding below absorbs it, as a carry goes into the exponent.
  const scaled = roundEven(size / 2 ** (exponent - 10));
  return sign | (scaled + (exponent + 14) * 1024);
}

/** Rounds to what a float16 can hold. */
export const roundToFloat16 = (value: number): number => fromFloat16(toFloat16(value));

function roundEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest > 0.5 ? floor + 1 : floor;
  return floor % 2 === 0 ? floor : floor + 1;
}
