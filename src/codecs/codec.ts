/** What a codec is: a name, and a way to turn a configuration into one decoding step. */
import type { DataType } from "../core/data-type.ts";
import type { JsonObject } from "../core/json.ts";

/** The chunk that is decoded: what some codecs need to know of the array. */
export interface ChunkOutline {
  readonly dataType: DataType;
  readonly chunkShape: readonly number[];
  /** Elements of the whole chunk, the part past the array's edge included. */
  readonly elements: number;
}

export interface DecodeStep {
  /** For people: "shuffle, 2-byte elements". */
  readonly label: string;
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
  /** As Zarr v2 and numcodecs spell it. */
  readonly id: string;
  /** Throws RefscopeError `codec-configuration`. */
  prepare(configuration: JsonObject, array: ChunkOutline): DecodeStep;
}
