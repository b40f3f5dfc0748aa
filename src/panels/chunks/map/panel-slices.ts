/** Which slices of a grid are panels, and which cell of which panel a chunk is. Pure. */
import { declaredExtent, longestAlong, shardsInChunks, startAlong } from "#core/metadata/chunk-grid.ts";
import type { ChunkEdges, EdgeRuns } from "#core/metadata/chunk-grid.ts";
import { type Axis, isNorthLast, placeRange } from "#core/cf/axis.ts";
import type { NodeSummary } from "#core/open-set.ts";
import { dimensionName } from "#widgets/zarr-words.ts";
import { extentOf, type Plane, slidDimensions } from "#widgets/cell-map/plane.ts";
import type { PanelPlace, PanelSide } from "./panel-layout.ts";

export type AxisOf = (dimension: number) => Axis | undefined;

export type PanelSlices = ReturnType<typeof panelSlices>;

export interface ShardEdges {
  readonly rows: ChunkEdges;
  readonly columns: ChunkEdges;
}

type Arrayed = Pick<NodeSummary, "grid" | "shape" | "chunks" | "dimensionNames" | "shardShape">;

/** The first dimension that is not shown goes from panel to panel; others stand where the plane says. */
export function panelSlices(node: Arrayed, plane: Plane, axes: AxisOf) {
  const { grid = [], shape = [], chunks = [], dimensionNames, shardShape } = node;
  const shards = shardShape && shardsInChunks(shardShape, chunks);
  const inShard = (dimension: number | undefined) => (dimension === undefined ? 1 : (shards?.[dimension] ?? 1));
  const [through] = slidDimensions(grid, [plane.row, plane.column]);
  const isShown = (dimension: number) => dimension === plane.row || dimension === plane.column;
  const extent = extentOf(grid, plane);
  const side = (dimension: number | undefined, count: number): PanelSide => {
    if (dimension === undefined) return { count: 1, chunk: 1, last: 1 };
    const edges = chunks[dimension] ?? 1;
    if (typeof edges !== "number") return unequalSide(shape[dimension] ?? 0, edges, count);
    const chunk = Math.max(1, edges);
    const last = Math.max(1, (shape[dimension] ?? 0) - (count - 1) * chunk);
    return { count, chunk, last: Math.min(chunk, last) };
  };
  const isTurned = plane.row !== undefined && isNorthLast(axes(plane.row));
  return {
    panels: through === undefined ? 1 : (grid[through] ?? 1),
    rows: { ...side(plane.row, extent.rows), turned: isTurned },
    columns: side(plane.column, extent.columns),
    plane,
    /** Edges of shards in cells, down and along; absent where the array is not sharded. */
    shard: shardShape === undefined ? undefined : { rows: inShard(plane.row), columns: inShard(plane.column) },
    /** The dimension that goes from panel to panel; absent where there is one. */
    through:
      through === undefined
        ? undefined
        : {
            dimension: through,
            name: dimensionName(dimensionNames, through),
            length: shape[through] ?? 0,
            chunk: chunks[through] ?? 1,
          },
    placeOf(coordinates: readonly number[]): PanelPlace | undefined {
      const isHere = plane.at.every(
        (at, dimension) => isShown(dimension) || dimension === through || at === coordinates[dimension],
      );
      if (!isHere || coordinates.length !== plane.at.length) return undefined;
      const along = (dimension: number | undefined) => (dimension === undefined ? 0 : (coordinates[dimension] ?? 0));
      return { panel: along(through), row: along(plane.row), column: along(plane.column) };
    },
    coordinatesOf: ({ panel, row, column }: PanelPlace): readonly number[] =>
      plane.at.map((at, dimension) => {
        if (dimension === plane.row) return row;
        if (dimension === plane.column) return column;
        return dimension === through ? panel : at;
      }),
  };
}

/** More are never shown side by side. */
const MOST_UNEQUAL = 4000;

function unequalSide(length: number, edges: EdgeRuns, count: number): PanelSide {
  const extents = Array.from({ length: Math.min(count, MOST_UNEQUAL) }, (_, at) => declaredExtent(length, edges, at));
  return { count, chunk: longestAlong(edges), last: extents.at(-1) ?? 1, extents };
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Jan 1 – 4`, `89°S – 11°S`, or `time 4–7` where its coordinates are not known. */
export function panelTitle({ through }: PanelSlices, axes: AxisOf, panel: number): string {
  if (through === undefined) return "";
  const from = startAlong(through.chunk, panel);
  const to = from + declaredExtent(through.length, through.chunk, panel) - 1;
  const axis = axes(through.dimension);
  const place = axis === undefined ? undefined : (monthDays(axis, from, to) ?? placeRange(axis, from, to));
  return place ?? `${through.name} ${from === to ? from : `${from}–${to}`}`;
}

/** Whole days of one year, where all of the axis are: the year need not be said in every title. */
function monthDays({ values }: Axis, from: number, to: number): string | undefined {
  if (values?.kind !== "dates") return undefined;
  const day = (at: number): Date | undefined => {
    const nanoseconds = values.nanoseconds[at];
    if (nanoseconds === undefined || nanoseconds % DAY !== 0n) return undefined;
    const date = new Date(Number(nanoseconds / 1_000_000n));
    return Number.isNaN(date.getTime()) ? undefined : date;
  };
  const [start, end] = [day(0), day(values.nanoseconds.length - 1)];
  const [first, last] = [day(from), day(to)];
  if (start === undefined || end === undefined || first === undefined || last === undefined) return undefined;
  if (start.getUTCFullYear() !== end.getUTCFullYear()) return undefined;
  const month = (date: Date) => MONTHS[date.getUTCMonth()] ?? "";
  const begin = `${month(first)} ${first.getUTCDate()}`;
  if (from === to) return begin;
  const sameMonth = first.getUTCMonth() === last.getUTCMonth();
  return `${begin} – ${sameMonth ? "" : `${month(last)} `}${last.getUTCDate()}`;
}

const DAY = 86_400_000_000_000n;
