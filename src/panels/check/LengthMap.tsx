/** The lengths of a slice of chunks, as a small map: it costs no request, so that there is always a picture. */
import { useEffect, useMemo, useRef } from "react";
import type { NodeSummary, Raster, RasterSpec } from "#core/open-set.ts";
import { useEngine } from "#store/react.tsx";
import type { SideSpacing } from "#widgets/cell-map/camera.ts";
import { cssColour, mixed, type Palette, readPalette, useThemeName } from "#widgets/cell-map/palette.ts";
import { type Spacing, spacingOf } from "#widgets/cell-map/spacing.ts";

interface LengthMapProps {
  readonly set: number;
  readonly node: NodeSummary;
  /** A chunk of the slice. */
  readonly at: readonly number[];
  /** Rows from the last to the first: north is up. */
  readonly isTurned: boolean;
  readonly className: string | undefined;
}

/** References of an array over which such a map is made unasked. */
const MOST_REFERENCES = 2_000_000;

export function LengthMap({ set, node, at, isTurned, className }: LengthMapProps) {
  const spec = useMemo(() => specOf(node, at), [node, at]);
  const raster = useEngine("table.raster", spec === undefined ? undefined : { set, spec }).data;
  const spacing = useMemo((): SideSpacing => {
    const { shape = [], chunks = [] } = node;
    const [rows, columns] = [-2, -1].map((at) => spacingOf(shape.at(at) ?? 0, chunks.at(at) ?? 1));
    return { rows, columns };
  }, [node]);
  const theme = useThemeName();
  const read = useRef<{ readonly palette: Palette; readonly theme: string }>(undefined);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    const context = current?.getContext("2d");
    if (current === null || context === null || context === undefined || raster === undefined) return;
    if (read.current?.theme !== theme) read.current = { theme, palette: readPalette(current.parentElement ?? current) };
    const { palette } = read.current;
    context.clearRect(0, 0, MAP.width, MAP.height);
    for (const { x, y, width, height, share } of lengthCells(raster, isTurned, spacing)) {
      context.fillStyle = cssColour(mixed(palette["--ramp-low"], palette["--ramp-high"], share));
      context.fillRect(x, y, width, height);
    }
  }, [raster, theme, isTurned, spacing]);
  return spec === undefined ? null : <canvas ref={canvas} className={className} {...MAP} aria-hidden="true" />;
}

/** `undefined` where there is no grid, or it is too large to be looked at unasked. */
function specOf({ path, grid, present = 0 }: NodeSummary, at: readonly number[]): RasterSpec | undefined {
  if (grid === undefined || present > MOST_REFERENCES) return undefined;
  const rank = grid.length;
  const [row, column] = [rank > 1 ? rank - 2 : undefined, rank > 0 ? rank - 1 : undefined];
  const along = (dimension: number | undefined) => ({
    from: 0,
    to: dimension === undefined ? 1 : (grid[dimension] ?? 1),
  });
  return {
    array: path,
    rowDimension: row,
    columnDimension: column,
    fixed: grid.map((count, dimension) => Math.min(at[dimension] ?? 0, Math.max(0, count - 1))),
    colour: "length",
    rows: along(row),
    columns: along(column),
    width: MAP.width / 2,
    height: MAP.height / 2,
  };
}

/** Pixels of the picture; on the page it is half as wide and high. */
export const MAP = { width: 192, height: 96 } as const;

/** Cells so large have a gap between them. */
const LEAST_WITH_GAP = 10;

type Pixels = Pick<Raster, "width" | "height" | "values" | "minimum" | "maximum" | "cellsDown" | "cellsAlong">;

/** Edges of the raster's pixels along one side of the map; the last one ends it. */
function edgesOf(pixels: number, cellsEach: number, room: number, spacing: Spacing | undefined): readonly number[] {
  return Array.from({ length: pixels + 1 }, (_, at) => {
    if (spacing === undefined) return (at * room) / Math.max(1, pixels);
    const cell = at === pixels ? spacing.count : Math.min(spacing.count, at * cellsEach);
    return (spacing.placeOf(cell) / spacing.count) * room;
  });
}

/**
 * Cells of the chunks that have a reference. Unequal chunks are to scale. `share`: from the shortest, 0, to the
 * longest, 1.
 */
export function lengthCells(raster: Pixels, isTurned: boolean, spacing?: SideSpacing) {
  const { width, height, values, minimum = 0, maximum = 0, cellsDown, cellsAlong } = raster;
  const xs = edgesOf(width, cellsAlong, MAP.width, spacing?.columns);
  const ys = edgesOf(height, cellsDown, MAP.height, spacing?.rows);
  const isFine = Math.min(MAP.width / Math.max(1, width), MAP.height / Math.max(1, height)) >= LEAST_WITH_GAP;
  return [...values.entries()].flatMap(([pixel, length]) => {
    if (length < 0) return [];
    const [row, column] = [Math.floor(pixel / width), pixel % width];
    const [left = 0, right = 0, top = 0, bottom = 0] = [xs[column], xs[column + 1], ys[row], ys[row + 1]];
    const [across, down] = [right - left, bottom - top];
    const gap = isFine && Math.min(across, down) >= LEAST_WITH_GAP / 2 ? 2 : 0;
    // Most chunks are short, a few very long; where all are the same, none is either.
    const share = maximum > minimum ? Math.sqrt((length - minimum) / (maximum - minimum)) : 0.5;
    const y = isTurned ? MAP.height - bottom : top;
    return [{ x: left, y, width: across - gap, height: down - gap, share }];
  });
}
