/**
 * For tests: GRIB messages as public stores point at them through gribberish, with their values. Those in the repository
 * (grib/fixtures/README.md), and all of them where they lie beside the project (`../shared`, or where REFSCOPE_SHARED says).
 */
import { FLAGSHIP } from "#core/testing/flagship.ts";
import { oneChunkDocument } from "./one-chunk.ts";
import { withEqualChunks } from "#core/testing/equal-chunks.ts";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import { parseArrayMetadataV3 } from "#core/metadata/parse-array-metadata-v3.ts";
import { codecTraits } from "../find-codec.ts";
import { runPipeline, type PipelineResult } from "../pipeline.ts";

export interface PublishedCase {
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  readonly codecs: readonly unknown[];
  readonly array: { readonly data_type: string; readonly chunk_shape: readonly number[] };
  readonly packing?: { readonly template: number; readonly bits: number | null };
  readonly expected?: { readonly dtype: string; readonly sha256: string | null; readonly first?: readonly unknown[] };
  readonly error?: string;
  readonly tolerance?: number;
  readonly samples?: readonly (readonly [row: number, column: number, value: number])[];
  readonly gribberish_1_7_0?: string | { readonly result: string };
}

export interface PublishedCases {
  readonly cases: readonly PublishedCase[];
  readonly messageOf: (example: PublishedCase) => Uint8Array<ArrayBuffer>;
}

export const isWholeHere = existsSync(join(FLAGSHIP, "cases.json"));

export function smallCases(): PublishedCases {
  const text = readFileSync(resolve(import.meta.dirname, "../grib/fixtures/published.json"), "utf8");
  const { messages, cases } = JSON.parse(text) as {
    readonly messages: Readonly<Record<string, string>>;
    readonly cases: readonly PublishedCase[];
  };
  const messageOf = ({ file }: PublishedCase) =>
    new Uint8Array(Buffer.from(messages[file.replace("grib/", "")] ?? "", "base64"));
  return { cases, messageOf };
}

export function wholeCases(): PublishedCases {
  if (!isWholeHere) return { cases: [], messageOf: () => new Uint8Array() };
  const all = JSON.parse(readFileSync(join(FLAGSHIP, "cases.json"), "utf8")) as readonly PublishedCase[];
  return {
    cases: all.filter(({ kind }) => kind.startsWith("grib2-gribberish")),
    messageOf: ({ file }) => new Uint8Array(readFileSync(join(FLAGSHIP, file))),
  };
}

/** An array of one chunk, or with a longer shape. */
export function metadataOf({ codecs, array }: Pick<PublishedCase, "codecs" | "array">, more = {}): ChunkMetadata {
  const { chunk_shape: shape, data_type: type } = array;
  const text = oneChunkDocument({ shape, type, codecs, fill: "NaN" }, more);
  const { metadata, findings } = parseArrayMetadataV3(text, codecTraits);
  if (findings.length > 0) throw new Error(findings.map(({ code }) => code).join(", "));
  return withEqualChunks(metadata);
}

export function decodePublished(example: PublishedCase, message: Uint8Array<ArrayBuffer>): Promise<PipelineResult> {
  return runPipeline(metadataOf(example), message, new AbortController().signal);
}
