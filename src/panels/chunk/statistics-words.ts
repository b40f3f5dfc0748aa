import type { Statistics, ValuesReport } from "../../core/reading.ts";
import { countOf } from "../../widgets/number-format.ts";

type Scaling = NonNullable<ValuesReport["scaling"]>;

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

/** What the CF view does to the stored values, in the order in which it does it: "× 0.01 + 273.15, −32768 missing". */
export function scalingWords(scaling: Scaling): string {
  const { scaleFactor, addOffset, fillValues, readAs, time } = scaling;
  const parts = [
    ...(readAs === undefined ? [] : [`integers read as ${readAs}`]),
    ...(scaleFactor === 1 ? [] : [`× ${signed(String(scaleFactor))}`]),
    ...(addOffset === 0 ? [] : [`${addOffset < 0 ? "−" : "+"} ${Math.abs(addOffset)}`]),
  ];
  const missing = fillValues.length === 0 ? [] : [`${fillValues.map(signed).join(" and ")} missing`];
  const dates = time === undefined ? [] : [`${time.units.slice(0, 80)} as dates${calendarWords(time.calendar)}`];
  const isScaled = scaleFactor !== 1 && addOffset !== 0 ? [...parts.slice(0, -2), parts.slice(-2).join(" ")] : parts;
  const all = [...isScaled, ...missing, ...dates];
  return all.length === 0 ? "values as stored" : all.join(", ");
}

function calendarWords(calendar: string): string {
  return calendar === "standard" || calendar === "proleptic_gregorian" ? "" : ` of the calendar ${calendar}`;
}

function signed(text: string): string {
  return text.replace(/^-/, "−");
}

/** What lies outside the valid range; `undefined` where there is no range. */
export function validWords({ outsideValid }: Statistics, { valid }: Scaling): string | undefined {
  if (valid === undefined || outsideValid === undefined) return undefined;
  const { minimum, maximum } = valid;
  const ends = [
    ...(minimum === undefined ? [] : [`from ${signed(String(minimum))}`]),
    ...(maximum === undefined ? [] : [`to ${signed(String(maximum))}`]),
  ];
  const range = `the valid range (stored values ${ends.join(" ")})`;
  if (outsideValid === 0) return `No value is outside ${range}`;
  const who = `${countOf(outsideValid, "value")} ${outsideValid === 1 ? "is" : "are"} outside ${range}`;
  return `${who}: kept, as xarray does; netCDF4-python masks ${outsideValid === 1 ? "it" : "them"}`;
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
