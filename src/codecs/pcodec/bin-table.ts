/** The bins of a latent variable, and the table by which tANS says which bin is next. */
import { takeLow } from "#core/bits.ts";
import { readLatent, type BitReader } from "./bits.ts";
import { invalid, type Width } from "./format.ts";

/** Bins by the state of a coder; there are 2 to the power of `sizeLog` states. */
export interface BinTable {
  readonly width: Width;
  readonly sizeLog: number;
  readonly bins: number;
  readonly maxOffsetBits: number;
  /**
   * Nodes packed into one number each: 14 bits to add to the bits read for the next state, 4 for how many bits to read,
   * 7 for the offset's.
   */
  readonly nodes: Int32Array;
  /** The least number of the bin. `lowerHi` is empty but for 64 bits. */
  readonly lowerLo: Int32Array;
  readonly lowerHi: Int32Array;
}

export const NEXT_MASK = 0x3fff;
export const READ_SHIFT = 14;
export const OFFSET_SHIFT = 18;

const MAX_SIZE_LOG = 14;

interface Bins {
  readonly weights: Int32Array;
  readonly lowerLo: Int32Array;
  readonly lowerHi: Int32Array;
  readonly offsetBits: Int32Array;
}

export function readBinTable(reader: BitReader, width: Width, section: string): BinTable {
  const sizeLog = takeLow(reader, 4);
  const count = takeLow(reader, 15);
  if (sizeLog > MAX_SIZE_LOG)
    throw invalid(`a tANS table of at most 2^${MAX_SIZE_LOG} states`, `2^${sizeLog}`, section);
  const size = 1 << sizeLog;
  if (count > size || (count < 2 && size > 1)) {
    const expected = size === 1 ? "at most 1 bin for 1 state of tANS" : `2 to ${size} bins for ${size} states of tANS`;
    throw invalid(expected, String(count), section);
  }
  const bins = readBins(reader, width, sizeLog, count, section);
  const total = bins.weights.reduce((sum, weight) => sum + weight, 0);
  if (total !== size) throw invalid(`bins with ${size} states of tANS`, `${total}`, section);
  reader.statesLeft -= size;
  if (reader.statesLeft < 0)
    throw invalid("tables of tANS as large as a file of this size needs", "larger ones", section);
  return spread(width, sizeLog, count, bins);
}

function readBins(reader: BitReader, width: Width, sizeLog: number, count: number, section: string): Bins {
  // None at all are one that begins at 0 and has no offsets: nothing is then read of it.
  const length = Math.max(1, count);
  const bins: Bins = {
    weights: new Int32Array(length).fill(1),
    lowerLo: new Int32Array(length),
    lowerHi: new Int32Array(length),
    offsetBits: new Int32Array(length),
  };
  const bitsOfBits = Math.log2(width) + 1;
  for (let i = 0; i < count; i++) {
    bins.weights[i] = takeLow(reader, sizeLog) + 1;
    const { lo, hi } = readLatent(reader, width);
    const offsetBits = takeLow(reader, bitsOfBits);
    if (offsetBits > width) throw invalid(`offsets of at most ${width} bits`, String(offsetBits), section);
    bins.lowerLo[i] = lo;
    bins.lowerHi[i] = hi;
    bins.offsetBits[i] = offsetBits;
  }
  return bins;
}

/** Bins take the states in strides of about three fifths of the table, so that those of each lie far apart. */
function spread(width: Width, sizeLog: number, count: number, bins: Bins): BinTable {
  const size = 1 << sizeLog;
  const stride = Math.floor((3 * size) / 5) | 1;
  const nodes = new Int32Array(size);
  const lowerLo = new Int32Array(size);
  const lowerHi = new Int32Array(width === 64 ? size : 0);
  const binOf = new Uint16Array(size);
  let at = 0;
  for (let bin = 0; bin < bins.weights.length; bin++) {
    for (let left = bins.weights[bin] as number; left > 0; left--) {
      binOf[at] = bin;
      at = (at + stride) & (size - 1);
    }
  }
  const next = bins.weights.slice();
  for (let state = 0; state < size; state++) {
    const bin = binOf[state] as number;
    const from = next[bin] as number;
    next[bin] = from + 1;
    const read = Math.clz32(from) - Math.clz32(size);
    nodes[state] = ((from << read) - size) | (read << READ_SHIFT) | ((bins.offsetBits[bin] as number) << OFFSET_SHIFT);
    lowerLo[state] = bins.lowerLo[bin] as number;
    if (width === 64) lowerHi[state] = bins.lowerHi[bin] as number;
  }
  const maxOffsetBits = bins.offsetBits.reduce((most, bits) => Math.max(most, bits), 0);
  return { width, sizeLog, bins: count, maxOffsetBits, nodes, lowerLo, lowerHi };
}
