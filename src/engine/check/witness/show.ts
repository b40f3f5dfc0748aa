/** Values of a coordinate as they are told: dates, or numbers with as many digits as they need. */
import { meanTimeText, timeText } from "#core/cf/cf-time.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { timeOf } from "./units.ts";

/** Nine digits tell any two coordinates of a grid apart. */
export const plainNumber = (value: number): string => String(Number(value.toPrecision(9)));

/** A range is told by both ends. */
export function shower(node: Pick<ArrayNode, "attributes">) {
  const time = timeOf(node);
  const units = time === undefined ? textAttribute(node.attributes, "units") : undefined;
  const one = (value: number): string => {
    if (time === undefined) return plainNumber(value);
    const text = (Number.isInteger(value) ? timeText(value, time) : meanTimeText(value, time)) ?? plainNumber(value);
    return text
      .replace("T", " ")
      .replace(/ 00:00:00$/, "")
      .replace(/(\d\d:\d\d):00$/, "$1");
  };
  const show = (value: number, within: number): string =>
    within > 0 ? `${one(value - within)} to ${one(value + within)}` : one(value);
  return { show, unit: units?.trim() === "1" ? undefined : units };
}
