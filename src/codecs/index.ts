/** The codecs that Refscope decodes. To add one: a file beside this, and a line here. */
import { bitround } from "./bitround.ts";
import { blosc } from "./blosc.ts";
import { bytes } from "./bytes.ts";
import type { Codec } from "./codec.ts";
import { adler32, crc32, crc32c } from "./checksum32.ts";
import { delta } from "./delta.ts";
import { fixedScaleOffset } from "./fixed-scale-offset.ts";
import { fletcher32 } from "./fletcher32.ts";
import { gzip } from "./gzip.ts";
import { lz4 } from "./lz4.ts";
import { sharding } from "./sharding.ts";
import { shuffle } from "./shuffle.ts";
import { transpose } from "./transpose.ts";
import { vlenBytes, vlenUtf8 } from "./vlen.ts";
import { zlib } from "./zlib.ts";
import { zstd } from "./zstd.ts";

export type { ChunkOutline, Codec, DecodeStep } from "./codec.ts";

const CODECS: readonly Codec[] = [
  adler32,
  bitround,
  blosc,
  bytes,
  crc32,
  crc32c,
  delta,
  fixedScaleOffset,
  fletcher32,
  gzip,
  lz4,
  sharding,
  shuffle,
  transpose,
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
  return BY_ID.get(FORMER_NAMES.get(name) ?? name);
}
