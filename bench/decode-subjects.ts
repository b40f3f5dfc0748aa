/** Two ways to decode a chunk in one thread, timed: ours, and zarrita's own. */
import * as zarr from "zarrita";
import { codecTraits } from "../src/codecs/find-codec.ts";
import { type ArrayMetadata, metadataOfLargest } from "../src/core/metadata/array-metadata.ts";
import { parseArrayMetadataV2 } from "../src/core/metadata/parse-array-metadata.ts";
import { parseArrayMetadataV3 } from "../src/core/metadata/parse-array-metadata-v3.ts";
import { decodeChunk } from "../src/engine/chunk/decode-chunk.ts";
import type { DecodeCase } from "./decode-cases.ts";

export type DecodeSubject = "refscope" | "zarrita";
export type Timed = { readonly median: number; readonly fastest: number } | { readonly unable: string };

/** Decodes the chunk into its values, however the subject has it, and gives their bytes. */
type Decode = () => Promise<Uint8Array>;

export async function timeDecoding(subject: DecodeSubject, one: DecodeCase, repetitions: number): Promise<Timed> {
  try {
    const decode = subject === "refscope" ? refscope(one) : await zarrita(one);
    const times: number[] = [];
    for (let i = 0; i < repetitions; i++) {
      const start = performance.now();
      await decode();
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    return { median: times[times.length >> 1] ?? NaN, fastest: times[0] ?? NaN };
  } catch (error) {
    return { unable: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether both give the same bytes; `undefined` where one cannot. */
export async function agree(one: DecodeCase): Promise<boolean | undefined> {
  try {
    const [ours, theirs] = [await refscope(one)(), await (await zarrita(one))()];
    return ours.length === theirs.length && ours.every((byte, at) => byte === theirs[at]);
  } catch {
    return undefined;
  }
}

function refscope({ zarrFormat, metadata: text, stored }: DecodeCase): Decode {
  const { metadata }: { metadata: ArrayMetadata } =
    zarrFormat === 2 ? parseArrayMetadataV2(text) : parseArrayMetadataV3(text, codecTraits);
  const { signal } = new AbortController();
  return async () => {
    const { bytes, values, error } = await decodeChunk(metadataOfLargest(metadata), stored, signal);
    if (bytes === undefined || values === undefined) throw new Error(error?.code ?? "no bytes");
    return bytes;
  };
}

async function zarrita({ zarrFormat, metadata, stored }: DecodeCase): Promise<Decode> {
  const chunk = zarrFormat === 2 ? "/0.0" : "/c/0/0";
  const files = new Map<string, Uint8Array>([
    [zarrFormat === 2 ? "/.zarray" : "/zarr.json", new TextEncoder().encode(metadata)],
    [chunk, stored],
  ]);
  const open = zarrFormat === 2 ? zarr.open.v2 : zarr.open.v3;
  const array = await open(zarr.root(files), { kind: "array" });
  return async () => {
    const { data } = await zarr.get(array);
    const { buffer, byteOffset, byteLength } = data as Float32Array;
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
}
