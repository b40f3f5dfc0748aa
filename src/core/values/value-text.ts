/** Values as text. */
import { timeText } from "../cf/cf-time.ts";
import { shortNumber } from "./number-text.ts";
import { unitsText } from "./units-text.ts";
import type { ValuesAbout } from "../plane/plane.ts";

/** `2001-01-02 06:00:00`; of a whole day the date alone. */
export const plainDate = (iso: string): string => iso.replace("T", " ").replace(/ 00:00:00$/, "");

/** Six significant digits where no other number is given, with units; a date where values count time. */
export function valueText(value: number, about: ValuesAbout | undefined, scaled: boolean, digits?: number): string {
  const time = scaled ? about?.scaling?.time : undefined;
  const date = time === undefined ? undefined : timeText(value, time);
  if (date !== undefined) return plainDate(date);
  const text = shortNumber(value, digits);
  return scaled && about?.units !== undefined && about.units.trim() !== "1"
    ? `${text} ${unitsText(about.units)}`
    : text;
}
