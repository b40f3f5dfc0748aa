/**
 * Tests of configurations that virtual-tiff's codecs accept and refuse; engine/many/extension-stores.test.ts has stores
 * with them.
 */
import { oneChunk, type OneChunk } from "../testing/one-chunk.ts";
import { describe, expect, it } from "vitest";
import { codecLabels, runPipeline, undecodable } from "../pipeline.ts";

const { signal } = new AbortController();

type Chain = Omit<OneChunk, "shape"> & Partial<Pick<OneChunk, "shape">>;

const metadataOf = (chain: Chain) => oneChunk({ shape: [2, 3], ...chain });

const codec = (name: string, configuration: object = {}) => ({ name, configuration });
const run = async (chain: Chain, stored: Uint8Array<ArrayBuffer>) => runPipeline(metadataOf(chain), stored, signal);

describe("ChunkyCodec", () => {
  it("takes whatever has a size, in either byte order", async () => {
    const stored = Uint8Array.of(0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6);
    const { bytes } = await run({ type: "uint16", codecs: [codec("ChunkyCodec", { endian: "big" })] }, stored);
    expect([...new Uint16Array(bytes?.buffer ?? new ArrayBuffer())]).toEqual([1, 3, 5, 2, 4, 6]);
    const one = { type: "uint8", codecs: [codec("ChunkyCodec", { endian: null })], shape: [2, 2] };
    expect((await run(one, Uint8Array.of(1, 2, 3, 4))).bytes).toEqual(Uint8Array.of(1, 3, 2, 4));
    const wide = { type: "bfloat16", codecs: [codec("ChunkyCodec", { endian: "big" })], shape: [1, 2] };
    expect((await run(wide, Uint8Array.of(0x3f, 0x80, 0xc0, 0))).bytes).toEqual(Uint8Array.of(0x80, 0x3f, 0, 0xc0));
  });

  it("says what it does", async () => {
    const labels = async (chain: Chain) => (await codecLabels(metadataOf(chain))).map(({ label }) => label);
    const chain = [codec("HorizontalDeltaCodec"), codec("ChunkyCodec")];
    expect(await labels({ type: "int16", codecs: chain })).toEqual([
      "Fortran order, little-endian",
      "TIFF differences, int16 along the last dimension",
    ]);
    expect(await labels({ type: "uint8", codecs: [codec("ChunkyCodec")] })).toEqual(["Fortran order"]);
  });

  it("names what it was not given enough of", async () => {
    const { error } = await run({ type: "uint8", codecs: [codec("ChunkyCodec")] }, Uint8Array.of(1, 2));
    expect(error).toMatchObject({ code: "decode-failed", facts: { codec: "ChunkyCodec", found: "2 bytes" } });
  });
});

describe("HorizontalDeltaCodec", () => {
  it("sums values whatever the order of their bytes, which newer versions write beside it", async () => {
    const stored = Uint8Array.of(0, 1, 0, 255, 255, 255, 1, 0, 0, 1, 0, 1);
    const of = (configuration: object) =>
      run(
        { type: "int16", codecs: [codec("HorizontalDeltaCodec", configuration), codec("bytes", { endian: "big" })] },
        stored,
      );
    const summed = Uint8Array.of(0, 1, 1, 0, 0, 255, 1, 0, 1, 1, 1, 2);
    expect((await of({})).bytes).toEqual(summed);
    expect((await of({ endian: "big" })).bytes).toEqual(summed);
  });

  it("names a row that is not whole", async () => {
    const short = await run(
      { type: "uint8", codecs: [codec("HorizontalDeltaCodec"), codec("bytes")] },
      new Uint8Array(5),
    );
    expect(short.error?.code).toBe("decode-failed");
  });
});

describe("virtual-tiff's codecs are refused by name", () => {
  it.each([
    [{ type: "uint16", codecs: [codec("ChunkyCodec", { endian: "middle" })] }, "endian"],
    [{ type: "uint16", codecs: [codec("ChunkyCodec", { endian: null })] }, "endian"],
    [{ type: "string", codecs: [codec("ChunkyCodec")], fill: "" }, "data_type"],
    [{ type: "uint16", codecs: [codec("HorizontalDeltaCodec", { endian: 1 }), codec("bytes")] }, "endian"],
    [{ type: "complex128", codecs: [codec("HorizontalDeltaCodec"), codec("bytes")], fill: [0, 0] }, "data_type"],
    [{ type: "bool", codecs: [codec("HorizontalDeltaCodec"), codec("bytes")], fill: false }, "data_type"],
    [{ type: "int4", codecs: [codec("HorizontalDeltaCodec"), codec("bytes")] }, "data_type"],
    [{ type: "uint8", codecs: [codec("HorizontalDeltaCodec"), codec("bytes")], shape: [] }, "shape"],
  ])("%j", async (chain, member) => {
    expect(await undecodable(metadataOf(chain))).toMatchObject({
      code: "codec-configuration",
      facts: { member },
    });
  });
});
