/** bzip2 streams: a header, blocks with a checksum each, and one checksum of all. */
import { hexBytes } from "../../core/hex-bytes.ts";
import { invalid, invalidChecksum, readStreams } from "../lzma/streams.ts";
import type { Output } from "../output.ts";
import { take, take32, type Bits } from "./bits.ts";
import { readBlock } from "./block.ts";

const BLOCK = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
const END = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90];

/** Appends what all streams of `input` hold. Throws `decode-failed`, `decode-too-large`, `checksum-mismatch`. */
export function decodeBz2(input: Uint8Array, output: Output): void {
  // Many small streams share one room for blocks.
  let workspace = new Uint32Array();
  readStreams(input, output, 0, (input, from, output) =>
    readStream(input, from, output, (size) => {
      if (workspace.length < size) workspace = new Uint32Array(size);
      return workspace.subarray(0, size);
    }),
  );
}

function readStream(input: Uint8Array, from: number, output: Output, roomFor: (size: number) => Uint32Array): number {
  const bits: Bits = { input, position: from, hold: 0, count: 0, output };
  const level = readHeader(bits, from);
  let combined = 0;
  while (isBlock(bits)) {
    const stored = take32(bits);
    const start = output.length;
    readBlock(bits, roomFor(level * 100_000), output);
    const computed = crc(output.bytes, start, output.length);
    if (stored !== computed) throw mismatch(output, stored, computed);
    combined = (((combined << 1) | (combined >>> 31)) ^ computed) >>> 0;
  }
  const stored = take32(bits);
  if (stored !== combined) throw mismatch(output, stored, combined);
  return bits.position - (bits.count >> 3);
}

/** Byte by byte, as what is not a stream is known by its first wrong byte. */
function readHeader(bits: Bits, from: number): number {
  const isRight = (byte: number, place: number) =>
    place < 3 ? byte === "BZh".charCodeAt(place) : byte >= 0x31 && byte <= 0x39;
  let byte = 0;
  for (let place = 0; place < 4; place++) {
    byte = take(bits, 8);
    if (isRight(byte, place)) continue;
    const found = `${hexBytes(bits.input.subarray(from, from + 4))} at byte ${from}`;
    throw invalid(bits.output.codec, "a bzip2 stream, which begins 42 5a 68 and 31 to 39", found);
  }
  return byte - 0x30;
}

function isBlock(bits: Bits): boolean {
  const before = bits.position - (bits.count >> 3);
  let byte = take(bits, 8);
  const magic = byte === END[0] ? END : BLOCK;
  for (let place = 0; place < magic.length; place++) {
    if (byte !== magic[place]) {
      const found = `another 6 bytes near byte ${before}`;
      throw invalid(bits.output.codec, "a block (314159265359) or the stream's end (177245385090)", found);
    }
    if (place < 5) byte = take(bits, 8);
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
