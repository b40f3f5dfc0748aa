/** The picture beside a cause: its evidence in the values, else where in its array it lies, which costs no request. */
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { isNorthLast } from "#core/cf/axis.ts";
import type { CauseReach } from "#core/check/cause-reach.ts";
import type { Severity } from "#core/findings/catalogue/entry.ts";
import { startAlong } from "#core/metadata/chunk-grid.ts";
import type { NodeSummary, Raster, RasterSpec } from "#core/open-set.ts";
import type { Axes } from "#store/hooks/use-axes.ts";
import { useEngine } from "#store/react.tsx";
import type { SideSpacing } from "#widgets/cell-map/camera.ts";
import { cssColour, mixed, type Palette, readPalette, useThemeName } from "#widgets/cell-map/palette.ts";
import { type Spacing, spacingOf } from "#widgets/cell-map/spacing.ts";
import { ProfileSpark } from "#widgets/plot/ProfilePlot.tsx";
import { ArrayThumbnail } from "#widgets/values/ArrayThumbnail.tsx";
import { useThumbnail } from "#widgets/values/thumbnails.ts";
import styles from "./CauseItem.module.css";
import { type CauseEvidenceProps, useEvidence } from "./values/CauseEvidence.tsx";
import { plottedBins } from "./values/profile-words.ts";
import valuesStyles from "./values/ValuesSection.module.css";

/** Sizes in CSS pixels of a plot, equal to those of pictures; the lower of two lanes is smaller. */
const [WIDTH, HEIGHT, UPPER, LOWER] = [96, 48, 26, 10];

interface EvidencePictureProps extends CauseEvidenceProps {
  /** Picture to show if the values do not show the cause, or are not known. */
  readonly otherwise: ReactNode;
}

/** A plot of the values in place of a cause's picture, if they show the cause. */
export function EvidencePicture({ severity, otherwise, ...cause }: EvidencePictureProps) {
  const shown = useEvidence(cause);
  if (shown === undefined) return otherwise;
  const { profile, axis, marked, lane } = shown;
  // If all bins are marked, nothing stands out: a picture of the data says more.
  if (marked.size === 0 || marked.size === profile.bins) return otherwise;
  const plotted = plottedBins(profile, axis, { lane, height: UPPER, hasTitles: false });
  const [upper, lower] = plotted.lanes;
  if (upper === undefined) return otherwise;
  const lanes = lower === undefined ? [{ ...upper, height: HEIGHT - 6 }] : [upper, { ...lower, height: LOWER }];
  return (
    <span className={valuesStyles.spark}>
      <ProfileSpark {...plotted} lanes={lanes} marked={marked} severity={severity} width={WIDTH} />
    </span>
  );
}

interface CausePictureProps {
  readonly set: number;
  readonly node: NodeSummary | undefined;
  readonly reach: CauseReach | undefined;
  readonly severity: Severity;
  readonly axes: Axes;
}

/**
 * Shows where in its array a cause lies: over the array's picture, or the map of its chunks' lengths, and along the dimension
 * before.
 */
export function CausePicture({ set, node, reach, severity, axes }: CausePictureProps) {
  const hasPicture = useThumbnail(set, node?.path ?? "") !== undefined;
  if (node?.shape === undefined || node.chunks === undefined || reach === undefined || reach.from.length === 0)
    return <span className={styles.none} data-severity={severity} />;
  const rank = node.shape.length;
  const along = (axis: number) => shareOf(reach, node, axis);
  const across = along(rank - 1);
  const down = rank > 1 ? along(rank - 2) : { at: 0, size: 1 };
  const isTurned = rank > 1 && isNorthLast(axes[rank - 2]);
  const top = isTurned ? 1 - down.at - down.size : down.at;
  const before = rank > 2 ? along(0) : undefined;
  return (
    <span
      className={styles.causePicture}
      data-severity={severity}
      data-has-bar={before !== undefined}
      aria-hidden="true"
    >
      {hasPicture ? (
        <ArrayThumbnail set={set} path={node.path} className={styles.thumbnail} />
      ) : (
        <LengthMap set={set} node={node} at={reach.from} isTurned={isTurned} className={styles.map} />
      )}
      <i
        style={{
          left: cssShare(across.at),
          width: cssShare(across.size),
          top: cssShare(top),
          height: cssShare(down.size),
        }}
      />
      {before === undefined ? null : (
        <span className={styles.bar}>
          <i style={{ left: cssShare(before.at), width: cssShare(before.size) }} />
        </span>
      )}
    </span>
  );
}

const cssShare = (share: number): string => `${100 * share}%`;

/** Start and size of the box along a dimension, as shares of it. */
function shareOf({ from, to }: CauseReach, { shape = [], chunks = [] }: NodeSummary, axis: number) {
  const length = Math.max(1, shape[axis] ?? 1);
  const edges = chunks[axis] ?? 1;
  const first = Math.min(length, startAlong(edges, from[axis] ?? 0));
  const last = Math.min(length, startAlong(edges, (to[axis] ?? 0) + 1));
  return { at: first / length, size: Math.max(0, last - first) / length };
}

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

/** The lengths of a slice of chunks, as a small map: it costs no request, so that there is always a picture. */
function LengthMap({ set, node, at, isTurned, className }: LengthMapProps) {
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
