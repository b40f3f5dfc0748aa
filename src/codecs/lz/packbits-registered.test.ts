/**
 * The registered codec `packbits` of Zarr v3: chunks and values of the shared fixtures, which zarrs and ml_dtypes
 * read.
 */
import { withEqualChunks } from "#core/testing/equal-chunks.ts";
import { describe, expect, it } from "vitest";
import { parseArrayMetadataV3 } from "#core/metadata/parse-array-metadata-v3.ts";
import { codecTraits } from "../find-codec.ts";
import { runPipeline } from "../pipeline.ts";

const { signal } = new AbortController();

interface Packed {
  readonly type: string;
  readonly elements: number;
  readonly configuration?: object;
  /** Hexadecimal. */
  readonly chunk: string;
}

async function decode({ type, elements, configuration, chunk }: Packed) {
  const text = JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape: [elements],
    data_type: type,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [elements] } },
    chunk_key_encoding: { name: "default" },
    fill_value: type === "bool" ? false : type.startsWith("complex") ? [0, 0] : 0,
    codecs: [configuration === undefined ? { name: "packbits" } : { name: "packbits", configuration }],
  });
  const metadata = withEqualChunks(parseArrayMetadataV3(text, codecTraits).metadata);
  const result = await runPipeline(metadata, new Uint8Array(Buffer.from(chunk, "hex")), signal);
  return result.error ?? result.bytes ?? new Uint8Array(0);
}

const numbers = (bytes: Awaited<ReturnType<typeof decode>>) => [...(bytes as Uint8Array)];
const signed = (bytes: Awaited<ReturnType<typeof decode>>) => [...new Int8Array(bytes as Uint8Array<ArrayBuffer>)];

const UINT4 = [5, 6, 0, 10, 8, 9, 12, 14, 11, 3, 7, 2, 13, 4, 15];

describe("packbits of Zarr v3", () => {
  it("takes elements from the lowest bit on", async () => {
    expect(numbers(await decode({ type: "uint4", elements: 15, chunk: "65a098ec3b274d0f" }))).toEqual(UINT4);
    expect(numbers(await decode({ type: "uint2", elements: 3, chunk: "06" }))).toEqual([2, 1, 0]);
    expect(numbers(await decode({ type: "bool", elements: 10, chunk: "0503" }))).toEqual([
      1, 0, 1, 0, 0, 0, 0, 0, 1, 1,
    ]);
    expect(numbers(await decode({ type: "uint16", elements: 2, chunk: "01020304" }))).toEqual([1, 2, 3, 4]);
  });

  it("extends the sign of integers", async () => {
    expect(signed(await decode({ type: "int2", elements: 3, chunk: "06" }))).toEqual([-2, 1, 0]);
    const some = { type: "int8", elements: 2, configuration: { first_bit: 1, last_bit: 4 }, chunk: "79" };
    expect(signed(await decode(some))).toEqual([-14, 14]);
  });

  it.each([
    ["int4", 15, "39b786e0512acd0f", "0439b786e0512acd0f", "39b786e0512acd0f04"],
    [
      "float6_e2m3fn",
      63,
      "9b98f8ff931f846af143352b595c98c62580293bbd2d025134d935d85ede21aecb9a8bdafd1738e7c82d12b3c2910700",
      "069b98f8ff931f846af143352b595c98c62580293bbd2d025134d935d85ede21aecb9a8bdafd1738e7c82d12b3c2910700",
      "9b98f8ff931f846af143352b595c98c62580293bbd2d025134d935d85ede21aecb9a8bdafd1738e7c82d12b3c291070006",
    ],
  ])("finds the elements of %s wherever the padding is counted", async (type, elements, none, first, last) => {
    const plain = await decode({ type, elements, chunk: none });
    expect(numbers(plain)).toHaveLength(elements);
    const counted = (padding_encoding: string, chunk: string) =>
      decode({ type, elements, configuration: { padding_encoding }, chunk });
    expect(await counted("first_byte", first)).toEqual(plain);
    expect(await counted("last_byte", last)).toEqual(plain);
  });

  it("takes the halves of complex numbers one after another", async () => {
    const chunk = "0000803f00000040";
    expect(numbers(await decode({ type: "complex64", elements: 1, chunk }))).toEqual([0, 0, 128, 63, 0, 0, 0, 64]);
  });

  it("says how many bytes there should be: numcodecs' codec of that name has one more", async () => {
    const found = await decode({ type: "bool", elements: 10, chunk: "06a0c0" });
    expect(found).toMatchObject({
      code: "decode-failed",
      facts: { codec: "packbits", expected: "2 bytes: 10 elements of 1 bit", found: "3 bytes" },
    });
  });

  it.each([
    [{ padding_encoding: "both" }, "padding_encoding"],
    [{ first_bit: 8 }, "first_bit"],
    [{ first_bit: 3, last_bit: 2 }, "last_bit"],
    [{ bits: 2 }, "bits"],
  ])("refuses %j", async (configuration, member) => {
    const found = await decode({ type: "uint8", elements: 2, configuration, chunk: "0000" });
    expect(found).toMatchObject({ code: "codec-configuration", facts: { codec: "packbits", member } });
  });

  it("refuses a data type that is not known by its name", async () => {
    const found = await decode({ type: "complex_float4_e2m1fn", elements: 2, chunk: "0000" });
    expect(found).toMatchObject({ code: "dtype-unread", facts: { name: "complex_float4_e2m1fn" } });
  });

  it("refuses a count of padding that is not so, and types without bits to pack", async () => {
    const configuration = { padding_encoding: "first_byte" };
    expect(await decode({ type: "bool", elements: 10, configuration, chunk: "050503" })).toMatchObject({
      code: "decode-failed",
    });
    expect(await decode({ type: "r16", elements: 2, chunk: "00000000" })).toMatchObject({
      code: "codec-configuration",
      facts: { member: "data type", found: "r16" },
    });
  });
});
