/** The codecs that Refscope decodes. To add one: a file beside this, and a line here. */
import { astype } from "./astype.ts";
import { base64 } from "./base64.ts";
import { bitround } from "./bitround.ts";
import { blosc } from "./blosc.ts";
import { bytes } from "./bytes.ts";
import { bz2 } from "./bz2.ts";
import { castValue } from "./cast-value.ts";
import { categorize } from "./categorize.ts";
import { adler32, crc32, crc32c } from "./checksum32.ts";
import type { Codec } from "./codec.ts";
import { deflate } from "./deflate.ts";
import { delta } from "./delta.ts";
import { fillHdfStrings } from "./fill-hdf-strings.ts";
import { fitsAscii } from "./fits-ascii.ts";
import { fixedScaleOffset } from "./fixed-scale-offset.ts";
import { fletcher32 } from "./fletcher32.ts";
import { floatpred } from "./floatpred.ts";
import { grib, gribberish } from "./grib.ts";
import { gzip } from "./gzip.ts";
import { imagecodecs } from "./imagecodecs-names.ts";
import { jenkinsLookup3 } from "./jenkins.ts";
import { json, json2 } from "./json2.ts";
import { lz4 } from "./lz4.ts";
import { lzma } from "./lzma.ts";
import { msgpack, msgpack2 } from "./msgpack2.ts";
import { numcodecsFilters } from "./element-type-filters.ts";
import { packbits } from "./packbits.ts";
import { pickle } from "./pickle.ts";
import { quantize } from "./quantize.ts";
import { recordMember } from "./record-member.ts";
import { scaleOffset } from "./scale-offset.ts";
import { sharding } from "./sharding.ts";
import { shuffle, shuffleV3 } from "./shuffle.ts";
import { tiffDelta } from "./tiff-delta.ts";
import { transpose } from "./transpose.ts";
import { vlenArray } from "./vlen-array.ts";
import { vlenBytes, vlenUtf8 } from "./vlen.ts";
import { zlib } from "./zlib.ts";
import { zstd } from "./zstd.ts";

export type { ChunkOutline, Codec, DecodeStep } from "./codec.ts";

const CODECS: readonly Codec[] = [
  adler32,
  astype,
  base64,
  bitround,
  blosc,
  bytes,
  bz2,
  castValue,
  categorize,
  crc32,
  crc32c,
  deflate,
  delta,
  fillHdfStrings,
  fitsAscii,
  fixedScaleOffset,
  fletcher32,
  floatpred,
  grib,
  gribberish,
  gzip,
  ...imagecodecs,
  jenkinsLookup3,
  json,
  json2,
  lz4,
  lzma,
  msgpack,
  msgpack2,
  ...numcodecsFilters,
  packbits,
  pickle,
  quantize,
  recordMember,
  scaleOffset,
  sharding,
  shuffle,
  shuffleV3,
  tiffDelta,
  transpose,
  vlenArray,
  vlenBytes,
  vlenUtf8,
  zlib,
  zstd,
];

const BY_ID: ReadonlyMap<string, Codec> = new Map(CODECS.map((codec) => [codec.id, codec]));
const PREFIX = "numcodecs.";
/** What drafts of Zarr v3 called a codec. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([["endian", "bytes"]]);

/** By the name in v2 metadata (`shuffle`) or in v3 metadata (`numcodecs.shuffle`); `undefined` = no decoder. */
export function findCodec(id: string): Codec | undefined {
  const name = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
  return BY_ID.get(id) ?? BY_ID.get(FORMER_NAMES.get(name) ?? name);
}
