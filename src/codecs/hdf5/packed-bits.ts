/** Bits packed one after another, the highest first, as HDF5's filters nbit and scaleoffset pack them. */
import { type Bytes, decodeFailed, decodeTooLarge } from "../codec.ts";

/** Consecutive bits, 8 at most, that go into byte `at` of an element; `shift`: where the lowest of them goes. */
export interface BitsOfByte {
  readonly at: number;
  readonly width: number;
  readonly shift: number;
}

type PackedNumber = Readonly<Record<"size" | "precision" | "offset", number>> & { readonly isBig: boolean };

/** `precision` bits from bit `offset` of a number on, the highest first. */
export function bitsOfNumber({ size, isBig, precision, offset }: PackedNumber): readonly BitsOfByte[] {
  const end = offset + precision;
  const parts: BitsOfByte[] = [];
  for (let byte = Math.ceil(end / 8) - 1; byte >= Math.floor(offset / 8); byte--) {
    const from = Math.max(offset, 8 * byte);
    const width = Math.min(end, 8 * byte + 8) - from;
    parts.push({ at: isBig ? size - 1 - byte : byte, width, shift: from - 8 * byte });
  }
  return parts;
}

/** Words without sign that wrap as C's do; of 8 bytes they are BigInts. */
export function wordsOf({ buffer }: Bytes, size: number): { readonly length: number; [at: number]: number | bigint } {
  if (size === 8) return new BigUint64Array(buffer);
  return size === 4 ? new Uint32Array(buffer) : size === 2 ? new Uint16Array(buffer) : new Uint8Array(buffer);
}

/** Elements of `size` bytes; bits that are not packed are 0. Throws `decode-failed`, `decode-too-large`. */
export function unpackBits(
  codec: string,
  input: Bytes,
  parts: readonly BitsOfByte[],
  { count, size, limit }: { readonly count: number; readonly size: number; readonly limit: number },
): Bytes {
  if (count * size > limit) throw decodeTooLarge(codec, limit, `${count} elements of ${size} bytes`);
  const bits = parts.reduce((sum, { width }) => sum + width, 0);
  const needed = Math.ceil((count * bits) / 8);
  if (input.length < needed) {
    throw decodeFailed(codec, `${needed} bytes: ${count} elements of ${bits} bits`, `${input.length} bytes`);
  }
  const target = new Uint8Array(count * size);
  let [next, held, kept] = [0, 0, 0];
  for (let from = 0; from < target.length; from += size) {
    for (const { at, width, shift } of parts) {
      if (kept < width) {
        held = (held << 8) | (input[next++] as number);
        kept += 8;
      }
      kept -= width;
      const to = from + at;
      target[to] = (target[to] as number) | ((held >>> kept) << shift);
      held &= (1 << kept) - 1;
    }
  }
  return target;
}
