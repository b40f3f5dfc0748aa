/** What the search for repairs knows of codecs by their names. */
import type { CodecConfiguration } from "../../../core/array-metadata.ts";

const PREFIX = "numcodecs.";

/** Without the prefix that numcodecs' codecs have in Zarr v3. */
export function bareName(id: string): string {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
}

const CHECKSUMS: ReadonlySet<string> = new Set(["fletcher32", "crc32", "crc32c", "adler32", "jenkins_lookup3"]);

/** Checksums beside the data: 4 bytes, and nothing else. */
export function isChecksum(name: string): boolean {
  return CHECKSUMS.has(name);
}

const VERIFYING: ReadonlySet<string> = new Set(
  "zlib gzip bz2 lzma imagecodecs_deflate imagecodecs_bz2 imagecodecs_zlib imagecodecs_png".split(" "),
);
const COMPRESSORS: ReadonlySet<string> = new Set(
  (
    "zstd blosc lz4 lz4hc lzf deflate snappy imagecodecs_zstd imagecodecs_lz4 imagecodecs_lz4f imagecodecs_lz4h5 " +
    "imagecodecs_lzf imagecodecs_lzw imagecodecs_packbits imagecodecs_blosc"
  ).split(" "),
);

/** Whether the codec makes a stream that has its own beginning and end. */
export function isCompressor(name: string): boolean {
  return VERIFYING.has(name) || COMPRESSORS.has(name);
}

/** Whether decoding `input` compared a checksum. zstd has one where bit 2 of its descriptor says so (RFC 8878 §3.1.1.1.1). */
export function verifies(name: string, input: Uint8Array): boolean {
  if (name === "zstd" || name === "imagecodecs_zstd") return ((input[4] ?? 0) & 4) !== 0;
  return VERIFYING.has(name) || (isChecksum(name) && hasData(input));
}

/** The Fletcher-32 checksum of zeros is zero: there it proves nothing. */
function hasData(input: Uint8Array): boolean {
  return input.some((byte) => byte !== 0);
}

/** Codecs that turn values into others, or bytes about, and keep their number: switching them changes no size. */
const REARRANGING: ReadonlySet<string> = new Set(["shuffle", "delta", "bitshuffle", "imagecodecs_bitshuffle"]);

export function keepsSize(name: string): boolean {
  return REARRANGING.has(name) || name === "bytes" || name === "endian" || name === "transpose" || name === "bitround";
}

/** Steps that cannot be missing from a list of Zarr v3: it has always one that makes bytes of an array. */
export function isRequired({ id }: Pick<CodecConfiguration, "id">, zarrFormat: 2 | 3): boolean {
  return zarrFormat === 3 && (id === "bytes" || id === "endian");
}
const CORE_NAMES: ReadonlySet<string> = new Set(["gzip", "zstd", "blosc", "crc32c"]);

/** As the metadata of a format spell a codec's name. */
export function spelled(name: string, zarrFormat: 2 | 3): string {
  return zarrFormat === 2 || CORE_NAMES.has(name) ? name : PREFIX + name;
}
