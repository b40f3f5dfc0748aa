/**
 * What to know where `fill_value` and the attribute `_FillValue` differ: missing chunks read as the first, xarray masks
 * the second. Both are JSON texts; `undefined` where there is none.
 */
export function fillValueHint(fillValue: string | undefined, attribute: string | undefined): string | undefined {
  if (attribute === undefined) return undefined;
  if (sameValue(fillValue, attribute)) return undefined;
  if (fillValue === undefined || fillValue === "null")
    return `Missing chunks have no defined value here, while xarray masks ${attribute} (_FillValue).`;
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
