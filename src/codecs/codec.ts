/** What a codec is: a name, and a way to turn a configuration into one decoding step. */
import type { CodecConfiguration } from "../core/array-metadata.ts";
import type { DataType } from "../core/data-type.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { VariableKind } from "../core/variable-elements.ts";

/** The chunk that is decoded: what some codecs need to know of the array. */
export interface ChunkOutline {
  readonly dataType: DataType;
  /** As the codec met it when it encoded: turned, where a `transpose` comes before (Zarr v3). */
  readonly chunkShape: readonly number[];
  /** Elements of the whole chunk, the part past the array's edge included. */
  readonly elements: number;
  /** As the array's metadata write it: what an empty inner chunk of a shard reads as. Absent = null. */
  readonly fillValue?: JsonValue;
  /** Whether the elements are of another type than `dataType`, since a filter like `delta` comes before (Zarr v3). */
  readonly otherType?: boolean;
  /** Whether `bytes` must turn elements to the byte order of `dataType`, which was not taken from it (`cast_value`). */
  readonly orderIsOwn?: boolean;
  /** Prepares codecs for chunks inside the chunk. Absent where only labels are asked for. */
  readonly prepareChain?: (decoding: readonly CodecConfiguration[], outline: ChunkOutline) => InnerChain;
  /** How many shards this chunk lies in. Absent = 0. */
  readonly depth?: number;
}

/** Codecs that are run one after another, over many chunks of one outline. */
export interface InnerChain {
  /** What the elements are where they have no fixed size; the bytes are then as core/variable-elements.ts has them. */
  readonly makes: VariableKind | undefined;
  /** Bytes of the whole chunk. Throws RefscopeError. */
  decode(input: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

export interface DecodeStep {
  /** For people: "shuffle, 2-byte elements". */
  readonly label: string;
  /** For a codec that makes elements of no fixed size, in the layout of core/variable-elements.ts. */
  readonly makes?: VariableKind | undefined;
  /**
   * Undoes the codec. `input` is never written to; the result may share its memory. `limit` is the most output bytes,
   * kept to before memory is taken where a header tells the size, else while decoding.
   * Throws RefscopeError: `decode-failed`, `decode-too-large`, `checksum-mismatch`.
   */
  decode(
    input: Uint8Array<ArrayBuffer>,
    limit: number,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>;
}

export interface Codec {
  /** As Zarr v2 and numcodecs spell it, else as Zarr v3 does. */
  readonly id: string;
  /** Throws RefscopeError `codec-configuration`. */
  prepare(configuration: JsonObject, array: ChunkOutline): DecodeStep;
  /** What codecs after it in a list of Zarr v3 meet, where that is another array. Throws as `prepare` does. */
  encoded?(configuration: JsonObject, array: ChunkOutline): ChunkOutline;
}
