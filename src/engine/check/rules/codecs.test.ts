/** Codecs that nobody has, and those that few have. */
import { expect, it } from "vitest";
import { arrayOf, foundIn } from "#engine/testing/open-document.ts";

const document = (id: string) => ({ version: 1, refs: { "a/.zarray": arrayOf([2], { compressor: { id } }) } });

it("codecs that no reader has are named, with the one that was probably meant", async () => {
  expect(await foundIn(document("mafisc"), "codec-unregistered")).toMatchObject([
    { place: { path: "a" }, facts: { codec: "mafisc" } },
  ]);
  expect(await foundIn(document("zlibb"), "codec-unregistered")).toMatchObject([{ facts: { nearest: "zlib" } }]);
  expect(await foundIn(document("zlib"), "codec-unregistered")).toEqual([]);
});

it("codecs of imagecodecs need a package", async () => {
  expect(await foundIn(document("imagecodecs_jpegxl"), "codec-unregistered")).toEqual([]);
  expect(await foundIn(document("imagecodecs_jpegxl"), "codec-package-needed")).toMatchObject([
    { facts: { words: "JPEG XL images" } },
  ]);
});
