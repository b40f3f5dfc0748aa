/** Streams of codecs, by their headers. */
import type { Signature } from "#core/check/lab.ts";
import { beginsWith, factsOf, lengthFact, type Recognise, shownText, viewOf } from "./signature.ts";

// A Blosc buffer (c-blosc, README_CHUNK_FORMAT.rst), or a Blosc2 chunk.

const BLOSC_HEADER = 16;
/** Blosc2 only. */
const BLOSC2_HEADER = 32;
const MAX_MISSING = 65_536;
const BLOSC_CODECS = ["BloscLZ", "LZ4", "Snappy", "zlib", "zstd"];
const BLOSC_VERSIONS: ReadonlySet<number> = new Set([1, 2]);
const BLOSC2_VERSIONS: ReadonlySet<number> = new Set([3, 4, 5]);
const BLOSC_RESERVED = 8;
const BYTE_SHUFFLE = 1;
const COPIED = 2;
const BIT_SHUFFLE = 4;

export const blosc: Recognise = (bytes) => {
  if (bytes.length < BLOSC_HEADER) return undefined;
  const [version = 0, innerVersion = 0, flags = 0, typeSize = 0] = bytes;
  const view = viewOf(bytes);
  const [size, block, stored] = [view.getUint32(4, true), view.getUint32(8, true), view.getUint32(12, true)];
  const isPlausible =
    typeSize > 0 && block <= Math.max(size, 1) && (size === 0 || block > 0) && isStoredSize(stored, size, bytes.length);
  const isTwo = BLOSC2_VERSIONS.has(version) && (flags & BYTE_SHUFFLE) !== 0 && (flags & BIT_SHUFFLE) !== 0;
  if (
    !isPlausible ||
    !(isTwo || (BLOSC_VERSIONS.has(version) && innerVersion === 1 && (flags & BLOSC_RESERVED) === 0))
  ) {
    return undefined;
  }
  const inner = BLOSC_CODECS[flags >> 5];
  if (inner === undefined) return undefined;
  return isTwo
    ? blosc2Chunk(bytes, { size, typeSize })
    : bloscBuffer(bytes, { flags, typeSize, size, block, stored, inner });
};

/** Blosc never gives more than the bytes and a header; a reference is not much shorter than what it means. */
function isStoredSize(stored: number, size: number, length: number): boolean {
  return stored >= BLOSC_HEADER && stored <= size + BLOSC2_HEADER && stored <= length + MAX_MISSING;
}

interface BloscHeader {
  readonly flags: number;
  readonly typeSize: number;
  readonly size: number;
  readonly block: number;
  readonly stored: number;
  readonly inner: string;
}

function bloscBuffer(bytes: Uint8Array, { flags, typeSize, size, block, stored, inner }: BloscHeader): Signature {
  const shuffle = shuffleName(flags);
  const isCopied = (flags & COPIED) !== 0;
  const facts = factsOf({
    "Format version": String(bytes[0]),
    "Codec inside": isCopied ? `${inner}, but the bytes are stored as they are` : inner,
    Shuffle: shuffle,
    "Element size": `${typeSize} bytes`,
    "Size when decoded": `${size} bytes`,
    "Block size": `${block} bytes`,
    "Size as stored": lengthFact(stored, bytes.length),
  });
  return { name: "blosc", label: `Blosc, ${inner}, ${shuffle}, ${typeSize}-byte elements`, facts };
}

function shuffleName(flags: number): string {
  if ((flags & BIT_SHUFFLE) !== 0) return "bit shuffle";
  return (flags & BYTE_SHUFFLE) === 0 ? "no shuffle" : "byte shuffle";
}

function blosc2Chunk(bytes: Uint8Array, { size, typeSize }: Pick<BloscHeader, "size" | "typeSize">): Signature {
  const facts = factsOf({
    "Format version": String(bytes[0]),
    "Element size": `${typeSize} bytes`,
    "Size when decoded": `${size} bytes`,
  });
  return { name: "blosc2", label: `Blosc2, ${typeSize}-byte elements`, facts };
}

// A zlib stream (RFC 1950 §2.2). Two bytes are a weak signature: the first block of Deflate must make sense too.

/** FLEVEL, which only says how hard the writer tried. */
const ZLIB_LEVELS = ["fastest (0 or 1)", "fast (2 to 5)", "default (6)", "best (7 to 9)"];
const DEFLATE = 8;
const WIDEST = 7;
const PRESET_DICTIONARY = 0x20;

export const zlib: Recognise = (bytes) => {
  const [method = 0, flags = 0] = bytes;
  const window = method >> 4;
  if (bytes.length < 3 || (method & 15) !== DEFLATE || window > WIDEST) return undefined;
  if ((method * 256 + flags) % 31 !== 0) return undefined;
  const hasDictionary = (flags & PRESET_DICTIONARY) !== 0;
  if (hasDictionary || !startsDeflate(bytes.subarray(2))) return undefined;
  const level = ZLIB_LEVELS[flags >> 6] ?? "";
  const facts = factsOf({ Window: `${2 ** (window + 8)} bytes`, "Compression level": level });
  return { name: "zlib", label: `zlib, level ${level}`, facts };
};

// Tells if bytes can be the beginning of a Deflate stream (RFC 1951 §3.2).

const STORED = 0;
const DYNAMIC = 2;
const RESERVED_TYPE = 3;

/** Looks at the header of the first block only. About one in two hundred of random bytes passes. */
function startsDeflate(bytes: Uint8Array): boolean {
  const type = ((bytes[0] ?? 0) >> 1) & 3;
  if (bytes.length === 0 || type === RESERVED_TYPE) return false;
  if (type === STORED) return isStored(bytes);
  return type === DYNAMIC ? isDynamic(bytes) : true;
}

/** The length stands twice, once with all bits turned. Blocks cut off before that are not recognised. */
function isStored(bytes: Uint8Array): boolean {
  const [, a, b, c, d] = bytes;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return false;
  return (a ^ c) === 0xff && (b ^ d) === 0xff;
}

const HEADER_BITS = 3;
const MAX_LITERAL_CODES = 286;
const MAX_DISTANCE_CODES = 30;

/** The code in which code lengths are written is complete. */
function isDynamic(bytes: Uint8Array): boolean {
  const bits = (at: number, count: number): number => {
    const first = at >> 3;
    const word = (bytes[first] ?? 0) | ((bytes[first + 1] ?? 0) << 8);
    return (word >> (at & 7)) & ((1 << count) - 1);
  };
  const literals = bits(HEADER_BITS, 5) + 257;
  const distances = bits(HEADER_BITS + 5, 5) + 1;
  const lengths = bits(HEADER_BITS + 10, 4) + 4;
  if (literals > MAX_LITERAL_CODES || distances > MAX_DISTANCE_CODES) return false;
  let space = 0;
  for (let at = 0; at < lengths; at += 1) {
    const length = bits(HEADER_BITS + 14 + 3 * at, 3);
    if (length > 0) space += 128 >> length;
  }
  return space === 128;
}

// A gzip member (RFC 1952 §2.3).

const SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0, "FAT (DOS, Windows)"],
  [3, "Unix"],
  [7, "Macintosh"],
  [10, "NTFS (Windows)"],
  [11, "NTFS (Windows)"],
  [255, "not said"],
]);
const GZIP_HEADER = 10;
const GZIP_EXTRA = 4;
const GZIP_NAME = 8;
const GZIP_RESERVED = 0xe0;

export const gzip: Recognise = (bytes) => {
  if (!beginsWith(bytes, [0x1f, 0x8b, 8]) || bytes.length < GZIP_HEADER) return undefined;
  const [flags = 0, system = 0] = [bytes[3], bytes[9]];
  if ((flags & GZIP_RESERVED) !== 0) return undefined;
  const seconds = viewOf(bytes).getUint32(4, true);
  const name = gzipName(bytes, flags);
  const facts = factsOf({
    "File name": name,
    Written: seconds === 0 ? "not said" : new Date(seconds * 1000).toISOString(),
    System: SYSTEMS.get(system) ?? `number ${system}`,
  });
  return { name: "gzip", label: name === undefined ? "gzip" : `gzip of ${name}`, facts };
};

function gzipName(bytes: Uint8Array, flags: number): string | undefined {
  if ((flags & GZIP_NAME) === 0) return undefined;
  const start =
    (flags & GZIP_EXTRA) === 0
      ? GZIP_HEADER
      : GZIP_HEADER + 2 + (bytes[GZIP_HEADER] ?? 0) + 256 * (bytes[GZIP_HEADER + 1] ?? 0);
  const end = bytes.indexOf(0, start);
  return end < 0 ? undefined : shownText(bytes.subarray(start, end));
}

// A Zstandard frame, or a skippable one (RFC 8878 §3.1).

const DICTIONARY_BYTES = [0, 1, 2, 4];
const ZSTD_HEADER = 18;

export const zstd: Recognise = (bytes) => {
  const isSkippable = ((bytes[0] ?? 0) & 0xf0) === 0x50 && beginsWith(bytes, [0x2a, 0x4d, 0x18], 1);
  if (isSkippable && bytes.length >= 8) {
    const facts = factsOf({ "Bytes to skip": String(viewOf(bytes).getUint32(4, true)) });
    return { name: "zstd", label: "Zstandard, a skippable frame", facts };
  }
  return beginsWith(bytes, [0x28, 0xb5, 0x2f, 0xfd]) ? zstdFrame(bytes) : undefined;
};

/** Fields past the end of what is here read as 0, so that a zstdFrame that is cut off is still named. */
function zstdFrame(bytes: Uint8Array): Signature {
  const header = new Uint8Array(ZSTD_HEADER);
  header.set(bytes.subarray(0, ZSTD_HEADER));
  const view = viewOf(header);
  const descriptor = view.getUint8(4);
  const isSingle = (descriptor & 0x20) !== 0;
  const dictionaryBytes = DICTIONARY_BYTES[descriptor & 3] ?? 0;
  const dictionaryAt = isSingle ? 5 : 6;
  const size = contentSize(view, descriptor >> 6, isSingle, dictionaryAt + dictionaryBytes);
  const window = isSingle ? size : windowSize(view.getUint8(5));
  const dictionary = dictionaryBytes === 0 ? "none" : `number ${little(header, dictionaryAt, dictionaryBytes)}`;
  const facts = factsOf({
    "Content size": size === undefined ? "not said" : `${size} bytes`,
    Window: window === undefined ? undefined : `${window} bytes`,
    Checksum: (descriptor & 4) === 0 ? "none" : "of the content, in the last 4 bytes",
    Dictionary: dictionary,
  });
  const label = size === undefined ? "Zstandard, size not said" : `Zstandard, ${size} bytes when decoded`;
  return { name: "zstd", label, facts };
}

function contentSize(view: DataView, flag: number, isSingle: boolean, at: number): number | bigint | undefined {
  if (flag === 0) return isSingle ? view.getUint8(at) : undefined;
  if (flag === 1) return view.getUint16(at, true) + 256;
  return flag === 2 ? view.getUint32(at, true) : view.getBigUint64(at, true);
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function little(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = count - 1; index >= 0; index -= 1) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

// LZ4: its own frame format, the framing of numcodecs, that of HDF5's filter 32004.

/** LZ4 Frame Format Description, version 1.6.4. */
export const lz4Frame: Recognise = (bytes) => {
  if (!beginsWith(bytes, [0x04, 0x22, 0x4d, 0x18]) || bytes.length < 7) return undefined;
  const flags = bytes[4] ?? 0;
  const hasSize = (flags & 8) !== 0 && bytes.length >= 14;
  const facts = factsOf({
    Blocks: (flags & 0x20) === 0 ? "depend on each other" : "independent",
    "Content size": hasSize ? `${viewOf(bytes).getBigUint64(6, true)} bytes` : "not said",
    Checksum: (flags & 4) === 0 ? "none" : "of the content",
  });
  return { name: "lz4", label: "LZ4 frame (no codec of Zarr writes it)", facts };
};

const SIZE_BYTES = 4;
/** The most bytes that an LZ4 block gives for each of its own. */
const MAX_RATIO = 255;

/** 4 bytes of size, little-endian, then one block (numcodecs, lz4.pyx). There is no magic: the whole block must fit. */
export const lz4Numcodecs: Recognise = (bytes) => {
  if (bytes.length < SIZE_BYTES + 2) return undefined;
  const size = viewOf(bytes).getUint32(0, true);
  if (size === 0 || size > bytes.length * MAX_RATIO) return undefined;
  if (!isLz4Block(bytes.subarray(SIZE_BYTES), size)) return undefined;
  const facts = factsOf({ Framing: "of numcodecs: size, then one block", "Size when decoded": `${size} bytes` });
  return { name: "lz4", label: `LZ4 as numcodecs frames it, ${size} bytes when decoded`, facts };
};

const LZ4_HDF5_HEADER = 12;

/** 8 bytes of size and 4 of block size, big-endian, then blocks after their sizes (HDF5 filter 32004). */
export const lz4Hdf5: Recognise = (bytes) => {
  if (bytes.length < LZ4_HDF5_HEADER + 4) return undefined;
  const view = viewOf(bytes);
  const [size, block] = [view.getBigUint64(0), view.getUint32(8)];
  if (size === 0n || block === 0 || size > BigInt(bytes.length * MAX_RATIO)) return undefined;
  if (!areBlocks(bytes, Math.ceil(Number(size) / block), block)) return undefined;
  const facts = factsOf({
    Framing: "of HDF5's filter 32004: size, block size, blocks",
    "Size when decoded": `${size} bytes`,
    "Block size": `${block} bytes`,
  });
  return { name: "lz4-hdf5", label: `LZ4 as HDF5 frames it, ${size} bytes when decoded`, facts };
};

/** All blocks are there, none longer than it is when decoded. (One that does not shrink is stored as it is.) */
function areBlocks(bytes: Uint8Array, count: number, block: number): boolean {
  const view = viewOf(bytes);
  let at = LZ4_HDF5_HEADER;
  for (let index = 0; index < count; index += 1) {
    if (at + 4 > bytes.length) return false;
    const stored = view.getUint32(at);
    if (stored === 0 || stored > block) return false;
    at += 4 + stored;
  }
  return at === bytes.length;
}

// Walks an LZ4 block without decoding it (LZ4 Block Format Description).

/** Number of good sequences in a row that are no coincidence, even if the block is then cut off. */
const SURE = 64;
const LEAST_MATCH = 4;

/** True if the bytes are one block that gives `size` bytes, or the first part of such a block. */
function isLz4Block(bytes: Uint8Array, size: number): boolean {
  const walk = { at: 0, out: 0 };
  for (let sequences = 0; ; sequences += 1) {
    const step = takeSequence(bytes, walk);
    if (step === "end") return walk.out === size;
    if (step === "cut") return sequences >= SURE && walk.out <= size;
    if (step === "bad" || walk.out > size) return false;
  }
}

interface Walk {
  at: number;
  /** Bytes that a decoder would have written. */
  out: number;
}

type Step = "more" | "end" | "cut" | "bad";

function takeSequence(bytes: Uint8Array, walk: Walk): Step {
  const token = bytes[walk.at];
  if (token === undefined) return "cut";
  walk.at += 1;
  const literals = takeLength(bytes, walk, token >> 4);
  if (literals === undefined || walk.at + literals > bytes.length) return "cut";
  walk.at += literals;
  walk.out += literals;
  // The last sequence has literals only.
  if (walk.at === bytes.length) return "end";
  if (walk.at + 2 > bytes.length) return "cut";
  const distance = (bytes[walk.at] as number) | ((bytes[walk.at + 1] as number) << 8);
  walk.at += 2;
  if (distance === 0 || distance > walk.out) return "bad";
  const match = takeLength(bytes, walk, token & 15);
  if (match === undefined) return "cut";
  walk.out += match + LEAST_MATCH;
  return "more";
}

function takeLength(bytes: Uint8Array, walk: Walk, nibble: number): number | undefined {
  if (nibble < 15) return nibble;
  let length = 15;
  for (;;) {
    const byte = bytes[walk.at];
    if (byte === undefined) return undefined;
    walk.at += 1;
    length += byte;
    if (byte < 255) return length;
  }
}

// bzip2: its header, then the magic of a block, or of the end where there is nothing.

const BZ2_BLOCK = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
const BZ2_END = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90];

export const bz2: Recognise = (bytes) => {
  const level = (bytes[3] ?? 0) - 0x30;
  if (!beginsWith(bytes, "BZh") || level < 1 || level > 9) return undefined;
  const isEmpty = beginsWith(bytes, BZ2_END, 4);
  if (!isEmpty && !beginsWith(bytes, BZ2_BLOCK, 4)) return undefined;
  const facts = factsOf({ "Block size": `${level * 100_000} bytes`, Content: isEmpty ? "empty" : undefined });
  return { name: "bz2", label: `bzip2, level ${level}`, facts };
};

// xz (The .xz File Format 1.2.1 §2.1.1), and the older .lzma with no magic but a plausible header.

const XZ_CHECKS: ReadonlyMap<number, string> = new Map([
  [0, "none"],
  [1, "CRC-32"],
  [4, "CRC-64"],
  [10, "SHA-256"],
]);

export const xz: Recognise = (bytes) => {
  if (!beginsWith(bytes, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])) return undefined;
  const check = XZ_CHECKS.get(bytes[7] ?? -1) ?? "unknown";
  return { name: "xz", label: `xz (LZMA2), check: ${check}`, facts: factsOf({ Check: check }) };
};

const LZMA_HEADER = 13;
const NOT_SAID = 0xffff_ffff_ffff_ffffn;
const LZMA_MAX_SIZE = 1n << 38n;

/** The usual properties (lc 3, lp 0, pb 2), a dictionary of 2^n or 2^n + 2^(n-1) bytes, a size below 256 GiB. */
export const lzmaAlone: Recognise = (bytes) => {
  if (bytes[0] !== 0x5d || bytes.length < LZMA_HEADER + 1) return undefined;
  const view = viewOf(bytes);
  const [dictionary, size] = [view.getUint32(1, true), view.getBigUint64(5, true)];
  // The range coder's first byte is always 0.
  if (bytes[LZMA_HEADER] !== 0 || !isDictionarySize(dictionary) || (size !== NOT_SAID && size >= LZMA_MAX_SIZE)) {
    return undefined;
  }
  const facts = factsOf({
    Dictionary: `${dictionary} bytes`,
    "Size when decoded": size === NOT_SAID ? "not said" : `${size} bytes`,
  });
  return { name: "lzma", label: "LZMA (.lzma)", facts };
};

function isDictionarySize(size: number): boolean {
  const top = 2 ** Math.floor(Math.log2(size));
  return size >= 4096 && (size === top || size === top * 1.5 || size === 0xffff_ffff);
}

// Files of pco (pcodec/pcodec, docs/format.md, "Standalone Format").

const PCO_VERSION = 3;

export const pcodec: Recognise = (bytes) => {
  const version = bytes[4];
  if (!beginsWith(bytes, "pco!") || version === undefined || version > PCO_VERSION) return undefined;
  return { name: "pcodec", label: "Pcodec", facts: factsOf({ "Version of the file": String(version) }) };
};
