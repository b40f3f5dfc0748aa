/** Whether a compressed stream may begin at a place: cheap tests, to choose where decoding is tried. */

type Begins = (bytes: Uint8Array, at: number) => boolean;

const magic =
  (...codes: readonly number[]): Begins =>
  (bytes, at) =>
    codes.every((code, index) => bytes[at + index] === code);

const zlib: Begins = (bytes, at) => {
  const [method = 0, flags = 0] = bytes.subarray(at, at + 2);
  return (method & 15) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0 && (flags & 32) === 0;
};

const word = (bytes: Uint8Array, at: number) =>
  (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 2 ** 8 + (bytes[at + 2] ?? 0) * 2 ** 16 + (bytes[at + 3] ?? 0) * 2 ** 24;

const blosc: Begins = (bytes, at) => {
  const [version = 0, , , size = 0] = bytes.subarray(at, at + 4);
  const [decoded, block, stored] = [word(bytes, at + 4), word(bytes, at + 8), word(bytes, at + 12)];
  return (version === 1 || version === 2) && size > 0 && decoded > 0 && block <= decoded && stored > 16;
};

const MAX_LZ4 = 2 ** 31;

const STARTS: ReadonlyMap<string, Begins> = new Map<string, Begins>([
  ["zlib", zlib],
  ["imagecodecs_deflate", zlib],
  ["gzip", magic(0x1f, 0x8b, 8)],
  ["zstd", magic(0x28, 0xb5, 0x2f, 0xfd)],
  ["imagecodecs_zstd", magic(0x28, 0xb5, 0x2f, 0xfd)],
  ["blosc", blosc],
  ["bz2", magic(0x42, 0x5a, 0x68)],
  ["imagecodecs_bz2", magic(0x42, 0x5a, 0x68)],
  ["lzma", magic(0xfd, 0x37, 0x7a, 0x58, 0x5a)],
  ["lz4", (bytes, at) => word(bytes, at) > 0 && word(bytes, at) < MAX_LZ4],
]);

/** Whether a stream of the codec may begin at `at`; `undefined` where the codec has no beginning to be told by. */
export function mayBegin(codec: string, bytes: Uint8Array, at: number): boolean | undefined {
  return STARTS.get(codec)?.(bytes, at);
}

/** Compressors whose data the bytes begin with; of LZ4, which says nothing but the size, only where that is `expected`. */
export function recognised(bytes: Uint8Array, expected: number): readonly string[] {
  const found = ["gzip", "zstd", "bz2", "lzma", "zlib"].filter((codec) => mayBegin(codec, bytes, 0) === true);
  if (mayBegin("blosc", bytes, 0) === true && word(bytes, 12) <= bytes.length) found.push("blosc");
  return word(bytes, 0) === expected ? [...found, "lz4"] : found;
}
