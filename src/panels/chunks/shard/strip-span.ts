/** How far the strip of a shard magnifies. Pure. */
import type { StripLayout } from "./strip-layout.ts";

/** Bytes seen at the most magnification: some sixteen a row, or all of a smaller shard. */
export function leastSpan(layout: StripLayout, size: number): number {
  return Math.min(Math.max(1, size), layout.rows * 16);
}
