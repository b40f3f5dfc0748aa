/**
 * TIFF's LZW (TIFF 6.0, section 13) as imagecodecs reads it: codes of 9 to 12 bits, highest bit first, one code earlier
 * longer than needed; also the old order, lowest bit first, known by its first two bytes.
 */
import { hexBytes } from "#core/bytes.ts";
import { copyMatch, decodeFailed, type Decoder, finish, newOutput, type Output, reserve } from "../codec.ts";

const ID = "imagecodecs_lzw";

export const imagecodecsLzw: Decoder = {
  prepare: () => ({ label: "LZW, as in TIFF", decode: unlzw }),
};

const CLEAR = 256;
const END = 257;
const FIRST_FREE = 258;
/** imagecodecs' table; with codes of 12 bits those past 4,095 are never named. */
const MAX_ENTRIES = 4098;

interface Codes {
  readonly input: Uint8Array;
  readonly isHighestFirst: boolean;
  /** Bits taken. */
  at: number;
  width: number;
}

/** Data may stop without an end code, as imagecodecs allows; the number of bytes then decides. */
function unlzw(input: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  const output = newOutput(ID, limit, input.length * 3);
  if (input.length > 0) decodeCodes(codesOf(input), output);
  return finish(output);
}

function codesOf(input: Uint8Array): Codes {
  const [first = -1, second = -1] = input;
  const isOld = first === 0 && second >= 0 && (second & 1) === 1;
  if (!isOld && (first !== 128 || second < 0 || second >= 128)) {
    const found = hexBytes(input.subarray(0, 2));
    throw decodeFailed(ID, "LZW data, which begin with a clear code (80 00 to 80 7f)", found);
  }
  return { input, isHighestFirst: !isOld, at: 0, width: 9 };
}

/** The end code where the data are at an end. */
function nextCode(codes: Codes): number {
  const { input, at, width, isHighestFirst } = codes;
  if (at + width > input.length * 8) return END;
  codes.at += width;
  const byte = at >> 3;
  const [first, second] = [input[byte] ?? 0, input[byte + 1] ?? 0];
  // imagecodecs (2026.3.6) takes the data's last byte for zero here: it matters where no end code comes last.
  const third = at + 24 > input.length * 8 ? 0 : (input[byte + 2] ?? 0);
  const mask = (1 << width) - 1;
  if (!isHighestFirst) return ((first | (second << 8) | (third << 16)) >> (at & 7)) & mask;
  return (((first << 16) | (second << 8) | third) >> (24 - width - (at & 7))) & mask;
}

/** An entry is where its bytes were last written in the output, and how many they are. */
function decodeCodes(codes: Codes, output: Output): void {
  const starts = new Uint32Array(MAX_ENTRIES);
  const lengths = new Uint32Array(MAX_ENTRIES).fill(1);
  let free = FIRST_FREE;
  let before = -1;
  for (;;) {
    const code = nextCode(codes);
    if (code === END) return;
    if (code === CLEAR) {
      [free, before] = [FIRST_FREE, -1];
      codes.width = 9;
      continue;
    }
    const start = output.length;
    if (before < 0) {
      if (code > 255) throw corrupt(codes, "a byte after a clear code", code);
      putByte(output, code);
    } else {
      if (free >= MAX_ENTRIES) throw corrupt(codes, "a clear code once the table is full", code);
      // The new entry is the one before and the first byte of this, which follows it in the output.
      const length = lengths[before] as number;
      starts[free] = start - length;
      lengths[free] = length + 1;
      if (code > free) throw corrupt(codes, `a code of at most ${free}`, code);
      if (code < 256) putByte(output, code);
      else copyEntry(output, starts[code] as number, lengths[code] as number);
      free++;
      widen(codes, free);
    }
    before = code;
  }
}

function putByte(output: Output, byte: number): void {
  if (output.length === output.bytes.length) reserve(output, 1);
  output.bytes[output.length++] = byte;
}

function copyEntry(output: Output, from: number, length: number): void {
  reserve(output, length);
  copyMatch(output.bytes, output.length, output.length - from, length);
  output.length += length;
}

function widen(codes: Codes, free: number): void {
  const last = codes.isHighestFirst ? free + 1 : free;
  if (last === 512 || last === 1024 || last === 2048) codes.width++;
}

function corrupt({ at }: Codes, expected: string, code: number): Error {
  return decodeFailed(ID, expected, `code ${code} before byte ${Math.ceil(at / 8)}`);
}
