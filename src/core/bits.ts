/** Bits one after another, from the lowest of each byte on or from the highest: the names say which. */
export interface Bits {
  /** View of a copy with zeros after it, so that nobody need check before each number if it is there. */
  readonly view: DataView;
  /** Bytes that there are. */
  readonly end: number;
  /** Byte of the next bit; loops that take many numbers take the place out, and put it back when they are through. */
  byte: number;
  /** Bit of the byte, 0 to 7, in the order in which they are taken. */
  bit: number;
  /** Makes the error to throw if more is taken than there is. */
  readonly ended: (bits: Bits) => Error;
}

/** `slack`: how many bytes may be looked at past the end. */
export function bitsOf(bytes: Uint8Array, ended: (bits: Bits) => Error, slack = 8): Bits {
  const padded = new Uint8Array(bytes.length + slack);
  padded.set(bytes);
  return { view: new DataView(padded.buffer), end: bytes.length, byte: 0, bit: 0, ended };
}

/** The same bits from another byte on, beside those that are taken from the first. */
export const bitsFrom = ({ view, end, ended }: Bits, byte: number): Bits => ({ view, end, byte, bit: 0, ended });

/** The next bits, 25 at least, in the low end of a number. */
export const peekLow = ({ view, byte, bit }: Bits): number => view.getInt32(byte, true) >>> bit;

/** The next bits, 25 at least, in the high end of a number. */
export const peekHigh = ({ view, byte, bit }: Bits): number => view.getInt32(byte) << bit;

/** At most 32 bits, as a signed 32-bit integer. */
export function takeLow(bits: Bits, count: number): number {
  const { view, byte, bit } = bits;
  const word = (view.getInt32(byte, true) >>> bit) | ((view.getInt32(byte + 4, true) << 1) << (31 - bit));
  skipBits(bits, count);
  return count === 32 ? word : word & ((1 << count) - 1);
}

/** At most 32 bits, unsigned. */
export function takeHigh(bits: Bits, count: number): number {
  const { view, byte, bit } = bits;
  const word = (view.getInt32(byte) << bit) | (view.getUint8(byte + 4) >>> (8 - bit));
  skipBits(bits, count);
  return count === 0 ? 0 : word >>> (32 - count);
}

export function skipBits(bits: Bits, count: number): void {
  moveTo(bits, bits.byte, bits.bit + count);
}

/** `bit`: counted from the first of `byte`. */
export function moveTo(bits: Bits, byte: number, bit: number): void {
  bits.byte = byte + (bit >>> 3);
  bits.bit = bit & 7;
  if (bits.byte >= bits.end && (bits.byte > bits.end || bits.bit > 0)) throw bits.ended(bits);
}
