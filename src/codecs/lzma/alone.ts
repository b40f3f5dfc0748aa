/** The old `.lzma` container (LZMA_Alone): properties, dictionary size, decoded size or none, LZMA data. */
import { hexBytes } from "#core/bytes.ts";
import { decodeTooLarge, type Output } from "../codec.ts";
import { isAtEnd, startRange } from "./range.ts";
import { cutOff, invalid } from "./streams.ts";
import { decodeSymbols, endsWithMarker, newLzma, propertiesOf, type Properties } from "./symbols.ts";

const HEADER_BYTES = 13;
const UNKNOWN = 2 ** 64;

/**
 * Appends the stream at `from`; returns the position after it. As liblzma: a size that is known may be followed by the
 * end marker.
 */
export function readAlone(input: Uint8Array, from: number, output: Output, isPicky = false): number {
  const [first] = input.subarray(from);
  const properties = first === undefined ? undefined : propertiesOf(first);
  if (properties === undefined && first !== undefined) throw notAlone(input, from, output);
  if (from + HEADER_BYTES > input.length || properties === undefined) throw cutOff(output.codec, input, output.length);
  const view = new DataView(input.buffer, input.byteOffset + from, HEADER_BYTES);
  const dictionarySize = view.getUint32(1, true);
  const size = view.getUint32(9, true) * 2 ** 32 + view.getUint32(5, true);
  const isUnknown = view.getUint32(9, true) === 0xffff_ffff && view.getUint32(5, true) === 0xffff_ffff;
  if (isPicky && !isLikely(dictionarySize, isUnknown ? 0 : size)) throw notAlone(input, from, output);
  // A stream after the first may be none: it is read as far as it goes.
  if (!isUnknown && from === 0 && size > output.limit) {
    throw decodeTooLarge(output.codec, output.limit, `${size} bytes, as the header says`);
  }
  const data = { properties, dictionarySize, size: isUnknown ? undefined : size };
  return readLzma1(input, from + HEADER_BYTES, data, output);
}

export interface Lzma1 {
  readonly properties: Properties;
  readonly dictionarySize: number;
  /** `undefined`: up to the end marker. */
  readonly size: number | undefined;
}

/** Appends LZMA data without a header; returns the position after them. */
export function readLzma1(input: Uint8Array, from: number, data: Lzma1, output: Output): number {
  const { properties, dictionarySize, size } = data;
  const lzma = newLzma(properties, dictionarySize, output.length);
  const range = startRange(input, from, UNKNOWN, output);
  const hasMarker = decodeSymbols(lzma, range, output, size === undefined ? UNKNOWN : output.length + size);
  if (size === undefined) return range.position;
  if (!hasMarker && (isAtEnd(range) || endsWithMarker(lzma, range, output))) return range.position;
  throw invalid(output.codec, `LZMA data of ${size} bytes, as the header says`, hasMarker ? "fewer" : "more");
}

/** Sizes that LZMA SDK and xz write: 2^n or 2^n + 2^(n-1), and less than 256 GiB. */
function isLikely(dictionarySize: number, size: number): boolean {
  if (size >= 2 ** 38) return false;
  if (dictionarySize === 0xffff_ffff) return true;
  const power = 2 ** Math.floor(Math.log2(Math.max(1, dictionarySize)));
  return dictionarySize === power || dictionarySize === 1.5 * power || dictionarySize === 0;
}

function notAlone(input: Uint8Array, from: number, output: Output): Error {
  const found = `${hexBytes(input.subarray(from, from + HEADER_BYTES))} at byte ${from}`;
  return invalid(output.codec, "an .lzma header of 13 bytes (5d 00 00 is usual)", found);
}
