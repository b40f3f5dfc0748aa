/** Numbers as exact text. */
import { roundToFloat16 } from "./float16.ts";

/**
 * A float with the fewest digits that read back as the same float of `size` bytes (2, 4 or 8), laid out as Python's
 * `repr` does: `2.0`, `1e-05`, `nan`, `-inf`.
 */
export function floatText(value: number, size: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const shortest = size === 8 ? value : shorten(value, size === 4 ? Math.fround : roundToFloat16);
  const [mantissa = "", exponent = "0"] = shortest.toExponential().split("e");
  const sign = Object.is(value, -0) ? "-" : "";
  const power = Number(exponent);
  if (power >= -4 && power < 16) {
    const text = String(shortest);
    return sign + (text.includes(".") ? text : `${text}.0`);
  }
  return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** A double as Python's `json.dumps` writes it, `NaN` and `-Infinity` among them. */
export function jsonFloat(value: number): string {
  if (Number.isFinite(value)) return floatText(value, 8);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

function shorten(value: number, round: (wide: number) => number): number {
  for (let digits = 1; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (round(candidate) === value) return candidate;
  }
  return Number(value.toPrecision(9));
}

/** So many significant digits, whole numbers in full, with a true minus sign: `−5.452`, `1.2e9`. */
export function shortNumber(value: number, digits = 6): string {
  const whole = Number.isInteger(value) && Math.abs(value) < 1e7;
  return String(whole ? value : Number(value.toPrecision(digits)))
    .replaceAll("-", "−")
    .replace("e+", "e");
}

/** Texts of values that differ, as `textOf` writes them, in as many digits as tell them apart. */
export function distinctTexts(
  values: readonly number[],
  textOf: (value: number, digits: number) => string = shortNumber,
): readonly string[] {
  for (let digits = 6; ; digits += 1) {
    const texts = values.map((value) => textOf(value, digits));
    if (digits === 12 || new Set(texts).size === texts.length) return texts;
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/;
/** Digits that a float of 32 bits may need to read back the same, and those shown of a longer one. */
const SINGLE = 9;
const SIGNIFICANT = 7;

/**
 * The exact text of a number as people read it: so many `decimals` at most where values are packed, else all digits of a
 * float of 32 bits and seven of a longer one; with a true minus sign. Any other text stays.
 */
export function readableNumber(exact: string, decimals?: number): string {
  if (/^-?\d+$/.test(exact)) return exact.replace("-", "−");
  if (!NUMBER.test(exact)) return exact;
  const value = Number(exact);
  if (decimals !== undefined) return shortNumber(Number(value.toFixed(decimals)), 15);
  const [digits = ""] = exact.replace(/[-.]/g, "").replace(/^0+/, "").split("e");
  return shortNumber(value, digits.length > SINGLE ? SIGNIFICANT : SINGLE);
}

const MOST_DECIMALS = 6;

/** How many decimals tell integers apart that are packed so; `undefined` where they are not. */
export function packedDecimals(packed: { readonly scaleFactor: number; readonly addOffset: number }) {
  const { scaleFactor, addOffset } = packed;
  if (scaleFactor === 1 && addOffset === 0) return undefined;
  const written = Math.max(...[scaleFactor, addOffset].map(decimalsOf));
  if (written <= MOST_DECIMALS) return written;
  return Math.max(0, Math.min(15, Math.ceil(-Math.log10(Math.abs(scaleFactor) || 1))));
}

/** Attributes of 32 bits are told as they were meant: 0.009999999776 is 0.01. */
function decimalsOf(value: number): number {
  const [digits = "", power = "0"] = floatText(value, Math.fround(value) === value ? 4 : 8).split("e");
  return Math.max(0, (digits.replace(/\.0$/, "").split(".")[1]?.length ?? 0) - Number(power));
}

/** `2nd`, `3rd`, `11th`, `1,021st` */
export function ordinal(count: number): string {
  const tens = count % 100;
  const ending = tens >= 11 && tens <= 13 ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count.toLocaleString("en")}${ending}`;
}

/** A number that was written in single precision, as it was written; any other text as it is. */
export function singleText(text: string): string {
  const rounded = Number(Number(text).toPrecision(7));
  return Math.fround(rounded) === Number(text) ? String(rounded) : text;
}
