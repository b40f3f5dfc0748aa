/** Characters of the longest exact text of a number, by type: `-2.2250738585072014e-308`, `-3.4028235e+38`, … */
const LONGEST: readonly (readonly [type: RegExp, characters: number])[] = [
  [/^[<>|=]?f8/, 24],
  [/^[<>|=]?f4/, 14],
  [/^[<>|=]?f2/, 10],
  [/^[<>|=]?[iu]8/, 20],
  [/^[<>|=]?[iu]4/, 11],
  [/^[<>|=]?[iu][12]/, 6],
  [/^[<>|=]?b1/, 5],
  [/^[<>|=]?c/, 48],
  // 1970-01-01T00:00:00.000000001
  [/^[<>|=]?[Mm]8|^numpy\./, 29],
];
const OTHERS = 24;
const CHARACTER = 7;
const PADDING = 18;
const NARROWEST = 64;

/** Width of a table's column in CSS pixels, so that no number is cut: a hidden exponent would make another number. */
export function cellWidthFor(dtype: string, scaled: boolean): number {
  const characters = scaled ? 29 : (LONGEST.find(([type]) => type.test(dtype))?.[1] ?? OTHERS);
  return Math.max(NARROWEST, characters * CHARACTER + PADDING);
}
