/** Names of imagecodecs' codecs: found with and without numcodecs' prefix, and what is said of those that are not built. */
import { describe, expect, it } from "vitest";
import { imagecodecs, knownByName } from "./imagecodecs-names.ts";
import { findCodec } from "./index.ts";

describe("names of imagecodecs", () => {
  it.each(imagecodecs.map(({ id }) => id))("%s is found in Zarr v2 and v3", (id) => {
    expect(findCodec(id)?.id).toBe(id);
    expect(findCodec(`numcodecs.${id}`)?.id).toBe(id);
    expect(knownByName(id)).toBeUndefined();
  });

  it.each(["jpeg2k", "jpegxr", "jpegxl", "webp", "png", "lerc", "jetraw", "eer"])(
    "%s, which tifffile writes, is known by its name",
    (name) => {
      expect(findCodec(`imagecodecs_${name}`)).toBeUndefined();
      expect(knownByName(`imagecodecs_${name}`)).toMatch(/\w{3}/);
      expect(knownByName(`numcodecs.imagecodecs_${name}`)).toBe(knownByName(`imagecodecs_${name}`));
    },
  );

  it("says nothing of other names", () => {
    expect(knownByName("imagecodecs_constructor")).toBeUndefined();
    expect(knownByName("jpeg2k")).toBeUndefined();
  });
});
