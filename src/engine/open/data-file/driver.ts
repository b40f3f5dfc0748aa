/** Data files: what their own metadata say of chunks is a set like any other, whose only target is the file. */
import type { FormatDriver } from "../driver.ts";
import { HEAD_BYTES, kindOfFile, MAX_HEAD_BYTES } from "./kinds.ts";

const room = () => import("./open-data-file.ts");

export const dataFile: FormatDriver = {
  document: {
    name: "HDF5, NetCDF, GRIB or DMR++ file",
    names: /\.(?:h5|hdf5?|he5|nc|nc4|netcdf|cdf|cdf5|mat|gri?b[12]?|gr[12]|dmrpp)$/i,
    headBytes: HEAD_BYTES,
    mostHeadBytes: MAX_HEAD_BYTES,
    recognise(head) {
      const kind = kindOfFile(head);
      // A document with references is no target itself.
      return kind === undefined ? "no" : kind === "dmrpp" ? "maybe" : "target";
    },
    needsSize: true,
    async open(source, _choice, opening) {
      return { kind: "set", set: await (await room()).openDataFile(source, opening) };
    },
  },
};
