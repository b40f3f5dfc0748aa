/** Returns the result of `work`, or `instead` if it throws. */
export function attempt<T, I = undefined>(work: () => T, instead?: I): T | I {
  try {
    return work();
  } catch {
    return instead as I;
  }
}
