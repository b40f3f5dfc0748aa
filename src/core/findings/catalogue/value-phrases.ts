/** Numbers, shares and ranges of values in sentences about decoded values. */
import { floatText } from "#core/values/number-text.ts";
import { count, listed, quoted } from "#core/words.ts";

/** Whole numbers in full, others to six digits, or as many more as tell them from those `beside` them. */
export function number(value: number, ...beside: readonly number[]): string {
  if (!Number.isFinite(value)) return String(value);
  const others = beside.filter((one) => one !== value && Number.isFinite(one));
  const isWhole = Number.isInteger(value) && Math.abs(value) < LARGE;
  let digits = isWhole ? DOUBLE : 6;
  const rounded = (one: number): number => Number(one.toPrecision(digits));
  while (digits < DOUBLE && others.some((one) => rounded(one) === rounded(value))) digits += 1;
  return Math.abs(value) >= LARGE ? rounded(value).toExponential() : String(rounded(value));
}

const LARGE = 1e15;
/** Digits that tell any two doubles apart. */
const DOUBLE = 17;

/** A stored value, with the digits that tell it from the next one of its type: a float of 32 bits, or a double. */
export const stored = (value: number, isSingle = false): string =>
  value === -(2 ** 63)
    ? `${BigInt(value)}`
    : floatText(value, isSingle && Math.fround(value) === value ? 4 : 8).replace(/\.0$/, "");

/** A fill value that is JSON text: NaN without quotes, a float as `stored` is told. */
export function fillNumber(text: string, isSingle = false): string {
  if (/^"(?:NaN|-?Infinity)"$/.test(text)) return text.slice(1, -1);
  if (!/^-?\d+(?:\.\d*|(?=e))(?:e[+-]?\d+)?$/i.test(text)) return text;
  return stored(isSingle ? Math.fround(Number(text)) : Number(text), isSingle);
}

/** `271.2 to 303.9`. */
export const range = ([least = NaN, most = NaN]: readonly number[]): string =>
  `${number(least, most)} to ${number(most, least)}`;

/** Coordinates of a chunk: `0.0.1`. */
export const position = (at: readonly number[]): string => at.join(".");

export const share = (part: number): string => `${count(Math.round(part * 100))}%`;

/** ` of “ocean-b.nc”`, where there is a file. */
export const ofFile = (file: string | undefined): string => (file === undefined ? "" : ` of ${quoted(file, 120)}`);

export const filesText = (files: readonly string[]): string => listed(files.map((file) => quoted(file, 120)));

/** Text of a file on one line. */
export const printed = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, " ").trim();

export const SILENT = "Readers return these values silently: nothing in the references shows that they are wrong.";

/** Change of a level, if one factor and one amount describe it: ", 0.5 more". */
export function changeText({
  factor,
  amount,
  isFit,
}: {
  readonly factor: number;
  readonly amount: number;
  readonly isFit: boolean;
}): string {
  if (!isFit) return "";
  if (Math.abs(factor - 1) < 0.15) return `, ${number(Math.abs(amount))} ${amount > 0 ? "more" : "less"}`;
  return `, about ${number(Number(factor.toPrecision(2)))} times as much`;
}
