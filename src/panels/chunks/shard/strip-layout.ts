/** The strip: bytes from left to right in rows, from the top down. Pure; sizes in CSS pixels. */
import { tickStep } from "#widgets/cell-map/axes.ts";
import type { Box, Point } from "#widgets/cell-map/camera.ts";
import type { ByteSpan } from "./file-order.ts";

export type StripLayout = ReturnType<typeof stripLayout>;

const ROOM_FOR_ONE = 8;
const MAX_ROWS = 3;
const DIGIT = 6.7;
const MARGIN = 8;
const LABEL_BAND = 13;

/**
 * Layout with as many rows as give each of `entries` some pixels, up to 3: more would push the table out of sight.
 * `gap`: between rows; `above`, `below`: room for the label of the index; `width`: of the bytes in a row; `gutter`:
 * room for the offsets to the left of the rows.
 */
export function stripLayout(entries: number, size: number, space: number, indexFirst: boolean) {
  const rows = Math.max(1, Math.min(MAX_ROWS, Math.ceil((entries * ROOM_FOR_ONE) / Math.max(1, space - 2 * MARGIN))));
  const gutter = rows === 1 ? MARGIN : Math.ceil(size.toLocaleString("en").length * DIGIT) + 2 * MARGIN;
  const width = Math.max(1, space - gutter - MARGIN);
  const rowHeight = rows === 1 ? 32 : 22;
  const [above, below] = indexFirst ? [LABEL_BAND, 0] : [0, LABEL_BAND];
  return { rows, rowHeight, gap: 4, above, below, width, gutter };
}

export function stripHeight({ rows, rowHeight, gap, above, below }: StripLayout): number {
  return above + rows * (rowHeight + gap) + gap + below;
}

/** Round numbers of bytes at about every hundred pixels, and the last byte's end. */
export function stripTicks({ width }: StripLayout, seen: ByteSpan, size: number): readonly number[] {
  const step = tickStep(width / (seen.to - seen.from), 90);
  const first = Math.ceil(seen.from / step);
  const ticks = Array.from({ length: Math.max(0, Math.ceil(seen.to / step) - first) }, (_, at) => (first + at) * step);
  if (seen.to < size) return ticks;
  return [...ticks.filter((tick) => size - tick > step / 2), size];
}

export const rowTop = ({ rowHeight, gap, above }: StripLayout, row: number): number =>
  above + gap + row * (rowHeight + gap);

/** Column and row under a point, `undefined` beside the bytes. Points between two rows belong to the upper one. */
export function stripPoint(layout: StripLayout, at: Point): { readonly row: number; readonly x: number } | undefined {
  const row = Math.floor((at.y - layout.above - layout.gap) / (layout.rowHeight + layout.gap));
  const x = at.x - layout.gutter;
  return row < 0 || row >= layout.rows || x < 0 || x >= layout.width ? undefined : { row, x };
}

export function byteAt(
  layout: StripLayout,
  seen: ByteSpan,
  point: { readonly row: number; readonly x: number },
): number {
  const share = (point.row + point.x / layout.width) / layout.rows;
  return Math.min(seen.to - 1, seen.from + share * (seen.to - seen.from));
}

/** Rectangles of bytes: one for each row they reach into, at most `rows` of them. */
export function rectanglesOf(layout: StripLayout, seen: ByteSpan, bytes: ByteSpan): readonly Box[] {
  const perRow = (seen.to - seen.from) / layout.rows;
  const from = Math.max(bytes.from, seen.from) - seen.from;
  const to = Math.min(bytes.to, seen.to) - seen.from;
  if (to <= from || perRow <= 0) return [];
  const out: Box[] = [];
  const lastRow = Math.min(layout.rows - 1, Math.ceil(to / perRow) - 1);
  for (let row = Math.min(layout.rows - 1, Math.floor(from / perRow)); row <= lastRow; row += 1) {
    const left = Math.max(0, from / perRow - row) * layout.width;
    const right = Math.min(1, to / perRow - row) * layout.width;
    if (right <= left) continue;
    out.push({ x: layout.gutter + left, y: rowTop(layout, row), width: right - left, height: layout.rowHeight });
  }
  return out;
}
