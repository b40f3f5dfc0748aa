/** What a codec is: its names, what is known of it before any bytes are there, and how it decodes. */
import type { CodecConfiguration } from "../core/metadata/array-metadata.ts";
import type { CodecKind, CodecTable } from "../core/metadata/codec-table.ts";
import type { DataType } from "../core/metadata/data-type.ts";
import type { JsonObject, JsonValue } from "../core/json/json.ts";
import type { Finding } from "../core/findings/finding.ts";
import type { CodecField } from "../core/check/lab.ts";
import type { VariableKind } from "../core/values/variable-elements.ts";

export type { Bytes } from "../core/byte-source.ts";

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
  /** Prepares codecs for chunks inside the chunk. Absent where only labels are needed. */
  readonly prepareChain?: (decoding: readonly CodecConfiguration[], outline: ChunkOutline) => InnerChain;
  /** For the index of a shard. Absent as `prepareChain` is. */
  readonly codecs?: CodecLookup;
  /** How many shards this chunk lies in. Absent = 0. */
  readonly depth?: number;
}

/** What is known of codecs, by their names in a list of Zarr v3. */
export interface FactsLookup {
  readonly find: (id: string) => CodecFacts | undefined;
  readonly traits: CodecTable;
}

/** Codecs that were loaded, handed to what they themselves import. */
export interface CodecLookup extends FactsLookup {
  readonly find: (id: string) => Codec | undefined;
  /** As a list of codecs of Zarr v2 has it. */
  readonly findV2: (id: string) => Codec | undefined;
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
  /** Its elements are the records of the array's data type (`ObjectType.record`). */
  readonly makesRecords?: true;
  /**
   * Undoes the codec. `input` is never written to; the result may share its memory. `limit` is the most output bytes,
   * kept to before memory is taken where a header gives the size, else while decoding.
   * Throws RefscopeError: `decode-failed`, `decode-too-large`, `checksum-mismatch`.
   */
  decode(
    input: Uint8Array<ArrayBuffer>,
    limit: number,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>;
  /** What is worth saying of bytes that were decoded: that Python reads them otherwise. A look at headers, no decoding. */
  remarks?(input: Uint8Array<ArrayBuffer>): Promise<readonly Finding[]>;
}

/** A name under which a list of codecs may have it; those of Zarr v2 are read with `numcodecs.` before them too. */
export interface CodecNames {
  /** As Zarr v3 spells it, the one to write first; absent where neither its specification nor zarr-python has it. */
  readonly v3?: readonly string[];
  /** Others for the same bytes. */
  readonly also?: readonly string[];
}

/** A compressor: what it makes has a beginning and an end of its own. */
export interface CodecStream {
  /** Whether decoding compares a checksum, where that is known; of some codecs each stream says whether it has one. */
  readonly verifies: boolean | ((input: Uint8Array) => boolean);
  /** A cheap test whether a stream may begin at a place. */
  readonly begins?: (bytes: Uint8Array, at: number) => boolean;
  /** Where that says too little: whether bytes that begin so may be a stream of `expected` decoded bytes. */
  readonly isLikely?: (bytes: Uint8Array, expected: number) => boolean;
}

/** 4 bytes, little-endian, beside the data. */
export interface CodecChecksum {
  readonly name: string;
  /** Unless the configuration says otherwise. */
  readonly place: "start" | "end";
  /** Checksum of data, with the configuration that is offered. */
  readonly sum: (data: Uint8Array) => number;
}

/** What Python needs to know a codec, besides zarr, numcodecs and xarray. */
export interface PythonPackage {
  /** As pip takes it. */
  readonly name: string;
  /** The module that registers the codec when it is imported; absent where being installed is enough. */
  readonly registeredBy?: { readonly module: string; readonly zarrFormat?: 3 };
}

/** What is known of a codec without its decoder. */
export interface CodecFacts {
  /** As Zarr v2 and numcodecs spell it, else as Zarr v3 does. */
  readonly id: string;
  readonly names?: CodecNames;
  /** Where it is in a list of Zarr v3; in Zarr v2 by what it works on, `bytes-bytes` being what may be a compressor. */
  readonly kind: CodecKind;
  /** What it does when it decodes, in one short sentence. */
  readonly words: string;
  /**
   * As many bytes come out as go in: `fixed` where zarr-python computes it, and so lets the codec encode the index of a
   * shard; `usual` where it does not, or where a configuration may name elements of another size.
   */
  readonly keepsSize?: "fixed" | "usual";
  /** An array-array codec that changes the shape in a way that reading metadata does not follow. */
  readonly changesShape?: true;
  /** Where it does nothing but add a checksum. */
  readonly checksum?: CodecChecksum;
  readonly stream?: CodecStream;
  /** May be put into a chain by hand: JSON text of the configuration to begin with. */
  readonly insertable?: string;
  readonly python?: readonly PythonPackage[];
  /** Members of the configuration that decoding depends on. */
  readonly fields?: readonly CodecField[];
  /** Why zarr-python opens no array with the outline's fill value: what would fit. May throw as `prepare` does. */
  fillProblem?(configuration: JsonObject, array: ChunkOutline): string | undefined;
}

/** How a codec decodes: loaded where it is met. */
export interface Decoder {
  /** Throws RefscopeError `codec-configuration`. */
  prepare(configuration: JsonObject, array: ChunkOutline): DecodeStep;
  /** What codecs after it in a list of Zarr v3 meet, where that is another array. Throws as `prepare` does. */
  encoded?(configuration: JsonObject, array: ChunkOutline): ChunkOutline;
  /**
   * Of a compressor: bytes of the stream at the beginning, checksums and trailers included, as the stream itself says.
   * `limit`: most bytes it may decode to. May throw where it is damaged.
   */
  streamEnd?(bytes: Uint8Array<ArrayBuffer>, limit: number): number | undefined;
}

export interface Codec extends CodecFacts, Decoder {}

/** A codec in the table of all. */
export interface CodecEntry extends CodecFacts {
  readonly load: () => Promise<Decoder>;
  /** The decoder under the name `numcodecs.…`, where Zarr v3 has it decode otherwise. */
  readonly inZarr3?: Pick<CodecFacts, "changesShape"> & { readonly load: () => Promise<Decoder> };
}

/** Codecs of one kind by their ids. */
export type CodecEntries = Readonly<Record<string, Omit<CodecEntry, "id" | "kind">>>;
