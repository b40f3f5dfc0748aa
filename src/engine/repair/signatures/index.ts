/** The formats that are recognised. To add one: a file beside this, and a line here. */
import type { Signature } from "../../../core/check/lab.ts";
import { blosc } from "./blosc.ts";
import { bz2 } from "./bz2.ts";
import { fits, icechunk, parquet, zip } from "./files.ts";
import { grib } from "./grib.ts";
import { gzip } from "./gzip.ts";
import { hdf5, hdf5Piece } from "./hdf5.ts";
import { jpeg } from "./jpeg.ts";
import { lz4Frame, lz4Hdf5, lz4Numcodecs } from "./lz4.ts";
import { netcdf3 } from "./netcdf3.ts";
import { pcodec } from "./pcodec.ts";
import { pickle } from "./pickle.ts";
import { same, text } from "./plain.ts";
import { png } from "./png.ts";
import type { Recognise } from "./signature.ts";
import { tiff } from "./tiff.ts";
import { lzmaAlone, xz } from "./xz.ts";
import { zlib } from "./zlib.ts";
import { zstd } from "./zstd.ts";

/** The first that fits counts: those with long signatures before those with short ones. */
const FORMATS: readonly Recognise[] = [
  hdf5,
  png,
  icechunk,
  xz,
  fits,
  bz2,
  zstd,
  lz4Frame,
  gzip,
  zip,
  grib,
  parquet,
  pcodec,
  netcdf3,
  tiff,
  hdf5Piece,
  jpeg,
  blosc,
  pickle,
  lzmaAlone,
  same,
  text,
  zlib,
  lz4Hdf5,
  lz4Numcodecs,
];

/** What the bytes begin like. Short signatures may be an accident of the data: "looks like" is all that can be said. */
export function findSignature(bytes: Uint8Array): Signature | undefined {
  for (const recognise of FORMATS) {
    const signature = recognise(bytes);
    if (signature !== undefined) return signature;
  }
  return undefined;
}
