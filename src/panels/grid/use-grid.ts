/** What of an array's chunk grid is shown, and what is known of its cells. */
import { useMemo, useState } from "react";
import { chunkKey, parseChunkName, type KeySeparator } from "../../core/chunk-grid.ts";
import type { ArrayDetail, NodeSummary, RasterColour, RasterSpec, SetSummary, ViewRow } from "../../core/open-set.ts";
import type { ReadingResult } from "../../core/reference.ts";
import { useAppState, useEngine } from "../../store/react.tsx";
import type { CanvasSize } from "../../widgets/canvas-size.ts";
import {
  FIT,
  cellSize,
  clampCamera,
  reveal,
  windowSeen,
  zoomAt,
  type Area,
  type Camera,
  type CellPlace,
} from "../../widgets/cell-camera.ts";
import { GUTTER } from "./draw-grid.ts";
import { extentOf, firstPlane, placeOf, type GridPlane } from "../../widgets/grid-plane.ts";

export interface GridState {
  readonly plane: GridPlane;
  readonly camera: Camera;
  readonly cursor: CellPlace;
}

/** Starts at the selected chunk; follows it when another is selected, or its slice is wanted, elsewhere. */
export function useGridState(grid: readonly number[], area: Area) {
  const chunk = useAppState((state) => state.chunk);
  const [state, setState] = useState<GridState>(() => {
    const plane = firstPlane(grid, chunk);
    const place = chunk === undefined ? undefined : placeOf(plane, chunk);
    return { plane, camera: FIT, cursor: place ?? { row: 0, column: 0 } };
  });
  const [followed, setFollowed] = useState(chunk);
  // The panel clears what is wanted once it was taken here.
  const wanted = useAppState(({ wantedMap }) => wantedMap?.at);
  const [taken, setTaken] = useState<readonly number[]>();
  if (chunk !== followed) {
    setFollowed(chunk);
    if (chunk?.length === grid.length) setState(followedState(state, grid, area, chunk));
  } else if (wanted !== undefined && wanted !== taken) {
    setTaken(wanted);
    if (wanted.length === grid.length) setState(followedState(state, grid, area, wanted));
  }
  return [state, setState] as const;
}

function followedState(state: GridState, grid: readonly number[], area: Area, chunk: readonly number[]): GridState {
  const plane = { ...state.plane, fixed: chunk };
  const cursor = placeOf(plane, chunk) ?? state.cursor;
  const extent = extentOf(grid, plane);
  return { plane, cursor, camera: area.width > 0 ? reveal(state.camera, cursor, extent, area) : state.camera };
}

const ORIGIN: CellPlace = { row: 0, column: 0 };

/** What controls, pointer and keys do to the state. */
export function useGridMoves(
  state: GridState,
  setState: (state: GridState) => void,
  grid: readonly number[],
  area: Area,
) {
  const extent = extentOf(grid, state.plane);
  const camera = clampCamera(state.camera, extent, area);
  return {
    setPlane: (plane: GridPlane) => {
      const same = plane.row === state.plane.row && plane.column === state.plane.column;
      setState({ ...state, plane, ...(same ? {} : { camera: FIT, cursor: ORIGIN }) });
    },
    setCursor: (cursor: CellPlace) => {
      setState({ ...state, cursor, camera: reveal(camera, cursor, extent, area) });
    },
    setCamera: (camera: Camera) => {
      setState({ ...state, camera });
    },
    zoom: (factor: number, at = { x: area.width / 2, y: area.height / 2 }) => {
      setState({ ...state, camera: zoomAt(camera, factor, at, extent, area) });
    },
    fit: () => {
      setState({ ...state, camera: FIT });
    },
    goTo: (coordinates: readonly number[]) => {
      setState(followedState({ ...state, camera }, grid, area, coordinates));
    },
  };
}

/** Room for cells on the canvas. */
export function areaOf(size: CanvasSize): Area {
  return { width: Math.max(0, size.width - GUTTER.left - 6), height: Math.max(0, size.height - GUTTER.top - 6) };
}

export interface Shot {
  readonly array: string;
  readonly grid: readonly number[];
  readonly state: GridState;
  readonly area: Area;
  readonly ratio: number;
}

/** The request for what the camera sees; `undefined` while there is nothing to see. */
export function rasterSpec({ array, grid, state, area, ratio }: Shot, colour: RasterColour): RasterSpec | undefined {
  const extent = extentOf(grid, state.plane);
  if (extent.rows * extent.columns === 0 || area.width <= 0 || area.height <= 0) return undefined;
  const camera = clampCamera(state.camera, extent, area);
  const cell = cellSize(extent, area, camera.zoom);
  const seen = windowSeen(camera, extent, area);
  // No more pixels than the cells take on screen: made smaller afterwards, some would be lost.
  const pixels = (cells: number, side: number, room: number) =>
    Math.max(1, Math.floor(Math.min(cells * side, room) * ratio));
  return {
    array,
    rowDimension: state.plane.row,
    columnDimension: state.plane.column,
    fixed: state.plane.fixed,
    colour,
    ...seen,
    width: pixels(seen.columns.to - seen.columns.from, cell.width, area.width),
    height: pixels(seen.rows.to - seen.rows.from, cell.height, area.height),
  };
}

export interface CellFacts {
  readonly key: string;
  /** Absent while the engine is asked. */
  readonly row: ViewRow | undefined;
  readonly result: ReadingResult;
  /** How it differs between the snapshots that were compared, in words; absent while that is not shown or known. */
  readonly change?: string;
}

/** Key, reference and reading result of a chunk of the array. */
export function useCellFacts(
  set: SetSummary,
  node: NodeSummary,
  array: ArrayDetail | undefined,
  coordinates: readonly number[] | undefined,
): CellFacts | undefined {
  const results = useAppState((state) => state.results);
  const key =
    coordinates === undefined || array === undefined ? undefined : chunkKey(node.path, coordinates, array.separator);
  const request = coordinates === undefined ? undefined : { set: set.id, array: node.path, coordinates };
  const { data } = useEngine("table.reference", request);
  if (key === undefined) return undefined;
  const row = data?.key === key ? data : undefined;
  return { key, row, result: results.get(key) ?? row?.result ?? "not tried" };
}

/** Places of the chunks of this slice whose reading failed, as far as this page has read them. */
export function useFailedPlaces(node: NodeSummary, plane: GridPlane, separator: KeySeparator): readonly CellPlace[] {
  const results = useAppState((state) => state.results);
  return useMemo(() => {
    const prefix = node.path === "" ? "" : `${node.path}/`;
    const places: CellPlace[] = [];
    for (const [key, result] of results) {
      if (result !== "failed" || !key.startsWith(prefix)) continue;
      const name = key.slice(prefix.length);
      const coordinates = parseChunkName(name, plane.fixed.length, separator);
      const place = coordinates === undefined ? undefined : placeOf(plane, coordinates);
      if (place !== undefined) places.push(place);
    }
    return places;
  }, [results, node.path, plane, separator]);
}
