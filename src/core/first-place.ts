/** The first place in `[from, to)` for which `isBefore` does not hold; it holds for all before that one, and for none after. */
export function firstPlace(from: number, to: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    // Places may be ordinals up to 2^53, of which two have no exact sum.
    const middle = low + Math.floor((high - low) / 2);
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
