/** Numbers as GRIB writes them: big-endian, signs in the first bit (FM 92, regulation 92.1.5), and runs of bits. */

/** Throws RangeError outside the bytes, as DataView does: sections are checked for their length before. */
export function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A sign and a magnitude, `bits` wide; exact up to 53 bits. */
export function signed(value: number, bits: number): number {
  const half = 2 ** (bits - 1);
  return value < half ? value : half - value;
}

export function signed16(data: DataView, at: number): number {
  return signed(data.getUint16(at), 16);
}

export function signed32(data: DataView, at: number): number {
  return signed(data.getUint32(at), 32);
}

export function unsigned24(data: DataView, at: number): number {
  return data.getUint16(at) * 256 + data.getUint8(at + 2);
}

/** Widest run of bits that a number holds exactly. */
export const MAX_BITS = 53;

/** Where in some bytes bits are taken next, from the highest bit of each byte on. */
export interface BitReader {
  readonly bytes: Uint8Array;
  next: number;
  /** Bits taken from `bytes` and not yet handed out: the lowest `have` bits, fewer than 8 between calls. */
  hold: number;
  have: number;
}

export function bitReader(bytes: Uint8Array, from: number): BitReader {
  return { bytes, next: from, hold: 0, have: 0 };
}

export function bitsLeft({ bytes, next, have }: BitReader): number {
  return (bytes.length - next) * 8 + have;
}

const FAST_BITS = 24;

/** The next `width` bits, 0 to 53, as a number. The caller has seen to it that they are there. */
export function take(reader: BitReader, width: number): number {
  if (width <= FAST_BITS) return takeFew(reader, width);
  const high = take(reader, width - FAST_BITS);
  return high * 2 ** FAST_BITS + takeFew(reader, FAST_BITS);
}

function takeFew(reader: BitReader, width: number): number {
  let { hold, have } = reader;
  while (have < width) {
    hold = (hold << 8) | (reader.bytes[reader.next++] as number);
    have += 8;
  }
  have -= width;
  reader.hold = hold & ((1 << have) - 1);
  reader.have = have;
  return hold >>> have;
}

/** `count` numbers of `width` bits, each with `add` added, into `out` from `at` on. Bits must be there, as for `take`. */
export function takeInto(
  reader: BitReader,
  width: number,
  run: { readonly out: Float64Array; readonly at: number; readonly count: number; readonly add: number },
): void {
  const { out, at, count, add } = run;
  if (width === 0) {
    out.fill(add, at, at + count);
    return;
  }
  if (width > FAST_BITS) {
    for (let i = 0; i < count; i++) out[at + i] = add + take(reader, width);
    return;
  }
  const { bytes } = reader;
  const quick = takeQuickly(reader, width, run);
  let { next, hold, have } = reader;
  for (let i = quick; i < count; i++) {
    for (; have < width; have += 8) hold = (hold << 8) | (bytes[next++] as number);
    have -= width;
    out[at + i] = add + (hold >>> have);
    hold &= (1 << have) - 1;
  }
  reader.next = next;
  reader.hold = hold;
  reader.have = have;
}

/** IBM System/360 single precision: a sign, an exponent of 16 less 64, a fraction of 24 bits. Exact. */
export function ibmFloat(bits: number): number {
  const fraction = bits & 0xffffff;
  const size = fraction * 16 ** (((bits >>> 24) & 127) - 70);
  return bits >>> 31 === 1 ? -size : size;
}

/** Below this, getting ready takes longer than it spares. */
const LEAST_QUICK = 32;

interface Run {
  readonly out: Float64Array;
  readonly at: number;
  readonly count: number;
}

/** Numbers of at most 24 bits, each from four bytes, as long as there are so many. Gives how many were taken. */
function takeQuickly(
  reader: BitReader,
  width: number,
  { out, at, count, add }: Run & { readonly add: number },
): number {
  const whole = quickCount(reader, width, count);
  if (whole === 0) return 0;
  const data = view(reader.bytes);
  const shift = 32 - width;
  let place = firstBit(reader);
  for (let i = at; i < at + whole; i++) {
    out[i] = add + ((data.getInt32(place >>> 3) << (place & 7)) >>> shift);
    place += width;
  }
  continueAt(reader, place);
  return whole;
}

/** How a stored number becomes a value: (reference + number × two) × ten, rounded after each step. */
export interface Steps {
  readonly reference: number;
  readonly two: number;
  readonly ten: number;
}

/** As `takeInto`, scaled on the way: a second pass over millions of values takes as long as the first. */
export function takeScaled(reader: BitReader, width: number, run: Run, { reference, two, ten }: Steps): void {
  const { out, at, count } = run;
  const whole = width === 0 || width > FAST_BITS ? 0 : quickCount(reader, width, count);
  if (whole > 0) {
    const data = view(reader.bytes);
    const shift = 32 - width;
    let place = firstBit(reader);
    for (let i = at; i < at + whole; i++) {
      out[i] = (((data.getInt32(place >>> 3) << (place & 7)) >>> shift) * two + reference) * ten;
      place += width;
    }
    continueAt(reader, place);
  }
  takeInto(reader, width, { out, at: at + whole, count: count - whole, add: 0 });
  for (let i = at + whole; i < at + count; i++) out[i] = ((out[i] as number) * two + reference) * ten;
}

/** Numbers whose four bytes are all there, from the byte in which each begins; places are counted in 32 bits. */
function quickCount(reader: BitReader, width: number, count: number): number {
  const last = Math.min((reader.bytes.length - 4) * 8, 2 ** 32 - 64);
  const whole = Math.min(count, Math.floor((last - firstBit(reader)) / width));
  return whole < LEAST_QUICK ? 0 : whole;
}

const firstBit = ({ next, have }: BitReader): number => next * 8 - have;

function continueAt(reader: BitReader, place: number): void {
  const byte = Math.floor(place / 8);
  const bit = place % 8;
  reader.next = bit === 0 ? byte : byte + 1;
  reader.have = bit === 0 ? 0 : 8 - bit;
  reader.hold = bit === 0 ? 0 : (reader.bytes[byte] as number) & ((1 << (8 - bit)) - 1);
}
