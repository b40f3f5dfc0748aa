/**
 * Raw DEFLATE (RFC 1951). Our own, because available decoders either do not say where the stream ends (needed for
 * several gzip members, and for bytes after the end, which Python reads over) or differ between Node and browsers. The
 * fast path is WebAssembly (`wasm/inflate.as.ts`); the loops here are the reference, and say what is wrong.
 */
import { adler32, crc32 } from "../checksums/checksums.ts";
import { decodeFailed } from "../failure.ts";
import { codeTable, type CodeTable } from "./inflate-tables.ts";
import { append, copyMatch, makeRoom, reserve, type Output } from "../output.ts";
import { fastInflater, type SumName } from "../wasm/decode.ts";

interface BitReader {
  readonly input: Uint8Array;
  /** Next byte to load; runs past the end by the zero bytes that were made up there. */
  position: number;
  hold: number;
  count: number;
}

// RFC 1951 §3.2.5. Length code 285 is 258 without extra bits; codes of the same number of extra bits come in groups.
const LENGTH_EXTRA = Uint8Array.from({ length: 29 }, (_, code) => (code < 8 || code === 28 ? 0 : (code >> 2) - 1));
const DISTANCE_EXTRA = Uint8Array.from({ length: 30 }, (_, code) => (code < 4 ? 0 : (code >> 1) - 1));
const LENGTH_BASE = bases(LENGTH_EXTRA, 3).fill(258, 28);
const DISTANCE_BASE = bases(DISTANCE_EXTRA, 1);

/** Each code begins where the one before it ends. */
function bases(extra: Uint8Array, first: number): Uint16Array {
  const result = new Uint16Array(extra.length);
  let base = first;
  extra.forEach((bits, code) => {
    result[code] = base;
    base += 2 ** bits;
  });
  return result;
}

const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * Inflates the stream that begins at `from`; appends to `output`. Returns the position of the first byte after it.
 * Matches reach back no further than where this stream began. Throws `decode-failed`, `decode-too-large`.
 */
export function inflate(input: Uint8Array, from: number, output: Output): number {
  return openInflater(input).inflate(from, output).end;
}

export interface Inflater {
  /** As `inflate`; with the checksum of what this stream gave, 0 where none is asked for. */
  inflate(from: number, output: Output, sum?: SumName): { readonly end: number; readonly sum: number };
}

/** For several streams in one input. */
export function openInflater(input: Uint8Array): Inflater {
  const fast = fastInflater(input);
  return {
    inflate(from, output, sum) {
      const done = fast?.inflate(from, output.limit - output.length, sum);
      if (done !== undefined) {
        append(output, done.bytes);
        return { end: done.end, sum: done.sum };
      }
      const start = output.length;
      makeRoom(output, input.length * 4);
      const end = inflatePlain(input, from, output);
      const bytes = output.bytes.subarray(start, output.length);
      return { end, sum: sum === undefined ? 0 : sum === "adler32" ? adler32(bytes) : crc32(bytes) };
    },
  };
}

function inflatePlain(input: Uint8Array, from: number, output: Output): number {
  const reader: BitReader = { input, position: from, hold: 0, count: 0 };
  const start = output.length;
  let final = false;
  while (!final) {
    final = take(reader, 1, output) === 1;
    const kind = take(reader, 2, output);
    if (kind === 0) copyStored(reader, output);
    else if (kind === 1) decodeBlock(reader, fixedTables(), output, start);
    else if (kind === 2) decodeBlock(reader, readTables(reader, output), output, start);
    else throw corrupt(output, "a block of type 0, 1 or 2", `type 3 before byte ${reader.position}`);
  }
  return reader.position - (reader.count >> 3);
}

function corrupt(output: Output, expected: string, found: string): Error {
  return decodeFailed(output.codec, expected, found);
}

function truncated(reader: BitReader, output: Output): Error {
  return decodeFailed(
    output.codec,
    "a compressed stream with an end",
    `a stream cut off after ${reader.input.length} bytes, ${output.length} bytes decoded`,
  );
}

function take(reader: BitReader, bits: number, output: Output): number {
  while (reader.count < bits) {
    if (reader.position >= reader.input.length) throw truncated(reader, output);
    reader.hold |= (reader.input[reader.position++] as number) << reader.count;
    reader.count += 8;
  }
  const value = reader.hold & ((1 << bits) - 1);
  reader.hold >>>= bits;
  reader.count -= bits;
  return value;
}

function copyStored(reader: BitReader, output: Output): void {
  take(reader, reader.count & 7, output);
  const length = take(reader, 16, output);
  const complement = take(reader, 16, output);
  if ((length ^ complement) !== 0xffff) {
    throw corrupt(output, "a stored block whose length matches its complement", `${length} against ${complement}`);
  }
  const from = reader.position - (reader.count >> 3);
  if (from + length > reader.input.length) throw truncated(reader, output);
  reserve(output, length);
  output.bytes.set(reader.input.subarray(from, from + length), output.length);
  output.length += length;
  reader.position = from + length;
  reader.hold = 0;
  reader.count = 0;
}

interface Tables {
  readonly literals: CodeTable;
  readonly distances: CodeTable;
}

let fixed: Tables | undefined;

function fixedTables(): Tables {
  if (fixed !== undefined) return fixed;
  const lengths = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
  const literals = codeTable(lengths);
  const distances = codeTable(new Uint8Array(32).fill(5));
  if (literals === undefined || distances === undefined) throw new Error("The fixed codes of DEFLATE are complete.");
  fixed = { literals, distances };
  return fixed;
}

function readTables(reader: BitReader, output: Output): Tables {
  const literalCount = take(reader, 5, output) + 257;
  const distanceCount = take(reader, 5, output) + 1;
  const codeCount = take(reader, 4, output) + 4;
  if (literalCount > 286 || distanceCount > 30) {
    throw corrupt(output, "at most 286 length and 30 distance codes", `${literalCount} and ${distanceCount}`);
  }
  const codeLengths = new Uint8Array(19);
  for (let i = 0; i < codeCount; i++) codeLengths[CODE_LENGTH_ORDER[i] as number] = take(reader, 3, output);
  const lengths = readLengths(reader, codeTable(codeLengths), literalCount + distanceCount, output);
  const literals = codeTable(lengths.subarray(0, literalCount));
  const distances = codeTable(lengths.subarray(literalCount));
  if (literals === undefined || distances === undefined || lengths[256] === 0) {
    throw corrupt(output, "complete Huffman codes", `codes that no writer makes before byte ${reader.position}`);
  }
  return { literals, distances };
}

function readLengths(reader: BitReader, table: CodeTable | undefined, count: number, output: Output): Uint8Array {
  if (table === undefined) throw corrupt(output, "complete Huffman codes", "an impossible code for code lengths");
  const lengths = new Uint8Array(count);
  let at = 0;
  while (at < count) {
    const symbol = takeSymbol(reader, table, output);
    if (symbol < 16) {
      lengths[at++] = symbol;
      continue;
    }
    const value = symbol === 16 ? lengths[at - 1] : 0;
    const repeat = take(reader, symbol === 16 ? 2 : symbol === 17 ? 3 : 7, output) + (symbol === 18 ? 11 : 3);
    if (value === undefined || at + repeat > count) {
      throw corrupt(output, `${count} code lengths`, "a repetition past their end or before their start");
    }
    lengths.fill(value, at, at + repeat);
    at += repeat;
  }
  return lengths;
}

function takeSymbol(reader: BitReader, table: CodeTable, output: Output): number {
  while (reader.count < table.bits && reader.position < reader.input.length) {
    reader.hold |= (reader.input[reader.position++] as number) << reader.count;
    reader.count += 8;
  }
  const entry = table.entries[reader.hold & ((1 << table.bits) - 1)] as number;
  const length = entry & 15;
  if (length === 0) throw corrupt(output, "a known Huffman code", `an unknown one before byte ${reader.position}`);
  if (length > reader.count) throw truncated(reader, output);
  reader.hold >>>= length;
  reader.count -= length;
  return entry >> 4;
}

/** Entry of a code longer than the first table's bits. Throws where there is no such code. */
function secondEntry({ entries, bits }: CodeTable, link: number, hold: number, position: number, output: Output) {
  const further = (link >> 4) & 15;
  const entry = link === 0 ? 0 : (entries[(link >>> 8) + ((hold >>> bits) & ((1 << further) - 1))] as number);
  if (entry === 0) throw corrupt(output, "a known Huffman code", `an unknown one before byte ${position}`);
  return entry;
}

/** Literals and matches up to the end of the block. The reader's state is kept in locals: this loop is the hot one. */
function decodeBlock(reader: BitReader, tables: Tables, output: Output, start: number): void {
  const { input } = reader;
  const { literals, distances } = tables;
  const literalMask = (1 << literals.bits) - 1;
  const distanceMask = (1 << distances.bits) - 1;
  let { position, hold, count } = reader;
  let { bytes, length: at } = output;
  for (;;) {
    for (; count <= 24; count += 8) hold |= (input[position++] ?? 0) << count;
    let entry = literals.entries[hold & literalMask] as number;
    if ((entry & 15) === 0) entry = secondEntry(literals, entry, hold, position, output);
    hold >>>= entry & 15;
    count -= entry & 15;
    const symbol = entry >> 4;
    if (position - (count >> 3) > input.length) throw truncated(reader, { ...output, length: at });
    if (symbol < 256) {
      if (at === bytes.length) {
        output.length = at;
        reserve(output, 1);
        bytes = output.bytes;
      }
      bytes[at++] = symbol;
      continue;
    }
    if (symbol === 256) break;
    const extra = LENGTH_EXTRA[symbol - 257];
    if (extra === undefined) throw corrupt(output, "a length code up to 285", String(symbol));
    const length = (LENGTH_BASE[symbol - 257] as number) + (hold & ((1 << extra) - 1));
    hold >>>= extra;
    count -= extra;
    for (; count <= 24; count += 8) hold |= (input[position++] ?? 0) << count;
    let code = distances.entries[hold & distanceMask] as number;
    if ((code & 15) === 0) code = secondEntry(distances, code, hold, position, output);
    hold >>>= code & 15;
    count -= code & 15;
    const distanceExtra = DISTANCE_EXTRA[code >> 4];
    if (distanceExtra === undefined) throw corrupt(output, "a distance code up to 29", String(code >> 4));
    for (; count < distanceExtra; count += 8) hold |= (input[position++] ?? 0) << count;
    const distance = (DISTANCE_BASE[code >> 4] as number) + (hold & ((1 << distanceExtra) - 1));
    hold >>>= distanceExtra;
    count -= distanceExtra;
    if (distance > at - start) throw corrupt(output, `a distance of at most ${at - start}`, String(distance));
    if (at + length > bytes.length) {
      output.length = at;
      reserve(output, length);
      bytes = output.bytes;
    }
    copyMatch(bytes, at, distance, length);
    at += length;
  }
  output.length = at;
  const madeUp = Math.max(0, position - input.length);
  if (count < 8 * madeUp) throw truncated(reader, output);
  reader.position = position - madeUp;
  reader.hold = hold;
  reader.count = count - 8 * madeUp;
}
