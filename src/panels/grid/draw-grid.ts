/** Draws a chunk grid on a canvas: cells, shapes in cells large enough for them, axes, selection and cursor. */
import type { Raster, RasterColour } from "../../core/open-set.ts";
import { STATES } from "../../core/reference.ts";
import { CHANGES } from "../../core/repository.ts";
import { cssColour } from "../../widgets/canvas-colours.ts";
import type { CanvasSize } from "../../widgets/canvas-size.ts";
import {
  cellSize,
  tickStep,
  type Area,
  type Camera,
  type CellPlace,
  type CellWindow,
  type GridExtent,
} from "../../widgets/cell-camera.ts";
import type { Palette } from "./cell-colours.ts";
import { drawChange, drawShape, drawTick } from "./draw-shape.ts";

/** A raster with the window it was asked for, and its pixels as an image. */
export interface Layer {
  readonly window: CellWindow;
  readonly raster: Raster;
}

export interface Picture {
  readonly size: CanvasSize;
  readonly area: Area;
  readonly extent: GridExtent;
  readonly camera: Camera;
  readonly palette: Palette;
  /** The coloured pixels. */
  readonly image: { readonly source: CanvasImageSource; readonly layer: Layer } | undefined;
  readonly colour: RasterColour;
  /** States, for the shapes. */
  readonly states: Layer | undefined;
  readonly failed: readonly CellPlace[];
  readonly selected: CellPlace | undefined;
  readonly cursor: CellPlace | undefined;
}

/** Room for labels left of and above the cells, in CSS pixels. */
export const GUTTER = { left: 52, top: 22 } as const;
const LEAST_WITH_SHAPE = 9;
const LEAST_WITH_GAPS = 5;

export function drawGrid(context: CanvasRenderingContext2D, picture: Picture): void {
  const { size, area, palette, extent, camera } = picture;
  context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  context.fillStyle = cssColour(palette["--bg"]);
  context.fillRect(0, 0, size.width, size.height);
  drawAxes(context, picture);
  const cell = cellSize(extent, area, camera.zoom);
  context.save();
  context.translate(GUTTER.left, GUTTER.top);
  context.beginPath();
  context.rect(
    0,
    0,
    Math.min(area.width, (extent.columns - camera.x) * cell.width),
    Math.min(area.height, (extent.rows - camera.y) * cell.height),
  );
  context.clip();
  drawImage(context, picture);
  if (Math.min(cell.width, cell.height) >= LEAST_WITH_GAPS) drawGaps(context, picture);
  if (Math.min(cell.width, cell.height) >= LEAST_WITH_SHAPE) {
    if (picture.colour === "change") drawChanges(context, picture);
    else drawShapes(context, picture);
    if (picture.colour === "reading") drawChecks(context, picture);
  }
  for (const place of picture.failed) drawFailed(context, picture, place);
  context.restore();
  context.save();
  context.translate(GUTTER.left, GUTTER.top);
  if (picture.selected !== undefined) outline(context, picture, picture.selected, "--ink");
  if (picture.cursor !== undefined) outline(context, picture, picture.cursor, "--focus");
  context.restore();
}

/** Rectangle of a cell, or of a window of cells, in pixels of the area. */
function rectangle({ camera, extent, area }: Picture, row: number, column: number, rows = 1, columns = 1) {
  const cell = cellSize(extent, area, camera.zoom);
  return {
    x: (column - camera.x) * cell.width,
    y: (row - camera.y) * cell.height,
    width: columns * cell.width,
    height: rows * cell.height,
  };
}

function drawImage(context: CanvasRenderingContext2D, picture: Picture): void {
  if (picture.image === undefined) return;
  const { source, layer } = picture.image;
  const { raster, window } = layer;
  if (raster.width === 0 || raster.height === 0) return;
  const rows = raster.height * raster.cellsDown;
  const columns = raster.width * raster.cellsAlong;
  const { x, y, width, height } = rectangle(picture, window.rows.from, window.columns.from, rows, columns);
  context.imageSmoothingEnabled = false;
  context.drawImage(source, 0, 0, raster.width, raster.height, x, y, width, height);
}

function drawGaps(context: CanvasRenderingContext2D, picture: Picture): void {
  const { area, extent, camera, palette } = picture;
  const cell = cellSize(extent, area, camera.zoom);
  context.fillStyle = cssColour(palette["--bg"]);
  for (let column = Math.ceil(camera.x); (column - camera.x) * cell.width <= area.width; column += 1) {
    context.fillRect(Math.round((column - camera.x) * cell.width) - 1, 0, 1, area.height);
  }
  for (let row = Math.ceil(camera.y); (row - camera.y) * cell.height <= area.height; row += 1) {
    context.fillRect(0, Math.round((row - camera.y) * cell.height) - 1, area.width, 1);
  }
}

function drawShapes(context: CanvasRenderingContext2D, picture: Picture): void {
  const { states, palette } = picture;
  if (states === undefined || states.raster.cellsDown > 1 || states.raster.cellsAlong > 1) return;
  const { raster, window } = states;
  for (let i = 0; i < raster.height; i += 1) {
    for (let j = 0; j < raster.width; j += 1) {
      const state = STATES[raster.codes[i * raster.width + j] ?? 0];
      if (state === undefined || state === "range") continue;
      // Beside ticks and crosses of readings, a reference's own shape would be taken for one.
      if (picture.colour === "reading" && state !== "missing" && state !== "unknown") continue;
      drawShape(context, state, rectangle(picture, window.rows.from + i, window.columns.from + j), palette);
    }
  }
}

const READ_OK = 1;

/** A tick in chunks that were read. */
function drawChecks(context: CanvasRenderingContext2D, picture: Picture): void {
  eachCell(picture, (code, cell) => {
    if (code === READ_OK) drawTick(context, cell, picture.palette);
  });
}

/** In place of the states' shapes, which would be taken for signs of a change. */
function drawChanges(context: CanvasRenderingContext2D, picture: Picture): void {
  eachCell(picture, (code, cell) => {
    const kind = CHANGES[code - 1];
    if (kind !== undefined) drawChange(context, kind, cell, picture.palette);
  });
}

/** Visits the cells in sight with their codes, where each has its own pixel. */
function eachCell(picture: Picture, visit: (code: number, cell: ReturnType<typeof rectangle>) => void): void {
  const layer = picture.image?.layer;
  if (layer === undefined || layer.raster.cellsDown > 1 || layer.raster.cellsAlong > 1) return;
  const { raster, window } = layer;
  for (const [at, code] of raster.codes.entries()) {
    if (code === 0) continue;
    const row = window.rows.from + Math.floor(at / raster.width);
    visit(code, rectangle(picture, row, window.columns.from + (at % raster.width)));
  }
}

/** A failed reading is marked whatever the colours show, so that it is never taken for a gap. */
function drawFailed(context: CanvasRenderingContext2D, picture: Picture, place: CellPlace): void {
  const { x, y, width, height } = rectangle(picture, place.row, place.column);
  const { "--bad": bad, "--bg": bg } = picture.palette;
  const side = Math.max(5, Math.min(14, Math.min(width, height) * 0.62));
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  context.fillStyle = cssColour(bad);
  context.strokeStyle = cssColour(bg);
  context.lineWidth = Math.max(1, side / 8);
  context.beginPath();
  context.arc(middleX, middleY, side / 2, 0, 2 * Math.PI);
  context.fill();
  if (side < 8) return;
  context.stroke();
  const arm = side / 5;
  context.beginPath();
  context.moveTo(middleX - arm, middleY - arm);
  context.lineTo(middleX + arm, middleY + arm);
  context.moveTo(middleX + arm, middleY - arm);
  context.lineTo(middleX - arm, middleY + arm);
  context.stroke();
}

/** Two lines, one in the background's colour, so that it is seen on any cell. Small cells get a frame around them. */
function outline(
  context: CanvasRenderingContext2D,
  picture: Picture,
  place: CellPlace,
  colour: "--ink" | "--focus",
): void {
  const LEAST = 8;
  const { x, y, width, height } = rectangle(picture, place.row, place.column);
  if (x + width < 0 || y + height < 0 || x > picture.area.width || y > picture.area.height) return;
  const growX = Math.max(0, LEAST - width) / 2;
  const growY = Math.max(0, LEAST - height) / 2;
  const out = colour === "--focus" ? 1 : 0;
  const frame = [
    x - growX - out,
    y - growY - out,
    width + 2 * (growX + out) - 1,
    height + 2 * (growY + out) - 1,
  ] as const;
  context.strokeStyle = cssColour(picture.palette["--bg"]);
  context.lineWidth = 5;
  context.strokeRect(...frame);
  context.strokeStyle = cssColour(picture.palette[colour]);
  context.lineWidth = 2.5;
  context.strokeRect(...frame);
}

function drawAxes(context: CanvasRenderingContext2D, picture: Picture): void {
  const { area, extent, camera, palette } = picture;
  const cell = cellSize(extent, area, camera.zoom);
  context.fillStyle = cssColour(palette["--ink-2"]);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.textAlign = "center";
  const widest = String(extent.columns - 1).length * 7 + 16;
  const across = tickStep(cell.width, widest);
  for (let column = Math.ceil(camera.x / across) * across; column < extent.columns; column += across) {
    const x = (column + 0.5 - camera.x) * cell.width;
    if (x > area.width) break;
    context.fillText(column.toLocaleString("en"), GUTTER.left + Math.max(x, 4), GUTTER.top - 9);
  }
  context.textAlign = "right";
  const down = tickStep(cell.height, 18);
  for (let row = Math.ceil(camera.y / down) * down; row < extent.rows; row += down) {
    const y = (row + 0.5 - camera.y) * cell.height;
    if (y > area.height) break;
    context.fillText(row.toLocaleString("en"), GUTTER.left - 7, GUTTER.top + Math.max(y, 5));
  }
}
