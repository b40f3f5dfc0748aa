/** Least and greatest of columns, however long: a call cannot be given half a million numbers. NaN is left out. */

export function leastOf(column: ArrayLike<number>, slots: Iterable<number>): number {
  let least = Infinity;
  for (const slot of slots) if ((column[slot] as number) < least) least = column[slot] as number;
  return least;
}

export function mostOf(column: ArrayLike<number>, slots: Iterable<number>): number {
  let most = -Infinity;
  for (const slot of slots) if ((column[slot] as number) > most) most = column[slot] as number;
  return most;
}
