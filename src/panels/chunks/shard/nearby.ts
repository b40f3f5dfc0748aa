/** The chunks before and after one in the file. Pure. */
import type { FileOrder } from "./file-order.ts";

/** Up to `count` ordinals around a chunk; the first ones where it has no place in the file. */
export function nearbyEntries({ ordinals, places }: FileOrder, inner: number, count: number): readonly number[] {
  const place = Math.max(0, places[inner] ?? -1);
  const from = Math.max(0, Math.min(place - Math.floor(count / 2), ordinals.length - count));
  return [...ordinals.subarray(from, from + count)];
}
