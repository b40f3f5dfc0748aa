/**
 * Latents as they are stored: for each of a batch the bin it lies in, by tANS with four states in turn, and after these
 * for each the offset in its bin. The loops keep all they need in variables and allocate nothing.
 */
import { moveTo } from "#core/bits.ts";
import { type BitReader } from "./bits.ts";
import type { Latents } from "./format.ts";
import type { BinTable } from "./bin-table.ts";
import type { Turn, Written } from "./output-numbers.ts";
import { NEXT_MASK, OFFSET_SHIFT, READ_SHIFT } from "./bin-table.ts";

/** Bits that any position has in one word of 32 bits. */
export const WORD_BITS = 25;

const LOW_MASKS = Int32Array.from({ length: 65 }, (_, count) => (count >= 32 ? -1 : (1 << count) - 1));
const HIGH_MASKS = Int32Array.from({ length: 65 }, (_, count) => (count <= 32 ? 0 : (LOW_MASKS[count - 32] as number)));

/** The first `count` of the batch. `states` is where each of the four coders is; `symbols` is room for the batch. */
export function readLatents(
  reader: BitReader,
  table: BinTable,
  states: Int32Array,
  symbols: Uint16Array,
  latents: Latents,
  count: number,
): void {
  if (count === 0) return;
  if (table.bins > 1) readSymbols(reader, table, states, symbols, count);
  else symbols.fill(0);
  if (table.maxOffsetBits === 0) readNoOffsets(table, symbols, latents, count);
  else if (table.width < 64) readNarrowOffsets(reader, table, symbols, latents.lo, count);
  else readWideOffsets(reader, table, symbols, latents, count);
}

function readSymbols(
  reader: BitReader,
  { nodes, sizeLog }: BinTable,
  states: Int32Array,
  symbols: Uint16Array,
  count: number,
): void {
  const { view, byte } = reader;
  let { bit } = reader;
  let a = states[0] as number;
  let b = states[1] as number;
  let c = states[2] as number;
  let d = states[3] as number;
  let i = 0;
  // Two symbols a word, where both surely fit.
  const whole = sizeLog * 2 <= WORD_BITS ? count & ~3 : 0;
  for (; i < whole; i += 4) {
    let word = view.getInt32(byte + (bit >>> 3), true) >>> (bit & 7);
    let node = nodes[a] as number;
    let read = (node >>> READ_SHIFT) & 15;
    symbols[i] = a;
    a = (node & NEXT_MASK) + (word & ((1 << read) - 1));
    bit += read;
    word >>>= read;
    node = nodes[b] as number;
    read = (node >>> READ_SHIFT) & 15;
    symbols[i + 1] = b;
    b = (node & NEXT_MASK) + (word & ((1 << read) - 1));
    bit += read;
    word = view.getInt32(byte + (bit >>> 3), true) >>> (bit & 7);
    node = nodes[c] as number;
    read = (node >>> READ_SHIFT) & 15;
    symbols[i + 2] = c;
    c = (node & NEXT_MASK) + (word & ((1 << read) - 1));
    bit += read;
    word >>>= read;
    node = nodes[d] as number;
    read = (node >>> READ_SHIFT) & 15;
    symbols[i + 3] = d;
    d = (node & NEXT_MASK) + (word & ((1 << read) - 1));
    bit += read;
  }
  for (; i < count; i++) {
    const node = nodes[a] as number;
    const read = (node >>> READ_SHIFT) & 15;
    const word = view.getInt32(byte + (bit >>> 3), true) >>> (bit & 7);
    symbols[i] = a;
    const next = (node & NEXT_MASK) + (word & ((1 << read) - 1));
    bit += read;
    a = b;
    b = c;
    c = d;
    d = next;
  }
  states[0] = a;
  states[1] = b;
  states[2] = c;
  states[3] = d;
  moveTo(reader, byte, bit);
}

function readNoOffsets(table: BinTable, symbols: Uint16Array, { lo, hi }: Latents, count: number): void {
  const { lowerLo, lowerHi, width, bins } = table;
  if (bins < 2) {
    lo.fill(lowerLo[0] as number);
    if (width === 64) hi.fill(lowerHi[0] as number);
  } else if (width < 64) {
    for (let i = 0; i < count; i++) lo[i] = lowerLo[symbols[i] as number] as number;
  } else {
    for (let i = 0; i < count; i++) {
      const symbol = symbols[i] as number;
      lo[i] = lowerLo[symbol] as number;
      hi[i] = lowerHi[symbol] as number;
    }
  }
}

function readNarrowOffsets(reader: BitReader, table: BinTable, symbols: Uint16Array, lo: Int32Array, count: number) {
  const { nodes, lowerLo } = table;
  const { view, byte } = reader;
  let { bit } = reader;
  if (table.maxOffsetBits <= WORD_BITS) {
    for (let i = 0; i < count; i++) {
      const symbol = symbols[i] as number;
      const bits = (nodes[symbol] as number) >>> OFFSET_SHIFT;
      const word = view.getInt32(byte + (bit >>> 3), true) >>> (bit & 7);
      lo[i] = (lowerLo[symbol] as number) + (word & ((1 << bits) - 1));
      bit += bits;
    }
  } else {
    for (let i = 0; i < count; i++) {
      const symbol = symbols[i] as number;
      const bits = (nodes[symbol] as number) >>> OFFSET_SHIFT;
      const at = byte + (bit >>> 3);
      const shift = bit & 7;
      const word = (view.getInt32(at, true) >>> shift) | ((view.getInt32(at + 4, true) << 1) << (31 - shift));
      lo[i] = (lowerLo[symbol] as number) + (word & (LOW_MASKS[bits] as number));
      bit += bits;
    }
  }
  moveTo(reader, byte, bit);
}

/**
 * Reads like `readLatents`, and writes the numbers at once, for latents of at most 32 bits that are the numbers
 * themselves.
 */
export function readNumbers(
  reader: BitReader,
  table: BinTable,
  states: Int32Array,
  symbols: Uint16Array,
  { always, negative, above }: Turn,
  written: Written,
  at: number,
  count: number,
): void {
  if (table.bins > 1) readSymbols(reader, table, states, symbols, count);
  else symbols.fill(0);
  const { nodes, lowerLo } = table;
  const { view, byte } = reader;
  let { bit } = reader;
  for (let i = 0; i < count; i++) {
    const symbol = symbols[i] as number;
    const bits = (nodes[symbol] as number) >>> OFFSET_SHIFT;
    const word = view.getInt32(byte + (bit >>> 3), true) >>> (bit & 7);
    const latent = ((lowerLo[symbol] as number) + (word & ((1 << bits) - 1))) | 0;
    written[at + i] = latent ^ ((~((latent << above) >> 31) & negative) | always);
    bit += bits;
  }
  moveTo(reader, byte, bit);
}

function readWideOffsets(reader: BitReader, table: BinTable, symbols: Uint16Array, { lo, hi }: Latents, count: number) {
  const { nodes, lowerLo, lowerHi } = table;
  const { view, byte } = reader;
  let { bit } = reader;
  if (table.maxOffsetBits <= WORD_BITS) {
    for (let i = 0; i < count; i++) {
      const symbol = symbols[i] as number;
      const bits = (nodes[symbol] as number) >>> OFFSET_SHIFT;
      const word = (view.getInt32(byte + (bit >>> 3), true) >>> (bit & 7)) & ((1 << bits) - 1);
      const lower = lowerLo[symbol] as number;
      const sum = (lower + word) | 0;
      lo[i] = sum;
      hi[i] = (lowerHi[symbol] as number) + ((lower & ~sum) >>> 31);
      bit += bits;
    }
  } else {
    for (let i = 0; i < count; i++) {
      const symbol = symbols[i] as number;
      const bits = (nodes[symbol] as number) >>> OFFSET_SHIFT;
      const at = byte + (bit >>> 3);
      const shift = bit & 7;
      const middle = view.getInt32(at + 4, true);
      const low = ((view.getInt32(at, true) >>> shift) | ((middle << 1) << (31 - shift))) & (LOW_MASKS[bits] as number);
      const high =
        ((middle >>> shift) | ((view.getInt32(at + 8, true) << 1) << (31 - shift))) & (HIGH_MASKS[bits] as number);
      const lower = lowerLo[symbol] as number;
      const sum = (lower + low) | 0;
      lo[i] = sum;
      hi[i] = (lowerHi[symbol] as number) + high + (((lower & low) | ((lower | low) & ~sum)) >>> 31);
      bit += bits;
    }
  }
  moveTo(reader, byte, bit);
}
