/** xz (The .xz File Format 1.2.1 §2.1.1), and the older .lzma with no magic but a plausible header. */
import { beginsWith, factsOf, viewOf, type Recognise } from "./signature.ts";

const CHECKS: ReadonlyMap<number, string> = new Map([
  [0, "none"],
  [1, "CRC-32"],
  [4, "CRC-64"],
  [10, "SHA-256"],
]);

export const xz: Recognise = (bytes) => {
  if (!beginsWith(bytes, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])) return undefined;
  const check = CHECKS.get(bytes[7] ?? -1) ?? "unknown";
  return { name: "xz", label: `xz (LZMA2), check: ${check}`, facts: factsOf({ Check: check }) };
};

const LZMA_HEADER = 13;
const NOT_SAID = 0xffff_ffff_ffff_ffffn;
const MAX_SIZE = 1n << 38n;

/** The usual properties (lc 3, lp 0, pb 2), a dictionary of 2^n or 2^n + 2^(n-1) bytes, a size below 256 GiB. */
export const lzmaAlone: Recognise = (bytes) => {
  if (bytes[0] !== 0x5d || bytes.length < LZMA_HEADER + 1) return undefined;
  const view = viewOf(bytes);
  const [dictionary, size] = [view.getUint32(1, true), view.getBigUint64(5, true)];
  // The range coder's first byte is always 0.
  if (bytes[LZMA_HEADER] !== 0 || !isDictionarySize(dictionary) || (size !== NOT_SAID && size >= MAX_SIZE)) {
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
