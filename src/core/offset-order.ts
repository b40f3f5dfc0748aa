/** Sorting by offset: many whole numbers up to 2^53, without an object a number. */

const BITS = 16;
const RADIX = 1 << BITS;

/** `ordinals` by their offset, ascending; those of one offset stay as they stand. Offsets are whole, 0 to 2^53. */
export function sortByOffset(ordinals: Uint32Array<ArrayBuffer>, offsets: Float64Array): Uint32Array<ArrayBuffer> {
  if (isSorted(ordinals, offsets)) return ordinals;
  let [from, to] = [ordinals, new Uint32Array(ordinals.length)];
  let maximum = 0;
  for (const ordinal of ordinals) maximum = Math.max(maximum, offsets[ordinal] as number);
  for (let unit = 1; unit <= maximum; unit *= RADIX) {
    scatter(from, to, offsets, unit);
    [from, to] = [to, from];
  }
  return from;
}

function isSorted(ordinals: Uint32Array, offsets: Float64Array): boolean {
  for (let i = 1; i < ordinals.length; i++) {
    if ((offsets[ordinals[i] as number] as number) < (offsets[ordinals[i - 1] as number] as number)) return false;
  }
  return true;
}

/** One pass, stable, by the digit of 16 bits that counts `unit`s. */
function scatter(from: Uint32Array, to: Uint32Array, offsets: Float64Array, unit: number): void {
  const next = new Uint32Array(RADIX + 1);
  const digits = new Uint16Array(from.length);
  for (let i = 0; i < from.length; i++) {
    const digit = Math.floor((offsets[from[i] as number] as number) / unit) % RADIX;
    digits[i] = digit;
    next[digit + 1] = (next[digit + 1] as number) + 1;
  }
  for (let digit = 1; digit <= RADIX; digit++) next[digit] = (next[digit] as number) + (next[digit - 1] as number);
  for (let i = 0; i < from.length; i++) {
    const digit = digits[i] as number;
    const at = next[digit] as number;
    to[at] = from[i] as number;
    next[digit] = at + 1;
  }
}
