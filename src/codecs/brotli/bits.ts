/** Bits of a Brotli stream, from the lowest of each byte on (RFC 7932 §1.5.1), and its prefix codes (§3). */
import { decodeFailed } from "../failure.ts";
import { codeTable, type CodeTable } from "../inflate-tables.ts";

export interface Bits {
  readonly input: Uint8Array;
  /** Next byte to load; runs past the end by the zero bytes that were made up there. */
  position: number;
  hold: number;
  count: number;
}

export const corrupt = (expected: string, found: string): Error => decodeFailed("brotli", expected, found);

/** At least 25 bits are held then. */
function fill(bits: Bits): void {
  for (; bits.count <= 24; bits.count += 8) bits.hold |= (bits.input[bits.position++] ?? 0) << bits.count;
}

function drop(bits: Bits, length: number): void {
  bits.hold >>>= length;
  bits.count -= length;
  const madeUp = bits.position - bits.input.length;
  if (madeUp > 0 && bits.count < 8 * madeUp) {
    throw corrupt("a compressed stream with an end", `a stream cut off after ${bits.input.length} bytes`);
  }
}

/** `length`: up to 24. */
export function take(bits: Bits, length: number): number {
  if (length === 0) return 0;
  fill(bits);
  const value = bits.hold & ((1 << length) - 1);
  drop(bits, length);
  return value;
}

/** What is left of a byte, which must be zeros; gives the position of the next one. */
export function alignedByte(bits: Bits): number {
  if (take(bits, bits.count & 7) !== 0) throw corrupt("zero bits before whole bytes", "others");
  return bits.position - (bits.count >> 3);
}

export function continueAt(bits: Bits, position: number): void {
  Object.assign(bits, { position, hold: 0, count: 0 });
}

/** A code of one symbol takes no bits. */
export type PrefixCode = CodeTable | { readonly only: number };

export function takeSymbol(bits: Bits, code: PrefixCode): number {
  if ("only" in code) return code.only;
  fill(bits);
  let entry = code.entries[bits.hold & ((1 << code.bits) - 1)] as number;
  if ((entry & 15) === 0) {
    const further = (entry >> 4) & 15;
    entry = code.entries[(entry >>> 8) + ((bits.hold >>> code.bits) & ((1 << further) - 1))] as number;
  }
  drop(bits, entry & 15);
  return entry >> 4;
}

/** 1 to 256 (§9.2, "NBLTYPES"). */
export function takeCount(bits: Bits): number {
  if (take(bits, 1) === 0) return 1;
  const extra = take(bits, 3);
  return 1 + (1 << extra) + take(bits, extra);
}

/** Of symbols below `alphabet`. */
export function takePrefixCode(bits: Bits, alphabet: number): PrefixCode {
  const skipped = take(bits, 2);
  return skipped === 1 ? simpleCode(bits, alphabet) : complexCode(bits, alphabet, skipped);
}

/** Lengths by the number of symbols, in the order in which they are written (§3.4). */
const SIMPLE_LENGTHS = [[0], [1, 1], [1, 2, 2], [2, 2, 2, 2], [1, 2, 3, 3]] as const;

function simpleCode(bits: Bits, alphabet: number): PrefixCode {
  const width = 32 - Math.clz32(alphabet - 1);
  const symbols = Array.from({ length: take(bits, 2) + 1 }, () => take(bits, width));
  const lengths = SIMPLE_LENGTHS[symbols.length === 4 ? 3 + take(bits, 1) : symbols.length - 1] ?? [];
  if (new Set(symbols).size < symbols.length || symbols.some((symbol) => symbol >= alphabet)) {
    throw corrupt(`different symbols below ${alphabet}`, symbols.join(", "));
  }
  const [only = 0] = symbols;
  if (symbols.length === 1) return { only };
  const ofSymbols = new Uint8Array(alphabet);
  for (const [at, symbol] of symbols.entries()) ofSymbols[symbol] = lengths[at] ?? 0;
  return tableOf(ofSymbols);
}

const LENGTHS_ORDER = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/** The code of the lengths of code lengths, by the next four bits: how long, and what it means (§3.5). */
const LENGTH_BITS = [2, 2, 2, 3, 2, 2, 2, 4, 2, 2, 2, 3, 2, 2, 2, 4];
const LENGTH_OF = [0, 4, 3, 2, 0, 4, 3, 1, 0, 4, 3, 2, 0, 4, 3, 5];

function complexCode(bits: Bits, alphabet: number, skipped: number): PrefixCode {
  const lengths = new Uint8Array(18);
  let [space, codes] = [32, 0];
  for (const symbol of LENGTHS_ORDER.slice(skipped)) {
    if (space <= 0) break;
    fill(bits);
    const next = bits.hold & 15;
    drop(bits, LENGTH_BITS[next] as number);
    const length = LENGTH_OF[next] as number;
    lengths[symbol] = length;
    if (length === 0) continue;
    space -= 32 >> length;
    codes += 1;
  }
  if (codes === 1) return tableOf(takeLengths(bits, alphabet, { only: lengths.findIndex((length) => length > 0) }));
  if (space !== 0) throw corrupt("a complete prefix code of code lengths", "another");
  return tableOf(takeLengths(bits, alphabet, tableOf(lengths)));
}

/** 16 repeats the last length that is not 0, 17 repeats 0; one after the other count together. */
function takeLengths(bits: Bits, alphabet: number, code: PrefixCode): Uint8Array {
  const lengths = new Uint8Array(alphabet);
  let [at, space, last, repeat, repeated] = [0, 32_768, 8, 0, 0];
  while (at < alphabet && space > 0) {
    const symbol = takeSymbol(bits, code);
    if (symbol < 16) {
      repeat = 0;
      lengths[at++] = symbol;
      if (symbol === 0) continue;
      last = symbol;
      space -= 32_768 >> symbol;
      continue;
    }
    const length = symbol === 16 ? last : 0;
    if (repeated !== length) [repeat, repeated] = [0, length];
    const before = repeat;
    const extra = symbol - 14;
    repeat = (repeat > 0 ? (repeat - 2) << extra : 0) + take(bits, extra) + 3;
    const end = at + repeat - before;
    if (end > alphabet) throw corrupt(`${alphabet} code lengths`, "more");
    lengths.fill(length, at, end);
    if (length > 0) space -= (end - at) << (15 - length);
    at = end;
  }
  if (space !== 0) throw corrupt("a complete prefix code", "another");
  return lengths;
}

function tableOf(lengths: Uint8Array): PrefixCode {
  const table = codeTable(lengths);
  if (table === undefined) throw corrupt("a complete prefix code", "another");
  return table;
}
