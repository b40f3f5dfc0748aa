/** Metadata of an array all of whose chunks have one shape, for tests that decode one. */
import { type ArrayMetadata, type ChunkMetadata, hasRegularChunks } from "../metadata/array-metadata.ts";

export function withEqualChunks(metadata: ArrayMetadata): ChunkMetadata {
  if (hasRegularChunks(metadata)) return metadata;
  throw new Error("The chunks of this array are unequal.");
}
