/** How HDF5's filters are spelled in `.zarray`, and which integers are read by some of their bits. */
import { describe, expect, it } from "vitest";
import { numpyType } from "./datatype.ts";
import { encodingOf } from "./filters.ts";

const spelled = (id: number, values: readonly number[]) => {
  const { codecs, unknown } = encodingOf([{ id, values }], 4, 400);
  return unknown ?? (JSON.parse(codecs[0] ?? "null") as unknown);
};

describe("filters", () => {
  it.each([
    [32000, [4, 261, 480], { id: "imagecodecs_lzf", header: false }],
    [32004, [0], { id: "imagecodecs_lz4h5" }],
    [
      4,
      [169, 8, 32, 15],
      {
        id: "imagecodecs_szip",
        options_mask: 169,
        pixels_per_block: 8,
        bits_per_pixel: 32,
        pixels_per_scanline: 15,
        header: true,
      },
    ],
    [32008, [0, 3, 4, 16, 0], { id: "imagecodecs_bitshuffle", itemsize: 4, blocksize: 16 }],
    [32008, [0, 3, 4, 0, 2], { id: "hdf5_bitshuffle", elementsize: 4, compression: "lz4" }],
    [32008, [0, 4, 4, 0, 3, 9], { id: "hdf5_bitshuffle", elementsize: 4, compression: "zstd" }],
    [32008, [0, 4, 4, 0, 7], "bitshuffle with another compressor"],
    [32013, [], "ZFP"],
    [65_000, [], "filter 65000"],
  ])("%i %j", (id, values, expected) => {
    expect(spelled(id, values)).toEqual(expected);
  });
});

describe("integers of odd precision", () => {
  const integer = { kind: "integer", size: 4, signed: true, big: false, precision: 20, shift: 4 } as const;

  it("are whole ones of the same size, also in arrays, and not in records", () => {
    const bits = { offset: 4, precision: 20 };
    expect(numpyType(integer)).toEqual({ dtype: '"<i4"', inner: [], bits });
    expect(numpyType({ kind: "array", size: 12, shape: [3], base: integer })).toEqual({
      dtype: '"<i4"',
      inner: [3],
      bits,
    });
    const members = [{ name: "a", offset: 0, type: integer }];
    expect(numpyType({ kind: "compound", size: 4, members })).toBeUndefined();
  });

  it("are unread where they use more bits than there are, none, or an odd number of bytes", () => {
    expect(numpyType({ ...integer, precision: 30 })).toBeUndefined();
    expect(numpyType({ ...integer, precision: 0 })).toBeUndefined();
    expect(numpyType({ ...integer, size: 3, precision: 24, shift: 0 })).toBeUndefined();
    expect(numpyType({ ...integer, size: 3, shift: 0 })).toBeUndefined();
  });
});
