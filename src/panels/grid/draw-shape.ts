/** The shape of a chunk's state inside its cell, the same as in the manifest. `range` is the plain cell. */
import type { ChunkState } from "../../core/reference.ts";
import type { ChangeKind } from "../../core/repository.ts";
import { cssColour } from "../../widgets/canvas-colours.ts";
import type { Palette } from "./cell-colours.ts";
import { CHANGE_BOX, CHANGE_SIGNS } from "./change-words.ts";

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Half the width of a shape, in CSS pixels. */
const LARGEST_SHAPE = 11;

export function drawShape(
  context: CanvasRenderingContext2D,
  state: Exclude<ChunkState, "range">,
  cell: Rectangle,
  palette: Palette,
): void {
  if (state === "unknown") {
    drawUnknown(context, cell, palette);
    return;
  }
  if (state === "missing") {
    drawMissing(context, cell, palette);
    return;
  }
  const side = Math.min(cell.width * 0.24, cell.height * 0.24, LARGEST_SHAPE);
  const x = cell.x + (cell.width - 1) / 2;
  const y = cell.y + (cell.height - 1) / 2;
  context.strokeStyle = cssColour(palette["--bg"]);
  context.lineWidth = Math.max(1.5, side / 2.6);
  context.beginPath();
  if (state === "bad") cross(context, x, y, side);
  else if (state === "inline")
    polygon(context, [x, y - side * 1.2, x + side * 1.2, y, x, y + side * 1.2, x - side * 1.2, y]);
  else if (state === "virtual") {
    context.moveTo(x - side * 0.6, y - side);
    context.lineTo(x + side * 0.6, y);
    context.lineTo(x - side * 0.6, y + side);
  } else if (state === "native") polygon(context, [x, y - side, x + side, y + side, x - side, y + side]);
  else context.rect(x - side, y - side, 2 * side, 2 * side);
  context.stroke();
}

/** Three dots: nobody has asked yet. */
function drawUnknown(context: CanvasRenderingContext2D, { x, y, width, height }: Rectangle, palette: Palette): void {
  const side = Math.max(1, Math.min(width / 9, height / 9, 4));
  context.fillStyle = cssColour(palette["--missing"]);
  for (const step of [-1, 0, 1]) {
    context.fillRect(x + (width - 1 - side) / 2 + step * 2 * side, y + (height - 1 - side) / 2, side, side);
  }
}

/** The sign of how a chunk differs between two snapshots. */
export function drawChange(
  context: CanvasRenderingContext2D,
  kind: ChangeKind,
  cell: Rectangle,
  palette: Palette,
): void {
  const side = Math.min(cell.width * 0.7, cell.height * 0.7, 2 * LARGEST_SHAPE);
  context.save();
  context.translate(cell.x + (cell.width - 1 - side) / 2, cell.y + (cell.height - 1 - side) / 2);
  context.scale(side / CHANGE_BOX, side / CHANGE_BOX);
  context.strokeStyle = cssColour(palette["--bg"]);
  context.lineWidth = 1.7;
  context.stroke(new Path2D(CHANGE_SIGNS[kind]));
  context.restore();
}

/** Says that the chunk was read. */
export function drawTick(context: CanvasRenderingContext2D, cell: Rectangle, palette: Palette): void {
  const side = Math.min(cell.width * 0.2, cell.height * 0.2, LARGEST_SHAPE);
  const x = cell.x + (cell.width - 1) / 2;
  const y = cell.y + (cell.height - 1) / 2;
  context.strokeStyle = cssColour(palette["--bg"]);
  context.lineWidth = Math.max(1.5, side / 3);
  context.beginPath();
  context.moveTo(x - side, y);
  context.lineTo(x - side * 0.25, y + side * 0.75);
  context.lineTo(x + side, y - side * 0.75);
  context.stroke();
}

/** Hollow, with a border and hatching: nothing is there. */
function drawMissing(context: CanvasRenderingContext2D, { x, y, width, height }: Rectangle, palette: Palette): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width - 1, height - 1);
  context.clip();
  context.fillStyle = cssColour(palette["--bg"]);
  context.fillRect(x, y, width, height);
  context.strokeStyle = cssColour(palette["--missing"], 0.7);
  context.lineWidth = 1;
  context.beginPath();
  for (let at = 0; at < width + height; at += 6) {
    context.moveTo(x + at, y);
    context.lineTo(x + at - height, y + height);
  }
  context.rect(x + 0.5, y + 0.5, width - 2, height - 2);
  context.stroke();
  context.restore();
}

function cross(context: CanvasRenderingContext2D, x: number, y: number, side: number): void {
  context.moveTo(x - side, y - side);
  context.lineTo(x + side, y + side);
  context.moveTo(x + side, y - side);
  context.lineTo(x - side, y + side);
}

function polygon(context: CanvasRenderingContext2D, points: readonly number[]): void {
  for (let at = 0; at < points.length; at += 2) {
    const [x = 0, y = 0] = points.slice(at, at + 2);
    if (at === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.closePath();
}
