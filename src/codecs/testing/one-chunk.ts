/** For tests: metadata of an array of Zarr v3 that is one chunk. */
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import { parseArrayMetadataV3 } from "#core/metadata/parse-array-metadata-v3.ts";
import { withEqualChunks } from "#core/testing/equal-chunks.ts";
import { codecTraits } from "../find-codec.ts";

export interface OneChunk {
  readonly shape: readonly number[];
  readonly type: unknown;
  readonly codecs: readonly unknown[];
  readonly fill?: unknown;
}

/** `more`: members of the document besides, or in place of others. */
export function oneChunkDocument({ shape, type, codecs, fill = 0 }: OneChunk, more: object = {}): string {
  return JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: type,
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: "default" },
    fill_value: fill,
    codecs,
    ...more,
  });
}

/** Throws RefscopeError where the document is refused. */
export const oneChunk = (given: OneChunk): ChunkMetadata =>
  withEqualChunks(parseArrayMetadataV3(oneChunkDocument(given), codecTraits).metadata);
