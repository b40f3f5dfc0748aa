/** Huffman codes of zstd's literals (RFC 8878 §4.2). */
import { backwardBits, takeBits } from "./bits.ts";
import { corrupt } from "./corrupt.ts";
import { readFseTable } from "./fse.ts";

export interface HuffmanTable {
  /** Longest code, at most 11. */
  readonly bits: number;
  /** By the next `bits` bits: length of the code << 8 | symbol. */
  readonly entries: Uint16Array;
}

const MOST_BITS = 11;

/** Reads the description of a code at `from`; returns the table and the position after it. */
export function readHuffmanTable(
  codec: string,
  input: Uint8Array,
  from: number,
): { readonly table: HuffmanTable; readonly end: number } {
  const header = input[from] ?? 0;
  if (header < 128) {
    const end = from + 1 + header;
    return { table: buildTable(codec, compressedWeights(codec, input, from + 1, end)), end };
  }
  const count = header - 127;
  const end = from + 1 + Math.ceil(count / 2);
  if (end > input.length) throw corrupt(codec, "a whole table of literals", "one that is cut off");
  const weights: number[] = [];
  for (let i = 0; i < count; i++) {
    const byte = input[from + 1 + (i >> 1)] as number;
    weights.push(i % 2 === 0 ? byte >> 4 : byte & 15);
  }
  return { table: buildTable(codec, weights), end };
}

/** Two states take turns over one stream; when it runs dry, the other state has the last word. */
function compressedWeights(codec: string, input: Uint8Array, from: number, to: number): number[] {
  if (to > input.length) throw corrupt(codec, "a whole table of literals", "one that is cut off");
  const { table, end } = readFseTable(codec, input.subarray(0, to), from, { log: 6, symbols: 13 });
  const stream = backwardBits(codec, input, end, to);
  let state = takeBits(stream, table.log);
  let other = takeBits(stream, table.log);
  const weights: number[] = [];
  while (weights.length < 255) {
    weights.push(table.symbols[state] as number);
    const next = (table.bases[state] as number) + takeBits(stream, table.bits[state] as number);
    if (stream.bit < stream.start) {
      weights.push(table.symbols[other] as number);
      return weights;
    }
    state = other;
    other = next;
  }
  throw corrupt(codec, "at most 255 weights of literals", "more");
}

/** Weights to codes: weight w stands for a code of (longest + 1 - w) bits; the last symbol's weight fills up the rest. */
function buildTable(codec: string, weights: readonly number[]): HuffmanTable {
  const sum = weights.reduce((total, weight) => total + (weight === 0 ? 0 : 2 ** (weight - 1)), 0);
  const bits = sum === 0 ? 0 : 32 - Math.clz32(sum);
  const rest = 2 ** bits - sum;
  const lastWeight = 32 - Math.clz32(rest);
  if (bits === 0 || bits > MOST_BITS || weights.length > 255 || rest !== 2 ** (lastWeight - 1)) {
    throw corrupt(codec, "a complete code for literals", "weights that make none");
  }
  const all = [...weights, lastWeight];
  const entries = new Uint16Array(2 ** bits);
  let at = 0;
  for (let weight = 1; weight <= bits; weight++) {
    all.forEach((own, symbol) => {
      if (own !== weight) return;
      const end = at + 2 ** (weight - 1);
      entries.fill(((bits + 1 - weight) << 8) | symbol, at, end);
      at = end;
    });
  }
  return { bits, entries };
}

/** Decodes the stream in bytes [from, to) of `input` into [at, end) of `target`. The stream must end exactly there. */
export function decodeStream(
  codec: string,
  table: HuffmanTable,
  input: Uint8Array,
  stream: { readonly from: number; readonly to: number },
  target: Uint8Array,
  part: { readonly at: number; readonly end: number },
): void {
  const bits = backwardBits(codec, input, stream.from, stream.to);
  const { entries, bits: width } = table;
  const mask = entries.length - 1;
  let { at } = part;
  let { bit } = bits;
  // Two codes of at most 11 bits each fit the 25 bits that one look gives.
  for (const safe = bits.start + 32; bit >= safe && at + 1 < part.end; at += 2) {
    const base = bit - 25;
    const byte = base >> 3;
    const word =
      (((input[byte] as number) |
        ((input[byte + 1] as number) << 8) |
        ((input[byte + 2] as number) << 16) |
        ((input[byte + 3] as number) << 24)) >>>
        (base & 7)) &
      0x1ff_ffff;
    const first = entries[(word >>> (25 - width)) & mask] as number;
    const used = first >> 8;
    const second = entries[(word >>> (25 - used - width)) & mask] as number;
    target[at] = first;
    target[at + 1] = second;
    bit -= used + (second >> 8);
  }
  bits.bit = bit;
  for (; at < part.end; at++) {
    const entry = entries[takeBits(bits, width)] as number;
    target[at] = entry;
    bits.bit += width - (entry >> 8);
  }
  if (bits.bit !== bits.start) {
    throw corrupt(codec, "literals that fill their stream", `${bits.bit - bits.start} bits left`);
  }
}
