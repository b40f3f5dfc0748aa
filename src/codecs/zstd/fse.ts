/** Finite State Entropy: tables from their written form (RFC 8878 §4.1). */
import { corrupt } from "./corrupt.ts";

export interface FseTable {
  /** Accuracy log: there are 2^log states. */
  readonly log: number;
  /** By state: the symbol it stands for, how many bits to read for the next state, and what to add to them. */
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** Reads a distribution of probabilities from `from`; returns the table and the position after it. */
export function readFseTable(
  codec: string,
  input: Uint8Array,
  from: number,
  bounds: { readonly log: number; readonly symbols: number },
): { readonly table: FseTable; readonly end: number } {
  const peek = (bit: number): number => {
    const at = bit >> 3;
    const word = (input[at] ?? 0) | ((input[at + 1] ?? 0) << 8) | ((input[at + 2] ?? 0) << 16);
    return word >>> (bit & 7);
  };
  let bit = from * 8;
  const log = 5 + (peek(bit) & 15);
  bit += 4;
  if (log > bounds.log) throw corrupt(codec, `an entropy table of accuracy at most ${bounds.log}`, String(log));
  const probabilities: number[] = [];
  let remaining = 2 ** log;
  while (remaining > 0) {
    if (probabilities.length >= bounds.symbols || bit > input.length * 8) {
      throw corrupt(codec, `an entropy table of at most ${bounds.symbols} symbols`, "one that does not end in time");
    }
    // A value up to remaining + 1; the lowest of them are written with one bit less.
    const width = 32 - Math.clz32(remaining + 1);
    const short = 2 ** width - 1 - (remaining + 1);
    const value = peek(bit) & (2 ** width - 1);
    const low = value & (2 ** (width - 1) - 1);
    const isShort = low < short;
    bit += isShort ? width - 1 : width;
    const probability = (isShort ? low : value >= 2 ** (width - 1) ? value - short : value) - 1;
    probabilities.push(probability);
    remaining -= Math.abs(probability);
    for (let repeat = probability === 0 ? 3 : 0; repeat === 3; bit += 2) {
      repeat = peek(bit) & 3;
      for (let i = 0; i < repeat; i++) probabilities.push(0);
    }
  }
  if (remaining !== 0 || probabilities.length > bounds.symbols || bit > input.length * 8) {
    throw corrupt(codec, "an entropy table whose probabilities add up", "one whose probabilities do not");
  }
  return { table: buildFseTable(probabilities, log), end: (bit + 7) >> 3 };
}

/** `probabilities` add up to 2^log, where -1 ("less than one") counts as one. */
export function buildFseTable(probabilities: readonly number[], log: number): FseTable {
  const size = 2 ** log;
  const symbols = spread(probabilities, size);
  const next = Uint16Array.from(probabilities, (probability) => Math.abs(probability));
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  for (let state = 0; state < size; state++) {
    const symbol = symbols[state] as number;
    const count = next[symbol] as number;
    next[symbol] = count + 1;
    const width = log - (31 - Math.clz32(count));
    bits[state] = width;
    bases[state] = (count << width) - size;
  }
  return { log, symbols, bits, bases };
}

/** The table of a single symbol: one state that needs no bits. */
export function singleSymbolTable(symbol: number): FseTable {
  return { log: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), bases: new Uint16Array(1) };
}

/** Symbols of low probability go to the end, the others are strewn over the rest (§4.1.1). */
function spread(probabilities: readonly number[], size: number): Uint8Array {
  const symbols = new Uint8Array(size);
  let last = size - 1;
  probabilities.forEach((probability, symbol) => {
    if (probability === -1) symbols[last--] = symbol;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  probabilities.forEach((probability, symbol) => {
    for (let i = 0; i < probability; i++) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at > last);
    }
  });
  return symbols;
}
