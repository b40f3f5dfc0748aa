/** Codecs by their names, and what is known of those that Refscope does not decode. */
import { unlessFinding } from "../core/findings/finding.ts";
import type { CodecDescription } from "../core/check/lab.ts";
import { isJsonObject, type JsonValue } from "../core/json/json.ts";
import type { CodecConfiguration } from "../core/metadata/array-metadata.ts";
import type { CodecTraits } from "../core/metadata/codec-table.ts";
import type {
  Codec,
  CodecEntry,
  CodecFacts,
  CodecLookup,
  CodecNames,
  CodecEntries,
  Decoder,
  FactsLookup,
} from "./codec.ts";
import { bareName, PREFIX } from "../core/metadata/codec-table.ts";
import { NOT_BUILT_V3 } from "./not-built.ts";
import { fillProblem as scaleOffsetFill } from "./numbers/scale-offset-fill.ts";
import { choiceField, jsonField, numberField, typeField, BYTE_CODECS } from "./of-bytes.ts";
import { magic } from "./stream-start.ts";

// The codecs that Refscope decodes: what is known of each, and where its decoder is, which is loaded when it is first
// met. To add one: a file with a `Decoder` beside this, and an entry here or in `of-bytes.ts`.

/** Those that know elements. */
const ARRAY_CODECS: CodecEntries = {
  astype: {
    words: "Turns elements into another type.",
    insertable: '{"encode_dtype":"<f4","decode_dtype":"<f8"}',
    fields: [typeField("decode_dtype"), typeField("encode_dtype")],
    load: async () => (await import("./numbers/astype.ts")).astype,
    inZarr3: { load: async () => (await import("./numbers/astype.ts")).astypeV3 },
  },
  bitround: {
    names: { v3: ["bitround", "numcodecs.bitround"] },
    words: "Leaves elements as they are: they were rounded when they were written.",
    keepsSize: "usual",
    load: async () => (await import("./bitround.ts")).bitround,
  },
  cast_value: {
    names: { v3: ["cast_value"] },
    words: "Turns elements into the array's type, by value.",
    load: async () => (await import("./numbers/cast-value.ts")).castValue,
  },
  categorize: {
    words: "Puts labels in place of their numbers.",
    load: async () => (await import("./objects/categorize.ts")).categorize,
  },
  delta: {
    words: "Adds up differences.",
    keepsSize: "usual",
    insertable: '{"dtype":"<i4"}',
    fields: [typeField("dtype"), typeField("astype")],
    load: async () => (await import("./numbers/delta.ts")).delta,
    inZarr3: { load: async () => (await import("./numbers/delta.ts")).deltaV3 },
  },
  fill_hdf_strings: {
    words: "Puts text in the place of HDF5's references to it.",
    python: [{ name: "kerchunk" }],
    load: async () => (await import("./objects/fill-hdf-strings.ts")).fillHdfStrings,
  },
  FITSAscii: {
    words: "Reads the numbers of an ASCII table of FITS.",
    python: [{ name: "kerchunk" }],
    load: async () => (await import("./objects/fits-ascii.ts")).fitsAscii,
  },
  FITSVarBintable: {
    words: "Reads a table of FITS with columns of any length.",
    python: [{ name: "kerchunk" }],
    load: async () => (await import("./objects/fits-var-bintable.ts")).fitsVarBintable,
  },
  fixedscaleoffset: {
    words: "Divides by scale and adds offset.",
    insertable: '{"offset":0,"scale":1,"dtype":"<f4","astype":"<i2"}',
    fields: [numberField("offset"), numberField("scale"), typeField("dtype"), typeField("astype")],
    load: async () => (await import("./numbers/fixed-scale-offset.ts")).fixedScaleOffset,
    inZarr3: { load: async () => (await import("./numbers/fixed-scale-offset.ts")).fixedScaleOffsetV3 },
  },
  hdf5_bits: {
    words: "Makes whole integers of those that use some of their bits, as HDF5 does.",
    keepsSize: "usual",
    fields: [numberField("offset"), numberField("precision")],
    load: async () => (await import("./hdf5/bits.ts")).hdf5Bits,
  },
  imagecodecs_floatpred: {
    words: "Undoes TIFF's predictor for floats.",
    keepsSize: "usual",
    load: async () => (await import("./numbers/floatpred.ts")).floatpred,
  },
  HorizontalDeltaCodec: {
    names: { v3: ["HorizontalDeltaCodec"] },
    words: "Adds up differences along the last dimension, as TIFF has them.",
    python: [{ name: "virtual-tiff" }],
    keepsSize: "fixed",
    fields: [choiceField("endian", ["little", "big"])],
    load: async () => (await import("./tiff/virtual-tiff.ts")).horizontalDelta,
  },
  log_bins: {
    words: "Takes each element from a bin of equal steps in the logarithm.",
    fields: [numberField("low"), numberField("high")],
    load: async () => (await import("./numbers/log-bins.ts")).logBins,
    inZarr3: { load: async () => (await import("./numbers/log-bins.ts")).logBinsV3 },
  },
  packbits: {
    words: "Makes a boolean of each bit.",
    insertable: "{}",
    load: async () => (await import("./lz/packbits.ts")).packbits,
    inZarr3: { changesShape: true, load: async () => (await import("./lz/packbits.ts")).packbitsV3 },
  },
  quantize: {
    words: "Turns elements into another float type: they were rounded when they were written.",
    fields: [typeField("dtype"), typeField("astype")],
    load: async () => (await import("./numbers/quantize.ts")).quantize,
    inZarr3: { load: async () => (await import("./numbers/quantize.ts")).quantizeV3 },
  },
  record_member: {
    words: "Takes one member of each record.",
    python: [{ name: "kerchunk" }],
    load: async () => (await import("./objects/record-member.ts")).recordMember,
  },
  reshape: {
    names: { v3: ["reshape"] },
    words: "Zarr v3: gives the chunk another shape; the order of its elements stays.",
    keepsSize: "fixed",
    changesShape: true,
    fields: [jsonField("shape")],
    load: async () => (await import("./numbers/reshape.ts")).reshape,
  },
  scale_offset: {
    names: { v3: ["scale_offset"] },
    keepsSize: "fixed",
    fillProblem: scaleOffsetFill,
    words: "Divides by scale and adds offset, in the array's own type.",
    load: async () => (await import("./numbers/scale-offset.ts")).scaleOffset,
  },
  imagecodecs_delta: {
    words: "Adds up differences along an axis, as TIFF has them.",
    keepsSize: "usual",
    load: async () => (await import("./tiff/tiff-delta.ts")).tiffDelta,
  },
  transpose: {
    names: { v3: ["transpose"] },
    words: "Zarr v3: turns the chunk's dimensions.",
    keepsSize: "fixed",
    insertable: '{"order":[1,0]}',
    fields: [jsonField("order")],
    load: async () => (await import("./numbers/transpose.ts")).transpose,
  },
};

/** To or from bytes. */
const ARRAY_BYTES_CODECS: CodecEntries = {
  bytes: {
    // `endian` is what drafts of Zarr v3 called it.
    names: { v3: ["bytes"], also: ["endian"] },
    words: "Zarr v3: says the byte order of the elements.",
    keepsSize: "fixed",
    insertable: '{"endian":"little"}',
    fields: [choiceField("endian", ["little", "big"])],
    load: async () => (await import("./bytes.ts")).bytes,
  },
  ChunkyCodec: {
    names: { v3: ["ChunkyCodec"] },
    words: "Takes the elements in Fortran order: the first index runs fastest.",
    python: [{ name: "virtual-tiff" }],
    keepsSize: "fixed",
    fields: [choiceField("endian", ["little", "big"])],
    load: async () => (await import("./tiff/virtual-tiff.ts")).chunky,
  },
  gribberish: {
    names: { v3: ["gribberish"] },
    words: "Reads the values of a GRIB message, as gribberish does.",
    python: [{ name: "gribberish", registeredBy: { module: "gribberish.zarr", zarrFormat: 3 } }],
    load: async () => (await import("./grib.ts")).gribberish,
  },
  json: {
    words: "Reads elements of any kind from a list in JSON.",
    load: async () => (await import("./objects/json2.ts")).json,
  },
  json2: {
    words: "Reads elements of any kind from a list in JSON.",
    load: async () => (await import("./objects/json2.ts")).json2,
  },
  msgpack: {
    python: [{ name: "numcodecs[msgpack]" }],
    words: "Reads elements of any kind from a list in MessagePack.",
    load: async () => (await import("./objects/msgpack2.ts")).msgpack,
  },
  msgpack2: {
    python: [{ name: "numcodecs[msgpack]" }],
    words: "Reads elements of any kind from a list in MessagePack.",
    load: async () => (await import("./objects/msgpack2.ts")).msgpack2,
  },
  "zarr3.packbits": {
    names: { v3: ["packbits"] },
    words: "Zarr v3: takes each element from a few bits, the lowest first.",
    fields: [choiceField("padding_encoding", ["none", "first_byte", "last_byte"])],
    load: async () => (await import("./lz/packbits-registered.ts")).packbitsRegistered,
  },
  pcodec: {
    names: { v3: ["numcodecs.pcodec", "pcodec"], also: ["imagecodecs_pcodec"] },
    words: "Decompresses numbers that Pcodec compressed.",
    python: [{ name: "numcodecs[pcodec]" }],
    stream: { verifies: false, begins: magic(0x70, 0x63, 0x6f, 0x21) },
    load: async () => (await import("./pcodec/decode.ts")).pcodec,
  },
  pickle: {
    words: "Never decoded: a pickle is a program.",
    load: async () => (await import("./pickle.ts")).pickle,
  },
  sharding_indexed: {
    names: { v3: ["sharding_indexed"] },
    words: "Puts the inner chunks of a shard together.",
    load: async () => (await import("./sharding/sharding.ts")).sharding,
  },
  "vlen-array": {
    names: { v3: ["vlen-array"] },
    words: "Reads arrays of any length.",
    load: async () => (await import("./objects/vlen-array.ts")).vlenArray,
  },
  "vlen-bytes": {
    names: { v3: ["vlen-bytes"] },
    words: "Reads byte strings of any length.",
    load: async () => (await import("./objects/vlen.ts")).vlenBytes,
  },
  "vlen-utf8": {
    names: { v3: ["vlen-utf8"] },
    words: "Reads text of any length.",
    load: async () => (await import("./objects/vlen.ts")).vlenUtf8,
  },
};

const ofKind = (kind: CodecFacts["kind"], table: CodecEntries): readonly CodecEntry[] =>
  Object.entries(table).map(([id, entry]) => ({ id, kind, ...entry }));

const CODEC_TABLE = [
  ...ofKind("array-array", ARRAY_CODECS),
  ...ofKind("array-bytes", ARRAY_BYTES_CODECS),
  ...ofKind("bytes-bytes", BYTE_CODECS),
].toSorted((one, other) => (one.id < other.id ? -1 : 1));

interface Entry {
  readonly facts: CodecFacts;
  readonly load: () => Promise<Decoder>;
}

const LIST: readonly Entry[] = CODEC_TABLE.flatMap(({ load, inZarr3, ...facts }) =>
  inZarr3 === undefined ? [{ facts, load }] : [{ facts, load }, inZarr3Of(facts, inZarr3)],
);

/** None is put into a chain by that name. */
function inZarr3Of(
  { id, kind, words, keepsSize, fields }: CodecFacts,
  { load, changesShape }: Pick<Entry, "load"> & Pick<CodecFacts, "changesShape">,
): Entry {
  const name = PREFIX + id;
  const known = {
    ...(keepsSize === undefined ? {} : { keepsSize }),
    ...(fields === undefined ? {} : { fields }),
    ...(changesShape === undefined ? {} : { changesShape }),
  };
  return { facts: { id: name, names: { v3: [name] }, kind, words, ...known }, load };
}

/** Earlier names count: what a codec is called is never taken by what another may be called as well. */
const BY_NAME: ReadonlyMap<string, Entry> = new Map(
  [
    ...LIST.map((entry) => [entry.facts.id, entry] as const),
    ...LIST.flatMap((entry) => furtherNames(entry.facts.names).map((name) => [name, entry] as const)),
  ].toReversed(),
);

function furtherNames(names: CodecNames | undefined): readonly string[] {
  return [...(names?.v3 ?? []), ...(names?.also ?? [])];
}

const BY_NAME_V3: ReadonlyMap<string, Entry> = new Map(
  LIST.flatMap((entry) => (entry.facts.names?.v3 ?? []).map((name) => [name, entry] as const)),
);

const entryOf = (id: string): Entry | undefined => BY_NAME.get(id) ?? BY_NAME.get(bareName(id));
/** A name may mean another codec than in Zarr v2 (`packbits`). */
const entryOfV3 = (id: string): Entry | undefined => BY_NAME_V3.get(id) ?? entryOf(id);

/**
 * Finds a codec by its name in v2 metadata (`shuffle`) or v3 metadata (`numcodecs.shuffle`); `undefined` if none
 * decodes it.
 */
export const findCodec = (id: string): CodecFacts | undefined => entryOf(id)?.facts;
/** The codec of a list of Zarr v3. */
export const findCodecV3 = (id: string): CodecFacts | undefined => entryOfV3(id)?.facts;

const LOADED = new Map<Entry, Codec>();

async function loadEntry(entry: Entry): Promise<Codec> {
  const loaded = LOADED.get(entry) ?? { ...entry.facts, ...(await entry.load()) };
  LOADED.set(entry, loaded);
  return loaded;
}

/** A codec with its decoder, by any of its names. */
export async function loadCodec(id: string): Promise<Codec | undefined> {
  const entry = entryOf(id);
  return entry === undefined ? undefined : loadEntry(entry);
}

/** Those of a list, and of the lists inside of shards, with their decoders. */
export async function loadCodecs(decoding: readonly CodecConfiguration[]): Promise<CodecLookup> {
  const names = new Set(decoding.flatMap(({ id, configuration }) => [id, ...innerNames(configuration, 0)]));
  const entries = new Set([...names].flatMap((id) => [entryOf(id) ?? [], entryOfV3(id) ?? []].flat()));
  await Promise.all([...entries].map(loadEntry));
  return LOADED_CODECS;
}

/** More shards inside each other, and longer lists, are refused. */
const MAX_DEPTH = 10;
const MAX_CODECS = 64;

function innerNames(configuration: JsonValue, depth: number): readonly string[] {
  if (!isJsonObject(configuration) || depth > MAX_DEPTH) return [];
  return ["codecs", "index_codecs"].flatMap((member) => {
    const list = configuration.get(member);
    return Array.isArray(list)
      ? (list as readonly JsonValue[]).slice(0, MAX_CODECS).flatMap((item) => namesIn(item, depth))
      : [];
  });
}

function namesIn(item: JsonValue, depth: number): readonly string[] {
  if (typeof item === "string") return [item];
  if (!isJsonObject(item)) return [];
  const name = item.get("name");
  return [...(typeof name === "string" ? [name] : []), ...innerNames(item.get("configuration") ?? null, depth + 1)];
}

/** Traits that the reader of Zarr v3 metadata needs, by Zarr v3 name. */
export function codecTraits(name: string): CodecTraits | undefined {
  const codec = BY_NAME_V3.get(name)?.facts;
  if (codec === undefined) return NOT_BUILT_V3.get(name);
  const { kind, keepsSize, checksum, changesShape } = codec;
  const known = { kind, hasFixedSize: keepsSize === "fixed" || checksum !== undefined, changesShape };
  return codec.fillProblem === undefined ? known : { ...known, fillProblem: fillProblemOf(codec) };
}

function fillProblemOf(codec: CodecFacts): CodecTraits["fillProblem"] {
  // The codec itself reports a wrong configuration when it is prepared.
  return (configuration, dataType, fillValue) =>
    unlessFinding(() => codec.fillProblem?.(configuration, { dataType, chunkShape: [], elements: 1, fillValue }));
}

export const CODECS: FactsLookup = { find: findCodecV3, traits: codecTraits };

/** Codecs that `loadCodecs` has loaded; looking up any other is a programming error. */
const LOADED_CODECS: CodecLookup = {
  find: (id) => loadedOf(entryOfV3(id)),
  findV2: (id) => loadedOf(entryOf(id)),
  traits: codecTraits,
};

function loadedOf(entry: Entry | undefined): Codec | undefined {
  if (entry === undefined) return undefined;
  const codec = LOADED.get(entry);
  if (codec === undefined) throw new Error(`The codec ${entry.facts.id} was not loaded.`);
  return codec;
}

/** Name of a codec as metadata of this format spell it, given any of its names. */
export function spelledIn(zarrFormat: 2 | 3, id: string): string {
  if (zarrFormat === 2) return bareName(id);
  if (id.startsWith(PREFIX) || NOT_BUILT_V3.has(id) || BY_NAME_V3.get(id)?.facts.names?.v3?.[0] === id) return id;
  return BY_NAME_V3.has(PREFIX + id) ? PREFIX + id : id;
}

/** Checksums, each with the codec that adds it. */
export const CHECKSUMS = LIST.flatMap(({ facts: { id, checksum } }) =>
  checksum === undefined ? [] : [{ id, ...checksum }],
);

/** Compressors. */
export const STREAMS = LIST.flatMap(({ facts: { id, insertable, stream } }) =>
  stream === undefined ? [] : [{ id, isInsertable: insertable !== undefined, stream }],
);

/** All codecs, for people. */
export function codecDescriptions(): readonly CodecDescription[] {
  return LIST.map(({ facts: { id, names, words, insertable, fields = [] } }) => ({
    id,
    otherNames: furtherNames(names),
    words,
    fields,
    ...(insertable === undefined ? {} : { insertable }),
  }));
}
