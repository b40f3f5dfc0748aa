/**
 * Array metadata as the rest of the program knows it: v2 (later v3 too) is unified on entry, so that nothing
 * downstream asks for the format.
 */
import { type ChunkEdges, encodedShape, isRegular, type KeySeparator, largestShape } from "./chunk-grid.ts";
import type { DataType } from "./data-type.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import type { Finding } from "../findings/finding.ts";

export interface CodecConfiguration {
  /** Name as the metadata spells it: `zlib`, `shuffle`, `blosc`. */
  readonly id: string;
  readonly configuration: JsonObject;
}

/**
 * Layout of shards. If the only codec of an array is `sharding_indexed` (Zarr v3, ZEP 2), its chunks are the inner
 * chunks, as zarr-python's `Array.chunks` has it. Beside other codecs it is a codec like any, and the chunks are whole
 * shards.
 */
export interface ShardLayout {
  /**
   * Edges of the shards along each dimension, all multiples of the length of `chunks`: the array's chunk grid. Inner
   * chunks are all of one shape, and where shards are unequal they lie in the array as in a regular grid nevertheless.
   */
  readonly shape: readonly ChunkEdges[];
  readonly indexLocation: "start" | "end";
  /** Codecs of the index in the order of decoding: all of fixed size. */
  readonly indexCodecs: readonly CodecConfiguration[];
  /** Separator in the keys of shards. */
  readonly separator: KeySeparator;
}

export interface ArrayMetadata {
  readonly zarrFormat: 2 | 3;
  readonly shape: readonly number[];
  /** Edges of the chunks along each dimension: of a regular grid the shape of a chunk; where there is `sharding`, of an inner chunk. */
  readonly chunks: readonly ChunkEdges[];
  /** For v3 in the byte order that the codec `bytes` says. */
  readonly dataType: DataType;
  /** `fillValue` is not taken for `_FillValue`, as it is in Zarr v2: these are the metadata of a data file. */
  readonly isFillOnly?: true;
  /** Zarr v3's chunk grid is written as `rectilinear`, which not all readers know, also where the edges are all alike. */
  readonly isRectilinear?: true;
  /**
   * Codecs in the order of decoding: for v2 the compressor, then the filters from last to first; for v3 the codecs from
   * last to first (`bytes` and `transpose` among them), or those of inner chunks if there is `sharding`.
   */
  readonly decoding: readonly CodecConfiguration[];
  /** For v3 always C: `transpose` is a codec. */
  readonly order: "C" | "F";
  /** Separator in chunk keys. Inner chunks have no key of their own: their coordinates joined with `.` name them. */
  readonly separator: KeySeparator;
  readonly sharding?: ShardLayout;
  /** Storage transformers as written, if any. */
  readonly storageTransformers?: readonly CodecConfiguration[];
  /**
   * Fill value as written (numbers in text as numbers); `null` is "undefined" (a missing chunk has no defined values),
   * also if the member is absent.
   */
  readonly fillValue: JsonValue;
  /** From `_ARRAY_DIMENSIONS` (v2) or `dimension_names` (v3). */
  readonly dimensionNames: readonly (string | undefined)[] | undefined;
}

/** Metadata of an array whose chunks all have one shape, or of a single chunk. */
export interface ChunkMetadata extends ArrayMetadata {
  /** Shape of the chunk as encoded. */
  readonly chunks: readonly number[];
}

export const hasRegularChunks = (metadata: ArrayMetadata): metadata is ChunkMetadata => isRegular(metadata.chunks);

/** The metadata by which a chunk is decoded; of a regular grid the array's own. */
export function metadataOfChunk(metadata: ArrayMetadata, coordinates: readonly number[]): ChunkMetadata {
  return hasRegularChunks(metadata) ? metadata : { ...metadata, chunks: encodedShape(metadata.chunks, coordinates) };
}

/** Those of the largest chunk, for limits and for what is said of codecs before a chunk is chosen. */
export function metadataOfLargest(metadata: ArrayMetadata): ChunkMetadata {
  return hasRegularChunks(metadata) ? metadata : { ...metadata, chunks: largestShape(metadata.chunks) };
}

// Groups and arrays of a set, from its metadata documents.

/** A metadata document of the store: `.zarray`, `.zattrs`, `.zgroup`, `.zmetadata`, later `zarr.json`. */
export interface MetadataDocument {
  /** Store key: `sst/.zarray`. */
  readonly key: string;
  /** Text as stored (UTF-8), after inline and base64 are undone; `undefined` where it could not be fetched. */
  readonly text: string | undefined;
  /** Why there is no text. */
  readonly problem?: Finding;
  /** JSON text of the reference that it was fetched by; absent where it is in the set itself. */
  readonly fetchedBy?: string;
}

export interface NodeBase {
  /** Without leading or trailing slash; `""` is the root. */
  readonly path: string;
  /** Last part of the path; `/` for the root. */
  readonly name: string;
  /** `undefined` where there is no `.zattrs` or it is broken (then a finding says so). */
  readonly attributes: JsonValue | undefined;
  /** The attribute scale_factor is written as an integer: `10`, which is another type than `10.0` to Python. */
  readonly integerScale?: true;
}

export interface GroupNode extends NodeBase {
  readonly kind: "group";
  /** False where no `.zgroup` says so and the group is only implied by its children. */
  readonly declared: boolean;
}

export interface ArrayNode extends NodeBase {
  readonly kind: "array";
  readonly metadata: ArrayMetadata;
}

/** Invalid metadata: shown where it is, with the reason. */
export interface BrokenNode extends NodeBase {
  readonly kind: "broken";
  readonly reason: Finding;
  /** Separator of the keys, for an array in which only the chunk grid is not understood. */
  readonly gridUnread?: KeySeparator;
}

export type HierarchyNode = GroupNode | ArrayNode | BrokenNode;

/** Nodes by path, parents before children, children in name order (natural: `2` before `10`). */
export interface Hierarchy {
  readonly nodes: ReadonlyMap<string, HierarchyNode>;
  childrenOf(path: string): readonly string[];
}

/** Which part of the array a chunk is, nothing says; what there is of chunks is listed all the same. */
export const leavesChunksUnplaced = ({ code }: Pick<Finding, "code">): boolean =>
  code === "chunk-grid-unsupported" || code === "chunk-keys-unsupported";

/** Bytes that a chunk decodes to; 0 where elements are of any size. */
export const chunkBytes = ({ chunks, dataType }: Pick<ChunkMetadata, "chunks" | "dataType">): number =>
  chunks.reduce((product, length) => product * length, dataType.itemSize);
