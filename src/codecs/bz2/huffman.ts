/** Huffman tables of a bzip2 block, and the choice of a table for every 50 symbols. */
import { cutOff, invalid } from "../lzma/streams.ts";
import { fill, take, type Bits } from "./bits.ts";

export interface HuffmanTable {
  readonly shortest: number;
  /** By code length: codes of 20 bits that are no greater begin with a code of that length; -1 where there is none. */
  readonly limits: Int32Array;
  /** By code length: what to take off a code to get its place in `symbols`. */
  readonly bases: Int32Array;
  readonly symbols: Uint16Array;
}

const MAX_BITS = 20;
/** Encoders write 18,001 at most; bzip2 reads over those past 18,002. */
const MAX_SELECTORS = 18_002;

/** The table of each group of 50 symbols. */
export function readSelectors(bits: Bits, tables: number): Uint8Array {
  const count = take(bits, 15);
  if (count === 0) throw invalid(bits.output.codec, "a table for each 50 symbols", "none");
  const order = Array.from({ length: tables }, (_, table) => table);
  const selectors = new Uint8Array(Math.min(count, MAX_SELECTORS));
  for (let i = 0; i < count; i++) {
    let place = 0;
    while (take(bits, 1) === 1) {
      place++;
      if (place >= tables) throw invalid(bits.output.codec, `one of ${tables} tables`, `table ${place}`);
    }
    if (i >= MAX_SELECTORS) continue;
    const [table = 0] = order.splice(place, 1);
    order.unshift(table);
    selectors[i] = table;
  }
  return selectors;
}

export function readTable(bits: Bits, symbols: number): HuffmanTable {
  const lengths = new Uint8Array(symbols);
  let length = take(bits, 5);
  for (let symbol = 0; symbol < symbols; symbol++) {
    for (;;) {
      if (length < 1 || length > MAX_BITS) throw invalid(bits.output.codec, "codes of 1 to 20 bits", `${length} bits`);
      if (take(bits, 1) === 0) break;
      length += take(bits, 1) === 0 ? 1 : -1;
    }
    lengths[symbol] = length;
  }
  return makeTable(lengths);
}

/** Codes of each length follow those of the length before, in the order of the symbols. */
function makeTable(lengths: Uint8Array): HuffmanTable {
  const counts = new Int32Array(MAX_BITS + 1);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  const limits = new Int32Array(MAX_BITS + 1).fill(-1);
  const bases = new Int32Array(MAX_BITS + 1);
  const symbols = new Uint16Array(lengths.length);
  let code = 0;
  let place = 0;
  for (let length = 1; length <= MAX_BITS; length++) {
    bases[length] = code - place;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] === length) symbols[place++] = symbol;
    }
    code += counts[length] as number;
    // An overfull code has codes past the last of its length: kept to the 20 bits that are looked at.
    limits[length] = Math.min(2 ** 30, code * 2 ** (MAX_BITS - length) - 1);
    code *= 2;
  }
  return { shortest: Math.min(...lengths), limits, bases, symbols };
}

export function takeSymbol(bits: Bits, table: HuffmanTable): number {
  if (bits.count < MAX_BITS) fill(bits);
  const { count } = bits;
  const code = count >= MAX_BITS ? bits.hold >>> (count - MAX_BITS) : bits.hold << (MAX_BITS - count);
  const window = code & 0xf_ffff;
  let length = table.shortest;
  while (length <= MAX_BITS && window > (table.limits[length] as number)) length++;
  if (length > count) throw cutOff(bits.output.codec, bits.input, bits.output.length);
  const symbol = table.symbols[(window >>> (MAX_BITS - length)) - (table.bases[length] ?? 0)];
  if (length > MAX_BITS || symbol === undefined) {
    throw invalid(bits.output.codec, "a known Huffman code", `an unknown one before byte ${bits.position}`);
  }
  bits.count -= length;
  return symbol;
}
