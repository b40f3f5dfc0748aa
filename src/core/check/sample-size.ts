/** How many chunks a sample must have. */

/** With this confidence a sample shows what it says that it shows. */
export const CONFIDENCE = 0.95;

/** Shares of chunks that samples are offered for: what is wrong with so many of an array's chunks is met. */
export const SAMPLE_SHARES = [0.05, 0.01, 0.001] as const;

/**
 * Size of a random sample without repetition out of `all` things that contains one or more wrong ones with
 * `CONFIDENCE`, if `share` of all are wrong, and at least one.
 */
export function sampleSize(all: number, share: number): number {
  const wrong = Math.max(1, Math.round(all * share));
  if (wrong >= all) return Math.min(all, 1);
  // Hypergeometric: the chance that none is met is the product of (right − i) / (all − i) over those drawn.
  let chance = 1;
  let drawn = 0;
  while (drawn < all && chance > 1 - CONFIDENCE) {
    chance *= Math.max(0, all - wrong - drawn) / (all - drawn);
    drawn += 1;
  }
  return drawn;
}
