import type { Statistics, ValuesReport } from "../../core/reading.ts";
import { countOf } from "../../widgets/number-format.ts";

/** Lines of term, tab and value, for the clipboard. */
export function statisticsLines({ count, missing, minimum, maximum, mean }: Statistics): string {
  const lines: readonly (readonly [string, string | number | undefined])[] = [
    ["Count", count],
    ["Missing", missing],
    ["Minimum", minimum],
    ["Maximum", maximum],
    ["Mean", mean],
  ];
  return lines.map(([term, value]) => `${term}\t${value ?? ""}`).join("\n");
}

/** What the scaled view does to the stored values, in words. */
export function scalingWords({ scaleFactor, addOffset, fillValues }: NonNullable<ValuesReport["scaling"]>): string {
  const product = scaleFactor === 1 ? "raw" : `raw × ${scaleFactor}`;
  const sum = addOffset === 0 ? product : `${product} ${addOffset < 0 ? "−" : "+"} ${Math.abs(addOffset)}`;
  const missing =
    fillValues.length === 0 ? "" : `; ${fillValues.join(" and ")} ${fillValues.length === 1 ? "is" : "are"} missing`;
  return `scaled = ${sum}${missing}`;
}

/** How many raw values equal a fill value (JSON texts of `fill_value` and `_FillValue`); `undefined` where none does. */
export function fillWords(
  { equalToFill, count }: Statistics,
  fillValue: string | undefined,
  fillAttribute: string | undefined,
): string | undefined {
  if (equalToFill === 0) return undefined;
  const known = [fillValue, fillAttribute].filter((text) => text !== undefined && text !== "null");
  const values = [...new Set(known)].join(" or ");
  const who =
    equalToFill === count
      ? "All values equal"
      : `${countOf(equalToFill, "value")} ${equalToFill === 1 ? "equals" : "equal"}`;
  return `${who} the fill value${values === "" ? "" : ` ${values}`}`;
}
