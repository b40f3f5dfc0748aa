/** Values as text. */
import { timeText } from "../../core/cf-time.ts";
import type { ValuesAbout } from "../../core/plane.ts";

/** Six digits, with units; a date where values count time. */
export function valueText(value: number, about: ValuesAbout | undefined, scaled: boolean): string {
  const time = scaled ? about?.scaling?.time : undefined;
  const date = time === undefined ? undefined : timeText(value, time);
  if (date !== undefined) return date.replace("T", " ").replace(/ 00:00:00$/, "");
  const text = shortNumber(value);
  return scaled && about?.units !== undefined ? `${text} ${shownUnits(about.units)}` : text;
}

/** UDUNITS' names of degrees by their sign. */
export const shownUnits = (units: string): string => DEGREES.get(units) ?? units;

const DEGREES: ReadonlyMap<string, string> = new Map([
  ["degC", "°C"],
  ["degree_Celsius", "°C"],
  ["degrees_Celsius", "°C"],
  ["celsius", "°C"],
  ["Celsius", "°C"],
]);

/** Six significant digits. */
export function shortNumber(value: number): string {
  return String(Number(value.toPrecision(6)))
    .replace("-", "−")
    .replace("e+", "e");
}
