/** Finite state entropy (RFC 8878 §4.1): the tables of its decoders. */
import { damaged } from "./fault.ts";

/** Symbol of each state, and the way to the next state. */
export interface FseTable {
  /** 2^log states. */
  readonly log: number;
  /** First state that may follow << 16 | bits to read and add to it << 8 | symbol. */
  readonly entries: Uint32Array;
}

/** The most states that any table here has (literal and match lengths). */
export const MAX_STATES = 512;

export interface FseLimits {
  readonly log: number;
  readonly symbol: number;
}

/** Counts by symbol, -1 for “less than one”; reused, since one table is made at a time. */
const counts = new Int16Array(256);
const next = new Uint16Array(256);

/**
 * Reads a table's description in [at, end) and makes the table in `entries`. Gives it and where its description ended.
 * Throws `decode-failed`.
 */
export function readFseTable(bytes: Uint8Array, at: number, end: number, limits: FseLimits, entries: Uint32Array) {
  const log = at < end ? ((bytes[at] as number) & 15) + 5 : 0;
  if (log === 0 || log > limits.log) throw damagedTable(at, log === 0 ? "cut off" : `of 2^${log} states`);
  const bits = readCounts(bytes, at, log, limits.symbol);
  const stop = at + ((bits + 7) >>> 3);
  if (stop > end) throw damagedTable(at, "cut off");
  return { table: buildFseTable(counts, limits.symbol + 1, log, entries), at: stop };
}

/** RFC 8878 §4.1.1, into `counts`. Gives how many bits the description takes; bytes after its end are not believed. */
function readCounts(bytes: Uint8Array, start: number, log: number, mostSymbol: number): number {
  counts.fill(0);
  let position = 4;
  const peek = (): number => {
    const at = start + (position >>> 3);
    const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    return word >>> (position & 7);
  };
  let remaining = (1 << log) + 1;
  let symbol = 0;
  while (remaining > 1) {
    if (symbol > mostSymbol) throw damagedTable(start, `with symbols after ${mostSymbol}`);
    // The smaller values take a bit less.
    const width = 32 - Math.clz32(remaining);
    const half = 1 << (width - 1);
    const spared = 2 * half - 1 - remaining;
    const short = peek() & (half - 1);
    let value = short;
    if (short >= spared) {
      value = peek() & (2 * half - 1);
      if (value >= half) value -= spared;
    }
    position += short < spared ? width - 1 : width;
    const count = value - 1;
    counts[symbol++] = count;
    remaining -= Math.abs(count);
    if (count !== 0) continue;
    let zeros = 3;
    while (zeros === 3) {
      zeros = peek() & 3;
      position += 2;
      symbol += zeros;
      if (symbol > mostSymbol) throw damagedTable(start, `with symbols after ${mostSymbol}`);
    }
  }
  if (remaining !== 1) throw damagedTable(start, "whose probabilities are more than one together");
  return position;
}

const damagedTable = (at: number, what: string): Error => damaged(`an entropy table at byte ${at} ${what}`);

/** RFC 8878 §4.1.1, “from normalized distribution to decoding tables”. `counts` make up 2^log. */
export function buildFseTable(counts: ArrayLike<number>, symbols: number, log: number, entries: Uint32Array): FseTable {
  const size = 1 << log;
  let high = size - 1;
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = counts[symbol] as number;
    next[symbol] = count === -1 ? 1 : count;
    if (count === -1) entries[high--] = symbol;
  }
  const step = (size >>> 1) + (size >>> 3) + 3;
  let state = 0;
  for (let symbol = 0; symbol < symbols; symbol++) {
    for (let i = counts[symbol] as number; i > 0; i--) {
      entries[state] = symbol;
      do state = (state + step) & (size - 1);
      while (state > high);
    }
  }
  for (state = 0; state < size; state++) {
    const symbol = entries[state] as number;
    const rank = next[symbol] as number;
    next[symbol] = rank + 1;
    const bits = log - (31 - Math.clz32(rank));
    entries[state] = (((rank << bits) - size) << 16) | (bits << 8) | symbol;
  }
  return { log, entries };
}

/** A table of one state, which takes no bits: the same symbol always. */
export function onlySymbol(symbol: number, entries: Uint32Array): FseTable {
  entries[0] = symbol;
  return { log: 0, entries };
}
