import { cellCount, insideShape } from "#core/metadata/chunk-grid.ts";
import type { Reading } from "#core/reading.ts";
import { useAppState } from "#store/react.tsx";
import { countOf } from "#widgets/number-format.ts";
import type { ChunkArray } from "./chunk-words.ts";
import type { ArrayDetail } from "#core/open-set.ts";

interface MissingChunkProps {
  readonly array: ChunkArray;
  readonly reading: Reading;
  readonly fill: Fill;
}

/** Explains a missing chunk in place of its values: nothing failed. */
export function MissingChunk({ array, reading, fill }: MissingChunkProps) {
  const words = useAppState((state) => state.set?.words);
  return (
    <p className="quiet">
      {missingWords(array, reading, fill, words?.unrequested ?? "")} If this chunk should contain data, {words?.lost}.
    </p>
  );
}

// Value that a missing chunk reads as, in a sentence. `unrequested`: as in `FormatWords`.

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
  const all = count === 1 ? "Its only value is" : `All ${countOf(count, "value")} are`;
  return `${all} the fill value${unrequested && `; ${unrequested}`}.`;
}

/** The array's fill value; `undefined` while it is requested. */
export type Fill = Pick<ArrayDetail, "fillValue" | "fillAttribute"> | undefined;

/** True if a missing element has a value: a fill_value of null leaves it open (Zarr v2, "fill_value"). */
export const isDefined = (fill: Fill): boolean => fill?.fillValue !== undefined && fill.fillValue !== "null";

/** True if the fill value is not a value of the array's data type. */
export function isUnfit({ findings }: Pick<Reading, "findings">): boolean {
  return findings.some(({ code }) => code === "fill-value-unfit");
}

/** Value of a missing element, in words: `reads as fill value -32768`. */
export function FillValue({ fill, unfit }: { readonly fill: Fill; readonly unfit: boolean }) {
  if (unfit) return <>its value is undefined</>;
  if (fill === undefined) return <>reads as fill value</>;
  if (!isDefined(fill)) return <>the array’s fill_value is null, so its value is undefined</>;
  return (
    <>
      reads as fill value <code>{fill.fillValue}</code>
    </>
  );
}
