/** Parts of a map that have no values: not read, empty, failed; and lines between parts. */
import { boxOf, type Box, type CellPlace, type CellView, type CellWindow } from "./camera.ts";
import { cssColour } from "./palette.ts";
import { hatch, type Painter } from "./signs.ts";

export type AreaLook = "unread" | "empty" | "failed";

export interface CellArea {
  readonly window: CellWindow;
  readonly look: AreaLook;
}

/** Lines before these rows and columns. */
export interface CellEdges {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

/** A thick line between two corners of cells. */
export interface EdgeLine {
  readonly from: CellPlace;
  readonly to: CellPlace;
}

/** White with dark sides: seen on any colour, and told from the thin lines. */
export function drawLines({ context }: Painter, view: CellView, lines: readonly EdgeLine[]): void {
  const corner = ({ row, column }: CellPlace) => boxOf(view, windowAt(row, column));
  context.beginPath();
  for (const { from, to } of lines) {
    const [start, end] = [corner(from), corner(to)];
    context.moveTo(Math.round(start.x), Math.round(start.y));
    context.lineTo(Math.round(end.x), Math.round(end.y));
  }
  for (const [width, colour] of [
    [5, "rgb(0 0 0 / 75%)"],
    [2.5, "white"],
  ] as const) {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke();
  }
}

export function drawArea(painter: Painter, view: CellView, { window, look }: CellArea): void {
  const box = boxOf(view, window);
  const { area } = view;
  if (box.x > area.width || box.y > area.height || box.x + box.width < 0 || box.y + box.height < 0) return;
  const { context, palette, ratio } = painter;
  const colours = { ground: palette[look === "empty" ? "--bg-3" : "--bg-2"], line: palette["--line-2"] };
  const dots = { ...colours, line: palette["--ink-3"] };
  if (look === "unread") context.fillStyle = hatch(context, "dotted", dots, ratio);
  else if (look === "empty") context.fillStyle = hatch(context, "slanted", colours, ratio);
  else context.fillStyle = cssColour(palette["--bg-2"]);
  context.fillRect(box.x, box.y, box.width, box.height);
  if (look === "failed") drawCross(painter, box);
}

/** From corner to corner, to distinguish it from the map's marks at any size. */
function drawCross({ context, palette }: Painter, { x, y, width, height }: Box): void {
  context.strokeStyle = cssColour(palette["--bad"]);
  context.lineWidth = Math.min(width, height) < 12 ? 1 : 1.5;
  context.beginPath();
  context.rect(x + 0.75, y + 0.75, width - 1.5, height - 1.5);
  context.moveTo(x, y);
  context.lineTo(x + width, y + height);
  context.moveTo(x + width, y);
  context.lineTo(x, y + height);
  context.stroke();
}

/** Pixels between lines below which they would hide what they part. */
const LEAST_ROOM = 6;

/** Light on dark and dark on light: both are seen on any colour. */
export function drawEdges({ context }: Painter, view: CellView, { rows, columns }: CellEdges): void {
  const { area } = view;
  const xs = columns.map((column) => Math.round(boxOf(view, windowAt(0, column)).x));
  const ys = rows.map((row) => Math.round(boxOf(view, windowAt(row, 0)).y));
  for (const [places, along] of [
    [xs, true],
    [ys, false],
  ] as const) {
    if (places.some((at, index) => index > 0 && Math.abs(at - (places[index - 1] ?? at)) < LEAST_ROOM)) continue;
    for (const at of places) {
      context.fillStyle = "rgb(255 255 255 / 55%)";
      context.fillRect(along ? at - 1 : 0, along ? 0 : at - 1, along ? 1 : area.width, along ? area.height : 1);
      context.fillStyle = "rgb(0 0 0 / 35%)";
      context.fillRect(along ? at : 0, along ? 0 : at, along ? 1 : area.width, along ? area.height : 1);
    }
  }
}

const windowAt = (row: number, column: number): CellWindow => ({
  rows: { from: row, to: row + 1 },
  columns: { from: column, to: column + 1 },
});
