import type { ArrayMetadata } from "./array-metadata.ts";

/** Bytes that a chunk decodes to; 0 where elements are of any size. */
export const chunkBytes = ({ chunks, dataType }: Pick<ArrayMetadata, "chunks" | "dataType">): number =>
  chunks.reduce((product, length) => product * length, dataType.itemSize);
