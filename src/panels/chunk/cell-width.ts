/** The longest float that `shortFloatText` writes: `-2.225074e-308`. */
const FLOAT = 14;
/** 1970-01-01T00:00:00.000000001 */
const DATE = 29;
/** Characters of the longest text of a number that a table shows, by type. */
const LONGEST: readonly (readonly [type: RegExp, characters: number])[] = [
  [/^[<>|=]?f[48]/, FLOAT],
  [/^[<>|=]?f2/, 10],
  [/^[<>|=]?[iu]8/, 20],
  [/^[<>|=]?[iu]4/, 11],
  [/^[<>|=]?[iu][12]/, 6],
  [/^[<>|=]?b1/, 5],
  [/^[<>|=]?c/, 48],
  [/^[<>|=]?[Mm]8|^numpy\./, DATE],
];
const OTHERS = 24;
const CHARACTER = 7;
const PADDING = 18;
const NARROWEST = 64;

/**
 * Width of a table's column in CSS pixels, so that no number is cut: a hidden exponent would make another number.
 *
 * @param view what the CF view shows; absent for raw values
 */
export function cellWidthFor(dtype: string, view?: "numbers" | "dates"): number {
  const characters =
    view === undefined ? longestRaw(dtype) : view === "dates" ? DATE : Math.max(FLOAT, longestRaw(dtype));
  return Math.max(NARROWEST, characters * CHARACTER + PADDING);
}

const longestRaw = (dtype: string): number => LONGEST.find(([type]) => type.test(dtype))?.[1] ?? OTHERS;
