/**
 * LZMA (xz-file-format 1.2.1, LZMA specification), as numcodecs' `lzma` gives it to Python's `lzma` module, with what
 * that does with each container.
 */
import type { JsonObject } from "#core/json/json.ts";
import { hexBytes } from "#core/bytes.ts";
import { crc32 } from "../checksums/checksums.ts";
import { badConfiguration, brief, decodeFailed, finish, integerMember, newOutput } from "../codec.ts";
import type { Decoder, DecodeStep, Output } from "../codec.ts";
import { readAlone } from "./alone.ts";
import { chainMember } from "./chain-member.ts";
import { branchFilter, decodeChain, DELTA, type FilterChain, LZMA2, noBranchFilters } from "./filters.ts";
import { cutOff, invalid, invalidChecksum, type ReadStream, readStreams } from "./streams.ts";

type Container =
  | { readonly kind: "auto" | "xz" | "alone" }
  /** One .xz stream and nothing else. */
  | { readonly kind: "single-xz" }
  | { readonly kind: "raw"; readonly chain: FilterChain };

const LABELS = ["LZMA, .xz or .lzma", "LZMA, .xz", "LZMA, .lzma", "LZMA, raw"] as const;
const KINDS = ["auto", "xz", "alone"] as const;

export const lzma: Decoder = {
  prepare: (configuration) => {
    const format = integerMember("lzma", configuration, "format", { minimum: 0, maximum: 3, otherwise: 1 });
    return lzmaStep("lzma", LABELS[format] ?? "LZMA", containerOf(format, configuration));
  },
};

/** imagecodecs reads the size from the end of one .xz stream. */
export const imagecodecsLzma: Decoder = {
  prepare: () => lzmaStep("imagecodecs_lzma", "LZMA, .xz", { kind: "single-xz" }),
};

function lzmaStep(codec: string, label: string, container: Container): DecodeStep {
  return {
    label,
    decode: (input, limit) => decodeLzma(codec, input, container, limit),
  };
}

function containerOf(format: number, configuration: JsonObject): Container {
  const kind = KINDS[format];
  if (kind === undefined) return { kind: "raw", chain: chainMember("lzma", configuration) };
  const filters = configuration.get("filters") ?? null;
  if (filters === null) return { kind };
  throw badConfiguration("lzma", "filters", `null, as format ${format} lists its filters itself`, brief(filters));
}

function decodeLzma(codec: string, input: Uint8Array<ArrayBuffer>, container: Container, limit: number) {
  const output = newOutput(codec, limit, input.length * 4);
  if (container.kind === "single-xz") {
    const end = readXz(input, 0, output);
    if (end !== input.length) throw decodeFailed(codec, "one .xz stream", `${input.length - end} bytes after it`);
  } else if (container.kind === "raw") {
    readStreams(input, output, 1, (data, from) => decodeChain(data, from, container.chain, output));
  } else readStreams(input, output, 1, READERS[container.kind]);
  return finish(output);
}

const READERS: Readonly<Record<(typeof KINDS)[number], ReadStream>> = {
  xz: readXz,
  alone: (input, from, output) => readAlone(input, from, output),
  auto: (input, from, output) =>
    input[from] === 0xfd ? readXz(input, from, output) : readAlone(input, from, output, true),
};

// The .xz container (xz-file-format 1.2.1): header, blocks with their checks, index, footer.

const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0];
const HEADER_BYTES = 12;

/** Sizes of a block that the index must repeat. */
interface BlockSizes {
  readonly unpadded: number;
  readonly decoded: number;
}

/** Appends the stream at `from`; returns the position after it. */
function readXz(input: Uint8Array, from: number, output: Output): number {
  const flags = readHeader(input, from, output);
  const blocks: BlockSizes[] = [];
  let at = from + HEADER_BYTES;
  for (;;) {
    const size = input[at];
    if (size === undefined) throw cutOff(output.codec, input, output.length);
    if (size === 0) break;
    at = readBlock(input, at, flags, output, blocks);
  }
  const end = readIndex(input, at, blocks, output);
  readFooter(input, end, { flags, indexBytes: end - at }, output);
  return end + HEADER_BYTES;
}

/** Returns the id of the check. */
function readHeader(input: Uint8Array, from: number, output: Output): number {
  const header = input.subarray(from, from + HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw cutOff(output.codec, input, output.length);
  if (!MAGIC.every((byte, at) => header[at] === byte)) {
    const found = `${hexBytes(header.subarray(0, 6))} at byte ${from}`;
    throw invalid(output.codec, "an .xz stream, which begins fd 37 7a 58 5a 00", found);
  }
  checkCrc(header.subarray(6, 8), input, from + 8, output);
  const [reserved = 0, check = 0] = header.subarray(6);
  if (reserved === 0 && check < 16) return check;
  throw invalid(output.codec, "stream flags 00 00 to 00 0f", hexBytes(header.subarray(6, 8)));
}

function checkCrc(bytes: Uint8Array, input: Uint8Array, at: number, output: Output): void {
  const stored = new DataView(input.buffer, input.byteOffset + at, 4).getUint32(0, true);
  const computed = crc32(bytes);
  const text = (value: number) => `0x${value.toString(16).padStart(8, "0")}`;
  if (stored !== computed) throw invalidChecksum(output.codec, text(stored), text(computed));
}

/** Returns the position after the block; notes its sizes. */
function readBlock(input: Uint8Array, from: number, check: number, output: Output, blocks: BlockSizes[]): number {
  const headerBytes = ((input[from] as number) + 1) * 4;
  const start = from + headerBytes;
  if (start > input.length) throw cutOff(output.codec, input, output.length);
  checkCrc(input.subarray(from, start - 4), input, start - 4, output);
  const header = readBlockHeader(input.subarray(from, start - 4), output.codec);
  const before = output.length;
  const end = decodeChain(input, start, header.chain, output);
  compareSizes(output, "stored", header.stored, end - start);
  compareSizes(output, "decoded", header.decoded, output.length - before);
  const padded = start + Math.ceil((end - start) / 4) * 4;
  expectZeros(input, end, padded, output);
  const size = checkBytes(check);
  if (padded + size > input.length) throw cutOff(output.codec, input, output.length);
  const stored = hexBytes(input.subarray(padded, padded + size));
  const kind = CHECKS.get(check);
  const computed = kind === undefined ? stored : hexBytes(kind.compute(output.bytes.subarray(before, output.length)));
  if (stored !== computed) throw invalidChecksum(output.codec, `${kind?.name ?? "check"} ${stored}`, computed);
  blocks.push({ unpadded: headerBytes + (end - start) + size, decoded: output.length - before });
  return padded + size;
}

function compareSizes(output: Output, what: string, said: number | undefined, found: number): void {
  if (said === undefined || said === found) return;
  throw invalid(output.codec, `a block of ${said} ${what} bytes, as its header says`, `${found} bytes`);
}

function expectZeros(input: Uint8Array, from: number, to: number, output: Output): void {
  for (let at = from; at < to; at++) {
    const byte = input[at];
    if (byte === undefined) throw cutOff(output.codec, input, output.length);
    if (byte !== 0) throw invalid(output.codec, "padding of zeros", `${byte} at byte ${at}`);
  }
}

/** Returns the position after the index, which begins at `from`. */
function readIndex(input: Uint8Array, from: number, blocks: readonly BlockSizes[], output: Output): number {
  const cursor: Cursor = { bytes: input, at: from + 1 };
  const next = () => readSize(cursor, output.codec, () => cutOff(output.codec, input, output.length));
  const count = next();
  if (count !== blocks.length) throw invalid(output.codec, `an index of ${blocks.length} blocks`, String(count));
  for (const { unpadded, decoded } of blocks) {
    if (next() === unpadded && next() === decoded) continue;
    throw invalid(output.codec, "an index with the sizes of the blocks", "an index with others");
  }
  const end = from + Math.ceil((cursor.at - from) / 4) * 4;
  expectZeros(input, cursor.at, end, output);
  if (end + 4 > input.length) throw cutOff(output.codec, input, output.length);
  checkCrc(input.subarray(from, end), input, end, output);
  return end + 4;
}

function readFooter(
  input: Uint8Array,
  from: number,
  { flags, indexBytes }: { readonly flags: number; readonly indexBytes: number },
  output: Output,
): void {
  const footer = input.subarray(from, from + HEADER_BYTES);
  if (footer.length < HEADER_BYTES) throw cutOff(output.codec, input, output.length);
  if (footer[10] !== 0x59 || footer[11] !== 0x5a) {
    throw invalid(output.codec, "a footer that ends 59 5a", hexBytes(footer.subarray(10)));
  }
  checkCrc(footer.subarray(4, 10), input, from, output);
  const size = (new DataView(input.buffer, input.byteOffset + from + 4, 4).getUint32(0, true) + 1) * 4;
  if (size === indexBytes && footer[8] === 0 && footer[9] === flags) return;
  throw invalid(output.codec, "a footer with the header's flags and the index's size", hexBytes(footer));
}

// Headers of .xz blocks: sizes and the chain of filters (xz-file-format 3.1).

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

const MAX_SIZE_BYTES = 9;

/** A number of 7 bits per byte, lowest first (xz-file-format 1.2). `atEnd` makes the error where the bytes end. */
function readSize(cursor: Cursor, codec: string, atEnd: () => Error): number {
  let value = 0;
  for (let i = 0; i < MAX_SIZE_BYTES; i++) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) throw atEnd();
    cursor.at++;
    value += (byte & 127) * 2 ** (7 * i);
    if (byte >= 128) continue;
    if (byte === 0 && i > 0) break;
    return value;
  }
  throw invalid(codec, "a number of at most 9 bytes without zeros at its end", "another");
}

/** `bytes`: the header without its checksum, which has been verified. */
function readBlockHeader(bytes: Uint8Array, codec: string) {
  const flags = bytes[1] ?? 0;
  if ((flags & 0x3c) !== 0) throw invalid(codec, "block flags that are known", String(flags));
  const cursor: Cursor = { bytes, at: 2 };
  const next = () => readSize(cursor, codec, () => invalid(codec, "a whole block header", "one that ends early"));
  const stored = (flags & 0x40) === 0 ? undefined : next();
  const decoded = (flags & 0x80) === 0 ? undefined : next();
  if (stored === 0) throw invalid(codec, "a stored size above 0", "0");
  const filters: Filter[] = [];
  for (let i = 0; i <= (flags & 3); i++) {
    const id = next();
    const size = next();
    filters.push({ id, properties: bytes.subarray(cursor.at, cursor.at + size), size });
    cursor.at += size;
  }
  if (cursor.at > bytes.length || bytes.subarray(cursor.at).some((byte) => byte !== 0)) {
    throw invalid(codec, "a block header that ends with zeros", "another");
  }
  return { stored, decoded, chain: chainOf(filters, codec) };
}

interface Filter {
  readonly id: number;
  readonly properties: Uint8Array;
  readonly size: number;
}

function chainOf(filters: readonly Filter[], codec: string): FilterChain {
  const last = filters.at(-1);
  const size = last?.properties[0];
  if (last?.id !== LZMA2 || last.size !== 1 || size === undefined || size > 40) {
    throw invalid(codec, "LZMA2 as the last filter", `filter ${last?.id ?? "none"} with ${last?.size ?? 0} bytes`);
  }
  const deltas = filters.slice(0, -1).map(({ id, properties, size: count }) => {
    const branch = branchFilter(id);
    if (branch !== undefined) throw noBranchFilters(codec, branch);
    const distance = properties[0];
    if (id === DELTA && count === 1 && distance !== undefined) return distance + 1;
    throw invalid(codec, "the filters delta and LZMA2", `filter ${id} with ${count} bytes`);
  });
  const dictionarySize = size === 40 ? 2 ** 32 - 1 : (2 | (size & 1)) * 2 ** (11 + Math.floor(size / 2));
  return { deltas, compression: { kind: "lzma2", dictionarySize } };
}

// The integrity checks of .xz blocks (xz-file-format 2.1.1.2): CRC-32, CRC-64, SHA-256.

interface Check {
  readonly name: string;
  /** Bytes, as they are stored. */
  readonly compute: (bytes: Uint8Array) => Uint8Array;
}

const CHECKS: ReadonlyMap<number, Check> = new Map([
  [1, { name: "CRC-32", compute: (bytes: Uint8Array) => littleEndian([crc32(bytes)]) }],
  [4, { name: "CRC-64", compute: (bytes: Uint8Array) => littleEndian(crc64(bytes)) }],
  [10, { name: "SHA-256", compute: sha256 }],
]);

/** Bytes of the check, of those that are not known too. */
const checkBytes = (id: number): number => (id === 0 ? 0 : 2 ** (2 + Math.floor((id - 1) / 3)));

function littleEndian(words: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * words.length);
  const view = new DataView(bytes.buffer);
  words.forEach((word, at) => view.setUint32(4 * at, word, true));
  return bytes;
}

/** Low and high half of each entry: polynomial 0xc96c5795d7870f42 (ECMA-182, lowest bit first). */
let table: Int32Array | undefined;

/** Low and high half. */
function crc64(bytes: Uint8Array): readonly [number, number] {
  table ??= crcTable();
  let [low, high] = [-1, -1];
  for (const byte of bytes) {
    const entry = ((low ^ byte) & 255) * 2;
    low = ((low >>> 8) | (high << 24)) ^ (table[entry] as number);
    high = (high >>> 8) ^ (table[entry + 1] as number);
  }
  return [~low >>> 0, ~high >>> 0];
}

function crcTable(): Int32Array {
  const entries = new Int32Array(512);
  for (let byte = 0; byte < 256; byte++) {
    let [low, high] = [byte, 0];
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (low & 1) !== 0;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (isOdd) [low, high] = [low ^ 0xd787_0f42, high ^ 0xc96c_5795];
    }
    entries.set([low, high], 2 * byte);
  }
  return entries;
}

let constants: { readonly start: Uint32Array; readonly rounds: Uint32Array } | undefined;

/** The platform's own answers later and is missing where a page is not served over https; blocks are read in one go. */
function sha256(bytes: Uint8Array): Uint8Array {
  constants ??= sha256Constants();
  const state = Uint32Array.from(constants.start);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length * 8);
  const words = new Uint32Array(64);
  for (let from = 0; from < padded.length; from += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(from + 4 * i);
    compress(state, words, constants.rounds);
  }
  const result = new Uint8Array(32);
  const target = new DataView(result.buffer);
  state.forEach((word, at) => target.setUint32(4 * at, word));
  return result;
}

/** Fractions of square and cube roots of the first primes (FIPS 180-4 §4.2.2, §5.3.3), found with exact integers. */
function sha256Constants() {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (prime: number, power: bigint) => {
    const scaled = BigInt(prime) << (32n * power);
    let root = 0n;
    for (let bit = 1n << 36n; bit > 0n; bit >>= 1n) if ((root + bit) ** power <= scaled) root += bit;
    return Number(root & 0xffff_ffffn);
  };
  return {
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(prime, 2n)),
    rounds: Uint32Array.from(primes, (prime) => fraction(prime, 3n)),
  };
}

const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** One block (FIPS 180-4 §6.2.2). `words`: its 16 words, with room for 48 more. */
function compress(state: Uint32Array, words: Uint32Array, rounds: Uint32Array): void {
  const word = (at: number) => words[at] as number;
  for (let i = 16; i < 64; i++) {
    const [early, late] = [word(i - 15), word(i - 2)];
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[i] = word(i - 16) + first + word(i - 7) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (rounds[i] as number) + word(i)) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, at) => {
    state[at] = (state[at] as number) + value;
  });
}
