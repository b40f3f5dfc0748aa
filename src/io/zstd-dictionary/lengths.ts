/** Values of the codes of sequences, and their tables if a block gives none (RFC 8878 §3.1.1.3.2). */
import { buildFseTable, MAX_STATES, type FseLimits, type FseTable } from "./fse.ts";

/** Largest tables and symbols (RFC 8878 §3.1.1.3.2.1.1). */
export const LENGTH_LIMITS = {
  literalLengths: { log: 9, symbol: 35 },
  offsets: { log: 8, symbol: 31 },
  matchLengths: { log: 9, symbol: 52 },
} as const satisfies Record<string, FseLimits>;

const LITERAL_RUNS = [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const MATCH_RUNS = [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/** Bits to read and the base to add them to, by code. The first `plain` codes represent themselves, from `first` on. */
function codes(plain: number, first: number, runs: readonly number[]) {
  const bits = new Uint8Array(plain + runs.length);
  const base = new Uint32Array(plain + runs.length);
  bits.set(runs, plain);
  for (let i = 0, value = first; i < base.length; i++) {
    base[i] = value;
    value += 2 ** (bits[i] as number);
  }
  return { bits, base };
}

export const LITERAL_LENGTHS = codes(16, 0, LITERAL_RUNS);
export const MATCH_LENGTHS = codes(32, 3, MATCH_RUNS);

/** Written as `count` times `value`, since the counts are few. */
function predefined(log: number, runs: readonly (readonly [count: number, value: number])[]): FseTable {
  const counts = runs.flatMap(([count, value]) => Array.from({ length: count }, () => value));
  return buildFseTable(counts, counts.length, log, new Uint32Array(1 << log));
}

/** RFC 8878 §3.1.1.3.2.2. */
const LITERAL_COUNTS = [
  [1, 4],
  [1, 3],
  [11, 2],
  [3, 1],
  [9, 2],
  [1, 3],
  [1, 2],
  [5, 1],
  [4, -1],
] as const;
const MATCH_COUNTS = [
  [1, 1],
  [1, 4],
  [1, 3],
  [6, 2],
  [37, 1],
  [7, -1],
] as const;
const OFFSET_COUNTS = [
  [6, 1],
  [3, 2],
  [15, 1],
  [5, -1],
] as const;

export const PREDEFINED = {
  literalLengths: predefined(6, LITERAL_COUNTS),
  matchLengths: predefined(6, MATCH_COUNTS),
  offsets: predefined(5, OFFSET_COUNTS),
} as const;

/** Room for the tables of a block. */
export function tableRoom() {
  return {
    literalLengths: new Uint32Array(MAX_STATES),
    offsets: new Uint32Array(256),
    matchLengths: new Uint32Array(MAX_STATES),
  };
}
