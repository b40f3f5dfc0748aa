/** Kinds of data files by their first bytes. */

export type DataFileKind = "hdf5" | "netcdf3" | "grib" | "dmrpp";

const HDF5 = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const CDF = [0x43, 0x44, 0x46];

/** `head`: the first 2,056 bytes, where a user block may push what marks an HDF5 file to 512, 1,024 or 2,048. */
export function kindOfFile(head: Uint8Array): DataFileKind | undefined {
  const isAt = (mark: readonly number[], offset = 0): boolean => mark.every((byte, at) => head[offset + at] === byte);
  if ([0, 512, 1024, 2048].some((offset) => isAt(HDF5, offset))) return "hdf5";
  if (isAt(CDF) && [1, 2, 5].includes(head[3] ?? 0)) return "netcdf3";
  if (isGrib(head)) return "grib";
  return isDmrpp(head) ? "dmrpp" : undefined;
}

/** Heads of telegrams may stand before a message; behind its letters is its edition. */
function isGrib(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, 256));
  const at = text.indexOf("GRIB");
  return at >= 0 && [1, 2].includes(head[at + 7] ?? 0);
}

/** XML whose first element is a dataset of DAP4. */
function isDmrpp(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return (
    /^\s*<(?:\?xml|!--|(?:[\w.-]+:)?Dataset)/.test(text) &&
    /<(?:[\w.-]+:)?Dataset[^>]*xml\.opendap\.org\/ns\/DAP/.test(text)
  );
}
