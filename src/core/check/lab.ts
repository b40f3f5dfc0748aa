/** Trials of a chunk's decode: what bytes look like, reading other than as declared, and likely repairs. Plain data. */
import type { ByteOrder } from "../metadata/data-type.ts";

/** Appearance of the bytes after a stage, whatever they are said to be. */
export interface BytesLook {
  /** Shannon entropy of the bytes in bits per byte, 0 (all the same) to 8 (noise, or well compressed). */
  readonly entropy: number;
  /** Bytes that the entropy was computed over: all of them, or as many from the beginning. */
  readonly counted: number;
  /** The format whose signature the bytes begin with. */
  readonly signature?: Signature;
}

export interface Signature {
  /** `zlib`, `gzip`, `zstd`, `blosc`, `lz4`, `hdf5`, `tiff`, `grib`, `png`, `jpeg`, … */
  readonly name: string;
  /** For people: "Blosc, lz4, byte shuffle, 4-byte elements". */
  readonly label: string;
  /** Fields of the header, decoded. */
  readonly facts: readonly { readonly term: string; readonly value: string }[];
}

/** One codec of a chain as the user set it. */
export interface TrialStep {
  readonly id: string;
  /** JSON text of an object; "" is an empty one. */
  readonly configuration: string;
  /** Switched off: the bytes pass as they are. */
  readonly off?: boolean;
}

/** How to read a chunk otherwise than its metadata and its reference say. An empty trial is the declared reading. */
export interface Trial {
  /** Steps in the order of decoding; absent = those of the metadata. */
  readonly steps?: readonly TrialStep[];
  /** Absent = as the metadata say. */
  readonly byteOrder?: Exclude<ByteOrder, "none">;
  /** Bytes that the range begins later; negative = earlier. The end moves along. */
  readonly shift?: number;
  /** Bytes that the range is longer; negative = shorter. */
  readonly lengthen?: number;
}

/** A member of a codec's configuration that is known well enough for a field of its own. */
export interface CodecField {
  /** Name of the member. */
  readonly name: string;
  readonly kind: "number" | "text" | "json";
  /** Values often written there; with `only`, the only ones allowed. */
  readonly often: readonly string[];
  readonly only?: true;
}

/** Description of a codec for people. */
export interface CodecDescription {
  /** Name in Zarr v2, else in Zarr v3. */
  readonly id: string;
  /** Under which it is found too, beside those with `numcodecs.` before them. */
  readonly otherNames: readonly string[];
  /** The effect of decoding, in one short sentence. */
  readonly words: string;
  /** Members that decoding depends on. */
  readonly fields: readonly CodecField[];
  /** JSON text of the configuration to begin with, if the codec may be put into a chain by hand. */
  readonly insertable?: string;
}
