/** Huffman codes of literals (RFC 8878 §4.2). */
import { backwardBits, readBits } from "./bits.ts";
import { damaged } from "./fault.ts";
import { readFseTable } from "./fse.ts";

export interface HuffmanTable {
  /** Length of the longest code. */
  readonly bits: number;
  /** Entries by the next `bits` bits: symbol << 8 | length of its code. */
  readonly entries: Uint16Array;
}

/** RFC 8878 allows 11; Facebook's decoder takes 12. */
const MAX_BITS = 12;
export const MAX_CODES = 1 << MAX_BITS;

const weights = new Uint8Array(256);
const weightEntries = new Uint32Array(64);

/**
 * Reads a tree's description in [at, end) and makes its table in `entries` (`MAX_CODES` long). Gives it and where its
 * description ended. Throws `decode-failed`.
 */
export function readHuffmanTable(bytes: Uint8Array, at: number, end: number, entries: Uint16Array) {
  const header = at < end ? (bytes[at] as number) : 0;
  const direct = header >= 128 ? header - 127 : 0;
  const stop = at + 1 + (direct > 0 ? (direct + 1) >>> 1 : header);
  if (header === 0 || stop > end) throw damagedTree(at, "cut off");
  for (let i = 0; i < direct; i++) {
    const pair = bytes[at + 1 + (i >>> 1)] as number;
    weights[i] = (i & 1) === 0 ? pair >>> 4 : pair & 15;
  }
  const count = direct > 0 ? direct : readWeights(bytes, at + 1, stop);
  return { table: buildTable(count, at, entries), at: stop };
}

const damagedTree = (at: number, what: string): Error => damaged(`a Huffman tree at byte ${at} ${what}`);

/**
 * Weights compressed by two states that take turns (RFC 8878 §4.2.1.2). The last reads past the start of the stream.
 */
function readWeights(bytes: Uint8Array, at: number, end: number): number {
  const { table, at: from } = readFseTable(bytes, at, end, { log: 6, symbol: 255 }, weightEntries);
  const { log, entries } = table;
  const bits = backwardBits(bytes, from, end);
  let state = readBits(bits, log);
  let other = readBits(bits, log);
  if (bits.left < 0) throw damagedTree(at, "whose weights are cut off");
  let count = 0;
  while (count < 254) {
    const entry = entries[state] as number;
    weights[count++] = entry & 255;
    state = other;
    other = (entry >>> 16) + readBits(bits, (entry >>> 8) & 255);
    if (bits.left >= 0) continue;
    weights[count++] = (entries[state] as number) & 255;
    return count;
  }
  throw damagedTree(at, "of more than 255 weights");
}

/** From `count` weights; the last symbol's is what is left. RFC 8878 §4.2.1.3. */
function buildTable(count: number, at: number, entries: Uint16Array): HuffmanTable {
  let total = 0;
  for (let i = 0; i < count; i++) {
    const weight = weights[i] as number;
    if (weight > MAX_BITS) throw damagedTree(at, `with a weight of ${weight}`);
    if (weight > 0) total += 1 << (weight - 1);
  }
  const bits = 32 - Math.clz32(total);
  const left = 2 ** bits - total;
  if (total === 0 || bits > MAX_BITS) throw damagedTree(at, `with codes of ${bits} bits`);
  if ((left & (left - 1)) !== 0) throw damagedTree(at, "that is not complete");
  weights[count] = 32 - Math.clz32(left);
  let shortest = 0;
  for (let i = 0; i <= count; i++) if (weights[i] === 1) shortest++;
  if (shortest < 2 || shortest % 2 === 1) throw damagedTree(at, "that is not complete");
  fill(count + 1, bits, entries);
  return { bits, entries };
}

const starts = new Uint32Array(MAX_BITS + 2);

/** Codes of rising weight, and within a weight of rising symbol, follow each other. */
function fill(symbols: number, bits: number, entries: Uint16Array): void {
  starts.fill(0);
  for (let i = 0; i < symbols; i++) {
    const weight = weights[i] as number;
    if (weight > 0) starts[weight + 1] = (starts[weight + 1] as number) + (1 << (weight - 1));
  }
  for (let weight = 2; weight <= bits; weight++) {
    starts[weight] = (starts[weight] as number) + (starts[weight - 1] as number);
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const weight = weights[symbol] as number;
    if (weight === 0) continue;
    const from = starts[weight] as number;
    const to = from + (1 << (weight - 1));
    starts[weight] = to;
    entries.fill((symbol << 8) | (bits + 1 - weight), from, to);
  }
}

/** Decodes the stream in [from, end) into all of output [to, stop). Throws `decode-failed` where it does not fit. */
export function decodeHuffman(
  bytes: Uint8Array,
  from: number,
  end: number,
  table: HuffmanTable,
  output: Uint8Array,
  to: number,
  stop: number,
): void {
  const { bits, entries } = table;
  const mask = (1 << bits) - 1;
  let { left } = backwardBits(bytes, from, end);
  while (to < stop && left >= bits) {
    const shift = left - bits;
    const at = from + (shift >>> 3);
    const word = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
    const entry = entries[(word >>> (shift & 7)) & mask] as number;
    output[to++] = entry >>> 8;
    left -= entry & 255;
  }
  // At the start of the stream codes are shorter than what a look-up takes.
  while (to < stop && left > 0) {
    const word = (bytes[from] as number) | ((bytes[from + 1] as number) << 8);
    const entry = entries[(word << (bits - left)) & mask] as number;
    output[to++] = entry >>> 8;
    left -= entry & 255;
  }
  if (to < stop || left !== 0) throw damaged(`Huffman codes in bytes ${from} to ${end} that give another size`);
}
