/** Which part of a grid of cells is seen, and how large its cells are. Pure: sizes in CSS pixels, places in cells. */
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
}

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

function largestCell({ scale: { max, aspect } }: CellView): Area {
  return aspect === "fill"
    ? { width: max, height: max }
    : { width: max * Math.min(1, aspect), height: max / Math.max(1, aspect) };
}

export function cellSize(view: CellView): Area {
  const fitted = fittedCell(view);
  const largest = largestCell(view);
  const zoomed = (side: number, limit: number) => Math.max(side, Math.min(side * view.camera.zoom, limit));
  return { width: zoomed(fitted.width, largest.width), height: zoomed(fitted.height, largest.height) };
}

/** From here on zooming changes nothing any more. */
export function largestZoom(view: CellView): number {
  const { width, height } = fittedCell(view);
  const largest = largestCell(view);
  return width > 0 && height > 0 ? Math.max(1, largest.width / width, largest.height / height) : 1;
}

/** The view with a camera that shows only what there is. */
export function lookAt(view: CellView, camera: Camera): CellView {
  const zoom = Math.max(1, Math.min(camera.zoom, largestZoom(view)));
  const { extent, area } = view;
  const cell = cellSize({ ...view, camera: { ...camera, zoom } });
  const clamp = (at: number, count: number, shown: number) => Math.max(0, Math.min(at, count - shown));
  const x = clamp(camera.x, extent.columns, cell.width > 0 ? area.width / cell.width : 0);
  const y = clamp(camera.y, extent.rows, cell.height > 0 ? area.height / cell.height : 0);
  return { ...view, camera: { zoom, x, y } };
}

/** Zooms so that what is at a point of the area stays there. */
export function zoomAt(view: CellView, factor: number, at: Point): CellView {
  const { camera } = view;
  const before = cellSize(view);
  const zoom = Math.max(1, Math.min(camera.zoom * factor, largestZoom(view)));
  const after = cellSize({ ...view, camera: { ...camera, zoom } });
  const x = camera.x + at.x / before.width - at.x / after.width;
  const y = camera.y + at.y / before.height - at.y / after.height;
  return lookAt(view, { zoom, x, y });
}

/** Moves the view by a number of pixels. */
export function panned(view: CellView, across: number, down: number): CellView {
  const cell = cellSize(view);
  const { zoom, x, y } = view.camera;
  return lookAt(view, { zoom, x: x + across / cell.width, y: y + down / cell.height });
}

/** The least move that shows the whole cell. */
export function reveal(view: CellView, { row, column }: CellPlace): CellView {
  const { camera, area } = view;
  const cell = cellSize(view);
  const nearest = (at: number, place: number, shown: number) =>
    place < at ? place : place + 1 > at + shown ? place + 1 - shown : at;
  const x = nearest(camera.x, column, area.width / cell.width);
  const y = nearest(camera.y, row, area.height / cell.height);
  return lookAt(view, { ...camera, x, y });
}

/** The cell at a point of the area, `undefined` beside the grid. */
export function cellAt(view: CellView, at: Point): CellPlace | undefined {
  const { camera, extent, area } = view;
  if (at.x < 0 || at.y < 0 || at.x >= area.width || at.y >= area.height) return undefined;
  const cell = cellSize(view);
  const row = Math.floor(camera.y + at.y / cell.height);
  const column = Math.floor(camera.x + at.x / cell.width);
  return row < extent.rows && column < extent.columns ? { row, column } : undefined;
}

/** Cells that are seen, partly seen ones included. */
export function windowSeen(view: CellView): CellWindow {
  const { camera, extent, area } = view;
  const cell = cellSize(view);
  const span = (at: number, shown: number, count: number) => ({
    from: Math.max(0, Math.floor(at)),
    to: Math.min(count, Math.ceil(at + shown - 1e-9)),
  });
  const nothing = { from: 0, to: 0 };
  return {
    rows: cell.height > 0 ? span(camera.y, area.height / cell.height, extent.rows) : nothing,
    columns: cell.width > 0 ? span(camera.x, area.width / cell.width, extent.columns) : nothing,
  };
}

/** The rectangle of a window of cells, in pixels of the area. */
export function boxOf(view: CellView, { rows, columns }: CellWindow): Box {
  const { camera } = view;
  const cell = cellSize(view);
  return {
    x: (columns.from - camera.x) * cell.width,
    y: (rows.from - camera.y) * cell.height,
    width: (columns.to - columns.from) * cell.width,
    height: (rows.to - rows.from) * cell.height,
  };
}

export function cellBox(view: CellView, { row, column }: CellPlace): Box {
  return boxOf(view, { rows: { from: row, to: row + 1 }, columns: { from: column, to: column + 1 } });
}

/** Device pixels that the cells of a window take: a raster with more would lose some when it is drawn. */
export function pixelRoom(view: CellView, { rows, columns }: CellWindow, ratio: number): Area {
  const cell = cellSize(view);
  const pixels = (cells: number, side: number, room: number) =>
    Math.max(1, Math.floor(Math.min(cells * side, room) * ratio));
  return {
    width: pixels(columns.to - columns.from, cell.width, view.area.width),
    height: pixels(rows.to - rows.from, cell.height, view.area.height),
  };
}
