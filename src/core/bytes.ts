/** Bytes compared, joined, counted and written. */

/** Bytes in hexadecimal: `28 b5 2f fd`. */
export function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

/** The parts one after the other, copied. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** True if two pieces have the same bytes: a plain loop, since `every` calls a function for each byte. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  // From the end, where URLs differ first.
  for (let at = one.length - 1; at >= 0; at -= 1) if (one[at] !== other[at]) return false;
  return true;
}

/** An unsigned little-endian number of `count` bytes, exact up to 53 bits; bytes past the end count as 0. */
export function unsignedAt(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] ?? 0);
  return value;
}
