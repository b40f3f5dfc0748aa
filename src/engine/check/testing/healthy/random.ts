/** For tests: numbers by chance that are the same each time. */

export interface Random {
  /** From 0 to 1, the last excluded. */
  next(): number;
  between(least: number, most: number): number;
  /** A whole number, both ends included. */
  whole(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  /** A number with mean 0 and standard deviation 1. */
  normal(): number;
}

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    whole,
    pick: (from) => from[whole(0, from.length - 1)] as (typeof from)[number],
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
