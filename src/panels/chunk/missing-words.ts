/** What a missing chunk reads as, in a sentence. `unrequested`: as in `FormatWords`. */
import { cellCount, insideShape } from "../../core/chunk-grid.ts";
import type { Reading } from "../../core/reading.ts";
import { countOf } from "../../widgets/number-format.ts";
import type { ChunkArray } from "./chunk-words.ts";
import { isDefined, isUnfit, type Fill } from "./FillValue.tsx";

export function missingWords(
  array: Pick<ChunkArray, "shape" | "chunks" | "dtype">,
  reading: Pick<Reading, "coordinates" | "findings">,
  fill: Fill,
  unrequested: string,
): string {
  if (isUnfit(reading)) {
    const value = ["fill_value", fill?.fillValue ?? ""].filter((word) => word !== "").join(" ");
    return `${value} is not a valid value of type ${array.dtype}: what a missing chunk reads as is not defined${unrequested && `; ${unrequested}`}.`;
  }
  if (!isDefined(fill)) return unrequested && `${unrequested.charAt(0).toUpperCase()}${unrequested.slice(1)}.`;
  const count = cellCount(insideShape(array.shape, array.chunks, reading.coordinates));
  const all = count === 1 ? "Its only value is" : `All ${countOf(count, "value")} of it are`;
  return `${all} that fill value${unrequested && `; ${unrequested}`}.`;
}
