/** What is known of codecs by their names alone: where they stand in a Zarr v3 list, and what they keep (§"Codecs"). */

/** `array-array` before one `array-bytes`, then `bytes-bytes`; `undefined` for codecs that are not known. */
export type CodecKind = "array-array" | "array-bytes" | "bytes-bytes";

const NAMES: Readonly<Record<CodecKind, string>> = {
  "array-array":
    "transpose bitround cast_value scale_offset reshape squeeze " +
    "numcodecs.delta numcodecs.bitround numcodecs.fixedscaleoffset numcodecs.quantize numcodecs.astype numcodecs.packbits",
  "array-bytes":
    "bytes sharding_indexed vlen-utf8 vlen-bytes vlen-array vlen packbits zfp optional numcodecs.pcodec numcodecs.zfpy pcodec",
  "bytes-bytes":
    "gzip zstd blosc crc32c zlib bz2 adler32 fletcher32 gdeflate " +
    "numcodecs.gzip numcodecs.zstd numcodecs.blosc numcodecs.zlib numcodecs.bz2 numcodecs.lz4 numcodecs.lzma " +
    "numcodecs.shuffle numcodecs.crc32 numcodecs.crc32c numcodecs.adler32 numcodecs.fletcher32 numcodecs.jenkins_lookup3",
};

const KINDS: ReadonlyMap<string, CodecKind> = new Map(
  (Object.keys(NAMES) as CodecKind[]).flatMap((kind) => NAMES[kind].split(" ").map((name) => [name, kind] as const)),
);

export function codecKind(id: string): CodecKind | undefined {
  return KINDS.get(id);
}

/** Whether the array that comes out of a codec has the shape of the one that goes in; `transpose` is read apart. */
export function keepsShape(id: string): boolean {
  return codecKind(id) === "array-array" && id !== "reshape" && id !== "squeeze";
}

const FIXED_SIZE: ReadonlySet<string> = new Set(
  (
    "bytes transpose crc32c adler32 fletcher32 numcodecs.shuffle numcodecs.crc32 numcodecs.crc32c numcodecs.adler32 " +
    "numcodecs.fletcher32 numcodecs.jenkins_lookup3"
  ).split(" "),
);

/** Whether the encoded size is known not to follow from the size of what is encoded; codecs not known may be fixed. */
export function hasVariableSize(id: string): boolean {
  return codecKind(id) !== undefined && !FIXED_SIZE.has(id);
}

/** Why a list of codecs is none that Zarr v3 allows; `undefined` where it is, or where a name is not known. */
export function orderProblem(ids: readonly string[]): string | undefined {
  const kinds = ids.map(codecKind);
  if (kinds.includes(undefined)) return undefined;
  const makers = kinds.filter((kind) => kind === "array-bytes").length;
  if (makers === 0) return 'none of them turns the array into bytes, as "bytes" does';
  if (makers > 1) return `${makers} of them turn the array into bytes, where one must`;
  const maker = kinds.indexOf("array-bytes");
  const late = kinds.findIndex((kind, at) => kind === "array-array" && at > maker);
  const early = kinds.findIndex((kind, at) => kind === "bytes-bytes" && at < maker);
  if (late >= 0) return `"${ids[late]}" works on arrays but stands after "${ids[maker]}"`;
  return early < 0 ? undefined : `"${ids[early]}" works on bytes but stands before "${ids[maker]}"`;
}
