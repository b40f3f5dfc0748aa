/** The codecs that Refscope decodes. To add one: a file beside this, and a line here. */
import { bitround } from "./bitround.ts";
import { blosc } from "./blosc.ts";
import type { Codec } from "./codec.ts";
import { crc32c } from "./crc32c.ts";
import { delta } from "./delta.ts";
import { fixedScaleOffset } from "./fixed-scale-offset.ts";
import { fletcher32 } from "./fletcher32.ts";
import { gzip } from "./gzip.ts";
import { lz4 } from "./lz4.ts";
import { shuffle } from "./shuffle.ts";
import { zlib } from "./zlib.ts";
import { zstd } from "./zstd.ts";

export type { ChunkOutline, Codec, DecodeStep } from "./codec.ts";

const CODECS: readonly Codec[] = [
  bitround,
  blosc,
  crc32c,
  delta,
  fixedScaleOffset,
  fletcher32,
  gzip,
  lz4,
  shuffle,
  zlib,
  zstd,
];

const BY_ID: ReadonlyMap<string, Codec> = new Map(CODECS.map((codec) => [codec.id, codec]));
const PREFIX = "numcodecs.";

/** By the name in v2 metadata (`shuffle`) or in v3 metadata (`numcodecs.shuffle`); `undefined` = no decoder. */
export function findCodec(id: string): Codec | undefined {
  return BY_ID.get(id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id);
}
