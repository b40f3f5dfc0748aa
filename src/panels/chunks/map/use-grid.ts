/** State of an array's chunk grid on the screen, and the facts of its cells. */
import { type RefObject, useMemo, useState } from "react";
import { chunkKey } from "#core/metadata/chunk-grid.ts";
import type { ArrayBlame } from "#core/blame.ts";
import type { ArrayDetail, NodeSummary, RasterSpec, SetSummary, ViewRow } from "#core/open-set.ts";
import type { ArrayChanges, SnapshotChanges } from "#core/repository.ts";
import type { ArrayPlaces } from "#core/set-differences.ts";
import type { ReadingResult } from "#core/table/reference.ts";
import { type Answer, useActions, useAppState, useCommand, useEngine } from "#store/react.tsx";
import { pixelRoom, windowSeen, type CellPlace } from "#widgets/cell-map/camera.ts";
import { coordinatesAt, firstPlane, placeOf, type Plane } from "#widgets/cell-map/plane.ts";
import type { CellMapState } from "#widgets/cell-map/use-cell-map.ts";
import type { PointedChunk } from "../pointed-chunk.ts";
import type { AxisOf } from "./panel-slices.ts";
import type { LengthScale, MapColour } from "../cell-colours.ts";
import type { CellChange } from "./change-words.ts";

interface GridPlace {
  readonly plane: Plane;
  /** Another object whenever it moved. */
  readonly cursor: CellPlace;
}

/** Props of the maps: the array, the selected and the pointed place, and facts of its chunks. */
export interface MapProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly grid: readonly number[];
  readonly array: ArrayDetail | undefined;
  /** Coordinates along a dimension, if known. */
  readonly axes: AxisOf;
  readonly colour: MapColour;
  readonly onColour: (colour: MapColour) => void;
  /** Changes of this array; absent while no comparison covers it. */
  readonly compared: Compared | undefined;
  /** The commits that last wrote the chunks, while asked for. */
  readonly blame: Answer<ArrayBlame> | undefined;
  /** Shared with the table. */
  readonly pointed: PointedChunk;
  /** The selected chunk of this array. */
  readonly chunk: readonly number[] | undefined;
  readonly state: GridState;
  /** Scale of lengths; absent while none is known. */
  readonly scale: LengthScale | undefined;
  /** Description of the picture and its keys. */
  readonly label: string;
}

export interface MapFootProps extends MapProps {
  readonly looked: Looked;
  /** How the chunk that is looked at differs between the snapshots, while that is shown and known. */
  readonly change: CellChange | undefined;
  /** The map: by keyboard one goes on from there. */
  readonly frame: RefObject<HTMLElement | null>;
  /** True if chunks that were not read have dots. */
  readonly dotted: boolean;
  /** How much of the grid is in sight, where that is not all. */
  readonly sentence: string;
}

export type GridState = ReturnType<typeof useGridState>;

/** Starts at the selected chunk; goes to another that is selected, or whose slice is asked for, elsewhere. */
export function useGridState(array: string, grid: readonly number[]) {
  const chunk = useAppState((state) => state.chunk);
  const [state, setState] = useState<GridPlace>(() => {
    const plane = firstPlane(grid, chunk);
    return { plane, cursor: (chunk && placeOf(plane, chunk)) ?? ORIGIN };
  });
  const goTo = (coordinates: readonly number[]) => {
    if (coordinates.length !== grid.length) return;
    const plane = { ...state.plane, at: coordinates };
    setState({ plane, cursor: placeOf(plane, coordinates) ?? state.cursor });
  };
  const [followed, setFollowed] = useState(chunk);
  if (chunk !== followed) {
    setFollowed(chunk);
    if (chunk !== undefined) goTo(chunk);
  }
  useCommand("show-slice", (command) => {
    if (command.array === array) goTo(command.at);
  });
  return {
    ...state,
    /** Coordinates of the cursor's chunk. */
    at: useMemo(() => coordinatesAt(state.plane, state.cursor), [state]),
    goTo,
    /** Moves the cursor, into another slice too. */
    setAt: (coordinates: readonly number[]) => {
      const cursor = placeOf(state.plane, coordinates);
      if (cursor === undefined) goTo(coordinates);
      else setState({ ...state, cursor });
    },
    setPlane: (plane: Plane) => {
      const same = plane.row === state.plane.row && plane.column === state.plane.column;
      setState({ plane, cursor: same ? state.cursor : ORIGIN });
    },
    setCursor: (cursor: CellPlace) => setState({ ...state, cursor }),
  };
}

const ORIGIN: CellPlace = { row: 0, column: 0 };

/** The request for what the camera sees; `undefined` while there is nothing to see. */
export function rasterSpec(
  array: string,
  plane: Plane,
  { view, size }: CellMapState,
  asked: MapColour,
): RasterSpec | undefined {
  const { extent, area } = view;
  if (extent.rows * extent.columns === 0 || area.width <= 0 || area.height <= 0) return undefined;
  const seen = windowSeen(view);
  const colour = asked === "order" ? "length" : asked;
  const { row: rowDimension, column: columnDimension, at: fixed } = plane;
  return { array, rowDimension, columnDimension, fixed, colour, ...seen, ...pixelRoom(view, seen, size.ratio) };
}

export interface CellFacts {
  readonly key: string;
  /** Absent while the engine is asked. */
  readonly row: ViewRow | undefined;
  readonly result: ReadingResult;
  /** How it differs between the snapshots that were compared, in words; absent while that is not shown or known. */
  readonly change?: string;
}

export interface PlaceMark<P> {
  readonly place: P;
  readonly token: "--ink" | "--focus";
  readonly thin?: boolean;
}

/** Frames around the cell under the pointer, the selected one, and the keyboard's. */
export function marksOf<P>(hovered: P | undefined, selected: P | undefined, cursor: P | undefined) {
  const marks: PlaceMark<P>[] = [];
  if (hovered !== undefined) marks.push({ place: hovered, token: "--ink", thin: true });
  if (selected !== undefined) marks.push({ place: selected, token: "--ink" });
  if (cursor !== undefined) marks.push({ place: cursor, token: "--focus" });
  return marks;
}

interface LookedInput {
  readonly focused: boolean;
  readonly hovered: readonly number[] | undefined;
}

export type Looked = ReturnType<typeof useLooked>;

/** The chunk that is looked at: under the pointer, else at the keyboard's cursor, else the selected one. */
export function useLooked({ set, node, array, state, chunk }: MapProps, { focused, hovered }: LookedInput) {
  const actions = useActions();
  const at = hovered ?? (focused ? state.at : chunk);
  const request = at === undefined ? undefined : { set: set.id, array: node.path, coordinates: at };
  const { data } = useEngine("table.reference", request);
  const key = at === undefined || array === undefined ? undefined : chunkKey(node.path, at, array.separator);
  const row = data?.key === key ? data : undefined;
  const facts: CellFacts | undefined = key === undefined ? undefined : { key, row, result: row?.result ?? "not tried" };
  return {
    at,
    facts,
    /** The cursor moves by keyboard: what is there is said aloud. */
    spoken: focused && hovered === undefined,
    select: (coordinates: readonly number[]) => {
      state.setAt(coordinates);
      actions.selectChunk(node.path, coordinates);
    },
  };
}

/** Two snapshots, or the open set and another. */
export type Compared =
  | { readonly of: "snapshots"; readonly comparison: SnapshotChanges; readonly kinds: ArrayChanges["kinds"] }
  | {
      readonly of: "sets";
      readonly other: SetSummary;
      readonly places: ArrayPlaces;
      readonly kinds: ArrayChanges["kinds"];
    };

/** Comparison of an array with another set, else by the last one of two snapshots; `undefined` if there is none. */
export function useCompared(path: string): Compared | undefined {
  const comparison = useAppState((state) => state.comparison);
  const found = useAppState(({ withSet, set }) => (withSet?.found?.of === set?.id ? withSet?.found : undefined));
  if (found !== undefined) {
    const places = found.differences.arrays.find((one) => one.path === path);
    return places && { of: "sets", other: found.other, places, kinds: changesOf(places) };
  }
  const array = comparison?.arrays.find((one) => one.path === path && one.shown);
  return comparison === undefined || array === undefined
    ? undefined
    : { of: "snapshots", comparison, kinds: array.kinds };
}

const changesOf = ({ kinds }: ArrayPlaces): ArrayChanges["kinds"] => ({
  set: 0,
  added: kinds.onlyB,
  removed: kinds.onlyA,
  changed: kinds.elsewhere + kinds.content + kinds.form,
});

/** Places of the chunks of this slice whose reading failed; the first thousand. */
export function useFailedPlaces(set: number, node: NodeSummary, plane: Plane): readonly CellPlace[] {
  const failed = useEngine("chunk.results", { set, array: node.path }).data?.failedChunks;
  return useMemo(
    () =>
      (failed ?? []).flatMap((coordinates) => {
        const place = placeOf(plane, coordinates);
        return place === undefined ? [] : [place];
      }),
    [failed, plane],
  );
}
