/** Kinds of data files by their first bytes. */

export type DataFileKind = "hdf5" | "netcdf3" | "grib" | "dmrpp";

const HDF5 = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const CDF = [0x43, 0x44, 0x46];
const GRIB = [0x47, 0x52, 0x49, 0x42] as const;

/**
 * The first bytes of a file, by which most are recognised; and as many more as are looked through where they are not.
 */
export const HEAD_BYTES = 2056;
export const MAX_HEAD_BYTES = 4 * 1024 ** 2 + 8;

/**
 * `head`: the first bytes. What marks an HDF5 file may stand at 0, or behind other bytes at 512, 1,024, 2,048 and so
 * on.
 */
export function kindOfFile(head: Uint8Array): DataFileKind | undefined {
  const isAt = (mark: readonly number[], offset = 0): boolean => mark.every((byte, at) => head[offset + at] === byte);
  for (let offset = 0; offset + 8 <= head.length; offset = offset * 2 || 512) if (isAt(HDF5, offset)) return "hdf5";
  if (isAt(CDF) && [1, 2, 5].includes(head[3] ?? 0)) return "netcdf3";
  if (isGrib(head)) return "grib";
  return isDmrpp(head) ? "dmrpp" : undefined;
}

/** Heads of telegrams and others may stand before a message; behind its letters is its edition. */
function isGrib(head: Uint8Array): boolean {
  for (let at = head.indexOf(GRIB[0]); at >= 0; at = head.indexOf(GRIB[0], at + 1))
    if (GRIB.every((byte, letter) => head[at + letter] === byte) && [1, 2].includes(head[at + 7] ?? 0)) return true;
  return false;
}

/** XML whose first element is a dataset of DAP4. */
function isDmrpp(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head.subarray(0, HEAD_BYTES));
  return (
    /^\s*<(?:\?xml|!--|(?:[\w.-]+:)?Dataset)/.test(text) &&
    /<(?:[\w.-]+:)?Dataset[^>]*xml\.opendap\.org\/ns\/DAP/.test(text)
  );
}
