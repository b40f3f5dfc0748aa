/**
 * Tests that the writers' uncompressed streams are decoded again, by the decoders that other tests hold against their
 * references.
 */
import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { parseJson } from "../core/json/parse-json.ts";
import type { JsonObject } from "../core/json/json.ts";
import { findingOfError } from "../core/findings/finding.ts";
import { loadCodec } from "./find-codec.ts";
import { storeOnly } from "./store-only.ts";

const { signal } = new AbortController();
const configured = (text: string) => parseJson(text).value as JsonObject;

async function decoded(configuration: JsonObject, bytes: Uint8Array<ArrayBuffer>, size: number) {
  const codec = await loadCodec(configuration.get("id") as string);
  const outline = {
    dataType: { kind: "uint", itemSize: 1, byteOrder: "none", text: "|u1" },
    chunkShape: [size],
    elements: size,
    fillValue: null,
  } as const;
  if (codec === undefined) throw new Error("There is no such codec.");
  return codec.prepare(configuration, outline).decode(bytes, size, signal);
}

const scaleOffset = (parameters: readonly number[]) =>
  JSON.stringify({
    id: "hdf5_scaleoffset",
    parameters: [...parameters, ...Array.from({ length: 20 - parameters.length }, () => 0)],
  });

describe("encoders that pack nothing", () => {
  it.each([
    '{"id":"zlib"}',
    '{"id":"zstd"}',
    '{"id":"blosc"}',
    '{"id":"fletcher32"}',
    '{"id":"shuffle","elementsize":4}',
    '{"id":"hdf5_shuffle","elementsize":16}',
    '{"id":"imagecodecs_lzf","header":false}',
    '{"id":"imagecodecs_lz4h5"}',
    '{"id":"hdf5_bitshuffle","elementsize":4,"compression":"lz4"}',
    '{"id":"hdf5_bitshuffle","elementsize":2,"compression":"zstd"}',
  ])("%s", async (text) => {
    const configuration = configured(text);
    const lengths = fc
      .integer({ min: 1, max: 300 })
      .chain((count) => fc.uint8Array({ minLength: 4 * count, maxLength: 4 * count }));
    await fc.assert(
      fc.asyncProperty(lengths, async (bytes) => {
        const stored = storeOnly([configuration], bytes);
        const again = await decoded(configuration, Uint8Array.from(stored ?? []), bytes.length).catch(findingOfError);
        expect(again).toEqual(new Uint8Array(bytes));
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ["4-byte integers", scaleOffset([2, 0, 8, 0, 4, 1, 0])],
    ["2-byte integers, big-endian", scaleOffset([2, 3, 16, 0, 2, 1, 1])],
    ["4-byte integers that need all bits", scaleOffset([2, 32, 8, 0, 4, 1, 0])],
    ["8-byte floats", scaleOffset([0, 2, 4, 1, 8, 1, 0])],
  ])("hdf5_scaleoffset of %s", async (_name, text) => {
    const bytes = Uint8Array.from({ length: 32 }, (_, at) => (at * 37 + 11) % 256);
    const stored = storeOnly([configured(text)], bytes);
    expect(await decoded(configured(text), Uint8Array.from(stored ?? []), 32)).toEqual(bytes);
  });

  it("are none for what must be packed", () => {
    for (const id of ["bz2", "imagecodecs_szip", "hdf5_nbit"])
      expect(storeOnly([new Map([["id", id]])], new Uint8Array(8))).toBeUndefined();
  });
});
