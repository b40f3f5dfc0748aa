/** HDF5 and NetCDF-4 files, to references. */
export { readHdf5 } from "./read-hdf5.ts";
