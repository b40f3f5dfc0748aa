/** Numbers, shares and ranges of values in sentences about decoded values. */
import { count, listed, quoted } from "../../words.ts";

/** To six digits. */
export const number = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(6))) : String(value);

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
