/**
 * Codecs by the names of the Python package imagecodecs, as tifffile and virtual-tiff write them for TIFF and
 * VirtualiZarr for HDF5: those that are another codec's under a name of their own, and what is known of the rest.
 */
import { imagecodecsBitshuffle } from "./bitshuffle.ts";
import { blosc } from "./blosc.ts";
import { bz2 } from "./bz2.ts";
import type { Codec } from "./codec.ts";
import { imagecodecsDeflate } from "./deflate.ts";
import { imagecodecsLz4, imagecodecsLz4h5 } from "./imagecodecs-lz4.ts";
import { imagecodecsJpeg, imagecodecsJpeg8 } from "./jpeg.ts";
import { imagecodecsLzma } from "./lzma.ts";
import { imagecodecsLzf } from "./lzf.ts";
import { imagecodecsLzw } from "./lzw.ts";
import { imagecodecsPackbits } from "./packbits-bytes.ts";
import { zlib } from "./zlib.ts";
import { zstd } from "./zstd.ts";

/** The same bytes under another name; what their configurations say is for writers. */
const SAME: readonly (readonly [string, Codec])[] = [
  ["imagecodecs_blosc", blosc],
  ["imagecodecs_bz2", bz2],
  ["imagecodecs_zlib", zlib],
  ["imagecodecs_zlibng", zlib],
  ["imagecodecs_zopfli", zlib],
  ["imagecodecs_zstd", zstd],
];

export const imagecodecs: readonly Codec[] = [
  ...SAME.map(([id, codec]) => ({ ...codec, id })),
  imagecodecsBitshuffle,
  imagecodecsDeflate,
  imagecodecsJpeg,
  imagecodecsJpeg8,
  imagecodecsLz4,
  imagecodecsLz4h5,
  imagecodecsLzf,
  imagecodecsLzma,
  imagecodecsLzw,
  imagecodecsPackbits,
];

const PREFIX = "imagecodecs_";

/** Without the prefix. The first line is what tifffile writes for TIFF. */
const NOT_BUILT: ReadonlyMap<string, string> = new Map([
  ["jpeg2k", "JPEG 2000 images"],
  ["jpegxr", "JPEG XR images"],
  ["jpegxl", "JPEG XL images"],
  ["webp", "WebP images"],
  ["png", "PNG images"],
  ["lerc", "LERC, Esri's compression of rasters"],
  ["jetraw", "Jetraw, a compression of camera images that is not public"],
  ["eer", "EER, electron events of cryo-microscopes"],
  ["apng", "animated PNG images"],
  ["avif", "AVIF images"],
  ["heif", "HEIF images"],
  ["gif", "GIF images"],
  ["jpegls", "JPEG-LS images"],
  ["htj2k", "high-throughput JPEG 2000 images"],
  ["ljpeg", "lossless JPEG images"],
  ["qoi", "QOI images"],
  ["tiff", "whole TIFF files"],
  ["zfp", "ZFP, a compression of floating-point arrays"],
  ["aec", "AEC (CCSDS 121.0, the compression of szip)"],
  ["szip", "szip, as in HDF5"],
  ["blosc2", "Blosc 2"],
  ["brotli", "Brotli"],
  ["lz4f", "LZ4 frames"],
  ["snappy", "Snappy"],
  ["ccittfax3", "CCITT group 3 fax images"],
  ["ccittfax4", "CCITT group 4 fax images"],
  ["packints", "packed integers"],
  ["pcodec", "Pcodec, a compression of numbers"],
  ["sz3", "SZ3, a compression of floating-point arrays"],
  ["rcomp", "Rice compression, as in FITS"],
]);

/** numcodecs' and kerchunk's own, without prefix. */
const OTHERS_NOT_BUILT: ReadonlyMap<string, string> = new Map([
  ["zfpy", "ZFP, a compression of floating-point arrays"],
  ["pcodec", "Pcodec, a compression of numbers"],
  ["FITSVarBintable", "tables of FITS with columns of varying length"],
  ["n5_wrapper", "chunks of N5, with their own header"],
]);

/** What a codec is that Refscope knows by its name alone: "JPEG 2000 images". */
export function knownByName(id: string): string | undefined {
  const at = id.lastIndexOf(PREFIX);
  const name = id.startsWith("numcodecs.") ? id.slice("numcodecs.".length) : id;
  return at === -1 ? OTHERS_NOT_BUILT.get(name) : NOT_BUILT.get(id.slice(at + PREFIX.length));
}
