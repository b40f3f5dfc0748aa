/**
 * Brotli's Huffman codes, which are DEFLATE's (RFC 1951 §3.2.2), as look-up tables in two steps: most codes are short,
 * and a table over all 15 bits would take longer to fill than many blocks take to decode.
 */

export interface CodeTable {
  /** Bits that the first look-up takes. */
  readonly bits: number;
  /**
   * Entries by the next `bits` bits: symbol << 4 | length of its code; or, with length 0, start of a second table << 8
   * | the number of further bits that it takes << 4; or 0 if no code begins so.
   */
  readonly entries: Uint32Array;
}

const FIRST_BITS = 10;

/**
 * `undefined` where the lengths make no code: more codes than there is room for, or gaps. As in zlib, a single code
 * of one bit and no code at all pass (a block without matches needs no distances); using a missing one is an error then.
 */
export function codeTable(lengths: Uint8Array): CodeTable | undefined {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length] = (counts[length] as number) + 1;
  counts[0] = 0;
  let longest = 15;
  while (longest > 1 && counts[longest] === 0) longest--;
  const next = new Uint16Array(17);
  let left = 1;
  for (let length = 1; length <= 15; length++) {
    left = left * 2 - (counts[length] as number);
    if (left < 0) return undefined;
    next[length + 1] = ((next[length] as number) + (counts[length] as number)) << 1;
  }
  if (left > 0 && longest > 1) return undefined;
  const bits = Math.min(longest, FIRST_BITS);
  return { bits, entries: fillEntries(lengths, next, bits, longest) };
}

function fillEntries(lengths: Uint8Array, next: Uint16Array, bits: number, longest: number): Uint32Array {
  const further = longest - bits;
  const seconds = further === 0 ? 0 : countPrefixes(lengths, next, bits);
  const entries = new Uint32Array((1 << bits) + (seconds << further));
  let free = 1 << bits;
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number;
    if (length === 0) continue;
    const code = reversed((next[length] as number)++, length);
    const entry = (symbol << 4) | length;
    if (length <= bits) {
      for (let at = code; at < 1 << bits; at += 1 << length) entries[at] = entry;
      continue;
    }
    const prefix = code & ((1 << bits) - 1);
    if (entries[prefix] === 0) {
      entries[prefix] = (free << 8) | (further << 4);
      free += 1 << further;
    }
    const start = (entries[prefix] as number) >>> 8;
    for (let at = code >> bits; at < 1 << further; at += 1 << (length - bits)) entries[start + at] = entry;
  }
  return entries;
}

/** How many second tables there are: long codes are neighbours, so that their prefixes are too. */
function countPrefixes(lengths: Uint8Array, next: Uint16Array, bits: number): number {
  let first = 1 << bits;
  for (const length of lengths) {
    if (length > bits) first = Math.min(first, (next[length] as number) >> (length - bits));
  }
  return (1 << bits) - first;
}

/** Codes are written from their highest bit, bytes are read from their lowest. */
function reversed(code: number, length: number): number {
  let result = 0;
  for (let i = 0; i < length; i++) result |= ((code >> i) & 1) << (length - 1 - i);
  return result;
}
