/** The bits of a stream, highest first, held as words of 32 so that any 32 of them are had from two words. */

export interface BitSource {
  /** The stream in whole words, with two of zeros after it: up to 32 bits may be looked at past the end. */
  readonly words: Int32Array;
  /** Bits of the stream. */
  readonly end: number;
  /** Bits taken. */
  at: number;
}

/** Of a stream, so that positions in bits are whole numbers of 32 bits. */
export const MAX_BYTES = 2 ** 28 - 1;

export function bitSource(bytes: Uint8Array): BitSource {
  const whole = bytes.length >>> 2;
  const words = new Int32Array(whole + 3);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < whole; i++) words[i] = view.getInt32(i * 4);
  for (let at = whole * 4; at < bytes.length; at++) {
    words[whole] = (words[whole] as number) | ((bytes[at] as number) << (24 - (at & 3) * 8));
  }
  return { words, end: bytes.length * 8, at: 0 };
}

/** The next `width` bits, 1 to 32, unsigned; -1 where the stream ends before. */
export function takeBits(source: BitSource, width: number): number {
  const { words, at } = source;
  if (at + width > source.end) return -1;
  source.at = at + width;
  return bitsFrom(words, at) >>> (32 - width);
}

/** The 32 bits from bit `at` on. */
export function bitsFrom(words: Int32Array, at: number): number {
  const word = at >>> 5;
  const shift = at & 31;
  return ((words[word] as number) << shift) | (((words[word + 1] as number) >>> 1) >>> (31 - shift));
}

/** The zeros from bit `at` up to the next one, however many; -1 where no one follows. */
export function zerosFrom(words: Int32Array, at: number): number {
  let word = at >>> 5;
  const first = (words[word] as number) << (at & 31);
  if (first !== 0) return Math.clz32(first);
  let zeros = 32 - (at & 31);
  for (word++; word < words.length; word++, zeros += 32) {
    const next = words[word] as number;
    if (next !== 0) return zeros + Math.clz32(next);
  }
  return -1;
}

/** The number that is coded as so many zeros and a one; -1 where no one follows. */
export function takeUnary(source: BitSource): number {
  const zeros = zerosFrom(source.words, source.at);
  if (zeros !== -1) source.at += zeros + 1;
  return zeros;
}
