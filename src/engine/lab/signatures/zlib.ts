/** A zlib stream (RFC 1950 §2.2). Two bytes are a weak signature: the first block of Deflate must make sense too. */
import { startsDeflate } from "./deflate-block.ts";
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
