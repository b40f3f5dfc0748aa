/** Kinds of data files by their first bytes. */

export type DataFileKind = "hdf5";

const HDF5 = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];

/** `head`: the first 2,056 bytes, where a user block may push what marks an HDF5 file to 512, 1,024 or 2,048. */
export function kindOfFile(head: Uint8Array): DataFileKind | undefined {
  const isAt = (offset: number): boolean => HDF5.every((byte, at) => head[offset + at] === byte);
  return [0, 512, 1024, 2048].some(isAt) ? "hdf5" : undefined;
}
