/** The lengths of a slice of chunks, as a small map: it costs no request, so that there is always a picture. */
import { useEffect, useMemo, useRef } from "react";
import type { NodeSummary, RasterSpec } from "../../core/open-set.ts";
import { useEngine } from "../../store/react.tsx";
import type { SideSpacing } from "../../widgets/cell-map/camera.ts";
import { spacingOf } from "../../widgets/cell-map/spacing.ts";
import { cssColour, mixed, readPalette, useThemeName, type Palette } from "../../widgets/cell-map/palette.ts";
import { lengthCells, MAP } from "./length-cells.ts";

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
  const spacing = useMemo(() => spacingOfLast(node), [node]);
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

/** Of the last two dimensions. */
function spacingOfLast({ shape = [], chunks = [] }: NodeSummary): SideSpacing {
  const [rows, columns] = [-2, -1].map((at) => spacingOf(shape.at(at) ?? 0, chunks.at(at) ?? 1));
  return { rows, columns };
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
