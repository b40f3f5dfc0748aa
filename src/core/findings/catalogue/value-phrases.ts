/** Numbers, shares and ranges of values in sentences about decoded values. */
import { count, listed, quoted } from "../../words.ts";

/** To six digits; large ones with an exponent. */
export function number(value: number): string {
  const rounded = Number(value.toPrecision(6));
  return Number.isFinite(value) && Math.abs(value) >= LARGE ? rounded.toExponential() : String(rounded);
}

const LARGE = 1e15;

/** A fill value that is JSON text, as other numbers are told: NaN without quotes, fractions to six digits. */
export function fillNumber(text: string): string {
  if (/^"(?:NaN|-?Infinity)"$/.test(text)) return text.slice(1, -1);
  return /^-?\d+(?:\.\d*|(?=e))(?:e[+-]?\d+)?$/i.test(text) ? number(Number(text)) : text;
}

/** `271.2 to 303.9`. */
export const range = ([least = NaN, most = NaN]: readonly number[]): string => `${number(least)} to ${number(most)}`;

/** Coordinates of a chunk: `0.0.1`. */
export const position = (at: readonly number[]): string => at.join(".");

export const share = (part: number): string => `${count(Math.round(part * 100))}%`;

/** ` of “ocean-b.nc”`, where there is a file. */
export const ofFile = (file: string | undefined): string => (file === undefined ? "" : ` of ${quoted(file, 120)}`);

export const filesText = (files: readonly string[]): string => listed(files.map((file) => quoted(file, 120)));

/** Text of a file on one line. */
export const printed = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, " ").trim();

export const SILENT = "Readers return these values silently: nothing in the references shows that they are wrong.";

/** By how much a level changes, where one factor and amount tell all of it: ", 0.5 more". */
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
