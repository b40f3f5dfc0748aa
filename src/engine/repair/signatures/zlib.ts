/** A zlib stream (RFC 1950 §2.2). Two bytes are a weak signature: the first block of Deflate must make sense too. */
import { factsOf, type Recognise } from "./signature.ts";

/** FLEVEL, which only says how hard the writer tried. */
const LEVELS = ["fastest (0 or 1)", "fast (2 to 5)", "default (6)", "best (7 to 9)"];
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
  const level = LEVELS[flags >> 6] ?? "";
  const facts = factsOf({ Window: `${2 ** (window + 8)} bytes`, "Compression level": level });
  return { name: "zlib", label: `zlib, level ${level}`, facts };
};

// Whether bytes can be the beginning of a Deflate stream (RFC 1951 §3.2).

const STORED = 0;
const DYNAMIC = 2;
const RESERVED = 3;

/** Looks at the header of the first block only. About one in two hundred of random bytes passes. */
function startsDeflate(bytes: Uint8Array): boolean {
  const type = ((bytes[0] ?? 0) >> 1) & 3;
  if (bytes.length === 0 || type === RESERVED) return false;
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
