/** `log_bins` in both versions of Zarr; stores with it are in engine/many/extension-stores.test.ts. */
import { oneChunk } from "../testing/one-chunk.ts";
import { describe, expect, it } from "vitest";
import { parseArrayMetadataV2 } from "#core/metadata/parse-array-metadata.ts";
import { LOADED } from "../testing/loaded-codecs.ts";
import { runPipeline, undecodable } from "../pipeline.ts";

const { signal } = new AbortController();
const OUTLINE = {
  dataType: { kind: "float", itemSize: 4, byteOrder: "little", text: "<f4" },
  chunkShape: [6],
  elements: 6,
} as const;
const stored = Uint8Array.of(0, 1, 128, 253, 254, 255);

const v2 = (configuration: object) =>
  parseArrayMetadataV2(
    JSON.stringify({
      zarr_format: 2,
      shape: [6],
      chunks: [6],
      dtype: "<f4",
      order: "C",
      fill_value: null,
      compressor: null,
      filters: [{ id: "log_bins", ...configuration }],
    }),
  ).metadata;

const v3 = (type: string, endian: string) =>
  oneChunk({
    shape: [6],
    type,
    codecs: [
      { name: "numcodecs.log_bins", configuration: { low: 0.001, high: 1000 } },
      { name: "bytes", configuration: { endian } },
    ],
  });

describe("log_bins", () => {
  it("gives the middles of its bins, in either version and byte order", async () => {
    const { bytes } = await runPipeline(v2({ low: 0.001, high: 1000 }), stored, signal);
    const values = new Float32Array(bytes?.buffer ?? new ArrayBuffer());
    expect(values[0]).toBe(0);
    expect(values[1]).toBeCloseTo(0.001 * (1 + 10 ** (6 / 253)) * 0.5, 8);
    expect(values[4]).toBe(1000);
    expect(values[5]).toBeNaN();
    expect((await runPipeline(v3("float32", "little"), stored, signal)).bytes).toEqual(bytes);
    const big = (await runPipeline(v3("float32", "big"), stored, signal)).bytes;
    expect(new DataView(big?.buffer ?? new ArrayBuffer(24)).getFloat32(16)).toBe(1000);
  });

  it("takes no more memory than there is for it", () => {
    const decode = () => LOADED.findV2("log_bins")?.prepare(new Map(Object.entries({ low: 1, high: 2 })), OUTLINE);
    expect(() => decode()?.decode(new Uint8Array(1000), 3999, signal)).toThrow("decode-too-large");
  });

  it.each([
    [v2({ low: 0, high: 1 }), "low"],
    [v2({ low: 2, high: 1 }), "high"],
    [v2({ low: 1 }), "high"],
    [v2({ low: "1", high: 2 }), "low"],
    [v3("float64", "little"), "data_type"],
    [v3("uint8", "little"), "data_type"],
  ])("refuses what makes no bins: %#", async (metadata, member) => {
    expect(await undecodable(metadata)).toMatchObject({ code: "codec-configuration", facts: { member } });
  });
});
