/**
 * Sums as NumPy computes them (pairwise summation, numpy/core/src/umath/loops_utils.h): in blocks of at most 128 with eight
 * running sums, halves added in pairs, and 8192 values at a time, as NumPy 1.24 does. Following it step by step gives the
 * very mean that Python shows; NumPy 2.4 takes all values at once, which may change the last digit.
 */

/** Writes the next `count` values to the front of `block`. */
export type ReadBlock = (block: Float64Array, count: number) => void;

const BUFFER = 8192;
const BLOCK = 128;

export function pairwiseSum(count: number, read: ReadBlock): number {
  const block = new Float64Array(BLOCK);
  let sum = 0;
  for (let done = 0; done < count; done += BUFFER) sum += sumPart(Math.min(BUFFER, count - done), read, block);
  return sum;
}

function sumPart(count: number, read: ReadBlock, block: Float64Array): number {
  if (count > BLOCK) {
    const half = Math.floor(count / 2);
    const first = half - (half % 8);
    const sum = sumPart(first, read, block);
    return sum + sumPart(count - first, read, block);
  }
  read(block, count);
  return sumBlock(block, count);
}

function sumBlock(block: Float64Array, count: number): number {
  const whole = count - (count % 8);
  let total = 0;
  if (whole > 0) {
    const sums = block.slice(0, 8);
    for (let i = 8; i < whole; i += 8) {
      for (let lane = 0; lane < 8; lane++) sums[lane] = (sums[lane] as number) + (block[i + lane] as number);
    }
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = sums;
    total = a + b + (c + d) + (e + f + (g + h));
  }
  for (let i = whole; i < count; i++) total += block[i] as number;
  return total;
}
