/**
 * Decides what an element of a data file that was never stored reads as (JSON text of `.zarray`). A file may say it twice:
 * by the attribute `_FillValue`, which masks, and by a word of its own, which readers of the file go by. It is decided here
 * for all formats; what readers of Zarr then make of it is in `fill.ts`.
 */
import type { SourceArray } from "../source-file.ts";

/** Zarr v2 writes what JSON has no number for as strings. */
export const quotedNumber = (text = "null"): string => (/^-?(?:NaN|Infinity)$/.test(text) ? `"${text}"` : text);

interface FileFill {
  readonly attributes: ReadonlyMap<string, string>;
  /** The attribute `_FillValue` as a fill value; `undefined` where it cannot be one. */
  readonly own: string | undefined;
  /** The file's own word; `undefined` where its format has none. */
  readonly stored: string | undefined;
  /** Every chunk is stored. */
  readonly isWhole: boolean;
  /** The file's own word is no more than its library's default: of what is stored whole it says nothing. */
  readonly isDefault: boolean;
}

/** The attribute is the fill value, and an attribute no longer, where no element is filled or both agree. */
export function fileFill({
  attributes: all,
  own,
  stored,
  isWhole,
  isDefault,
}: FileFill): Pick<SourceArray, "attributes" | "fill" | "hasFillAttribute"> {
  const attributes = new Map(all);
  if (own === undefined || !(isWhole || stored === undefined || isEqual(own, stored)))
    return { attributes, fill: isWhole && isDefault ? "null" : (stored ?? "null") };
  attributes.delete("_FillValue");
  return { attributes, fill: own, hasFillAttribute: true };
}

/** Digits of numbers that C++ prints: a file's own word is written so in DMR++. */
const DIGITS = 6;

const isEqual = (own: string, stored: string): boolean =>
  own === stored || Number(own) === Number(stored) || Number(Number(own).toPrecision(DIGITS)) === Number(stored);
