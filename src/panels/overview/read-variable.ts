/** Reads a coordinate, or the first plane of a variable, thinned to the size of its picture. */
import {
  failedTile,
  type Plane,
  planeChunks,
  type PlaneChunks,
  planeExtent,
  type PlaneExtent,
  type PlaneNumbers,
  type PlaneSteps,
  type PlaneTile,
  type ValuesAbout,
} from "#core/plane/plane.ts";
import { isNorthLast } from "#core/cf/axis.ts";
import type { ColourHint } from "#core/cf/colour-hint.ts";
import { type ChunkEdges, declaredExtent, startAlong } from "#core/metadata/chunk-grid.ts";
import { type Finding, findingOfError, isAbort } from "#core/findings/finding.ts";
import { collectPlane, lookOfError } from "#core/plane/plane-values.ts";
import { valueText } from "#core/values/value-text.ts";
import type { App } from "#store/app-store.ts";
import { paintHinted } from "#widgets/cell-map/paint-values.ts";
import { firstPlane } from "#widgets/cell-map/plane.ts";
import { hintedGradient } from "#widgets/values/colormap.ts";
import { lineShape } from "#widgets/plot/plot-shape.ts";
import { axisRange } from "./axis-range.ts";
import { type CardItem, LINE_BOX, type Picture, type PictureGap, type VariableLook } from "./variable-look.ts";

/** `undefined` where nothing can be shown of it. */
export function shownPlane({ shape, grid, role, hasNumbers }: CardItem): Plane | undefined {
  if (grid.includes(0)) return undefined;
  return hasNumbers || role === "dimension" ? firstPlane(shape) : undefined;
}

export interface Reading {
  readonly set: number;
  readonly item: CardItem;
  readonly plane: Plane;
  /** Looks of all variables, by path. */
  readonly looks: ReadonlyMap<string, VariableLook>;
  /** Called with every chunk that came. */
  readonly onSome: () => void;
}

type Caller = Pick<App["engine"], "call">;

export function readVariable(engine: Caller, reading: Reading, signal: AbortSignal): Promise<VariableLook> {
  return reading.item.role === "dimension" ? readAxis(engine, reading, signal) : readPlane(engine, reading, signal);
}

async function readAxis(engine: Caller, { set, item }: Reading, signal: AbortSignal): Promise<VariableLook> {
  const axis = await engine.call("plane.axis", { set, array: item.path, dimension: 0, isPaid: true }, { signal });
  const range = axis === undefined ? undefined : axisRange(axis);
  if (axis?.failed !== undefined) return { kind: "failed", error: axis.failed };
  return range === undefined ? { kind: "none" } : { kind: "axis", isNorthLast: isNorthLast(axis), ...range };
}

/** Significant digits of a range. */
const DIGITS = 4;

/** Chunks that are tried before the rest is asked for, all at once, so that neighbours become one request. */
const TRIED = 4;

async function readPlane(engine: Caller, reading: Reading, signal: AbortSignal): Promise<VariableLook> {
  const { set, item, plane, onSome } = reading;
  const extent = planeExtent(plane, item.shape);
  const steps = stepsFor(extent, plane.row === undefined);
  const chunks = planeChunks(plane, item.grid, item.chunks);
  const places = Array.from({ length: chunks.rows * chunks.columns }, (_, at) => at);
  const tileAt = async (at: number): Promise<PlaneTile> => {
    const coordinates = chunks.at(Math.floor(at / chunks.columns), at % chunks.columns);
    const asked = { set, array: item.path, plane, coordinates, steps, scaled: true };
    const tile = await engine.call("plane.tile", asked, { signal }).catch((error: unknown) => {
      if (isAbort(error)) throw error;
      return failedTile({ ...item, plane, steps }, coordinates, findingOfError(error, `Reading ${item.path}`));
    });
    onSome();
    return tile;
  };
  const tiles = await Promise.all(places.slice(0, TRIED).map(tileAt));
  const isHopeless = tiles.every(({ kind }) => kind === "failed");
  if (!isHopeless) tiles.push(...(await Promise.all(places.slice(TRIED).map(tileAt))));
  const about = item.isTime ? await engine.call("plane.about", { set, array: item.path }, { signal }) : undefined;
  return lookOf(reading, { tiles, extent, steps, chunks, about });
}

interface ReadPlane {
  /** The first chunks' values, row by row. */
  readonly tiles: readonly PlaneTile[];
  readonly extent: PlaneExtent;
  readonly steps: PlaneSteps;
  readonly chunks: PlaneChunks;
  readonly about: ValuesAbout | undefined;
}

function lookOf({ item, plane, looks }: Reading, read: ReadPlane): VariableLook {
  const { tiles, extent, steps, chunks, about } = read;
  const collector = collectPlane(extent, steps, chunks.rows * chunks.columns);
  for (const [at, tile] of tiles.entries()) collector.put(at, tile);
  const collected = collector.look();
  const outcomes = Array.from({ length: chunks.rows * chunks.columns }, (_, at): ChunkOutcome => outcomeOf(tiles[at]));
  const failed = tiles.flatMap((tile): readonly Finding[] => (tile.kind === "failed" ? [tile.error] : []));
  const isSingle = extent.rows * extent.columns === 1;
  const isThinned = steps.down > 1 || steps.across > 1;
  const { minimum, maximum } = collected;
  const text = (value: number) => valueText(value, about, true, DIGITS);
  return {
    kind: "values",
    ...(isSingle && failed.length === 0
      ? {}
      : {
          picture: pictureOf({
            ...collected,
            minimum: minimum ?? 0,
            maximum: maximum ?? 0,
            outcomes,
            chunks,
            extent,
            side: { down: sideOf(item, plane.row), across: sideOf(item, plane.column) },
            isTurned: isTurned(item, plane, looks),
            colours: item.colours,
          }),
        }),
    ...(minimum !== undefined && maximum !== undefined ? { range: { low: text(minimum), high: text(maximum) } } : {}),
    isAll: !isThinned && failed.length === 0 && extent.rows * extent.columns === elementCount(item.shape),
    chunks: chunks.rows * chunks.columns,
    failed: failed.length,
    ...(failed[0] === undefined ? {} : { error: failed[0] }),
  };
}

const elementCount = (shape: readonly number[]) => shape.reduce((product, length) => product * length, 1);
const sideOf = ({ chunks }: CardItem, dimension: number | undefined) =>
  dimension === undefined ? 1 : (chunks[dimension] ?? 1);

/** Rows that count up from the south are drawn from the last to the first: north is up. */
function isTurned({ path, dimensionNames }: CardItem, { row }: Plane, looks: Reading["looks"]): boolean {
  const name = row === undefined ? undefined : dimensionNames[row];
  const look = name === undefined ? undefined : looks.get(path.slice(0, path.lastIndexOf("/") + 1) + name);
  return look?.kind === "axis" && look.isNorthLast;
}

/** Most points of a picture; lines may have more. */
const MAX_POINTS = { rows: 144, columns: 256, points: 1024 } as const;

function stepsFor({ rows, columns }: PlaneExtent, isLine: boolean): PlaneSteps {
  return {
    down: Math.max(1, Math.ceil(rows / MAX_POINTS.rows)),
    across: Math.max(1, Math.ceil(columns / (isLine ? MAX_POINTS.points : MAX_POINTS.columns))),
  };
}

// From the values of a plane to a small picture: what has no values keeps its place in it.

/** A chunk out of reach is not read, whatever it holds. */
function outcomeOf(tile: PlaneTile | undefined): ChunkOutcome {
  if (tile?.kind === "failed" && lookOfError(tile.error) === "unreached") return "unread";
  return tile?.kind ?? "unread";
}

type ChunkOutcome = "values" | "failed" | "missing" | "unread";

interface PaintedPlane {
  /** Size of the thinned plane. */
  readonly rows: number;
  readonly columns: number;
  /** Row-major; NaN where there is none. */
  readonly values: PlaneNumbers;
  readonly minimum: number;
  readonly maximum: number;
  /** Extent of the plane itself. */
  readonly extent: PlaneExtent;
  readonly chunks: PlaneChunks;
  /** Edges of the chunks down and across. */
  readonly side: { readonly down: ChunkEdges; readonly across: ChunkEdges };
  /** Row by row. */
  readonly outcomes: readonly ChunkOutcome[];
  /** Rows from the last to the first. */
  readonly isTurned: boolean;
  readonly colours?: ColourHint | undefined;
}

export function pictureOf(plane: PaintedPlane): Picture {
  const { rows, columns, values, minimum, maximum, extent } = plane;
  const gaps = gapsOf(plane);
  if (extent.rows === 1) return { kind: "line", path: lineShape(values, LINE_BOX).line, gaps };
  const shown = plane.isTurned ? turned(values, rows, columns) : values;
  const { pixels } = paintHinted(shown, { minimum, maximum }, plane.colours);
  const ramp = hintedGradient(plane.colours, minimum, maximum);
  return { kind: "image", ramp, width: columns, height: rows, pixels, gaps };
}

function turned(values: PlaneNumbers, rows: number, columns: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(values.length);
  for (let row = 0; row < rows; row += 1) {
    to.set(values.subarray(row * columns, (row + 1) * columns), (rows - 1 - row) * columns);
  }
  return to;
}

function gapsOf({ outcomes, chunks, extent, side, isTurned }: PaintedPlane): readonly PictureGap[] {
  return outcomes.flatMap((kind, at): readonly PictureGap[] => {
    if (kind === "values") return [];
    const [row, column] = [Math.floor(at / chunks.columns), at % chunks.columns];
    const down = shareOf(row, side.down, extent.rows);
    const across = shareOf(column, side.across, extent.columns);
    const top = isTurned ? 1 - down.from - down.size : down.from;
    return [{ kind, top, height: down.size, left: across.from, width: across.size }];
  });
}

function shareOf(place: number, edges: ChunkEdges, end: number) {
  return { from: startAlong(edges, place) / end, size: declaredExtent(end, edges, place) / end };
}
