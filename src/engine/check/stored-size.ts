/** How many bytes a chunk must have, where its codecs keep the size; and what its compressor may make of them. */
import { findCodec } from "#codecs/find-codec.ts";
import { chunkBytes, hasRegularChunks, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { ArrayMetadata, ChunkMetadata, CodecConfiguration } from "#core/metadata/array-metadata.ts";

export interface StoredSize {
  /** Bytes of a whole decoded chunk. */
  readonly plain: number;
  /** Bytes of checksums beside them. */
  readonly checksums: number;
  /** Codec that undoes the compression, the first in the order of decoding; absent if nothing is compressed. */
  readonly compressor?: string;
}

const CHECKSUM_BYTES = 4;

/** `undefined` where nothing can be said: elements of any size, or codecs that may change the size otherwise. */
export function storedSize({ dataType, chunks, decoding }: ChunkMetadata): StoredSize | undefined {
  if (dataType.itemSize === 0) return undefined;
  const plain = chunkBytes({ chunks, dataType });
  if (!Number.isSafeInteger(plain)) return undefined;
  let checksums = 0;
  let compressor: string | undefined;
  for (const [at, codec] of decoding.entries()) {
    const role = roleOf(codec);
    if (role === "other" || (role === "compressor" && compressor !== undefined)) return undefined;
    // A checksum before it is one of the compressed bytes.
    if (role === "compressor" && at > checksums) return undefined;
    if (role === "compressor") compressor = codec.id;
    if (role === "checksum") checksums += 1;
  }
  const size = { plain, checksums: checksums * CHECKSUM_BYTES };
  return compressor === undefined ? size : { ...size, compressor };
}

/** Size of each chunk, by its coordinates: the same for all if all have one shape. */
export function storedSizes(metadata: ArrayMetadata): (coordinates: readonly number[]) => StoredSize | undefined {
  if (!hasRegularChunks(metadata)) return (coordinates) => storedSize(metadataOfChunk(metadata, coordinates));
  const size = storedSize(metadata);
  return () => size;
}

/** Size of all chunks; `undefined` also if they differ. */
export const commonSize = (metadata: ArrayMetadata): StoredSize | undefined =>
  hasRegularChunks(metadata) ? storedSize(metadata) : undefined;

function roleOf({ id, configuration }: CodecConfiguration): "same" | "checksum" | "compressor" | "other" {
  const codec = findCodec(id);
  if (codec?.checksum !== undefined) return "checksum";
  if (codec?.stream !== undefined) return "compressor";
  if (codec?.keepsSize === "fixed") return "same";
  if (codec?.keepsSize === undefined) return "other";
  // Elements of another type may be stored.
  const [to, from] = [configuration.get("dtype"), configuration.get("astype")];
  return from === undefined || from === null || from === to ? "same" : "other";
}

/** No stream of deflate says more in a byte. */
const DEFLATE_RATIO = 1032;
const DEFLATE: ReadonlySet<string> = new Set(["zlib", "gzip", "numcodecs.zlib", "numcodecs.gzip"]);

/** Fewest and most bytes that a stored chunk can have: the same where nothing is compressed. */
export function possibleLengths({ plain, checksums, compressor }: StoredSize): readonly [least: number, most: number] {
  if (compressor === undefined) return [plain + checksums, plain + checksums];
  const least = DEFLATE.has(compressor) ? Math.floor(plain / DEFLATE_RATIO) : 1;
  // Incompressible data is stored with a few more bytes a block.
  return [Math.max(1, least), Math.ceil(plain * 1.05) + 4096];
}
