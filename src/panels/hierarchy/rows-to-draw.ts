import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";

/** The rows in view and the one in the tab order, which must exist wherever the list is scrolled to. */
export function rowsToDraw(range: Range, always: number): number[] {
  const rows = defaultRangeExtractor(range);
  if (always >= range.count || rows.includes(always)) return rows;
  return [...rows, always].sort((a, b) => a - b);
}
