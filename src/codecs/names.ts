/** How codecs' names are spelled in the two versions of Zarr. */
/** Before the names of numcodecs' codecs in Zarr v3. */
export const PREFIX = "numcodecs.";

/** Without the prefix. */
export const bareName = (id: string): string => (id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id);
