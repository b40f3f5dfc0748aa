/** Kinds of data files by their first bytes. */

export type DataFileKind = "hdf5" | "netcdf3" | "grib";

const HDF5 = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const GRIB = Array.from("GRIB", (letter) => letter.charCodeAt(0));
const CDF = Array.from("CDF", (letter) => letter.charCodeAt(0));

/** `head`: the first 2,056 bytes, where a user block may push what marks an HDF5 file to 512, 1,024 or 2,048. */
export function kindOfFile(head: Uint8Array): DataFileKind | undefined {
  const isAt = (mark: readonly number[], offset = 0): boolean => mark.every((byte, at) => head[offset + at] === byte);
  if ([0, 512, 1024, 2048].some((offset) => isAt(HDF5, offset))) return "hdf5";
  if (isAt(CDF) && [1, 2, 5].includes(head[3] ?? 0)) return "netcdf3";
  if (gribAt(head) >= 0) return "grib";
  return undefined;
}

/** Heads of telegrams may stand before a message: its letters, and its edition. */
function gribAt(head: Uint8Array): number {
  for (let at = head.indexOf(GRIB[0] as number); at >= 0; at = head.indexOf(GRIB[0] as number, at + 1)) {
    const isMessage = GRIB.every((byte, place) => head[at + place] === byte) && [1, 2].includes(head[at + 7] ?? 0);
    if (isMessage && at < MOST_BEFORE) return at;
  }
  return -1;
}

const MOST_BEFORE = 256;
