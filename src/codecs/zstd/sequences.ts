/** The sequences section of a compressed block, read and carried out (RFC 8878 §3.1.1.3.2 and §3.1.1.4). */
import { copyMatch, reserve, type Output } from "../output.ts";
import { backwardBits, bitsBelow, takeBits, type BackwardBits } from "./bits.ts";
import { corrupt } from "./corrupt.ts";
import { buildFseTable, readFseTable, singleSymbolTable, type FseTable } from "./fse.ts";

/** What a block leaves to the next. */
export interface SequenceTables {
  literalLengths: FseTable | undefined;
  offsets: FseTable | undefined;
  matchLengths: FseTable | undefined;
  readonly recent: [number, number, number];
}

interface Kind {
  readonly member: "literalLengths" | "offsets" | "matchLengths";
  readonly log: number;
  readonly symbols: number;
  readonly predefined: () => FseTable;
}

const ones = (count: number, value = 1): number[] => Array.from({ length: count }, () => value);

function predefined(probabilities: readonly number[], log: number): () => FseTable {
  let table: FseTable | undefined;
  return () => (table ??= buildFseTable(probabilities, log));
}

// §3.1.1.3.2.2, default distributions.
const KINDS: readonly Kind[] = [
  {
    member: "literalLengths",
    log: 9,
    symbols: 36,
    predefined: predefined([4, 3, ...ones(11, 2), 1, 1, 1, ...ones(9, 2), 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1], 6),
  },
  {
    member: "offsets",
    log: 8,
    symbols: 32,
    predefined: predefined([...ones(6), 2, 2, 2, ...ones(15), ...ones(5, -1)], 5),
  },
  {
    member: "matchLengths",
    log: 9,
    symbols: 53,
    predefined: predefined([1, 4, 3, ...ones(6, 2), ...ones(37), ...ones(7, -1)], 6),
  },
];

const LITERAL_EXTRA = Uint8Array.of(...ones(16, 0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
const MATCH_EXTRA = Uint8Array.of(...ones(32, 0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
const LITERAL_BASE = bases(LITERAL_EXTRA, 0);
const MATCH_BASE = bases(MATCH_EXTRA, 3);

/** Each code begins where the one before it ends. */
function bases(extra: Uint8Array, first: number): Uint32Array {
  const result = new Uint32Array(extra.length);
  let base = first;
  extra.forEach((bits, code) => {
    result[code] = base;
    base += 2 ** bits;
  });
  return result;
}

/** Carries out the sequences at `from` of `block` over `literals`, appending to `output`; `start` is the frame's. */
export function runSequences(
  block: Uint8Array,
  from: number,
  literals: Uint8Array,
  tables: SequenceTables,
  output: Output,
  start: number,
): void {
  const { count, at } = readCount(output.codec, block, from);
  if (count === 0) {
    if (at !== block.length) throw corrupt(output.codec, "nothing after a block's literals", "more bytes");
    append(output, literals);
    return;
  }
  const end = readTables(output.codec, block, at, tables);
  const { literalLengths, offsets, matchLengths } = tables;
  if (literalLengths === undefined || offsets === undefined || matchLengths === undefined) {
    throw corrupt(output.codec, "tables of sequences", "a block that repeats tables, and none before it");
  }
  const bits = backwardBits(output.codec, block, end, block.length);
  const used = decodeSequences(bits, count, { literalLengths, offsets, matchLengths }, tables.recent, {
    literals,
    output,
    start,
  });
  append(output, literals.subarray(used));
}

function append(output: Output, bytes: Uint8Array): void {
  reserve(output, bytes.length);
  output.bytes.set(bytes, output.length);
  output.length += bytes.length;
}

function readCount(codec: string, block: Uint8Array, at: number): { readonly count: number; readonly at: number } {
  const [first, second = 0, third = 0] = block.subarray(at, at + 3);
  if (first === undefined) throw corrupt(codec, "a count of sequences", "a block that ends before it");
  if (first < 128) return { count: first, at: at + 1 };
  if (first < 255) return { count: (first - 128) * 256 + second, at: at + 2 };
  return { count: second + third * 256 + 0x7f00, at: at + 3 };
}

/** Reads the tables that the block brings; returns the position after them. */
function readTables(codec: string, block: Uint8Array, from: number, tables: SequenceTables): number {
  const modes = block[from] ?? 0;
  if ((modes & 3) !== 0) throw corrupt(codec, "known modes of sequences", `modes ${modes}`);
  let at = from + 1;
  KINDS.forEach((kind, i) => {
    const mode = (modes >> (6 - 2 * i)) & 3;
    if (mode === 0) tables[kind.member] = kind.predefined();
    if (mode === 1) {
      const symbol = block[at++] ?? 255;
      if (symbol >= kind.symbols) throw corrupt(codec, `a code below ${kind.symbols}`, String(symbol));
      tables[kind.member] = singleSymbolTable(symbol);
    }
    if (mode === 2) {
      const { table, end } = readFseTable(codec, block, at, kind);
      tables[kind.member] = table;
      at = end;
    }
  });
  return at;
}

interface Work {
  readonly literals: Uint8Array;
  readonly output: Output;
  readonly start: number;
}

/**
 * Returns how many literals were used. The hot loop: bits are read without a look at where the stream starts, since
 * one that was read too far does not end there, and what came of it is thrown away.
 */
function decodeSequences(
  bits: BackwardBits,
  count: number,
  tables: { readonly literalLengths: FseTable; readonly offsets: FseTable; readonly matchLengths: FseTable },
  recent: [number, number, number],
  work: Work,
): number {
  const { literalLengths, offsets, matchLengths } = tables;
  const { input, start } = bits;
  let literalState = takeBits(bits, literalLengths.log);
  let offsetState = takeBits(bits, offsets.log);
  let matchState = takeBits(bits, matchLengths.log);
  let { bit } = bits;
  let used = 0;
  for (let left = count; left > 0; left--) {
    const offsetCode = offsets.symbols[offsetState] as number;
    const matchCode = matchLengths.symbols[matchState] as number;
    const literalCode = literalLengths.symbols[literalState] as number;
    const offsetValue = (1 << offsetCode) + bitsBelow(input, bit, offsetCode);
    bit -= offsetCode;
    const matchLength = (MATCH_BASE[matchCode] as number) + bitsBelow(input, bit, MATCH_EXTRA[matchCode] as number);
    bit -= MATCH_EXTRA[matchCode] as number;
    const literalExtra = LITERAL_EXTRA[literalCode] as number;
    const literalLength = (LITERAL_BASE[literalCode] as number) + bitsBelow(input, bit, literalExtra);
    bit -= literalExtra;
    const distance = resolveOffset(offsetValue >>> 0, literalLength, recent);
    used = carryOut(work, used, literalLength, distance, matchLength);
    if (left === 1 || bit < start) break;
    const literalBits = literalLengths.bits[literalState] as number;
    literalState = (literalLengths.bases[literalState] as number) + bitsBelow(input, bit, literalBits);
    bit -= literalBits;
    const matchBits = matchLengths.bits[matchState] as number;
    matchState = (matchLengths.bases[matchState] as number) + bitsBelow(input, bit, matchBits);
    bit -= matchBits;
    const offsetBits = offsets.bits[offsetState] as number;
    offsetState = (offsets.bases[offsetState] as number) + bitsBelow(input, bit, offsetBits);
    bit -= offsetBits;
  }
  if (bit !== start) throw corrupt(work.output.codec, "sequences that fill their stream", `${bit - start} bits left`);
  return used;
}

/** Values 1 to 3 mean one of the last three distances (§3.1.1.5). */
function resolveOffset(value: number, literalLength: number, recent: [number, number, number]): number {
  const index = value > 3 ? 4 : literalLength === 0 ? value : value - 1;
  if (index === 0) return recent[0];
  const distance = index === 4 ? value - 3 : index === 1 ? recent[1] : index === 2 ? recent[2] : recent[0] - 1;
  if (index > 1) recent[2] = recent[1];
  recent[1] = recent[0];
  recent[0] = distance;
  return distance;
}

function carryOut(work: Work, used: number, literalLength: number, distance: number, matchLength: number): number {
  const { output, literals, start } = work;
  const end = used + literalLength;
  if (end > literals.length) throw corrupt(output.codec, `${literals.length} literals`, `sequences that use ${end}`);
  reserve(output, literalLength + matchLength);
  const { bytes } = output;
  let at = output.length;
  if (literalLength > 24) {
    bytes.set(literals.subarray(used, end), at);
    at += literalLength;
  } else for (let i = used; i < end; i++) bytes[at++] = literals[i] as number;
  if (distance < 1 || distance > at - start) {
    throw corrupt(output.codec, `matches at most ${at - start} bytes back`, `one ${distance} bytes back`);
  }
  copyMatch(bytes, at, distance, matchLength);
  output.length = at + matchLength;
  return end;
}
