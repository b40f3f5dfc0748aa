/** Values as text. */
import { timeText } from "../cf/cf-time.ts";
import { shortNumber } from "./number-text.ts";
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

/** Units as people write them: `°C`, `m s⁻¹`. What is not known stays as it is. */
export function unitsText(units: string): string {
  const known = KNOWN.get(units.trim().toLowerCase());
  if (known !== undefined) return known;
  return units.replace(
    /([A-Za-zµ°%])(?:\*\*|\^)?(-?\d)(?![\d.])/g,
    (_, unit: string, power: string) =>
      unit + power.replace("-", "⁻").replace(/\d/g, (digit) => RAISED[Number(digit)] ?? digit),
  );
}

const KNOWN = new Map([
  ["degc", "°C"],
  ["deg_c", "°C"],
  ["celsius", "°C"],
  ["degree_celsius", "°C"],
  ["degrees_celsius", "°C"],
  ["degree_c", "°C"],
  ["degrees_c", "°C"],
  ["degf", "°F"],
  ["percent", "%"],
  ["degrees_north", "°N"],
  ["degrees_east", "°E"],
  ["degree", "°"],
  ["degrees", "°"],
]);

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A variable in words, as "sea surface temperature, °C"; empty where neither is known. */
export function describedAs(title: string | undefined, units: string | undefined): string {
  return [...(title === undefined ? [] : [title]), ...(units === undefined ? [] : [unitsText(units)])].join(", ");
}
