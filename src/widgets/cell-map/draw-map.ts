/** Draws a map: ticks, tiles, signs, lines and frames. */
import { type CellArea, type CellEdges, drawArea, drawEdges, drawLines, type EdgeLine } from "./areas.ts";
import { type Axes, drawAxes, marginsOf } from "./axes.ts";
import { boxOf, cellBox, cellSize, windowSeen } from "./camera.ts";
import type { Area, Box, CellPlace, CellView, GridExtent, Point } from "./camera.ts";
import { cssColour } from "./palette.ts";
import { drawSign, FAILED, hatch, outline, type Painter, type Sign } from "./signs.ts";
import { canvasOf, type CellRaster, isFine, type Tile } from "./tile.ts";

/** Pictures of the cells. */
export interface CellPicture {
  /** Pictures of one name look alike: what was drawn of one is kept for the next, while the map stands still. */
  readonly name?: string;
  /** Later ones over earlier ones. */
  readonly tiles: readonly Tile[];
  /** Below the tiles, except failed areas. */
  readonly areas?: readonly CellArea[];
  readonly edges?: CellEdges;
  /** Over the edges. */
  readonly lines?: readonly EdgeLine[];
  /** Hatches what no tile covers. */
  readonly hatched?: boolean;
  /** Thin lines between cells that are large enough. */
  readonly gaps?: boolean;
  readonly signs?: readonly CellSigns[];
  /** Written in cells that are large enough. */
  readonly textOf?: (place: CellPlace) => string | undefined;
  /** Marked as failed at any size. */
  readonly failed?: readonly CellPlace[];
  /** A dashed line after this column and this row: what lies beyond is outside. */
  readonly inside?: GridExtent;
}

/** The signs of a raster's pixels; drawn where cells are large enough and each has a pixel. */
export interface CellSigns {
  readonly raster: CellRaster;
  readonly signAt: (pixel: number) => Sign | undefined;
}

/** A frame around a cell, or around `size` of them. */
export interface Mark {
  readonly place: CellPlace;
  readonly size?: GridExtent;
  readonly token: "--ink" | "--focus";
  readonly thin?: boolean;
}

const LEAST_WITH_GAPS = 5;
const LEAST_WITH_SIGN = 8;

export const hasRoomForSigns = ({ width, height }: Area): boolean => Math.min(width, height) >= LEAST_WITH_SIGN;

/** The corner of the cells in the frame. */
export function cornerOf(axes: Axes | undefined): Point {
  if (axes === undefined) return { x: 0, y: 0 };
  const { left, top } = marginsOf(axes);
  return { x: left, y: top };
}

export interface MapDrawing {
  readonly view: CellView;
  readonly axes: Axes | undefined;
}

/** Device pixels of drawings that are kept, of four bytes each. */
const MAX_PIXELS = 12 * 1024 ** 2;

/**
 * Draws as `drawMap` does. A picture that comes back while the map stands still is copied: a slider goes to and fro.
 */
export function keptDrawings() {
  const kept = new Map<string, OffscreenCanvas>();
  let last: readonly unknown[] = [];
  return (painter: Painter, drawing: MapDrawing, picture: CellPicture): void => {
    const { context, palette } = painter;
    const { width, height } = context.canvas;
    const now = [width, height, drawing.view, drawing.axes, palette];
    const isStill = now.every((one, at) => one === last[at]);
    last = now;
    if (!isStill || kept.size * width * height > MAX_PIXELS) kept.clear();
    const { name = "" } = picture;
    const known = kept.get(name);
    if (known !== undefined) {
      context.resetTransform();
      context.drawImage(known, 0, 0);
      return;
    }
    drawMap(painter, drawing, picture);
    if (name === "" || !isStill) return;
    const copy = new OffscreenCanvas(width, height);
    copy.getContext("2d")?.drawImage(context.canvas, 0, 0);
    kept.set(name, copy);
  };
}

function drawMap(painter: Painter, drawing: MapDrawing, picture: CellPicture): void {
  const { view, axes } = drawing;
  const { context, ratio, palette } = painter;
  context.save();
  if (axes !== undefined) drawAxes(painter, view, axes);
  context.restore();
  const { x, y } = cornerOf(axes);
  context.translate(x, y);
  context.save();
  const { area, extent, camera } = view;
  const cell = cellSize(view);
  const width = Math.min(area.width, (extent.columns - camera.x) * cell.width);
  const height = Math.min(area.height, (extent.rows - camera.y) * cell.height);
  context.beginPath();
  context.rect(0, 0, width, height);
  context.clip();
  if (picture.hatched === true) {
    context.fillStyle = hatch(context, "slanted", { ground: palette["--bg-3"], line: palette["--line-2"] }, ratio);
    context.fillRect(0, 0, width, height);
  }
  const areas = picture.areas ?? [];
  for (const one of areas) if (one.look !== "failed") drawArea(painter, view, one);
  for (const tile of picture.tiles) drawTile(painter, view, tile);
  for (const one of areas) if (one.look === "failed") drawArea(painter, view, one);
  if (picture.edges !== undefined) drawEdges(painter, view, picture.edges);
  if (picture.lines !== undefined) drawLines(painter, view, picture.lines);
  if (picture.gaps === true && Math.min(cell.width, cell.height) >= LEAST_WITH_GAPS) drawGaps(painter, view);
  if (picture.textOf !== undefined) drawTexts(painter, view, picture.textOf);
  if (hasRoomForSigns(cell)) for (const signs of picture.signs ?? []) drawSigns(painter, view, signs);
  for (const place of picture.failed ?? []) drawSign(painter, FAILED, cellBox(view, place));
  if (picture.inside !== undefined) drawEdge(painter, view, picture.inside);
  context.restore();
}

function drawTile({ context, palette, ratio }: Painter, view: CellView, tile: Tile): void {
  const { width, height, cellsDown, cellsAlong, averaged = false, smooth = false } = tile;
  if (width * height === 0) return;
  const { rows, columns } = tile.window;
  const box = boxOf(view, {
    rows: { from: rows.from, to: rows.from + height * cellsDown },
    columns: { from: columns.from, to: columns.from + width * cellsAlong },
  });
  const share = Math.min((box.width * ratio) / width, (box.height * ratio) / height);
  context.imageSmoothingEnabled = smooth || (averaged && share < 1);
  // A mean of four pixels is enough until more than four fall on one; where no graphics card helps, it is far faster.
  context.imageSmoothingQuality = share < 0.5 ? "medium" : "low";
  const picture = canvasOf(tile, palette);
  if (view.spacing !== undefined) return drawUnequal({ context, palette, ratio }, view, tile, picture);
  context.drawImage(picture, 0, 0, width, height, box.x, box.y, box.width, box.height);
}

/** Each pixel as wide and high as the cells behind it: first the columns, then the rows of what they give. */
function drawUnequal({ context, ratio }: Painter, view: CellView, tile: Tile, picture: HTMLCanvasElement): void {
  const { width, height, cellsDown, cellsAlong, window } = tile;
  const { rows, columns } = window;
  const wide = document.createElement("canvas");
  wide.width = Math.max(1, Math.ceil(view.area.width * ratio));
  wide.height = height;
  const stretched = wide.getContext("2d");
  if (stretched === null) return;
  stretched.imageSmoothingEnabled = false;
  context.imageSmoothingEnabled = false;
  for (let pixel = 0; pixel < width; pixel += 1) {
    const from = columns.from + pixel * cellsAlong;
    const box = boxOf(view, { rows, columns: { from, to: Math.min(columns.to, from + cellsAlong) } });
    stretched.drawImage(picture, pixel, 0, 1, height, box.x * ratio, 0, box.width * ratio, height);
  }
  for (let pixel = 0; pixel < height; pixel += 1) {
    const from = rows.from + pixel * cellsDown;
    const box = boxOf(view, { rows: { from, to: Math.min(rows.to, from + cellsDown) }, columns });
    context.drawImage(wide, 0, pixel, wide.width, 1, 0, box.y, wide.width / ratio, box.height);
  }
}

function drawGaps({ context, palette }: Painter, view: CellView): void {
  const { area } = view;
  const { rows, columns } = windowSeen(view);
  context.fillStyle = cssColour(palette["--bg"]);
  for (let column = columns.from; column <= columns.to; column += 1) {
    context.fillRect(Math.round(cellBox(view, { row: 0, column }).x) - 1, 0, 1, area.height);
  }
  for (let row = rows.from; row <= rows.to; row += 1) {
    context.fillRect(0, Math.round(cellBox(view, { row, column: 0 }).y) - 1, area.width, 1);
  }
}

const LEAST_WITH_TEXT = { width: 52, height: 18 };

/** Draws texts in white with a dark edge, which is legible on any colour. */
function drawTexts({ context }: Painter, view: CellView, textOf: (place: CellPlace) => string | undefined): void {
  const cell = cellSize(view);
  if (cell.width < LEAST_WITH_TEXT.width || cell.height < LEAST_WITH_TEXT.height) return;
  const { rows, columns } = windowSeen(view);
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 2.5;
  context.strokeStyle = "rgb(0 0 0 / 72%)";
  context.fillStyle = "white";
  for (let row = rows.from; row < rows.to; row += 1) {
    for (let column = columns.from; column < columns.to; column += 1) {
      const text = textOf({ row, column });
      if (text === undefined) continue;
      const { x, y, width, height } = cellBox(view, { row, column });
      context.strokeText(text, x + width / 2, y + height / 2, width - 4);
      context.fillText(text, x + width / 2, y + height / 2, width - 4);
    }
  }
}

function drawSigns(painter: Painter, view: CellView, { raster, signAt }: CellSigns): void {
  if (!isFine(raster)) return;
  const { rows, columns } = raster.window;
  for (let pixel = 0; pixel < raster.width * raster.height; pixel += 1) {
    const sign = signAt(pixel);
    if (sign === undefined) continue;
    const place = { row: rows.from + Math.floor(pixel / raster.width), column: columns.from + (pixel % raster.width) };
    const box = cellBox(view, place);
    if (view.spacing === undefined || hasRoomForSigns(box)) drawSign(painter, sign, box);
  }
}

function drawEdge({ context, palette }: Painter, view: CellView, inside: GridExtent): void {
  const { extent, area } = view;
  const { x, y } = cellBox(view, { row: inside.rows, column: inside.columns });
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
}

const ONE: GridExtent = { rows: 1, columns: 1 };

export function drawMarks(painter: Painter, drawing: MapDrawing, marks: readonly Mark[]): void {
  const { view, axes } = drawing;
  const { context } = painter;
  const corner = cornerOf(axes);
  context.save();
  context.translate(corner.x, corner.y);
  context.beginPath();
  // Frames may be as thick as this past the cells, and not over what is written beside them.
  if (axes !== undefined) context.rect(-6, -6, view.area.width + 12, view.area.height + 12);
  if (axes !== undefined) context.clip();
  for (const { place, size = ONE, token, thin } of marks) {
    const { row, column } = place;
    const { x, y, width, height } = boxOf(view, {
      rows: { from: row, to: row + size.rows },
      columns: { from: column, to: column + size.columns },
    });
    if (x + width < 0 || y + height < 0 || x > view.area.width || y > view.area.height) continue;
    const box = { x, y, width: width - 1, height: height - 1 };
    outline(context, axes === undefined ? keptInside(box, view.area) : box, painter.palette, token, thin);
  }
  context.restore();
}

/** Frames of cells at the edge would be cut where there is no margin: small ones move in by their own width at most. */
function keptInside(box: Box, area: Area): Box {
  const SMALL = 7;
  const moved = (at: number, side: number, room: number) =>
    side > SMALL ? at : Math.max((SMALL - side) / 2 + 2, Math.min(at, room - (SMALL + side) / 2 - 2));
  return { ...box, x: moved(box.x, box.width, area.width), y: moved(box.y, box.height, area.height) };
}
