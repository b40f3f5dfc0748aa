/**
 * Names of imagecodecs' codecs: found with and without numcodecs' prefix, and what is said of those that are not
 * built.
 */
import { describe, expect, it } from "vitest";
import { findCodec } from "./find-codec.ts";
import { parseArrayMetadataV2 } from "../core/metadata/parse-array-metadata.ts";
import { knownByName } from "./not-built.ts";
import { codecLabels } from "./pipeline.ts";

describe("names of imagecodecs", () => {
  it.each(
    "bitshuffle blosc bz2 deflate jpeg jpeg2k jpeg8 lerc lz4 lz4h5 lzf lzma lzw packbits pcodec png snappy webp zlib zlibng zopfli zstd delta floatpred".split(
      " ",
    ),
  )("%s is found in Zarr v2 and v3", (name) => {
    const id = `imagecodecs_${name}`;
    expect(findCodec(id)).toBeDefined();
    expect(findCodec(`numcodecs.${id}`)).toBe(findCodec(id));
    expect(knownByName(id)).toBeUndefined();
  });

  it.each(["jpegxr", "jpegxl", "jetraw", "eer"])("%s, which tifffile writes, is known by its name", (name) => {
    expect(findCodec(`imagecodecs_${name}`)).toBeUndefined();
    expect(knownByName(`imagecodecs_${name}`)).toMatch(/\w{3}/);
    expect(knownByName(`numcodecs.imagecodecs_${name}`)).toBe(knownByName(`imagecodecs_${name}`));
  });

  it("says nothing of other names", () => {
    expect(knownByName("imagecodecs_constructor")).toBeUndefined();
    expect(knownByName("jpegxl")).toBeUndefined();
  });
});

it("an array's codecs come with words, those without a decoder too", async () => {
  const filters = '[{"id":"imagecodecs_jpegxl"},{"id":"shuffle","elementsize":2},{"id":"unheard_of"}]';
  const { metadata } = parseArrayMetadataV2(
    `{"zarr_format":2,"shape":[4],"chunks":[4],"dtype":"<i2","compressor":null,"filters":${filters},"order":"C","fill_value":0}`,
  );
  expect((await codecLabels(metadata)).map(({ words }) => words)).toEqual([
    undefined,
    "Puts the bytes of each element together again.",
    "JPEG XL images",
  ]);
});
