/** Which part of a grid of cells is seen, and how large its cells are. Pure: sizes in CSS pixels, places in cells. */
import type { Spacing } from "./spacing.ts";

export interface GridExtent {
  readonly rows: number;
  readonly columns: number;
}

export interface Area {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point, Area {}

export interface Camera {
  /** 1 = the whole grid fits. */
  readonly zoom: number;
  /** Cells (not whole ones) left of and above what is seen. */
  readonly x: number;
  readonly y: number;
  /** Cells this many times as wide and as high as fit: a window that has not the grid's proportions fills the area. */
  readonly stretch?: { readonly across: number; readonly down: number };
}

export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** `to` excluded. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface CellWindow {
  readonly rows: Span;
  readonly columns: Span;
}

/** How large cells may be. */
export interface CellScale {
  /** Longer side of a cell while the whole grid fits, and when magnified. */
  readonly maxFitted: number;
  readonly max: number;
  /** A grid of one row is at least so high, one of one column so wide. */
  readonly minSide: number;
  /** Width of a cell over its height; `fill`: the grid takes the whole area. */
  readonly aspect: number | "fill";
}

export const CHUNK_SCALE: CellScale = { maxFitted: 96, max: 128, minSide: 36, aspect: 1 };

export interface CellView {
  readonly extent: GridExtent;
  /** Room for cells. */
  readonly area: Area;
  readonly scale: CellScale;
  readonly camera: Camera;
  /** Spacing of cells with unequal extents; the camera's places then count cells of the mean extent. */
  readonly spacing?: SideSpacing;
}

export interface SideSpacing {
  readonly rows: Spacing | undefined;
  readonly columns: Spacing | undefined;
}

export const placeAlong = (spacing: Spacing | undefined, cell: number): number => spacing?.placeOf(cell) ?? cell;
export const cellAlong = (spacing: Spacing | undefined, place: number): number => spacing?.cellAt(place) ?? place;

export const FIT: Camera = { zoom: 1, x: 0, y: 0 };

function fittedCell({ extent, area, scale: { minSide, maxFitted, aspect } }: CellView): Area {
  const columns = Math.max(1, extent.columns);
  const rows = Math.max(1, extent.rows);
  const [width, height] = [area.width / columns, area.height / rows];
  const fill = aspect === "fill";
  const along = fill ? width : Math.min(width, height * aspect, maxFitted * Math.min(1, aspect));
  return {
    width: Math.max(along, Math.min(minSide, area.width) / columns),
    height: Math.max(fill ? height : along / aspect, Math.min(minSide, area.height) / rows),
  };
}

/** At a zoom of 1. */
function baseCell(view: CellView): Area {
  const { width, height } = fittedCell(view);
  const { across, down } = view.camera.stretch ?? { across: 1, down: 1 };
  return { width: width * across, height: height * down };
}

/** The smallest of unequal cells may become as large as others. */
function largestCell({ scale: { max, aspect }, spacing }: CellView): Area {
  const [wide, high] = [spacing?.columns?.spread ?? 1, spacing?.rows?.spread ?? 1];
  return aspect === "fill"
    ? { width: max * wide, height: max * high }
    : { width: max * Math.min(1, aspect) * wide, height: (max / Math.max(1, aspect)) * high };
}

/** Size of a cell; the mean of unequal ones. */
export function cellSize(view: CellView): Area {
  const fitted = baseCell(view);
  const largest = largestCell(view);
  const zoomed = (side: number, limit: number) => Math.max(side, Math.min(side * view.camera.zoom, limit));
  return { width: zoomed(fitted.width, largest.width), height: zoomed(fitted.height, largest.height) };
}

/** From here on zooming changes nothing any more. */
export function largestZoom(view: CellView): number {
  const { width, height } = baseCell(view);
  const largest = largestCell(view);
  return width > 0 && height > 0 ? Math.max(1, largest.width / width, largest.height / height) : 1;
}

/** The view with a camera that shows only what there is. */
export function lookAt(view: CellView, camera: Camera): CellView {
  const zoom = Math.max(1, Math.min(camera.zoom, largestZoom({ ...view, camera })));
  const { extent, area } = view;
  const cell = cellSize({ ...view, camera: { ...camera, zoom } });
  const clamp = (at: number, count: number, shown: number) => Math.max(0, Math.min(at, count - shown));
  const x = clamp(camera.x, extent.columns, cell.width > 0 ? area.width / cell.width : 0);
  const y = clamp(camera.y, extent.rows, cell.height > 0 ? area.height / cell.height : 0);
  return { ...view, camera: { ...camera, zoom, x, y } };
}

/** True if only a part is visible. */
export const isZoomed = ({ camera }: CellView): boolean => camera.zoom > 1 || camera.stretch !== undefined;

/** The camera that shows a window: all of the area where cells may have any shape, else as large as fits. */
export function windowCamera(view: CellView, { rows, columns }: CellWindow): Camera {
  const { extent, area, scale } = view;
  const times = (all: number, { from, to }: Span) => Math.max(1, all / Math.max(1, to - from));
  const [across, down] = [times(extent.columns, columns), times(extent.rows, rows)];
  const whole = { ...view, camera: FIT };
  const at = { x: columns.from, y: rows.from };
  if (scale.aspect !== "fill") {
    const { width, height } = fittedCell(whole);
    const room = Math.min(
      area.width / (columns.to - columns.from) / width,
      area.height / (rows.to - rows.from) / height,
    );
    return { ...at, zoom: Number.isFinite(room) ? Math.max(1, room) : 1 };
  }
  const [cell, limit] = [fittedCell(whole), largestCell(whole)];
  // Zooming ends at the largest cell, stretching does not.
  const isLarge = cell.width * across > limit.width || cell.height * down > limit.height;
  const zoom = isLarge ? 1 : Math.min(across, down);
  const stretch = { across: across / zoom, down: down / zoom };
  const isEven = Math.max(stretch.across, stretch.down) < 1 + 1e-9;
  return { ...at, zoom, ...(isEven ? {} : { stretch }) };
}

/** Zooms so that what is at a point of the area stays there. */
export function zoomAt(view: CellView, factor: number, at: Point): CellView {
  const { camera } = view;
  // A map that is stretched at a zoom of 1 can be zoomed out only to the whole.
  if (factor < 1 && camera.zoom <= 1 && camera.stretch !== undefined) return lookAt(view, FIT);
  const before = cellSize(view);
  const zoom = Math.max(1, Math.min(camera.zoom * factor, largestZoom(view)));
  const after = cellSize({ ...view, camera: { ...camera, zoom } });
  const x = camera.x + at.x / before.width - at.x / after.width;
  const y = camera.y + at.y / before.height - at.y / after.height;
  return lookAt(view, { ...camera, zoom, x, y });
}

/** Moves the view by a number of pixels. */
export function panned(view: CellView, across: number, down: number): CellView {
  const cell = cellSize(view);
  const { x, y } = view.camera;
  return lookAt(view, { ...view.camera, x: x + across / cell.width, y: y + down / cell.height });
}

/** The least move that shows the whole cell. */
export function reveal(view: CellView, { row, column }: CellPlace): CellView {
  const { camera, area, spacing } = view;
  const cell = cellSize(view);
  const nearest = (at: number, along: Spacing | undefined, place: number, shown: number) => {
    const [from, to] = [placeAlong(along, place), placeAlong(along, place + 1)];
    // A span larger than the area is shown from its beginning.
    const isLarge = along !== undefined && to - from > shown;
    return from < at || isLarge ? from : to > at + shown ? to - shown : at;
  };
  const x = nearest(camera.x, spacing?.columns, column, area.width / cell.width);
  const y = nearest(camera.y, spacing?.rows, row, area.height / cell.height);
  return lookAt(view, { ...camera, x, y });
}

/** The cell at a point of the area, `undefined` beside the grid. */
export function cellAt(view: CellView, at: Point): CellPlace | undefined {
  const { camera, extent, area, spacing } = view;
  if (at.x < 0 || at.y < 0 || at.x >= area.width || at.y >= area.height) return undefined;
  const cell = cellSize(view);
  const row = Math.floor(cellAlong(spacing?.rows, camera.y + at.y / cell.height));
  const column = Math.floor(cellAlong(spacing?.columns, camera.x + at.x / cell.width));
  return row < extent.rows && column < extent.columns ? { row, column } : undefined;
}

/** Cells that are seen, partly seen ones included. */
export function windowSeen(view: CellView): CellWindow {
  const { camera, extent, area, spacing } = view;
  const cell = cellSize(view);
  const span = (at: number, shown: number, count: number, along: Spacing | undefined) => ({
    from: Math.max(0, Math.floor(cellAlong(along, at))),
    to: Math.min(count, Math.ceil(cellAlong(along, at + shown) - 1e-9)),
  });
  const nothing = { from: 0, to: 0 };
  return {
    rows: cell.height > 0 ? span(camera.y, area.height / cell.height, extent.rows, spacing?.rows) : nothing,
    columns: cell.width > 0 ? span(camera.x, area.width / cell.width, extent.columns, spacing?.columns) : nothing,
  };
}

/** The rectangle of a window of cells, in pixels of the area. */
export function boxOf(view: CellView, { rows, columns }: CellWindow): Box {
  const { camera, spacing } = view;
  const cell = cellSize(view);
  const [left, right] = [placeAlong(spacing?.columns, columns.from), placeAlong(spacing?.columns, columns.to)];
  const [top, bottom] = [placeAlong(spacing?.rows, rows.from), placeAlong(spacing?.rows, rows.to)];
  return {
    x: (left - camera.x) * cell.width,
    y: (top - camera.y) * cell.height,
    width: (right - left) * cell.width,
    height: (bottom - top) * cell.height,
  };
}

export function cellBox(view: CellView, { row, column }: CellPlace): Box {
  return boxOf(view, { rows: { from: row, to: row + 1 }, columns: { from: column, to: column + 1 } });
}

/** Device pixels that the cells of a window take: a raster with more would lose some when it is drawn. */
export function pixelRoom(view: CellView, { rows, columns }: CellWindow, ratio: number): Area {
  const { width, height } = boxOf(view, { rows, columns });
  const pixels = (side: number, room: number) => Math.max(1, Math.floor(Math.min(side, room) * ratio));
  return { width: pixels(width, view.area.width), height: pixels(height, view.area.height) };
}
