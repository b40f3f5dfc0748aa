/** The interface of a codec: its names, the facts known without bytes, and its decoder. */
import type { CodecConfiguration } from "../core/metadata/array-metadata.ts";
import type { CodecKind, CodecTable } from "../core/metadata/codec-table.ts";
import type { DataType } from "../core/metadata/data-type.ts";
import type { JsonObject, JsonValue } from "../core/json/json.ts";
import { failure, type Finding, type RefscopeError, unlessFinding, WHOLE_SET } from "../core/findings/finding.ts";
import type { CodecField } from "../core/check/lab.ts";
import type { VariableKind } from "../core/values/variable-elements.ts";
import { parseDataTypeV2 } from "../core/metadata/parse-data-type.ts";

export type { Bytes } from "../core/byte-source.ts";

/** The chunk that is decoded: what some codecs need to know of the array. */
export interface ChunkOutline {
  readonly dataType: DataType;
  /** Shape of the chunk when the codec encoded it: permuted if a `transpose` comes before (Zarr v3). */
  readonly chunkShape: readonly number[];
  /** Elements of the whole chunk, the part past the array's edge included. */
  readonly elements: number;
  /**
   * Fill value as the array's metadata write it; an empty inner chunk of a shard reads as this value. Absent = null.
   */
  readonly fillValue?: JsonValue;
  /** True if a filter like `delta` comes before and changed the type of the elements from `dataType` (Zarr v3). */
  readonly otherType?: boolean;
  /**
   * True if `bytes` must convert elements to the byte order of `dataType`, which was not taken from it (`cast_value`).
   */
  readonly orderIsOwn?: boolean;
  /** Prepares codecs for chunks inside the chunk. Absent where only labels are needed. */
  readonly prepareChain?: (decoding: readonly CodecConfiguration[], outline: ChunkOutline) => InnerChain;
  /** For the index of a shard. Absent as `prepareChain` is. */
  readonly codecs?: CodecLookup;
  /** How many shards this chunk lies in. Absent = 0. */
  readonly depth?: number;
}

/** Facts about codecs, by their names in a list of Zarr v3 codecs. */
export interface FactsLookup {
  readonly find: (id: string) => CodecFacts | undefined;
  readonly traits: CodecTable;
}

/** Codecs that were loaded, handed to what they themselves import. */
export interface CodecLookup extends FactsLookup {
  readonly find: (id: string) => Codec | undefined;
  /** Finds the codec by its id in a list of Zarr v2 codecs. */
  readonly findV2: (id: string) => Codec | undefined;
}

/** Codecs that are run one after another, over many chunks of one outline. */
export interface InnerChain {
  /**
   * Kind of the elements if they have no fixed size; core/variable-elements.ts then says how the bytes are laid out.
   */
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
  /**
   * Findings about bytes that were decoded, for example that Python reads them differently. Looks at headers, decodes
   * nothing.
   */
  remarks?(input: Uint8Array<ArrayBuffer>): Promise<readonly Finding[]>;
}

/** A name under which a list of codecs may have it; those of Zarr v2 are read with `numcodecs.` before them too. */
export interface CodecNames {
  /** Names in Zarr v3, the one to write first; absent if neither its specification nor zarr-python has the codec. */
  readonly v3?: readonly string[];
  /** Others for the same bytes. */
  readonly also?: readonly string[];
}

/** A compressor: what it makes has a beginning and an end of its own. */
export interface CodecStream {
  /** True if decoding compares a checksum; of some codecs each stream says so itself. Absent if unknown. */
  readonly verifies: boolean | ((input: Uint8Array) => boolean);
  /** A cheap test whether a stream may begin at a place. */
  readonly begins?: (bytes: Uint8Array, at: number) => boolean;
  /**
   * Tells if bytes with this beginning may be a stream of `expected` decoded bytes, for codecs whose first bytes alone
   * say too little.
   */
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

/** A package that Python needs for a codec, besides zarr, numcodecs and xarray. */
export interface PythonPackage {
  /** Name that pip takes. */
  readonly name: string;
  /** The module that registers the codec when it is imported; absent where being installed is enough. */
  readonly registeredBy?: { readonly module: string; readonly zarrFormat?: 3 };
}

/** Facts about a codec that are known without its decoder. */
export interface CodecFacts {
  /** Name in Zarr v2 and numcodecs, else in Zarr v3. */
  readonly id: string;
  readonly names?: CodecNames;
  /**
   * Place in a list of Zarr v3 codecs; in Zarr v2 the kind of data it works on, where `bytes-bytes` may be a
   * compressor.
   */
  readonly kind: CodecKind;
  /** The effect of decoding, in one short sentence. */
  readonly words: string;
  /**
   * The codec gives as many bytes as it takes: `fixed` if zarr-python computes it, and so lets the codec encode the
   * index of a shard; `usual` if it does not, or if a configuration may name elements of another size.
   */
  readonly keepsSize?: "fixed" | "usual";
  /** An array-array codec that changes the shape in a way that reading metadata does not follow. */
  readonly changesShape?: true;
  /** The checksum, if the codec only adds one. */
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
  /** The array that later codecs in a list of Zarr v3 see, if it differs. Throws as `prepare` does. */
  encoded?(configuration: JsonObject, array: ChunkOutline): ChunkOutline;
  /**
   * Length of a compressor's stream at the beginning of `bytes`, checksums and trailers included, as the stream itself
   * says. `limit`: most bytes it may decode to. May throw if the stream is damaged.
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

// The errors that decoding ends in. Where the chunk is, and what the step was given, is added by who calls the codec.

/** `section`: the part of the data that is wrong, where the format has names for its parts. */
export function decodeFailed(codec: string, expected: string, found: string, section?: string): RefscopeError {
  const facts = { codec, expected, found, ...(section === undefined ? {} : { section }) };
  return failure("decode-failed", WHOLE_SET, facts);
}

export function decodeTooLarge(codec: string, limit: number, found: string): RefscopeError {
  return failure("decode-too-large", WHOLE_SET, { codec, limit, found });
}

export function checksumMismatch(codec: string, stored: number | string, computed: number | string): RefscopeError {
  const [expected, found] = [hexadecimal(stored), hexadecimal(computed)];
  return failure("checksum-mismatch", WHOLE_SET, { codec, stored: expected, computed: found, frame: undefined });
}

export function badConfiguration(codec: string, member: string, expected: string, found: string): RefscopeError {
  return failure("codec-configuration", WHOLE_SET, { codec, member, expected, found });
}

/** For elements of a data type that is known by its name alone. */
export function dataTypeUnread(name: string): RefscopeError {
  return failure("dtype-unread", WHOLE_SET, { name: name.slice(0, 80) });
}

function hexadecimal(value: number | string): string {
  return typeof value === "string" ? value : `0x${(value >>> 0).toString(16).padStart(8, "0")}`;
}

// Members of a codec's configuration, checked. All throw RefscopeError `codec-configuration`.

export function integerMember(
  codec: string,
  configuration: JsonObject,
  member: string,
  range: { readonly minimum: number; readonly maximum: number; readonly otherwise: number },
): number {
  const value = configuration.get(member);
  if (value === undefined || value === null) return range.otherwise;
  if (typeof value === "number" && Number.isInteger(value) && value >= range.minimum && value <= range.maximum)
    return value;
  throw badConfiguration(codec, member, `a whole number from ${range.minimum} to ${range.maximum}`, brief(value));
}

/** Numbers of 32 bits without sign, as many as a filter of HDF5 may have. */
export function wholeNumbers(codec: string, configuration: JsonObject, member: string): readonly number[] {
  const value = configuration.get(member);
  const list =
    Array.isArray(value) && value.length > 0 && value.length <= 4096 ? (value as readonly JsonValue[]) : [-1];
  if (list.every((one): one is number => typeof one === "number" && one >>> 0 === one)) return list;
  throw badConfiguration(codec, member, "at most 4096 whole numbers of 32 bits", brief(value));
}

/** A finite number; integers beyond 2^53 are rounded, as Python rounds them when it divides an array by them. */
export function numberMember(codec: string, configuration: JsonObject, member: string): number {
  const value = configuration.get(member);
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw badConfiguration(codec, member, "a finite number", brief(value));
}

export function stringMember(codec: string, configuration: JsonObject, member: string): string | undefined {
  const value = configuration.get(member);
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw badConfiguration(codec, member, "a string", brief(value));
}

/** One of some words; the first of them where the member is absent or null. */
export function choiceMember<Choice extends string>(
  codec: string,
  configuration: JsonObject,
  member: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = configuration.get(member) ?? choices[0];
  const known = choices.find((one) => one === value);
  if (known !== undefined) return known;
  throw badConfiguration(codec, member, choices.map((one) => `"${one}"`).join(", "), brief(value));
}

/** Refuses members of other names: a registered codec of Zarr v3 ignores none. */
export function onlyMembers(codec: string, configuration: JsonObject, known: readonly string[]): void {
  const unknown = [...configuration.keys()].find((member) => !known.includes(member));
  if (unknown === undefined) return;
  throw badConfiguration(codec, unknown.slice(0, 80), `no members but ${known.join(", ")}`, "it");
}

/** A data type as NumPy writes it; `undefined` where it is none. */
export const numpyType = (value: JsonValue | undefined): DataType | undefined =>
  unlessFinding(() => parseDataTypeV2(value ?? null));

/** A value in an error message: short, whatever it is. */
export function brief(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string") return `"${value.length > 40 ? `${value.slice(0, 40)}…` : value}"`;
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  return String(value);
}

// Bytes being decoded: a buffer that grows up to a limit. Matches copy from what was written before.

export interface Output {
  bytes: Uint8Array<ArrayBuffer>;
  length: number;
  readonly limit: number;
  /** For errors. */
  readonly codec: string;
}

const FIRST_BYTES = 1024;

/** `hint`: bytes that are likely needed; never more than the limit is taken. */
export function newOutput(codec: string, limit: number, hint: number): Output {
  const size = Math.max(0, Math.min(limit, Math.max(FIRST_BYTES, hint)));
  return { bytes: new Uint8Array(size), length: 0, limit, codec };
}

/** Takes memory that is likely needed, where nothing was written yet. */
export function makeRoom(output: Output, hint: number): void {
  const size = Math.min(output.limit, hint);
  if (output.length === 0 && output.bytes.length < size) output.bytes = new Uint8Array(size);
}

/** Writes bytes that are there as a whole; they are copied. Throws `decode-too-large`. */
export function append(output: Output, bytes: Uint8Array<ArrayBuffer>): void {
  const fits = output.length + bytes.length <= output.limit;
  if (fits && output.length === 0 && output.bytes.length !== bytes.length) output.bytes = bytes.slice();
  else {
    reserve(output, bytes.length);
    output.bytes.set(bytes, output.length);
  }
  output.length += bytes.length;
}

/** Makes room for `more` bytes. Throws `decode-too-large`. */
export function reserve(output: Output, more: number): void {
  const needed = output.length + more;
  if (needed <= output.bytes.length) return;
  if (needed > output.limit) throw decodeTooLarge(output.codec, output.limit, `more than ${output.limit} bytes`);
  const grown = new Uint8Array(Math.min(output.limit, Math.max(needed, output.bytes.length * 2)));
  grown.set(output.bytes.subarray(0, output.length));
  output.bytes = grown;
}

/** The bytes written, in a buffer of exactly their size (buffers are handed to other threads whole). */
export function finish(output: Output): Uint8Array<ArrayBuffer> {
  return output.length === output.bytes.length ? output.bytes : output.bytes.slice(0, output.length);
}

/** Copies a match within `bytes`; source and destination may overlap, then the copy repeats what it writes. */
export function copyMatch(bytes: Uint8Array, to: number, distance: number, length: number): void {
  const from = to - distance;
  if (distance >= length && length > 32) {
    bytes.copyWithin(to, from, from + length);
    return;
  }
  if (distance === 1 && length > 16) {
    bytes.fill(bytes[from] ?? 0, to, to + length);
    return;
  }
  for (let i = 0; i < length; i++) bytes[to + i] = bytes[from + i] as number;
}

const ENCODER = new TextEncoder();

/** Writes a text as UTF-8. Throws `decode-too-large`. */
export function writeText(output: Output, text: string): void {
  const bytes = ENCODER.encode(text);
  reserve(output, bytes.length);
  output.bytes.set(bytes, output.length);
  output.length += bytes.length;
}

/** Little-endian, over what is there. */
export function setUint32(output: Output, at: number, number: number): void {
  new DataView(output.bytes.buffer, output.bytes.byteOffset).setUint32(at, number, true);
}
