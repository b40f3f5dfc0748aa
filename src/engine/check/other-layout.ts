/** What lengths that are all wrong would be right for: another type, another chunk shape, a checksum, a compressor. */
import { cellCount, gridOf } from "../../core/metadata/chunk-grid.ts";
import type { ChunkMetadata } from "../../core/metadata/array-metadata.ts";

export type OtherLayout =
  | { readonly fits: "type"; readonly itemSize: number }
  | { readonly fits: "chunks"; readonly chunks: readonly number[] }
  | { readonly fits: "checksum"; readonly missing: boolean }
  | { readonly fits: "compressor" }
  | { readonly fits: "nothing" };

/** `reach`: chunks along each dimension as the keys have them, stray ones too; `present`: keys inside the grid. */
export interface SeenKeys {
  readonly reach: readonly number[];
  readonly present: number;
}

/** `length`: of every chunk, `undefined` where they differ; all are shorter or longer than `expected`. */
export function otherLayout(
  metadata: ChunkMetadata,
  expected: number,
  length: number | undefined,
  isShorter: boolean,
  seen: SeenKeys,
): OtherLayout {
  if (length === undefined) return { fits: isShorter ? "compressor" : "nothing" };
  if (length === expected + 4) return { fits: "checksum", missing: true };
  if (length === expected - 4 && hasChecksum(metadata)) return { fits: "checksum", missing: false };
  const { chunks, dataType } = metadata;
  const type = { fits: "type", itemSize: (dataType.itemSize * length) / expected } as const;
  const isType = [1, 2, 4, 8, 16].includes(type.itemSize);
  const other = otherChunks(metadata, length / expected, seen);
  const isFull = seen.present === cellCount(gridOf(metadata.shape, chunks)) && seen.reach.every(isWithin(metadata));
  if (other !== undefined && (!isType || !isFull || isWide(metadata, other))) return { fits: "chunks", chunks: other };
  if (isType) return type;
  // One chunk alone may be cut: whole elements speak for that.
  const isOdd = seen.present <= 1 && isShorter && length % dataType.itemSize !== 0;
  return { fits: isOdd ? "compressor" : "nothing" };
}

const isWithin =
  ({ shape, chunks }: ChunkMetadata) =>
  (reach: number, axis: number): boolean =>
    reach <= (gridOf(shape, chunks)[axis] ?? 0);

const hasChecksum = ({ decoding }: ChunkMetadata): boolean =>
  decoding.some(({ id }) => /fletcher32|crc32|adler32/.test(id));

/** Whether a chunk as the metadata have it is larger than the array, along the dimension in which the other differs. */
function isWide({ shape, chunks }: ChunkMetadata, other: readonly number[]): boolean {
  return chunks.some((length, axis) => length !== other[axis] && length > (shape[axis] ?? 0));
}

/** The chunk shape, other along one dimension, whose grid is the one that the keys have. */
function otherChunks(
  { shape, chunks }: ChunkMetadata,
  ratio: number,
  { reach }: SeenKeys,
): readonly number[] | undefined {
  for (const [axis, length] of chunks.entries()) {
    const other = length * ratio;
    if (!Number.isInteger(other) || other < 1) continue;
    const shapeOfChunk = chunks.with(axis, other);
    const grid = gridOf(shape, shapeOfChunk);
    if (grid.every((cells, at) => cells === reach[at])) return shapeOfChunk;
  }
  return undefined;
}
