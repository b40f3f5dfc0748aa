/** An unsigned little-endian number of `count` bytes, exact up to 53 bits; bytes past the end count as 0. */
export function unsignedAt(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] ?? 0);
  return value;
}
