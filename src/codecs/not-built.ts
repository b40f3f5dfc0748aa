/** Facts about codecs that Refscope does not decode, by their names. */
import type { CodecTraits } from "../core/metadata/codec-table.ts";
import { bareName } from "../core/metadata/codec-table.ts";

/** Names in lists of Zarr v3, where these codecs are registered or have drafts. */
export const NOT_BUILT_V3: ReadonlyMap<string, CodecTraits> = new Map(
  (
    [
      ["array-array", "squeeze"],
      ["array-bytes", "vlen zfp optional numcodecs.zfpy"],
      ["bytes-bytes", "gdeflate"],
    ] as const
  ).flatMap(([kind, names]) =>
    names
      .split(" ")
      .map((name) => [name, { kind, hasFixedSize: false, changesShape: kind === "array-array" }] as const),
  ),
);

const PREFIX = "imagecodecs_";

/** Names in imagecodecs, without the prefix. The first lines are what tifffile writes for TIFF. */
const NOT_BUILT: ReadonlyMap<string, string> = new Map([
  ["jpegxr", "JPEG XR images"],
  ["jpegxl", "JPEG XL images"],
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
  ["blosc2", "Blosc 2"],
  ["brotli", "Brotli"],
  ["lz4f", "LZ4 frames"],
  ["ccittfax3", "CCITT group 3 fax images"],
  ["ccittfax4", "CCITT group 4 fax images"],
  ["packints", "packed integers"],
  ["sz3", "SZ3, a compression of floating-point arrays"],
  ["rcomp", "Rice compression, as in FITS"],
]);

/** numcodecs' and kerchunk's own, without prefix. */
const OTHERS_NOT_BUILT: ReadonlyMap<string, string> = new Map([
  ["zfpy", "ZFP, a compression of floating-point arrays"],
  ["n5_wrapper", "chunks of N5, with their own header"],
]);

/** Words for a codec that Refscope knows by its name alone: "JPEG XL images". */
export function knownByName(id: string): string | undefined {
  const at = id.lastIndexOf(PREFIX);
  return at === -1 ? OTHERS_NOT_BUILT.get(bareName(id)) : NOT_BUILT.get(id.slice(at + PREFIX.length));
}

/** All of these, for people. */
export const NOT_BUILT_NAMES: ReadonlyMap<string, string> = new Map([
  ...[...NOT_BUILT].map(([name, words]) => [PREFIX + name, words] as const),
  ...OTHERS_NOT_BUILT,
]);
