/** How codecs' names are spelled in the two versions of Zarr. */
import type { Codec } from "./codec.ts";

/** Before the names of numcodecs' codecs in Zarr v3. */
export const PREFIX = "numcodecs.";

/** Without the prefix. */
export function bareName(id: string): string {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
}

/** What is known of a codec of Zarr v2, for one that Zarr v3 decodes otherwise; none is put into a chain by that name. */
export function inZarr3({ id, kind, words, keepsSize, fields }: Codec): Omit<Codec, "prepare" | "encoded"> {
  const name = PREFIX + id;
  const known = { ...(keepsSize === undefined ? {} : { keepsSize }), ...(fields === undefined ? {} : { fields }) };
  return { id: name, names: { v3: [name] }, kind, words, ...known };
}
