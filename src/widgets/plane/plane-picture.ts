/** Paints the cells of a plane: values as colours, and cells without values by their state. */
import { type ChunkEdges, startAlong } from "#core/metadata/chunk-grid.ts";
import type { PlaneChunks, PlaneExtent } from "#core/plane/plane.ts";
import type { CellArea, CellEdges, EdgeLine } from "../cell-map/areas.ts";
import type { CellPlace, Span } from "../cell-map/camera.ts";
import type { CellPicture } from "../cell-map/draw-map.ts";
import { packed } from "../cell-map/palette.ts";
import type { Tile } from "../cell-map/tile.ts";
import { COLORMAP_SIZE, colormapTable, type Colormap } from "../values/colormap.ts";
import { shareOf, type ColourRange } from "./colour-range.ts";
import { SQUARE, type ChunkLook, type PlaneValues } from "#core/plane/plane-values.ts";

/** From a row of the array to the one shown, and back. `isTurned`: rows from the last to the first, north up. */
export const shownRow = (isTurned: boolean, { rows }: PlaneExtent, at: number): number =>
  isTurned ? rows - 1 - at : at;

/** The same of several rows. */
export const shownRows = (isTurned: boolean, { rows }: PlaneExtent, { from, to }: Span): Span =>
  isTurned ? { from: rows - to, to: rows - from } : { from, to };

export interface PlaneLook {
  readonly plane: PlaneValues;
  readonly extent: PlaneExtent;
  /** Rows from the last to the first. */
  readonly isTurned: boolean;
  readonly chunks: PlaneChunks;
  /** Edges of the chunks down and across. */
  readonly side: { readonly down: ChunkEdges; readonly across: ChunkEdges };
  readonly range: ColourRange | undefined;
  readonly colormap: Colormap;
  readonly edges: boolean;
  /** Neighbouring values are blended. */
  readonly smooth?: boolean;
  /** Between source files; absent where they are not shown. */
  readonly lines: readonly EdgeLine[] | undefined;
}

/** Painted squares by content, so that only changed ones are repainted. */
export type PaintedSquares = Map<string, Tile>;

/** `known`: the squares of the last picture; replaced by those of this one. */
export function planePicture(look: PlaneLook, known: PaintedSquares): CellPicture {
  const { plane, edges, range, colormap, isTurned } = look;
  const painted = `${range?.minimum} ${range?.maximum} ${range?.logarithmic} ${colormap} ${isTurned} ${look.smooth}`;
  return {
    ...(look.lines === undefined ? { name: `${plane.version} ${painted} ${edges}` } : {}),
    tiles: range === undefined ? [] : squaresOf(look, range, painted, known),
    areas: plane.looks.map((one, at): CellArea => ({ window: windowOf(look, at), look: AREA[one] })),
    ...(edges ? { edges: edgesOf(look) } : {}),
    ...(look.lines === undefined ? {} : { lines: look.lines }),
    ...(plane.steps.down === 1 && plane.steps.across === 1 ? { textOf: (place) => textAt(look, place) } : {}),
  };
}

/** The value of an element, as short as fits into a cell. */
function textAt({ plane, extent, isTurned }: PlaneLook, { row, column }: CellPlace): string | undefined {
  const value = plane.values[shownRow(isTurned, extent, row) * plane.columns + column];
  return value === undefined || Number.isNaN(value) ? undefined : String(Number(value.toPrecision(4)));
}

/** Under what was read lies the hatch: it is seen where there is no value. */
const AREA: Readonly<Record<ChunkLook, CellArea["look"]>> = {
  unread: "unread",
  read: "empty",
  missing: "empty",
  failed: "failed",
  unreached: "unread",
};

/** The elements of a chunk on the screen, by its place among the chunks of the plane. */
export function windowOf({ chunks, side, extent, isTurned }: Omit<PlaneLook, "plane">, at: number): CellArea["window"] {
  const [row, column] = [Math.floor(at / chunks.columns), at % chunks.columns];
  const span = (place: number, along: ChunkEdges, end: number) => ({
    from: startAlong(along, place),
    to: Math.min(end, startAlong(along, place + 1)),
  });
  return {
    rows: shownRows(isTurned, extent, span(row, side.down, extent.rows)),
    columns: span(column, side.across, extent.columns),
  };
}

function edgesOf({ chunks, side, extent, isTurned }: PlaneLook): CellEdges {
  const inner = (count: number, along: ChunkEdges) =>
    Array.from({ length: Math.max(0, count - 1) }, (_, at) => startAlong(along, at + 1));
  const rows = inner(chunks.rows, side.down);
  return {
    rows: isTurned ? rows.map((row) => extent.rows - row).toReversed() : rows,
    columns: inner(chunks.columns, side.across),
  };
}

/** Pixels of a plane that are one tile where they are blended: between tiles there would be seams. */
const MAX_BLENDED = 4 * 1024 ** 2;

function squaresOf(look: PlaneLook, range: ColourRange, painted: string, known: PaintedSquares): readonly Tile[] {
  const { plane } = look;
  if (look.smooth === true && plane.rows * plane.columns <= MAX_BLENDED) {
    const whole = { top: 0, left: 0, width: plane.columns, height: plane.rows };
    return [{ ...tileOf(look, range, whole), smooth: true }];
  }
  const tiles: Tile[] = [];
  const now = new Map<string, Tile>();
  for (const [at, version] of plane.squares.entries()) {
    if (version === 0) continue;
    const name = `${at} ${version} ${painted}`;
    const tile = known.get(name) ?? squareTile(look, range, at);
    now.set(name, tile);
    tiles.push(tile);
  }
  known.clear();
  for (const [name, tile] of now) known.set(name, tile);
  return tiles;
}

function squareTile(look: PlaneLook, range: ColourRange, at: number): Tile {
  const { plane, smooth = false } = look;
  const top = Math.floor(at / plane.squaresAcross) * SQUARE;
  const left = (at % plane.squaresAcross) * SQUARE;
  const height = Math.min(SQUARE, plane.rows - top);
  const width = Math.min(SQUARE, plane.columns - left);
  return { ...tileOf(look, range, { top, left, width, height }), smooth };
}

type Part = Readonly<Record<"top" | "left" | "width" | "height", number>>;

/** A part of the plane, in its pixels. */
function tileOf({ plane, extent, isTurned, colormap }: PlaneLook, range: ColourRange, part: Part): Tile {
  const { steps } = plane;
  const { top, left, width, height } = part;
  const rows = { from: top * steps.down, to: (top + height) * steps.down };
  const window = {
    rows: shownRows(isTurned, extent, rows),
    columns: { from: left * steps.across, to: (left + width) * steps.across },
  };
  return {
    window,
    width,
    height,
    cellsDown: steps.down,
    cellsAlong: steps.across,
    averaged: true,
    pixels: () => paint(plane, part, isTurned, range, colormapTable(colormap)),
  };
}

/** A packed colour a pixel; transparent where there is no value. */
function paint(
  { values, columns }: PlaneValues,
  { top, left, width, height }: Part,
  isTurned: boolean,
  range: ColourRange,
  table: Uint8Array,
): Uint32Array<ArrayBuffer> {
  const pixels = new Uint32Array(width * height);
  const colours = packedColours(table);
  const { minimum, maximum } = range;
  // Nearly every picture: without a call a pixel, which would take most of the time of a step of the slider.
  const isPlain = !range.logarithmic && range.classes === undefined && maximum > minimum;
  for (let row = 0; row < height; row += 1) {
    const from = (top + (isTurned ? height - 1 - row : row)) * columns + left;
    const to = row * width;
    for (let column = 0; column < width; column += 1) {
      const value = values[from + column] as number;
      if (!Number.isFinite(value)) continue;
      const share = isPlain ? (value - minimum) / (maximum - minimum) : shareOf(range, value);
      const colour = share <= 0 ? 0 : share >= 1 ? COLORMAP_SIZE - 1 : (share * (COLORMAP_SIZE - 1) + 0.5) | 0;
      pixels[to + column] = colours[colour] as number;
    }
  }
  return pixels;
}

const packedColours = (table: Uint8Array): Uint32Array =>
  Uint32Array.from({ length: COLORMAP_SIZE }, (_, at) =>
    packed({ r: table[at * 3] ?? 0, g: table[at * 3 + 1] ?? 0, b: table[at * 3 + 2] ?? 0 }),
  );
