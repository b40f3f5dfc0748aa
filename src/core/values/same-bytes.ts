/** True if two pieces have the same bytes: a plain loop, since `every` calls a function for each byte. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  // From the end, where URLs differ first.
  for (let at = one.length - 1; at >= 0; at -= 1) if (one[at] !== other[at]) return false;
  return true;
}
