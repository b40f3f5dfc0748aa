import type { ArrayDetail } from "#core/open-set.ts";
import type { Reading } from "#core/reading.ts";

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
