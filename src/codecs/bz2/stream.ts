/**
 * bzip2 (the format of bzip2 1.0.8): numcodecs' `bz2`. A stream is a header, blocks with a checksum each, and one
 * checksum of all.
 */
import { type Bits, bitsOf, moveTo, peekHigh, skipBits, takeHigh } from "#core/bits.ts";
import { hexBytes } from "#core/bytes.ts";
import { decodeFailed, type Decoder, finish, newOutput, type Output, reserve } from "../codec.ts";
import { cutOff, invalid, invalidChecksum, readStreams } from "../lzma/streams.ts";

const BLOCK = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
const END = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90];

export const bz2: Decoder = {
  prepare: () => ({ label: "bzip2", decode: unbz2 }),
};

/** Decodes as Python's `bz2.decompress`: empty input gives empty output, and checksums are verified. */
function unbz2(input: Uint8Array, limit: number): Uint8Array<ArrayBuffer> {
  const output = newOutput("bz2", limit, input.length * 4);
  // Many small streams share one room for blocks.
  let workspace = new Uint32Array();
  const bits = Object.assign(
    bitsOf(input, () => cutOff(output.codec, input, output.length)),
    { output },
  );
  readStreams(input, output, 0, (_, from) => {
    moveTo(bits, from, 0);
    return readStream(bits, input, (size) => {
      if (workspace.length < size) workspace = new Uint32Array(size);
      return workspace.subarray(0, size);
    });
  });
  return finish(output);
}

interface StreamBits extends Bits {
  readonly output: Output;
}

function readStream(bits: StreamBits, input: Uint8Array, roomFor: (size: number) => Uint32Array): number {
  const { output } = bits;
  const level = readHeader(bits, input);
  let combined = 0;
  while (isBlock(bits)) {
    const stored = takeHigh(bits, 32);
    const start = output.length;
    readBlock(bits, roomFor(level * 100_000), output);
    const computed = crc(output.bytes, start, output.length);
    if (stored !== computed) throw mismatch(output, stored, computed);
    combined = (((combined << 1) | (combined >>> 31)) ^ computed) >>> 0;
  }
  const stored = takeHigh(bits, 32);
  if (stored !== combined) throw mismatch(output, stored, combined);
  return nextByte(bits);
}

/** The first byte of which nothing was taken. */
const nextByte = ({ byte, bit }: Bits): number => byte + (bit > 0 ? 1 : 0);

/** Byte by byte, as what is not a stream is known by its first wrong byte. */
function readHeader(bits: StreamBits, input: Uint8Array): number {
  const from = bits.byte;
  const isRight = (byte: number, place: number) =>
    place < 3 ? byte === "BZh".charCodeAt(place) : byte >= 0x31 && byte <= 0x39;
  let byte = 0;
  for (let place = 0; place < 4; place++) {
    byte = takeHigh(bits, 8);
    if (isRight(byte, place)) continue;
    const found = `${hexBytes(input.subarray(from, from + 4))} at byte ${from}`;
    throw invalid(bits.output.codec, "a bzip2 stream, which begins 42 5a 68 and 31 to 39", found);
  }
  return byte - 0x30;
}

function isBlock(bits: StreamBits): boolean {
  const before = nextByte(bits);
  let byte = takeHigh(bits, 8);
  const magic = byte === END[0] ? END : BLOCK;
  for (let place = 0; place < magic.length; place++) {
    if (byte !== magic[place]) {
      const found = `another 6 bytes near byte ${before}`;
      throw invalid(bits.output.codec, "a block (314159265359) or the stream's end (177245385090)", found);
    }
    if (place < 5) byte = takeHigh(bits, 8);
  }
  return magic === BLOCK;
}

function mismatch(output: Output, stored: number, computed: number): Error {
  const text = (value: number) => `0x${value.toString(16).padStart(8, "0")}`;
  return invalidChecksum(output.codec, text(stored), text(computed));
}

let table: Int32Array | undefined;

/** CRC-32 with the highest bit first (polynomial 0x04c11db7). */
function crc(bytes: Uint8Array, from: number, to: number): number {
  table ??= crcTable();
  let value = -1;
  for (let i = from; i < to; i++) {
    value = (value << 8) ^ (table[((value >>> 24) ^ (bytes[i] as number)) & 255] as number);
  }
  return ~value >>> 0;
}

function crcTable(): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) => {
    let value = byte << 24;
    for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
    return value;
  });
}

// One block of a bzip2 stream: Huffman codes, move to front, the Burrows-Wheeler transform, runs.

/** Room for the largest block, used again for each: the last column in the low bytes, links in the high ones. */
type Workspace = Uint32Array;

const GROUP = 50;
const MAX_RUN = 2 * 1024 * 1024;

/** Appends the block's bytes; its magic number and checksum have been taken. */
function readBlock(bits: StreamBits, workspace: Workspace, output: Output): void {
  if (takeHigh(bits, 1) === 1) {
    const expected = "blocks that are not randomised (bzip2 0.9.5 of 1999 and later)";
    throw decodeFailed(output.codec, expected, "a randomised block, which Refscope does not decode");
  }
  const first = takeHigh(bits, 24);
  if (first > workspace.length + 10) throw badStart(output, first, workspace.length);
  const bytes = readBytesInUse(bits);
  const counts = new Uint32Array(256);
  const length = readColumn(bits, bytes, workspace, counts);
  if (first >= length) throw badStart(output, first, length);
  link(workspace, length, counts);
  writeRuns(workspace, length, first, output);
}

function badStart(output: Output, first: number, length: number): Error {
  return invalid(output.codec, `a block that begins at one of its ${length} bytes`, `one that begins at ${first}`);
}

function readBytesInUse(bits: StreamBits): Uint8Array {
  const rows = takeHigh(bits, 16);
  const bytes: number[] = [];
  for (let row = 0; row < 16; row++) {
    if ((rows & (0x8000 >>> row)) === 0) continue;
    const columns = takeHigh(bits, 16);
    for (let column = 0; column < 16; column++) {
      if ((columns & (0x8000 >>> column)) !== 0) bytes.push(row * 16 + column);
    }
  }
  if (bytes.length === 0) throw invalid(bits.output.codec, "a block with bytes in it", "one without");
  return Uint8Array.from(bytes);
}

/** The last column of the sorted rotations, into `workspace`, and how often each byte is in it. Returns its length. */
function readColumn(bits: StreamBits, order: Uint8Array, workspace: Workspace, counts: Uint32Array): number {
  const tableCount = takeHigh(bits, 3);
  if (tableCount < 2 || tableCount > 6) throw invalid(bits.output.codec, "2 to 6 Huffman tables", String(tableCount));
  const selectors = readSelectors(bits, tableCount);
  const end = order.length + 1;
  const tables = Array.from({ length: tableCount }, () => readTable(bits, end + 1));
  let [length, run, weight] = [0, 0, 1];
  for (let taken = 0; ; taken++) {
    const table = tables[selectors[Math.floor(taken / GROUP)] ?? -1];
    if (table === undefined) throw invalid(bits.output.codec, `at most ${taken} symbols`, "more");
    const symbol = takeSymbol(bits, table);
    if (symbol < 2) {
      if (weight >= MAX_RUN) throw invalid(bits.output.codec, "runs within a block", "a longer one");
      run += weight << symbol;
      weight *= 2;
      continue;
    }
    if (run > 0) {
      length = putRun(workspace, length, run, order[0] as number, counts, bits.output);
      [run, weight] = [0, 1];
    }
    if (symbol === end) return length;
    const byte = order[symbol - 1] as number;
    order.copyWithin(1, 0, symbol - 1);
    order[0] = byte;
    length = putRun(workspace, length, 1, byte, counts, bits.output);
  }
}

function putRun(workspace: Workspace, length: number, run: number, byte: number, counts: Uint32Array, output: Output) {
  const end = length + run;
  if (end > workspace.length) throw invalid(output.codec, `a block of at most ${workspace.length} bytes`, "more");
  if (run === 1) workspace[length] = byte;
  else workspace.fill(byte, length, end);
  counts[byte] = (counts[byte] as number) + run;
  return end;
}

/** Each place gets the place whose byte comes after its own, in the high 24 bits. */
function link(workspace: Workspace, length: number, counts: Uint32Array): void {
  const next = new Uint32Array(256);
  for (let byte = 1; byte < 256; byte++) next[byte] = (next[byte - 1] as number) + (counts[byte - 1] as number);
  for (let i = 0; i < length; i++) {
    const byte = (workspace[i] as number) & 255;
    const place = next[byte] as number;
    next[byte] = place + 1;
    workspace[place] = (workspace[place] as number) | (i << 8);
  }
}

/** Four equal bytes are followed by how many more there are. */
function writeRuns(workspace: Workspace, length: number, first: number, output: Output): void {
  let at = (workspace[first] as number) >>> 8;
  let [equal, last] = [0, -1];
  for (let i = 0; i < length; i++) {
    const entry = workspace[at] as number;
    const byte = entry & 255;
    at = entry >>> 8;
    if (equal === 4) {
      reserve(output, byte);
      output.bytes.fill(last, output.length, output.length + byte);
      output.length += byte;
      [equal, last] = [0, -1];
      continue;
    }
    equal = byte === last ? equal + 1 : 1;
    last = byte;
    if (output.length === output.bytes.length) reserve(output, 1);
    output.bytes[output.length++] = byte;
  }
  if (equal === 4) throw invalid(output.codec, "a count after four equal bytes", "the end of the block");
}

// Huffman tables of a bzip2 block, and the choice of a table for every 50 symbols.

interface HuffmanTable {
  readonly shortest: number;
  /** Greatest 20-bit prefix of a code, by code length; -1 for lengths without codes. */
  readonly limits: Int32Array;
  /** Number to subtract from a code to get its place in `symbols`, by code length. */
  readonly bases: Int32Array;
  readonly symbols: Uint16Array;
}

const MAX_BITS = 20;
/** Encoders write 18,001 at most; bzip2 reads over those past 18,002. */
const MAX_SELECTORS = 18_002;

/** The table of each group of 50 symbols. */
function readSelectors(bits: StreamBits, tables: number): Uint8Array {
  const count = takeHigh(bits, 15);
  if (count === 0) throw invalid(bits.output.codec, "a table for each 50 symbols", "none");
  const order = Array.from({ length: tables }, (_, table) => table);
  const selectors = new Uint8Array(Math.min(count, MAX_SELECTORS));
  for (let i = 0; i < count; i++) {
    let place = 0;
    while (takeHigh(bits, 1) === 1) {
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

function readTable(bits: StreamBits, symbols: number): HuffmanTable {
  const lengths = new Uint8Array(symbols);
  let length = takeHigh(bits, 5);
  for (let symbol = 0; symbol < symbols; symbol++) {
    for (;;) {
      if (length < 1 || length > MAX_BITS) throw invalid(bits.output.codec, "codes of 1 to 20 bits", `${length} bits`);
      if (takeHigh(bits, 1) === 0) break;
      length += takeHigh(bits, 1) === 0 ? 1 : -1;
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

function takeSymbol(bits: StreamBits, table: HuffmanTable): number {
  const window = peekHigh(bits) >>> (32 - MAX_BITS);
  let length = table.shortest;
  while (length <= MAX_BITS && window > (table.limits[length] as number)) length++;
  const symbol = table.symbols[(window >>> (MAX_BITS - length)) - (table.bases[length] ?? 0)];
  if (length > MAX_BITS || symbol === undefined) {
    throw invalid(bits.output.codec, "a known Huffman code", `an unknown one before byte ${bits.byte + 1}`);
  }
  skipBits(bits, length);
  return symbol;
}
