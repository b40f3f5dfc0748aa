/** Which part of a grid is seen, and how large its cells are. Pure: sizes in CSS pixels, places in cells. */
export interface GridExtent {
  readonly rows: number;
  readonly columns: number;
}

export interface Area {
  readonly width: number;
  readonly height: number;
}

export interface Camera {
  /** 1 = the whole grid fits. */
  readonly zoom: number;
  /** Cells (not whole ones) left of and above what is seen. */
  readonly x: number;
  readonly y: number;
}

export interface CellSize {
  readonly width: number;
  readonly height: number;
}

export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export const FIT: Camera = { zoom: 1, x: 0, y: 0 };
const LARGEST_FITTED = 96;
const LARGEST = 128;
/** A grid of one row is at least so high, one of one column so wide. */
const LEAST_SIDE = 36;

export function cellSize(extent: GridExtent, area: Area, zoom: number): CellSize {
  const rows = Math.max(1, extent.rows);
  const columns = Math.max(1, extent.columns);
  const fitted = Math.min(area.width / columns, area.height / rows, LARGEST_FITTED);
  const width = Math.max(fitted, Math.min(LEAST_SIDE, area.width) / columns);
  const height = Math.max(fitted, Math.min(LEAST_SIDE, area.height) / rows);
  return { width: zoomed(width, zoom), height: zoomed(height, zoom) };
}

const zoomed = (fitted: number, zoom: number) => Math.max(fitted, Math.min(fitted * zoom, LARGEST));

/** From here on zooming changes nothing any more. */
export function largestZoom(extent: GridExtent, area: Area): number {
  const { width, height } = cellSize(extent, area, 1);
  const least = Math.min(width, height);
  return least > 0 ? Math.max(1, LARGEST / least) : 1;
}

export function clampCamera(camera: Camera, extent: GridExtent, area: Area): Camera {
  const zoom = Math.max(1, Math.min(camera.zoom, largestZoom(extent, area)));
  const cell = cellSize(extent, area, zoom);
  const clamp = (at: number, count: number, shown: number) => Math.max(0, Math.min(at, count - shown));
  return {
    zoom,
    x: clamp(camera.x, extent.columns, cell.width > 0 ? area.width / cell.width : 0),
    y: clamp(camera.y, extent.rows, cell.height > 0 ? area.height / cell.height : 0),
  };
}

/** Zooms so that what is at a point of the area stays there. */
export function zoomAt(
  camera: Camera,
  factor: number,
  at: { readonly x: number; readonly y: number },
  extent: GridExtent,
  area: Area,
): Camera {
  const before = cellSize(extent, area, camera.zoom);
  const zoom = Math.max(1, Math.min(camera.zoom * factor, largestZoom(extent, area)));
  const after = cellSize(extent, area, zoom);
  const x = camera.x + at.x / before.width - at.x / after.width;
  const y = camera.y + at.y / before.height - at.y / after.height;
  return clampCamera({ zoom, x, y }, extent, area);
}

/** The least move that shows the whole cell. */
export function reveal(camera: Camera, { row, column }: CellPlace, extent: GridExtent, area: Area): Camera {
  const cell = cellSize(extent, area, camera.zoom);
  const nearest = (at: number, place: number, shown: number) =>
    place < at ? place : place + 1 > at + shown ? place + 1 - shown : at;
  const x = nearest(camera.x, column, area.width / cell.width);
  const y = nearest(camera.y, row, area.height / cell.height);
  return clampCamera({ ...camera, x, y }, extent, area);
}

/** The cell at a point of the area, `undefined` beside the grid. */
export function cellAt(
  camera: Camera,
  at: { readonly x: number; readonly y: number },
  extent: GridExtent,
  area: Area,
): CellPlace | undefined {
  const cell = cellSize(extent, area, camera.zoom);
  const row = Math.floor(camera.y + at.y / cell.height);
  const column = Math.floor(camera.x + at.x / cell.width);
  const inside = row >= 0 && row < extent.rows && column >= 0 && column < extent.columns;
  return inside ? { row, column } : undefined;
}

export interface CellWindow {
  readonly rows: { readonly from: number; readonly to: number };
  readonly columns: { readonly from: number; readonly to: number };
}

/** Cells that are seen, partly seen ones included; `to` excluded. */
export function windowSeen(camera: Camera, extent: GridExtent, area: Area): CellWindow {
  const cell = cellSize(extent, area, camera.zoom);
  const span = (at: number, shown: number, count: number) => ({
    from: Math.max(0, Math.floor(at)),
    to: Math.min(count, Math.ceil(at + shown - 1e-9)),
  });
  return {
    rows: span(camera.y, area.height / cell.height, extent.rows),
    columns: span(camera.x, area.width / cell.width, extent.columns),
  };
}

/** A round number of cells between labels, so that they stand at least `room` pixels apart. */
export function tickStep(cellSide: number, room: number): number {
  const least = Math.max(1, room / Math.max(cellSide, 1e-12));
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((factor) => factor * power >= least - 1e-9) ?? 10;
  return Math.max(1, Math.round(factor * power));
}
