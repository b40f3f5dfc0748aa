import type { PlaneCost } from "#core/plane/plane.ts";
import { countOf, formatBytes } from "#widgets/number-format.ts";

/** "96 requests, 410 MB" */
export function costWords({ requests, bytes, unknown, ofUnknownLength }: PlaneCost): string {
  const parts = [
    ...(requests > 0 || unknown === 0 ? [countOf(requests, "request")] : []),
    ...(bytes > 0 ? [formatBytes(bytes)] : []),
    ...(ofUnknownLength > 0 ? [`${countOf(ofUnknownLength, "file")} of unknown length`] : []),
    ...(unknown > 0 ? [`${countOf(unknown, "reference")} to fetch first`] : []),
  ];
  return parts.join(", ");
}
