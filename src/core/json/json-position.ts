/** From offsets to lines and columns. Lines end at LF, CR or CRLF, as editors count. */
import type { JsonPosition } from "./json.ts";

/** Line and column of one offset; for many offsets of one text keep `lineStarts` and use `positionAmong`. */
export const positionIn = (text: string, offset: number): JsonPosition => positionAmong(lineStarts(text), offset);

/** Offsets at which the lines of a text begin. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return starts;
}

export function positionAmong(lines: readonly number[], offset: number): JsonPosition {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { offset, line: low + 1, column: offset - (lines[low] ?? 0) + 1 };
}
