import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { parseArrayMetadataV2 } from "../core/metadata/parse-array-metadata.ts";
import { findCodec } from "./find-codec.ts";
import { runPipeline } from "./pipeline.ts";

function metadataOf(members: Record<string, unknown>) {
  const base = { zarr_format: 2, shape: [3], chunks: [3], dtype: "<i4", compressor: null, filters: null, order: "C" };
  return parseArrayMetadataV2(JSON.stringify({ ...base, fill_value: 0, ...members })).metadata;
}

const signal = new AbortController().signal;
const values = new Uint8Array(Int32Array.of(1, 2, 3).buffer);
const stored = () => new Uint8Array(deflateSync(values));

describe("runPipeline", () => {
  it("keeps every stage", async () => {
    const metadata = metadataOf({
      compressor: { id: "zlib", level: 1 },
      filters: [{ id: "delta", dtype: "<i4" }],
    });
    const { stages, bytes, error } = await runPipeline(metadata, stored(), signal);
    expect(error).toBeUndefined();
    expect([...new Int32Array(bytes!.buffer)]).toEqual([1, 3, 6]);
    expect(stages.map(({ id, label, bytesIn, bytes }) => [id, label, bytesIn, bytes?.length])).toEqual([
      ["stored", "stored bytes", stored().length, stored().length],
      ["zlib", "zlib", stored().length, 12],
      ["delta", "delta, <i4", 12, 12],
    ]);
    expect(stages[1]!.configuration).toBe('{"level":1}');
    expect(stages[1]!.milliseconds).toBeGreaterThanOrEqual(0);
  });

  it("stops at a stage that fails and keeps those before", async () => {
    const metadata = metadataOf({
      compressor: { id: "gzip" },
      filters: [{ id: "delta", dtype: "<i4" }, { id: "zlib" }],
    });
    const { stages, bytes, error } = await runPipeline(metadata, stored(), signal);
    expect(bytes).toBeUndefined();
    expect(stages.map(({ id }) => id)).toEqual(["stored", "gzip"]);
    expect(stages[0]!.bytes).toEqual(stored());
    expect(stages[1]!.error).toBe(error);
    expect(error!.code).toBe("decode-failed");
  });

  it("names an unknown codec", async () => {
    const { stages, error } = await runPipeline(metadataOf({ compressor: { id: "nosuch" } }), stored(), signal);
    expect(error).toMatchObject({ code: "codec-unknown", facts: { codec: "nosuch", words: undefined } });
    expect(stages).toHaveLength(2);
  });

  it.each([
    [[4], 12, 16],
    [[2], 12, 8],
  ])("never pads or cuts: chunks %j", async (chunks, found, expected) => {
    const metadata = metadataOf({ compressor: { id: "zlib" }, chunks });
    const { stages, bytes, error } = await runPipeline(metadata, stored(), signal);
    expect(bytes).toBeUndefined();
    expect(error).toMatchObject({ code: "chunk-size-mismatch", facts: { unit: "bytes", expected, found } });
    expect(stages.at(-1)!.bytes).toHaveLength(found);
    expect(stages.at(-1)!.error).toBe(error);
  });

  it("reports a bad configuration", async () => {
    for (const filter of [
      { id: "delta" },
      { id: "delta", dtype: "<c8", astype: "<f4" },
      { id: "delta", dtype: "|O" },
      { id: "fixedscaleoffset", dtype: "<f8", scale: "1", offset: 0 },
      { id: "shuffle", elementsize: 1.5 },
    ]) {
      const { error } = await runPipeline(metadataOf({ filters: [filter] }), values, signal);
      expect(error!.code).toBe("codec-configuration");
    }
  });

  it("gives bombs no memory beyond what the chunk declares", async () => {
    const huge = metadataOf({
      shape: [10_000_000_000],
      chunks: [10_000_000_000],
      compressor: { id: "zlib", level: 1 },
    });
    const refused = await runPipeline(huge, stored(), signal);
    expect(refused.error).toMatchObject({ code: "chunk-too-large", facts: { size: 40_000_000_000 } });
    expect(refused.stages).toHaveLength(1);
    const bomb = new Uint8Array(deflateSync(new Uint8Array(1_000_000)));
    const small = metadataOf({ compressor: { id: "zlib", level: 1 } });
    expect((await runPipeline(small, bomb, signal)).error).toMatchObject({ code: "decode-too-large" });
  });

  it("asks for an object codec", async () => {
    const { error } = await runPipeline(metadataOf({ dtype: "|O", compressor: { id: "zlib" } }), stored(), signal);
    expect(error!.code).toBe("object-codec-missing");
  });

  it("throws an AbortError when aborted", async () => {
    const aborted = AbortSignal.abort();
    await expect(runPipeline(metadataOf({ compressor: { id: "zlib" } }), stored(), aborted)).rejects.toThrow(
      expect.objectContaining({ name: "AbortError" }),
    );
  });
});

describe("findCodec", () => {
  it("knows both spellings, and nothing it has not", () => {
    expect(findCodec("numcodecs.zlib")).toBe(findCodec("zlib"));
    expect(findCodec("zlib")).toBeDefined();
    for (const id of ["", "numcodecs.", "nosuch", "__proto__", "constructor"]) expect(findCodec(id)).toBeUndefined();
  });
});
