/** HDF5's filter 5 (H5Znbit.c): of each number the bits that its type uses, packed; other bits become 0. */
import { badConfiguration, type Decoder, wholeNumbers } from "../codec.ts";
import { type BitsOfByte, bitsOfNumber, unpackBits } from "./packed-bits.ts";

const ID = "hdf5_nbit";

export const hdf5Nbit: Decoder = {
  prepare: (configuration) => {
    // How many there are, whether nothing is packed, how many elements, their type.
    const [, isPlain, count = 0, ...type] = wholeNumbers(ID, configuration, "parameters");
    if (isPlain === 1) return { label: "N-bit, nothing packed", decode: (input) => input };
    const { size, parts } = typeOf(type.values(), 0);
    return {
      label: `N-bit, ${size}-byte elements`,
      decode: (input, limit) => unpackBits(ID, input, parts, { count, size, limit }),
    };
  },
};

interface PackedType {
  readonly size: number;
  readonly parts: readonly BitsOfByte[];
}

const [NUMBER, ARRAY, COMPOUND, PLAIN] = [1, 2, 3, 4];
/** Limits of a type's depth and bytes; HDF5's own limit on parameters keeps compounds far below them. */
const [MOST_DEPTH, MOST_BYTES] = [32, 2 ** 16];

function typeOf(numbers: Iterator<number>, depth: number): PackedType {
  const take = (): number => numbers.next().value ?? Number.NaN;
  const [kind, size] = [take(), take()];
  const parts: BitsOfByte[] = [];
  const add = (at: number, inner: readonly BitsOfByte[]): void => {
    for (const part of inner) parts.push({ ...part, at: part.at + at });
  };
  let fits = size >= 1 && size <= MOST_BYTES && depth <= MOST_DEPTH;
  if (fits && kind === NUMBER) {
    const [order, precision, offset] = [take(), take(), take()];
    fits = order <= 1 && precision > 0 && precision + offset <= 8 * size;
    if (fits) add(0, bitsOfNumber({ size, isBig: order === 1, precision, offset }));
  } else if (fits && kind === ARRAY) {
    const base = typeOf(numbers, depth + 1);
    fits = size % base.size === 0;
    if (fits) for (let at = 0; at < size; at += base.size) add(at, base.parts);
  } else if (fits && kind === COMPOUND) {
    const members = take();
    fits = members > 0;
    // They never overlap.
    let left = size;
    for (let member = 0; fits && member < members; member++) {
      const at = take();
      const inner = typeOf(numbers, depth + 1);
      left -= inner.size;
      fits = left >= 0 && at + inner.size <= size;
      if (fits) add(at, inner.parts);
    }
  } else if (fits && kind === PLAIN) {
    for (let at = 0; at < size; at++) parts.push({ at, width: 8, shift: 0 });
  } else fits = false;
  if (fits) return { size, parts };
  throw badConfiguration(
    ID,
    "parameters",
    "a type whose parts fit",
    `kind ${kind} of ${size} bytes, where they do not`,
  );
}
