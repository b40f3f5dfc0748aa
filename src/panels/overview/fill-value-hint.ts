import type { ArrayDetail } from "../../core/open-set.ts";

type FillDetail = Pick<ArrayDetail, "zarrFormat" | "fillValue" | "fillAttribute">;

/**
 * What to know where `fill_value` and the attribute `_FillValue` differ: missing chunks read as the first. xarray masks
 * the second; in Zarr v2 the first in its place, where that is not null. Both are JSON texts.
 */
export function fillValueHint({ zarrFormat, fillValue, fillAttribute: attribute }: FillDetail): string | undefined {
  if (attribute === undefined) return undefined;
  if (sameValue(fillValue, attribute)) return undefined;
  if (fillValue === undefined || fillValue === "null")
    return `Missing chunks have no defined value here, while xarray masks ${attribute} (_FillValue).`;
  if (zarrFormat === 2)
    return `Missing chunks read as ${fillValue}, and xarray masks that: in Zarr v2 it takes fill_value in place of the attribute _FillValue (${attribute}), which is not masked.`;
  return `Missing chunks read as ${fillValue}, which xarray does not mask: it masks ${attribute} (_FillValue).`;
}

function sameValue(a: string | undefined, b: string): boolean {
  if (a === undefined) return false;
  if (unquoted(a) === unquoted(b)) return true;
  const [left, right] = [Number(unquoted(a)), Number(unquoted(b))];
  return unquoted(a) !== "" && left === right;
}

/** `"NaN"` is how Zarr v2 writes NaN in JSON. */
function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/s, "$1");
}
