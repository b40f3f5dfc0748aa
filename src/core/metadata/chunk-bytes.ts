import type { ChunkMetadata } from "./array-metadata.ts";

/** Bytes that a chunk decodes to; 0 where elements are of any size. */
export const chunkBytes = ({ chunks, dataType }: Pick<ChunkMetadata, "chunks" | "dataType">): number =>
  chunks.reduce((product, length) => product * length, dataType.itemSize);
