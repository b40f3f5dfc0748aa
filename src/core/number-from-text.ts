/** Numbers that are written as text, as Python's `int()` and `float()` read them (NumPy too, of `np.array("1.5", dtype)`). */

/** Python's own limit for `int()`, which is far beyond any type's range. */
const MAX_DIGITS = 4300;

const DIGITS = String.raw`\d(?:_?\d)*`;
const INTEGER = new RegExp(`^[+-]?${DIGITS}$`);
const FLOAT = new RegExp(String.raw`^[+-]?(?:${DIGITS}\.?(?:${DIGITS})?|\.${DIGITS})(?:e[+-]?${DIGITS})?$`, "i");
const NAMES: ReadonlyMap<string, number> = new Map([
  ["nan", NaN],
  ["inf", Infinity],
  ["infinity", Infinity],
]);

/** `undefined` where Python raises ValueError. */
export function integerFromText(text: string): bigint | undefined {
  const written = text.trim();
  if (written.length > MAX_DIGITS || !INTEGER.test(written)) return undefined;
  return BigInt(written.replaceAll("_", "").replace(/^\+/, ""));
}

/** `undefined` where Python raises ValueError. */
export function floatFromText(text: string): number | undefined {
  const written = text.trim();
  if (written.length > MAX_DIGITS) return undefined;
  if (FLOAT.test(written)) return Number(written.replaceAll("_", ""));
  const named = NAMES.get(written.toLowerCase().replace(/^[+-]/, ""));
  return named !== undefined && written.startsWith("-") ? -named : named;
}
