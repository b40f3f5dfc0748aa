/** HDF5's filters where recorded chunks do not lead: configurations and sizes that lie, integers of some bits. */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "#core/json/json.ts";
import { parseDataTypeV2 } from "#core/metadata/parse-data-type.ts";
import { rejectionOf } from "#core/testing/rejection.ts";
import { LOADED } from "../testing/loaded-codecs.ts";

async function decode(id: string, values: Record<string, JsonValue>, stored: readonly number[], dtype = "|u1") {
  const outline = { dataType: parseDataTypeV2(dtype), chunkShape: [1], elements: 1 };
  const step = LOADED.findV2(id)?.prepare(new Map(Object.entries(values)), outline);
  return step?.decode(Uint8Array.from(stored), 1000, new AbortController().signal);
}

const codeOf = async (...given: Parameters<typeof decode>): Promise<string> =>
  (await rejectionOf(decode(...given))).code;

const SZIP = { options_mask: 41, pixels_per_block: 8, bits_per_pixel: 8, pixels_per_scanline: 16 };
/** Integers of 4 bytes, as many as `count`. */
const scaleOffset = (count: number, scale = 2, size = 4) => ({
  parameters: [scale, 0, count, 0, size, 1, 0, 0, ...Array<number>(12).fill(0)],
});
const nbit = (count: number, ...type: number[]) => ({ parameters: [8, 0, count, ...type] });

describe("HDF5's filters", () => {
  it.each([
    ["imagecodecs_szip", { ...SZIP, pixels_per_block: 0 }],
    ["imagecodecs_szip", { ...SZIP, pixels_per_scanline: 4 }],
    ["imagecodecs_szip", { ...SZIP, header: false }],
    ["imagecodecs_szip", { options_mask: 41 }],
    ["hdf5_scaleoffset", {}],
    ["hdf5_scaleoffset", { parameters: [2, -1] }],
    ["hdf5_scaleoffset", scaleOffset(1, 0)],
    ["hdf5_scaleoffset", scaleOffset(1, 2, 3)],
    ["hdf5_scaleoffset", { parameters: [2, 33, 1, 0, 4, 1, 0, 0] }],
    ["hdf5_nbit", { parameters: [] }],
    ["hdf5_nbit", nbit(1, 1, 4, 0, 33, 0)],
    ["hdf5_nbit", nbit(1, 1, 4, 2, 8, 0)],
    ["hdf5_nbit", nbit(1, 1, 4)],
    ["hdf5_nbit", nbit(1, 9, 4)],
    ["hdf5_nbit", nbit(1, 4, 70_000)],
    ["hdf5_nbit", nbit(1, 2, 5, 1, 2, 0, 3, 0)],
    ["hdf5_nbit", nbit(1, 3, 4, 2 ** 31, 0, 4, 4, 0, 4, 4)],
    ["hdf5_nbit", nbit(1, 3, 4, 1, 2, 4, 4)],
    ["hdf5_nbit", nbit(1, ...Array.from({ length: 40 }, () => [2, 4]).flat(), 4, 4)],
    ["hdf5_bitshuffle", { elementsize: 4, compression: "gzip" }],
    ["hdf5_bits", { offset: 8 }],
    ["hdf5_bits", { offset: 3, precision: 6 }],
  ])("%s refuses the configuration %j", async (id, values) => {
    expect(await codeOf(id, values as Record<string, JsonValue>, [0, 0, 0, 0])).toBe("codec-configuration");
  });

  const header = (bits: number) => [bits, 0, 0, 0, 8, ...Array<number>(16).fill(0)];
  it.each([
    ["imagecodecs_szip", SZIP, [0xff, 0xff, 0xff, 0xff, 0], "decode-too-large"],
    ["imagecodecs_szip", SZIP, [16, 0, 0], "decode-failed"],
    ["imagecodecs_szip", SZIP, [16, 0, 0, 0], "decode-failed"],
    ["imagecodecs_szip", { ...SZIP, bits_per_pixel: 32 }, [17, 0, 0, 0, 0], "decode-failed"],
    ["imagecodecs_szip", { ...SZIP, bits_per_pixel: 40 }, [16, 0, 0, 0, 0], "decode-failed"],
    ["hdf5_scaleoffset", scaleOffset(2 ** 32 - 1), header(0), "decode-too-large"],
    ["hdf5_scaleoffset", scaleOffset(4), header(33), "decode-failed"],
    ["hdf5_scaleoffset", scaleOffset(4), [...header(9), 0, 0, 0, 0], "decode-failed"],
    ["hdf5_scaleoffset", scaleOffset(4), header(0).slice(1), "decode-failed"],
    ["hdf5_nbit", nbit(2 ** 32 - 1, 1, 4, 0, 1, 0), [0], "decode-too-large"],
    ["hdf5_nbit", nbit(9, 1, 4, 0, 1, 0), [0], "decode-failed"],
    ["hdf5_bitshuffle", { elementsize: 2 }, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 16], "decode-too-large"],
    ["hdf5_bitshuffle", { elementsize: 2 }, [0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 24], "decode-failed"],
    ["hdf5_bitshuffle", { elementsize: 2 }, [0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 16, 255, 0, 0, 0], "decode-failed"],
  ] as const)("%s with %j ends in an error", async (id, values, stored, code) => {
    expect(await codeOf(id, values as Record<string, JsonValue>, stored)).toBe(code);
  });

  it("an element's bits become a whole integer, with its sign", async () => {
    const values = { offset: 3, precision: 5 };
    expect(await decode("hdf5_bits", values, [0b1111_1111, 0b0111_1000], "|i1")).toEqual(Uint8Array.of(255, 15));
    expect(await decode("hdf5_bits", values, [0b1111_1111, 0b0111_1000], "|u1")).toEqual(Uint8Array.of(31, 15));
    expect(await decode("hdf5_bits", values, [0xff, 0x84], ">i2")).toEqual(Uint8Array.of(0xff, 0xf0));
    const long = [0, 0, 0, 0, 0, 0, 0, 0x40];
    expect(await decode("hdf5_bits", { offset: 60, precision: 3 }, long, "<i8")).toEqual(
      Uint8Array.of(0xfc, ...Array<number>(7).fill(0xff)),
    );
    expect(await codeOf("hdf5_bits", values, [1, 2, 3], "<i2")).toBe("decode-failed");
    expect(await codeOf("hdf5_bits", values, [1, 2, 3, 4], "<f4")).toBe("codec-configuration");
  });
});
