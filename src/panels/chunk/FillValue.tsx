import type { ArrayDetail } from "../../core/open-set.ts";

/** What is known of the array's fill value; `undefined` while it is asked for. */
export type Fill = Pick<ArrayDetail, "fillValue" | "fillAttribute"> | undefined;

/** What a missing element reads as, in words: `fill value -32768`. */
export function FillValue({ fill }: { readonly fill: Fill }) {
  const value = fill?.fillValue;
  if (fill === undefined) return <>fill value</>;
  if (value === undefined || value === "null") {
    return <>fill value, and the array’s fill_value is null: what readers give is undefined</>;
  }
  return (
    <>
      fill value <code>{value}</code>
    </>
  );
}
