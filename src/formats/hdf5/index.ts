/** HDF5 and NetCDF-4 files, to references. */
export { isSignature as isHdf5 } from "./superblock.ts";
export { readHdf5 } from "./read-hdf5.ts";
