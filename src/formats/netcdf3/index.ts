/** NetCDF-3: classic, 64-bit offset (CDF-2) and 64-bit data (CDF-5). */
export { readNetcdf3 } from "./read-netcdf3.ts";
