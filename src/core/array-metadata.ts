/**
 * Array metadata as the rest of the program knows it: v2 (later v3 too) is unified on entry, so that nothing
 * downstream asks for the format.
 */
import type { KeySeparator } from "./chunk-grid.ts";
import type { DataType } from "./data-type.ts";
import type { JsonObject, JsonValue } from "./json.ts";

export interface CodecConfiguration {
  /** As the metadata spells it: `zlib`, `shuffle`, `blosc`. */
  readonly id: string;
  readonly configuration: JsonObject;
}

/**
 * Where the only codec of an array is `sharding_indexed` (Zarr v3, ZEP 2), its chunks are the inner chunks, as
 * zarr-python's `Array.chunks` has it. Beside other codecs it is a codec like any, and the chunks are whole shards.
 */
export interface ShardLayout {
  /** Shape of a shard, which every length of `chunks` divides: the chunk shape of the array's chunk grid. */
  readonly shape: readonly number[];
  readonly indexLocation: "start" | "end";
  /** In the order of decoding: all of fixed size. */
  readonly indexCodecs: readonly CodecConfiguration[];
  /** In the keys of shards. */
  readonly separator: KeySeparator;
}

export interface ArrayMetadata {
  readonly zarrFormat: 2 | 3;
  readonly shape: readonly number[];
  /** Shape of a chunk; where there is `sharding`, of an inner chunk. */
  readonly chunks: readonly number[];
  /** For v3 in the byte order that the codec `bytes` says. */
  readonly dataType: DataType;
  /**
   * In the order of decoding: for v2 the compressor, then the filters from last to first; for v3 the codecs from last to
   * first (`bytes` and `transpose` among them), of inner chunks where there is `sharding`.
   */
  readonly decoding: readonly CodecConfiguration[];
  /** For v3 always C: `transpose` is a codec. */
  readonly order: "C" | "F";
  /** In chunk keys. Inner chunks have no key of their own: they are named by their coordinates with `.`. */
  readonly separator: KeySeparator;
  readonly sharding?: ShardLayout;
  /** As written, where there are any. */
  readonly storageTransformers?: readonly CodecConfiguration[];
  /** As written (numbers in text as numbers); `null` is "undefined" (a missing chunk has no defined values), also where the member is absent. */
  readonly fillValue: JsonValue;
  /** From `_ARRAY_DIMENSIONS` (v2) or `dimension_names` (v3). */
  readonly dimensionNames: readonly (string | undefined)[] | undefined;
}
