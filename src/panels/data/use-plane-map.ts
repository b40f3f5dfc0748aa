/** The slice as cells of a map: which element each is, where the cursor stands, what its sides say. */
import { useEffect, useMemo, useState } from "react";
import { isNorthLast } from "#core/cf/axis.ts";
import { chunkAlong, chunkOf, startAlong } from "#core/metadata/chunk-grid.ts";
import type { RasterColour } from "#core/open-set.ts";
import { emptyPlane } from "#core/plane/plane-values.ts";
import { isThrough, type Plane } from "#core/plane/plane.ts";
import { useAppState, useEngine } from "#store/react.tsx";
import type { EdgeLine } from "#widgets/cell-map/areas.ts";
import { cellSize, windowSeen } from "#widgets/cell-map/camera.ts";
import type { CellPlace, CellScale, CellWindow, Span } from "#widgets/cell-map/camera.ts";
import type { Mark } from "#widgets/cell-map/draw-map.ts";
import { coordinatesAt, sidesOf } from "#widgets/cell-map/plane.ts";
import { type CellMapState, useCellMap } from "#widgets/cell-map/use-cell-map.ts";
import { dimensionName } from "#widgets/zarr-words.ts";
import { useDelayed } from "#widgets/hooks.ts";
import { runsOf } from "#widgets/plot/plot-shape.ts";
import { SEEN_CELL } from "./PointTag.tsx";
import { useCoasts } from "#widgets/plane/use-coasts.ts";
import { axisTicks, nameRoom, tickRoom } from "#widgets/plane/axis-words.ts";
import { colourRange } from "#widgets/plane/colour-range.ts";
import {
  type PaintedSquares,
  type PlaneLook,
  planePicture,
  shownRow,
  shownRows,
  windowOf,
} from "#widgets/plane/plane-picture.ts";
import { type ArrayShown, type SeenChunks, useShown } from "./shown-array.ts";
import type { PlaneRequest } from "#store/hooks/use-plane-values.ts";

const FILL: CellScale = { maxFitted: 4096, max: 120, minSide: 24, aspect: "fill" };
const EQUAL: CellScale = { ...FILL, aspect: 1 };

/** Rows that rise from south to north are drawn the other way round, where that is wished for. */
const isTurned = ({ plane, look, axes }: ArrayShown): boolean =>
  look.northUp && plane.row !== undefined && isNorthLast(axes(plane.row));

const chunkSide = ({ plane, chunkShape }: PlaneRequest) => ({
  down: plane.row === undefined ? 1 : (chunkShape[plane.row] ?? 1),
  across: plane.column === undefined ? 1 : (chunkShape[plane.column] ?? 1),
});

export function usePlaneMap(focused: boolean) {
  const shown = useShown();
  const { plane, go, request } = shown;
  const { extent, chunks } = request;
  const turned = isTurned(shown);
  const [down, across] = [plane.row, plane.column].map((one) => (one === undefined ? undefined : shown.axes(one)));
  const { row, column } = sidesOf(plane, plane.at);
  const cursorRow = shownRow(turned, extent, row);
  const cursor = useMemo(() => ({ row: cursorRow, column }), [cursorRow, column]);
  const map = useCellMap({
    extent,
    axes: useTicks(shown, turned),
    scale: shown.look.equalAspect ? EQUAL : FILL,
    cursor,
    subject: `${plane.row} ${plane.column} ${shown.look.equalAspect}`,
    first: useGivenWindow(shown, turned),
  });
  useSeenSpans(map, plane, turned, go.see);
  const look = useLook(shown, turned);
  const [painted] = useState((): PaintedSquares => new Map());
  const elementOf = ({ row, column }: CellPlace) =>
    coordinatesAt(plane, { row: shownRow(turned, extent, row), column });
  const side = chunkSide(request);
  return {
    map,
    look,
    cursor,
    elementOf,
    coasts: useCoasts({ down, across, isTurned: turned }, shown.look.coasts),
    picture: useMemo(() => planePicture(look, painted), [look, painted]),
    marks: useMarks(look, request, focused, isCellSeen(map) && (shown.isPointed || focused) ? cursor : undefined),
    /** Place among the chunks of the plane. */
    chunkOf: (place: CellPlace) =>
      chunkAlong(side.down, shownRow(turned, extent, place.row)) * chunks.columns +
      chunkAlong(side.across, place.column),
    moveTo: (place: CellPlace) => go.point(elementOf(place)),
    select: (place: CellPlace) => go.select(elementOf(place)),
  };
}

/** The part of the slice that a link says is seen. */
function useGivenWindow(
  { plane: { row, column }, given, request: { extent } }: ArrayShown,
  turned: boolean,
): CellWindow | undefined {
  const { rows, columns } = extent;
  return useMemo(() => {
    if (given.size === 0) return undefined;
    const span = (dimension: number | undefined, all: number) =>
      (dimension === undefined ? undefined : given.get(dimension)) ?? { from: 0, to: all };
    return { rows: shownRows(turned, { rows, columns }, span(row, rows)), columns: span(column, columns) };
  }, [given, row, column, rows, columns, turned]);
}

/** Milliseconds of rest after which the slice says which part of it is seen. */
const REST = 150;

/** Says which part is seen, once the map has come to rest. */
function useSeenSpans(map: CellMapState, { row, column }: Plane, turned: boolean, see: ArrayShown["go"]["see"]): void {
  const { view, zoomed } = map;
  const { rows, columns } = windowSeen(view);
  const { extent } = view;
  const spans = new Map<number, Span>();
  if (zoomed && row !== undefined && rows.to - rows.from < extent.rows) {
    spans.set(row, shownRows(turned, extent, rows));
  }
  if (zoomed && column !== undefined && columns.to - columns.from < extent.columns) spans.set(column, columns);
  const text = JSON.stringify([...spans]);
  const [said, setSaid] = useState(text);
  const isKnown = view.area.width > 0;
  useDelayed(text, isKnown && text !== said ? REST : undefined, () => {
    setSaid(text);
    see(spans);
  });
}

/** Height of the name of the rows' dimension, above their ticks. */
const NAME = 24;

function useTicks({ node, axes, request: { plane, extent } }: ArrayShown, turned: boolean) {
  const [rowAxis, columnAxis] = [plane.row, plane.column].map((one) => (one === undefined ? undefined : axes(one)));
  const [rowName, columnName] = [plane.row, plane.column].map((one) => dimensionName(node.dimensionNames, one ?? 0));
  const { rows, columns } = extent;
  return useMemo(
    () => ({
      across: axisTicks(columnAxis, columns, "across", (at) => at),
      down: axisTicks(rowAxis, rows, "down", (at) => shownRow(turned, { rows, columns }, at)),
      below: { top: NAME, right: nameRoom(columnName ?? ""), left: tickRoom(rowAxis, rows, rowName ?? "") },
    }),
    [rowName, columnName, columnAxis, rowAxis, turned, rows, columns],
  );
}

function useLook({ look, colours, request, progress }: ArrayShown, turned: boolean): PlaneLook {
  const { shown, isOld } = progress;
  const { edges } = look;
  const smooth = look.smooth && colours.classes === undefined;
  const { colormap, range: choice, classes } = colours;
  const { extent, chunks } = request;
  const { down, across } = chunkSide(request);
  const targets = useChunkRaster(request, "target", look.fileEdges);
  const lines = useMemo(() => {
    if (targets === undefined) return undefined;
    return fileEdges(targets, { chunks, extent, side: { down, across }, isTurned: turned });
  }, [targets, chunks, extent, down, across, turned]);
  return useMemo(() => {
    const count = chunks.rows * chunks.columns;
    // Until the first chunks of another slice are there, the last one is shown where it has the same shape.
    const isFit = shown?.looks.length === count && (!isOld || shown.rows * shown.steps.down >= extent.rows);
    const plane = isFit ? shown : emptyPlane(count);
    const range = colourRange(choice, plane, classes);
    return { plane, extent, isTurned: turned, chunks, side: { down, across }, range, colormap, edges, smooth, lines };
  }, [shown, isOld, colormap, choice, classes, edges, smooth, lines, extent, chunks, turned, down, across]);
}

/** Tells which chunks are on the screen. */
export function useSeen(
  { view }: CellMapState,
  request: PlaneRequest,
  look: PlaneLook,
  onSeen: (seen: SeenChunks) => void,
): void {
  const { rows, columns } = windowSeen(view);
  const { down, across } = chunkSide(request);
  const { from: top, to: bottom } = shownRows(look.isTurned, request.extent, rows);
  useEffect(() => {
    onSeen({
      rows: [chunkAlong(down, top), chunkAlong(down, Math.max(top, bottom - 1))],
      columns: [chunkAlong(across, columns.from), chunkAlong(across, Math.max(columns.from, columns.to - 1))],
    });
  }, [top, bottom, columns.from, columns.to, down, across, onSeen]);
}

/** Place of the selected chunk among those of the plane; `undefined` where it lies in another slice. */
function useSelectedPlace({ plane, chunks, chunkShape }: PlaneRequest): number | undefined {
  const selected = useAppState((state) => state.chunk);
  if (selected === undefined || !isThrough(plane, selected, chunkShape)) return undefined;
  const { row, column } = sidesOf(plane, selected);
  return row * chunks.columns + column;
}

/** Smaller ones have a ring around them, which is drawn over the map. */
function isCellSeen({ view }: CellMapState): boolean {
  const { width, height } = cellSize(view);
  return Math.min(width, height) >= SEEN_CELL;
}

/** Frames around the element under the cursor and around the selected chunk. */
function useMarks(
  look: PlaneLook,
  request: PlaneRequest,
  focused: boolean,
  cursor: CellPlace | undefined,
): readonly Mark[] {
  const at = useSelectedPlace(request);
  const marks: Mark[] = [];
  if (at !== undefined) {
    const { rows, columns } = windowOf(look, at);
    const size = { rows: rows.to - rows.from, columns: columns.to - columns.from };
    marks.push({ place: { row: rows.from, column: columns.from }, size, token: "--ink" });
  }
  if (cursor !== undefined) marks.push({ place: cursor, token: focused ? "--focus" : "--ink", thin: !focused });
  // Marks of another slice are mostly equal: equal ones are not drawn again.
  const text = JSON.stringify(marks);
  return useMemo(() => JSON.parse(text) as readonly Mark[], [text]);
}

/** Chunks of a picture in which they could be told apart. */
const MAX_CHUNKS = 1024 * 1024;

/** A number for each chunk of the plane, row by row; `undefined` while it is not wanted, or not known. */
export function useChunkRaster(
  { set, array, plane, chunks, chunkShape }: PlaneRequest,
  colour: Extract<RasterColour, "target" | "length">,
  wanted: boolean,
): Float64Array | undefined {
  const { rows, columns } = chunks;
  const isFit = rows * columns <= MAX_CHUNKS && Math.max(rows, columns) <= 4096;
  const spec = {
    array,
    rowDimension: plane.row,
    columnDimension: plane.column,
    fixed: chunkOf(plane.at, chunkShape),
    colour,
    rows: { from: 0, to: rows },
    columns: { from: 0, to: columns },
    width: columns,
    height: rows,
  };
  const answer = useEngine("table.raster", wanted && isFit ? { set, spec } : undefined, `${array} ${colour}`);
  return answer.stale || answer.data?.values.length !== rows * columns ? undefined : answer.data.values;
}

/**
 * Borders between chunks of different source files, in elements of the screen; neighbouring pieces of one line are one. `values`: a number for each target, by place
 * among the chunks of the plane; 0: none.
 */
export function fileEdges(
  values: ArrayLike<number>,
  { chunks, extent, side, isTurned }: Pick<PlaneLook, "chunks" | "extent" | "side" | "isTurned">,
): readonly EdgeLine[] {
  const at = (row: number, column: number) => values[row * chunks.columns + column] ?? 0;
  const differ = (one: number, other: number) => one !== other && one !== 0 && other !== 0;
  const y = (row: number) => {
    const place = Math.min(extent.rows, startAlong(side.down, row));
    return isTurned ? extent.rows - place : place;
  };
  const x = (column: number) => Math.min(extent.columns, startAlong(side.across, column));
  const lines: EdgeLine[] = [];
  for (let row = 1; row < chunks.rows; row += 1) {
    for (const { from, to } of runs(chunks.columns, (column) => differ(at(row - 1, column), at(row, column)))) {
      lines.push({ from: { row: y(row), column: x(from) }, to: { row: y(row), column: x(to) } });
    }
  }
  for (let column = 1; column < chunks.columns; column += 1) {
    for (const { from, to } of runs(chunks.rows, (row) => differ(at(row, column - 1), at(row, column)))) {
      lines.push({ from: { row: y(from), column: x(column) }, to: { row: y(to), column: x(column) } });
    }
  }
  return lines;
}

/** Runs of places at which a test holds. */
const runs = (count: number, holds: (at: number) => boolean) =>
  runsOf(new Set(Array.from({ length: count }, (_, at) => at).filter(holds)));
