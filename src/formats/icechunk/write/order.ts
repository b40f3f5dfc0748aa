/** The order of bytes, in which Icechunk's readers search: of texts that of their UTF-8. */

export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length);
  for (let at = 0; at < most; at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

const encoder = new TextEncoder();

export const compareText = (one: string, other: string): number =>
  compareBytes(encoder.encode(one), encoder.encode(other));
