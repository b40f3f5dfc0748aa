/** How many bytes a stored chunk has, as far as its array's metadata say. */
import type { ArrayMetadata } from "../../../core/array-metadata.ts";

export interface StoredSize {
  /** Bytes of the decoded chunk; `undefined` where its elements have no fixed size. */
  readonly raw: number | undefined;
  /** Stored as it is: it has exactly these. */
  readonly isExact: boolean;
  /** More than any compressor here makes of it; `Infinity` where codecs may add anything. */
  readonly most: number;
}

/** They keep every byte. */
const KEEPING: ReadonlySet<string> = new Set([
  "bytes",
  "endian",
  "transpose",
  "shuffle",
  "bitround",
  "numcodecs.shuffle",
]);
/** They make what does not shrink a little larger. */
const COMPRESSING: ReadonlySet<string> = new Set(
  ["zlib", "gzip", "blosc", "zstd", "lz4", "lzma", "bz2", "lzf", "crc32c", "fletcher32", "crc32", "adler32"].flatMap(
    (name) => [name, `numcodecs.${name}`],
  ),
);

export function storedSize({ chunks, dataType, decoding }: ArrayMetadata): StoredSize {
  const elements = chunks.reduce((product, length) => product * length, 1);
  const raw = dataType.itemSize > 0 ? elements * dataType.itemSize : undefined;
  const ids = decoding.map(({ id }) => id);
  const isExact = raw !== undefined && ids.every((id) => KEEPING.has(id));
  const isBounded = raw !== undefined && ids.every((id) => KEEPING.has(id) || COMPRESSING.has(id));
  return { raw, isExact, most: isExact ? raw : isBounded ? raw * 1.1 + 1024 : Infinity };
}
