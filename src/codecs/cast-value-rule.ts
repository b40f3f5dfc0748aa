/** One value cast as `cast_value` says (registered Zarr v3 extension, §"rounding", §"out_of_range"). */
import { isLong, type ElementType } from "./element-type.ts";
import { floatRounding } from "./element-type-cast.ts";
import { decodeFailed } from "./failure.ts";

export const ROUNDINGS = [
  "nearest-even",
  "towards-zero",
  "towards-positive",
  "towards-negative",
  "nearest-away",
] as const;
export type Rounding = (typeof ROUNDINGS)[number];

export interface CastRule {
  readonly from: ElementType;
  readonly to: ElementType;
  readonly rounding: Rounding;
  readonly outOfRange: "error" | "clamp" | "wrap";
}

/** Throws `decode-failed` where the rule allows no value. */
export function castOne(value: number | bigint, rule: CastRule): number | bigint {
  return rule.to.kind === "float" ? toFloat(value, rule) : toInteger(value, rule);
}

function toInteger(value: number | bigint, rule: CastRule): bigint | number {
  const { to, outOfRange } = rule;
  const [minimum, maximum] = rangeOf(to);
  if (typeof value === "number" && !Number.isFinite(value)) return notFinite(value, rule, minimum, maximum);
  const whole = typeof value === "bigint" ? value : BigInt(rounded(value, rule.rounding));
  if (whole >= minimum && whole <= maximum) return whole;
  if (outOfRange === "error") throw refused(value, rule);
  if (outOfRange === "clamp") return whole < minimum ? minimum : maximum;
  return to.kind === "int" ? BigInt.asIntN(8 * to.size, whole) : BigInt.asUintN(8 * to.size, whole);
}

function notFinite(value: number, rule: CastRule, minimum: bigint, maximum: bigint): bigint {
  if (Number.isNaN(value) || rule.outOfRange !== "clamp") throw refused(value, rule);
  return value < 0 ? minimum : maximum;
}

function rangeOf({ kind, size }: ElementType): readonly [minimum: bigint, maximum: bigint] {
  const bits = BigInt(8 * size);
  return kind === "int" ? [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n] : [0n, 2n ** bits - 1n];
}

function rounded(value: number, rounding: Rounding): number {
  switch (rounding) {
    case "nearest-even":
      return nearest(value, (floor) => floor % 2 === 0);
    case "nearest-away":
      return nearest(value, () => value < 0);
    case "towards-zero":
      return Math.trunc(value);
    case "towards-positive":
      return Math.ceil(value);
    case "towards-negative":
      return Math.floor(value);
  }
}

function nearest(value: number, isDown: (floor: number) => boolean): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest > 0.5 ? floor + 1 : floor;
  return isDown(floor) ? floor : floor + 1;
}

const MAX_FLOAT: ReadonlyMap<number, number> = new Map([
  [2, 65_504],
  [4, 3.402_823_466_385_288_6e38],
  [8, Number.MAX_VALUE],
]);

/** NaN and the infinities are floats of any size. */
function toFloat(value: number | bigint, rule: CastRule): number {
  const { to, outOfRange, rounding, from } = rule;
  // Integers of 64 bits that float32 and float16 round are rounded once, via float64 where that is exact.
  const number = Number(value);
  const isExact = !isLong(from) || BigInt(Number.isFinite(number) ? number : 0) === value;
  const result = floatRounding(to.size)(number);
  const isKept = isExact && (result === number || Number.isNaN(number));
  if (isKept) return result;
  if (!Number.isFinite(result)) {
    const maximum = MAX_FLOAT.get(to.size) ?? Infinity;
    if (outOfRange === "clamp") return number < 0 ? -maximum : maximum;
    throw refused(value, rule);
  }
  if (rounding === "nearest-even" && (isExact || to.size === 8)) return result;
  throw decodeFailed("cast_value", `values that ${to.text} holds exactly, or rounding to the nearest`, String(value));
}

function refused(value: number | bigint, { to, outOfRange }: CastRule): Error {
  const rule = outOfRange === "error" ? "as out_of_range is “error”" : `with out_of_range “${outOfRange}”`;
  return decodeFailed("cast_value", `values that ${to.text} can hold, ${rule}`, String(value));
}
