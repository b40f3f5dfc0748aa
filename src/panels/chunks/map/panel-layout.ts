/** Places the cells of several slices beside each other, to the scale of the elements they hold. Pure; CSS pixels. */
import type { Area, Box, CellPlace, Point } from "#widgets/cell-map/camera.ts";

/** A dimension of the slices: the elements that each of its chunks holds. */
export interface PanelSide {
  readonly count: number;
  /** Elements of a chunk, and of the last one, which the array's edge may cut. */
  readonly chunk: number;
  readonly last: number;
  /** Elements of each chunk, where they are unequal; then the longest is `chunk`. */
  readonly extents?: readonly number[];
  /** The last chunk stands first: north is up. */
  readonly turned?: boolean;
}

export interface PanelInput {
  readonly panels: number;
  readonly rows: PanelSide;
  readonly columns: PanelSide;
  readonly room: Area;
  /** Height of a panel's title; 0 if it needs none. */
  readonly title: number;
}

export interface PanelLayout {
  /** Panels beside each other. */
  readonly across: number;
  /** Size of one panel, without its title. */
  readonly panel: Area;
  readonly title: number;
  readonly rows: readonly Stretch[];
  readonly columns: readonly Stretch[];
}

interface Stretch {
  readonly from: number;
  readonly length: number;
}

const BETWEEN_PANELS = 12;
const BETWEEN_CELLS = 2;
/** A smaller cell shows no sign. */
const LEAST_CELL = 10;
const LARGEST_CELL = 88;
const MOST_CELLS = 4000;
const MOST_PANELS = 120;

/** `undefined` where they would be too small to be told apart: then one slice is shown at a time. */
export function panelLayout(input: PanelInput, leastSide = LEAST_CELL): PanelLayout | undefined {
  const { panels, rows, columns } = input;
  if (panels > MOST_PANELS || panels * rows.count * columns.count > MOST_CELLS) return undefined;
  let best: { readonly layout: PanelLayout; readonly least: number } | undefined;
  for (let across = 1; across <= panels; across += 1) {
    const layout = layoutWith(input, across);
    const least = layout === undefined ? 0 : leastCell(layout);
    if (layout !== undefined && least > (best?.least ?? 0)) best = { layout, least };
  }
  return best === undefined || best.least < leastSide ? undefined : best.layout;
}

function layoutWith({ panels, rows, columns, room, title }: PanelInput, across: number): PanelLayout | undefined {
  const down = Math.ceil(panels / across);
  const width = (room.width - (across - 1) * BETWEEN_PANELS) / across;
  const height = (room.height - (down - 1) * BETWEEN_PANELS) / down - title;
  if (width < LEAST_CELL || height < LEAST_CELL) return undefined;
  const along = (side: PanelSide, space: number) => Math.min(space, side.count * LARGEST_CELL);
  // Not much higher than wide: a few rows would stand far apart.
  const panel = { width: along(columns, width), height: along(rows, Math.min(height, width * 1.25)) };
  return {
    across,
    panel,
    title,
    rows: stretches(rows, panel.height),
    columns: stretches(columns, panel.width),
  };
}

/** Whole chunks; chunks cut by the edge may be thin. */
function leastCell({ rows, columns }: PanelLayout): number {
  const longest = (side: readonly Stretch[]) => Math.max(...side.map(({ length }) => length));
  return Math.min(longest(rows), longest(columns));
}

const THINNEST = 5;

function stretches(side: PanelSide, space: number): readonly Stretch[] {
  const { count, chunk, last, extents, turned = false } = side;
  const free = Math.max(0, space - (count - 1) * BETWEEN_CELLS);
  if (extents !== undefined) return unequalStretches(extents, free, turned ? space : undefined);
  const elements = (count - 1) * chunk + last;
  const cut = count === 1 ? free : Math.max(THINNEST, (free * last) / elements);
  const whole = count === 1 ? 0 : (free - cut) / (count - 1);
  return Array.from({ length: count }, (_, at) => {
    const length = at === count - 1 ? cut : whole;
    const from = at * (whole + BETWEEN_CELLS);
    return { from: turned ? space - from - length : from, length };
  });
}

/**
 * `turnedIn`: all of the room, where the last stands first. Those that would be too thin to be hit take from the
 * others.
 */
function unequalStretches(extents: readonly number[], free: number, turnedIn: number | undefined): readonly Stretch[] {
  const thinnest = Math.min(THINNEST, free / extents.length);
  const isThin = (extent: number, unit: number) => extent * unit < thinnest;
  let unit = free / extents.reduce((sum, extent) => sum + extent, 0);
  // The room that thin ones take makes others thin: at most each once.
  for (let thin = 0; ;) {
    const found = extents.filter((extent) => isThin(extent, unit));
    const rest = extents.reduce((sum, extent) => sum + (isThin(extent, unit) ? 0 : extent), 0);
    if (found.length === thin || rest === 0) break;
    thin = found.length;
    unit = (free - thin * thinnest) / rest;
  }
  let next = 0;
  return extents.map((extent) => {
    const [from, length] = [next, Math.max(thinnest, extent * unit)];
    next += length + BETWEEN_CELLS;
    return { from: turnedIn === undefined ? from : turnedIn - from - length, length };
  });
}

/** The corner of a panel, below its title. */
export function panelCorner({ across, panel, title }: PanelLayout, at: number): Point {
  const row = Math.floor(at / across);
  return {
    x: (at % across) * (panel.width + BETWEEN_PANELS),
    y: row * (panel.height + title + BETWEEN_PANELS) + title,
  };
}

export interface PanelPlace extends CellPlace {
  readonly panel: number;
}

export function panelCellBox(layout: PanelLayout, { panel, row, column }: PanelPlace): Box {
  const { x, y } = panelCorner(layout, panel);
  const [down, along] = [layout.rows[row], layout.columns[column]];
  return {
    x: x + (along?.from ?? 0),
    y: y + (down?.from ?? 0),
    width: along?.length ?? 0,
    height: down?.length ?? 0,
  };
}

/** The cell at a point; what lies between two cells belongs to none. */
export function panelCellAt(layout: PanelLayout, panels: number, at: Point): PanelPlace | undefined {
  const { panel: size, across, title } = layout;
  const column = Math.floor(at.x / (size.width + BETWEEN_PANELS));
  const row = Math.floor(at.y / (size.height + title + BETWEEN_PANELS));
  const panel = row * across + column;
  if (at.x < 0 || at.y < 0 || column >= across || panel >= panels) return undefined;
  const { x, y } = panelCorner(layout, panel);
  const find = (side: readonly Stretch[], point: number) =>
    side.findIndex(({ from, length }) => point >= from && point < from + length);
  const place = { panel, row: find(layout.rows, at.y - y), column: find(layout.columns, at.x - x) };
  return place.row < 0 || place.column < 0 ? undefined : place;
}

/**
 * Arrows move by what is seen, over the edge of a panel into the one beside it; page keys go to the panel before,
 * after.
 */
export function movedInPanels(
  layout: PanelLayout,
  panels: number,
  { panel, row, column }: PanelPlace,
  { key, ctrl }: { readonly key: string; readonly ctrl: boolean },
): PanelPlace | undefined {
  const { across, rows, columns } = layout;
  const turned = rows.length > 1 && (rows[0]?.from ?? 0) > (rows[1]?.from ?? 0);
  const up = turned ? 1 : -1;
  const last = { row: rows.length - 1, column: columns.length - 1 };
  const [top, bottom] = turned ? [last.row, 0] : [0, last.row];
  const within = (next: number) => (next >= 0 && next < panels ? next : undefined);
  const beside = (by: number, place: CellPlace): PanelPlace => {
    const next = within(panel + by);
    return next === undefined ? { panel, row, column } : { ...place, panel: next };
  };
  switch (key) {
    case "ArrowUp":
      return row === top ? beside(-across, { row: bottom, column }) : { panel, row: ctrl ? top : row + up, column };
    case "ArrowDown":
      return row === bottom ? beside(across, { row: top, column }) : { panel, row: ctrl ? bottom : row - up, column };
    case "ArrowLeft":
      return column === 0 && panel % across > 0
        ? beside(-1, { row, column: last.column })
        : { panel, row, column: ctrl ? 0 : Math.max(0, column - 1) };
    case "ArrowRight":
      return column === last.column && panel % across < across - 1
        ? beside(1, { row, column: 0 })
        : { panel, row, column: ctrl ? last.column : Math.min(last.column, column + 1) };
    case "PageUp":
      return beside(-1, { row, column });
    case "PageDown":
      return beside(1, { row, column });
    case "Home":
      return ctrl ? { panel: 0, row: top, column: 0 } : { panel, row, column: 0 };
    case "End":
      return ctrl ? { panel: panels - 1, row: bottom, column: last.column } : { panel, row, column: last.column };
    default:
      return undefined;
  }
}
