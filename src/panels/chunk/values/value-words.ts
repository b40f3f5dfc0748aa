import { timeText } from "#core/cf/cf-time.ts";
import type { Slice } from "#core/open-set.ts";
import type { ValuesReport } from "#core/reading.ts";
import { ordinal, shortNumber } from "#core/values/number-text.ts";
import { unitsText } from "#core/values/value-text.ts";
import { formatCount } from "#widgets/number-format.ts";
import type { Painting } from "#widgets/cell-map/paint-values.ts";

/** Says that a slice was thinned out; `undefined` where every value is in it. */
export function strideWords(slice: Pick<Slice, "rows" | "strideDown" | "strideAlong">): string | undefined {
  const { rows, strideDown, strideAlong } = slice;
  if (strideDown <= 1 && strideAlong <= 1) return undefined;
  if (rows === 1) return `Too many values for one line: every ${ordinal(strideAlong)} is shown.`;
  if (strideDown === strideAlong)
    return `Too many values for one picture: every ${ordinal(strideDown)} is shown, each way.`;
  const parts = [
    strideDown > 1 ? `every ${ordinal(strideDown)} row` : "every row",
    strideAlong > 1 ? `every ${ordinal(strideAlong)} column` : "every column",
  ];
  return `Too many values for one picture: ${parts.join(" and ")} is shown.`;
}

/** How many values the colours of a map do not tell apart; `undefined` where none. */
export function clippedWords({ below, above }: Pick<Painting, "below" | "above">): string | undefined {
  const parts = [
    ...(below > 0 ? [`${formatCount(below)} below`] : []),
    ...(above > 0 ? [`${formatCount(above)} above`] : []),
  ];
  return parts.length === 0 ? undefined : `${parts.join(" and ")} the range, drawn in its end colours`;
}

type Scaling = NonNullable<ValuesReport["scaling"]>;

/** Units to write beside values of the CF view; dates have none. */
export function shownUnits(scaling: Scaling | undefined): string | undefined {
  return scaling?.time !== undefined || scaling?.units === undefined ? undefined : unitsText(scaling.units);
}

/** A number of a picture for its legend: a date where the CF view has dates. */
export function valueLabel(value: number, scaling: Scaling | undefined): string {
  const date = scaling?.time === undefined ? undefined : timeText(value, scaling.time);
  return date === undefined ? shortNumber(value) : shownDate(date);
}

/** A date as places have it: of midnight the day alone. Any other text stays. */
export const shownDate = (text: string): string =>
  text.replace(/^(-?\d{4,}-\d\d-\d\d)T/, "$1 ").replace(/ 00:00:00$/, "");
