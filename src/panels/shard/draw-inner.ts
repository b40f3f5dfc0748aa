/** Draws the grid of inner chunks on a canvas: cells, shapes in those large enough, axes. */
import { isDamaged, type ShardMap } from "../../core/shard-map.ts";
import { cssColour } from "../../widgets/canvas-colours.ts";
import type { CanvasSize } from "../../widgets/canvas-size.ts";
import {
  cellSize,
  tickStep,
  type Area,
  type Camera,
  type CellPlace,
  type GridExtent,
} from "../../widgets/cell-camera.ts";
import type { Palette } from "./chunk-colours.ts";
import { stateOf } from "./file-order.ts";
import { hatch, outline } from "./hatch.ts";
import type { InnerRaster } from "./inner-raster.ts";
import type { Rectangle } from "./strip-layout.ts";

export interface InnerView {
  readonly size: CanvasSize;
  readonly area: Area;
  readonly extent: GridExtent;
  readonly camera: Camera;
}

export interface InnerPicture extends InnerView {
  readonly map: ShardMap;
  readonly palette: Palette;
  readonly raster: InnerRaster;
  /** The raster's cells as pixels. */
  readonly source: CanvasImageSource;
  /** Chunk coordinates of the shard's first row and column: axes count in the whole array. */
  readonly origin: CellPlace;
  /** Rows and columns from which on chunks lie outside the array. */
  readonly inside: GridExtent;
}

/** Room for labels left of and above the cells. */
export const GUTTER = { left: 52, top: 20 } as const;
const LEAST_WITH_SHAPE = 8;
const LEAST_WITH_GAPS = 5;

export function drawInner(context: CanvasRenderingContext2D, picture: InnerPicture): void {
  const { size, palette, area, extent, camera } = picture;
  context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  context.fillStyle = cssColour(palette["--bg"]);
  context.fillRect(0, 0, size.width, size.height);
  drawAxes(context, picture);
  const cell = cellSize(extent, area, camera.zoom);
  const least = Math.min(cell.width, cell.height);
  context.save();
  context.translate(GUTTER.left, GUTTER.top);
  context.beginPath();
  const right = (extent.columns - camera.x) * cell.width;
  const bottom = (extent.rows - camera.y) * cell.height;
  context.rect(0, 0, Math.min(area.width, right), Math.min(area.height, bottom));
  context.clip();
  drawCells(context, picture);
  if (least >= LEAST_WITH_GAPS) drawGaps(context, picture);
  if (least >= LEAST_WITH_SHAPE) drawShapes(context, picture);
  else drawSpots(context, picture);
  drawEdge(context, picture);
  context.restore();
}

/** Rectangle of a cell in pixels of the area. */
function boxOf({ camera, extent, area }: InnerView, { row, column }: CellPlace): Rectangle {
  const { width, height } = cellSize(extent, area, camera.zoom);
  return { x: (column - camera.x) * width, y: (row - camera.y) * height, width, height };
}

function drawCells(context: CanvasRenderingContext2D, picture: InnerPicture): void {
  const { raster, source, extent, area, camera } = picture;
  if (raster.width * raster.height === 0) return;
  const cell = cellSize(extent, area, camera.zoom);
  const { x, y } = boxOf(picture, { row: raster.window.rows.from, column: raster.window.columns.from });
  context.imageSmoothingEnabled = false;
  const width = raster.width * raster.cellsAlong * cell.width;
  const height = raster.height * raster.cellsDown * cell.height;
  context.drawImage(source, 0, 0, raster.width, raster.height, x, y, width, height);
}

function drawGaps(context: CanvasRenderingContext2D, { raster, area, extent, camera, palette }: InnerPicture): void {
  const cell = cellSize(extent, area, camera.zoom);
  const { rows, columns } = raster.window;
  context.fillStyle = cssColour(palette["--bg"]);
  for (let column = columns.from; column <= columns.to; column += 1) {
    context.fillRect(Math.round((column - camera.x) * cell.width) - 1, 0, 1, area.height);
  }
  for (let row = rows.from; row <= rows.to; row += 1) {
    context.fillRect(0, Math.round((row - camera.y) * cell.height) - 1, area.width, 1);
  }
}

function drawShapes(context: CanvasRenderingContext2D, picture: InnerPicture): void {
  const { raster, map, palette, size } = picture;
  if (raster.cellsDown > 1 || raster.cellsAlong > 1) return;
  const hollow = hatch(context, "empty", { ground: palette["--bg"], line: palette["--missing"] }, size.ratio);
  for (let at = 0; at < raster.owners.length; at += 1) {
    const state = stateOf(map, raster.owners[at] ?? 0);
    if (state === "present") continue;
    const row = raster.window.rows.from + Math.floor(at / raster.width);
    const box = boxOf(picture, { row, column: raster.window.columns.from + (at % raster.width) });
    if (state === "empty") drawHollow(context, box, hollow, palette);
    else if (state === "shared") drawShared(context, box, palette);
    else if (isDamaged(state)) drawCross(context, box, palette);
  }
}

/** Where more are marked, their colour is seen without. */
const MAX_SPOTS = 400;

/** Damaged chunks whose cells are too small to be seen. */
function drawSpots(context: CanvasRenderingContext2D, picture: InnerPicture): void {
  const { raster, map, palette } = picture;
  const spots: number[] = [];
  for (let at = 0; at < raster.owners.length && spots.length <= MAX_SPOTS; at += 1) {
    if (isDamaged(stateOf(map, raster.owners[at] ?? 0))) spots.push(at);
  }
  if (spots.length > MAX_SPOTS) return;
  const SIDE = 5;
  for (const at of spots) {
    const row = raster.window.rows.from + Math.floor(at / raster.width) * raster.cellsDown;
    const box = boxOf(picture, { row, column: raster.window.columns.from + (at % raster.width) * raster.cellsAlong });
    const [x, y] = [box.x + box.width / 2 - SIDE / 2, box.y + box.height / 2 - SIDE / 2];
    context.fillStyle = cssColour(palette["--bg"]);
    context.fillRect(x - 1, y - 1, SIDE + 2, SIDE + 2);
    context.fillStyle = cssColour(palette["--bad"]);
    context.fillRect(x, y, SIDE, SIDE);
  }
}

function drawHollow(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Rectangle,
  fill: CanvasPattern | string,
  palette: Palette,
): void {
  context.fillStyle = fill;
  context.fillRect(x, y, width - 1, height - 1);
  context.strokeStyle = cssColour(palette["--missing"]);
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, width - 2, height - 2);
}

/** Two bars, as for "the same as". */
function drawShared(context: CanvasRenderingContext2D, { x, y, width, height }: Rectangle, palette: Palette): void {
  const long = Math.min(width * 0.55, 20);
  const thick = Math.max(1.5, Math.min(height * 0.12, 4));
  const [middleX, middleY] = [x + (width - 1) / 2, y + (height - 1) / 2];
  for (const shift of [-1.5 * thick, 0.5 * thick]) {
    context.fillStyle = cssColour(palette["--bg"]);
    context.fillRect(middleX - long / 2 - 1, middleY + shift - 1, long + 2, thick + 2);
    context.fillStyle = cssColour(palette["--ink"]);
    context.fillRect(middleX - long / 2, middleY + shift, long, thick);
  }
}

function drawCross(context: CanvasRenderingContext2D, { x, y, width, height }: Rectangle, palette: Palette): void {
  const side = Math.min(width * 0.28, height * 0.28, 11);
  const [middleX, middleY] = [x + (width - 1) / 2, y + (height - 1) / 2];
  context.strokeStyle = cssColour(palette["--bg"]);
  context.lineWidth = Math.max(1.5, side / 2.6);
  context.beginPath();
  context.moveTo(middleX - side, middleY - side);
  context.lineTo(middleX + side, middleY + side);
  context.moveTo(middleX + side, middleY - side);
  context.lineTo(middleX - side, middleY + side);
  context.stroke();
}

/** A dashed line where the array ends within the shard. */
function drawEdge(context: CanvasRenderingContext2D, picture: InnerPicture): void {
  const { inside, extent, palette, area } = picture;
  const { x, y } = boxOf(picture, { row: inside.rows, column: inside.columns });
  context.strokeStyle = cssColour(palette["--ink"]);
  context.lineWidth = 1.5;
  context.setLineDash([5, 3]);
  context.beginPath();
  if (inside.columns < extent.columns) {
    context.moveTo(x - 0.5, 0);
    context.lineTo(x - 0.5, area.height);
  }
  if (inside.rows < extent.rows) {
    context.moveTo(0, y - 0.5);
    context.lineTo(area.width, y - 0.5);
  }
  context.stroke();
  context.setLineDash([]);
}

function drawAxes(context: CanvasRenderingContext2D, { area, extent, camera, palette, origin }: InnerPicture): void {
  const cell = cellSize(extent, area, camera.zoom);
  context.fillStyle = cssColour(palette["--ink-2"]);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.textAlign = "center";
  const across = tickStep(cell.width, (origin.column + extent.columns).toLocaleString("en").length * 7 + 12);
  for (let column = Math.ceil(camera.x / across) * across; column < extent.columns; column += across) {
    const x = (column + 0.5 - camera.x) * cell.width;
    if (x > area.width) break;
    context.fillText((origin.column + column).toLocaleString("en"), GUTTER.left + Math.max(x, 4), GUTTER.top - 9);
  }
  context.textAlign = "right";
  const down = tickStep(cell.height, 18);
  for (let row = Math.ceil(camera.y / down) * down; row < extent.rows; row += down) {
    const y = (row + 0.5 - camera.y) * cell.height;
    if (y > area.height) break;
    context.fillText((origin.row + row).toLocaleString("en"), GUTTER.left - 7, GUTTER.top + Math.max(y, 5));
  }
}

export interface InnerMark {
  readonly place: CellPlace;
  readonly token: "--ink" | "--focus";
}

/** Frames around cells. */
export function drawInnerMarks(
  context: CanvasRenderingContext2D,
  view: InnerView & { readonly palette: Palette },
  marks: readonly InnerMark[],
): void {
  const { size, area, palette } = view;
  context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.translate(GUTTER.left, GUTTER.top);
  for (const { place, token } of marks) {
    const box = boxOf(view, place);
    if (box.x + box.width < 0 || box.y + box.height < 0 || box.x > area.width || box.y > area.height) continue;
    outline(context, { ...box, width: box.width - 1, height: box.height - 1 }, palette["--bg"], palette[token]);
  }
}
