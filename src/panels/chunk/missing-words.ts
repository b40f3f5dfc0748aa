/** What a missing chunk reads as, in a sentence. `isAsked`: that it is missing, somebody had to ask for. */
import { cellCount, insideShape } from "../../core/chunk-grid.ts";
import type { Reading } from "../../core/reading.ts";
import { countOf } from "../../widgets/number-format.ts";
import type { ChunkArray } from "./chunk-words.ts";
import { isDefined, isUnfit, type Fill } from "./FillValue.tsx";

export function missingWords(
  array: Pick<ChunkArray, "shape" | "chunks" | "dtype">,
  reading: Pick<Reading, "coordinates" | "findings">,
  fill: Fill,
  isAsked = false,
): string {
  const asked = isAsked ? "" : "nothing was requested";
  if (isUnfit(reading)) {
    const value = ["fill_value", fill?.fillValue ?? ""].filter((word) => word !== "").join(" ");
    return `${value} is no value of type ${array.dtype}: what a missing chunk reads as is not defined${asked && `; ${asked}`}.`;
  }
  if (!isDefined(fill)) return isAsked ? "" : "Nothing was requested.";
  const count = cellCount(insideShape(array.shape, array.chunks, reading.coordinates));
  const all = count === 1 ? "Its only value is" : `All ${countOf(count, "value")} of it are`;
  return `${all} that fill value${asked && `; ${asked}`}.`;
}
