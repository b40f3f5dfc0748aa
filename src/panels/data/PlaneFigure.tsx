/** The slice as a picture: moved in, pointed at, clicked. */
import { useEffect, useId, useMemo, useRef, useState } from "react";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { CellMap } from "../../widgets/cell-map/CellMap.tsx";
import { windowSeen, type CellPlace, type CellScale } from "../../widgets/cell-map/camera.ts";
import type { CellPicture, Mark } from "../../widgets/cell-map/draw-map.ts";
import { useCellMap } from "../../widgets/cell-map/use-cell-map.ts";
import { ZoomButtons } from "../../widgets/cell-map/ZoomButtons.tsx";
import { useMessage } from "../../widgets/use-explain.ts";
import { axisTicks, isFalling } from "./axis-words.ts";
import { colourRange } from "./colour-range.ts";
import { planePicture, shownRow, windowOf, type PaintedSquares, type PlaneLook } from "./plane-picture.ts";
import { PlaneReadout } from "./PlaneReadout.tsx";
import type { PlaneProgress, PlaneRequest } from "./use-plane-values.ts";
import type { SliceView } from "./use-slice-view.ts";
import type { Axes } from "./use-axes.ts";
import type { SeenChunks } from "./visible-chunks.ts";
import styles from "./DataPanel.module.css";

export interface PlaneFigureProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly view: SliceView;
  readonly change: (part: Partial<SliceView>) => void;
  readonly axes: Axes;
  readonly request: PlaneRequest;
  readonly progress: PlaneProgress;
  readonly mayRead: boolean;
  readonly onSeen: (seen: SeenChunks) => void;
}

const SCALE: CellScale = { maxFitted: 4096, max: 120, minSide: 24, aspect: "fill" };
const EQUAL: CellScale = { ...SCALE, aspect: 1 };
const NO_PICTURE: CellPicture = { tiles: [] };

/** Rows that rise from south to north are drawn the other way round, where that is wished for. */
function isTurned(view: SliceView, axes: Axes): boolean {
  const axis = view.plane.row === undefined ? undefined : axes(view.plane.row);
  return view.northUp && axis?.role === "latitude" && !isFalling(axis.values);
}

export function PlaneFigure(props: PlaneFigureProps) {
  const { set, node, view, change, axes, request, progress, onSeen } = props;
  const actions = useActions();
  const readout = useId();
  const [hovered, setHovered] = useState<CellPlace>();
  const [focused, setFocused] = useState(false);
  const { extent, chunks, plane } = request;
  const rowsTurned = isTurned(view, axes);
  const turned = useMemo(() => ({ rows: rowsTurned }), [rowsTurned]);
  const [rowAxis, columnAxis] = [plane.row, plane.column].map((one) => (one === undefined ? undefined : axes(one)));
  const ticks = useMemo(
    () => ({
      across: axisTicks(columnAxis, extent.columns, (at) => at),
      down: axisTicks(rowAxis, extent.rows, (at) => (rowsTurned ? extent.rows - 1 - at : at)),
    }),
    [columnAxis, rowAxis, rowsTurned, extent.rows, extent.columns],
  );
  const elementOf = (place: CellPlace) =>
    plane.at.map((at, dimension) =>
      dimension === plane.row ? shownRow(turned, extent, place.row) : dimension === plane.column ? place.column : at,
    );
  const cursorRow = plane.row === undefined ? 0 : shownRow(turned, extent, plane.at[plane.row] ?? 0);
  const cursorColumn = plane.column === undefined ? 0 : (plane.at[plane.column] ?? 0);
  const cursor = useMemo(() => ({ row: cursorRow, column: cursorColumn }), [cursorRow, cursorColumn]);
  const map = useCellMap({
    extent,
    axes: ticks,
    scale: view.equalAspect ? EQUAL : SCALE,
    cursor,
    subject: `${plane.row} ${plane.column} ${view.equalAspect}`,
  });
  const look = useLook(props, turned);
  const painted = useRef<PaintedSquares>(new Map());
  const picture = useMemo(() => (look === undefined ? NO_PICTURE : planePicture(look, painted.current)), [look]);
  useSeen(map, request, turned.rows, onSeen);
  const select = (place: CellPlace) => {
    const element = elementOf(place);
    change({ plane: { ...plane, at: element } });
    const coordinates = element.map((at, dimension) => Math.floor(at / (request.chunkShape[dimension] ?? 1)));
    actions.selectChunk(node.path, coordinates);
  };
  const looks = progress.isOld ? [] : (progress.shown?.looks ?? []);
  const countOf = (one: string) => looks.filter((look) => look === one).length;
  const looked = hovered ?? cursor;
  return (
    <>
      <CellMap
        map={map}
        label="Data"
        roleDescription="slice of an array: arrow keys move, Enter selects the chunk, plus and minus zoom"
        describedBy={readout}
        data={{ "data-read": countOf("read"), "data-failed": countOf("failed"), "data-missing": countOf("missing") }}
        className={styles.figure}
        picture={picture}
        marks={useMarks(look, request, focused, cursor)}
        cursor={cursor}
        onCursor={(place) => change({ plane: { ...plane, at: elementOf(place) } })}
        onHover={setHovered}
        onFocus={setFocused}
        onClick={select}
        onOpen={select}
      />
      <div className={styles.readout}>
        <PlaneReadout
          id={readout}
          {...{ set, node, view, axes, request, progress }}
          element={elementOf(looked)}
          chunk={
            Math.floor(shownRow(turned, extent, looked.row) / chunkSide(request).down) * chunks.columns +
            Math.floor(looked.column / chunkSide(request).across)
          }
          spoken={focused && hovered === undefined}
        />
        <ZoomButtons
          label="Zoom"
          all="Show the whole slice"
          zoomed={map.zoomed}
          zoom={map.zoom}
          fit={map.fit}
          magnifiable={map.magnifiable}
        />
      </div>
      <FailedNote progress={progress} />
    </>
  );
}

const chunkSide = ({ plane, chunkShape }: PlaneRequest) => ({
  down: plane.row === undefined ? 1 : (chunkShape[plane.row] ?? 1),
  across: plane.column === undefined ? 1 : (chunkShape[plane.column] ?? 1),
});

function useLook({ view, request, progress }: PlaneFigureProps, turned: PlaneLook["turned"]): PlaneLook | undefined {
  const { shown, isOld } = progress;
  const { colormap, range: choice, edges } = view;
  const { extent, chunks } = request;
  const side = chunkSide(request);
  const { down, across } = side;
  return useMemo(() => {
    const count = chunks.rows * chunks.columns;
    // Until the first chunks of another slice are there, the last one is shown where it has the same shape.
    const isFit =
      shown !== undefined && shown.looks.length === count && (!isOld || shown.rows * shown.steps.down >= extent.rows);
    const plane = isFit ? shown : emptyPlane(count);
    return {
      plane,
      extent,
      turned,
      chunks,
      side: { down, across },
      range: colourRange(choice, plane),
      colormap,
      edges,
    };
  }, [shown, isOld, colormap, choice, edges, extent, chunks, turned, down, across]);
}

const emptyPlane = (count: number) => ({
  rows: 0,
  columns: 0,
  steps: { down: 1, across: 1 },
  values: new Float64Array(0),
  looks: Array.from({ length: count }, () => "unread" as const),
  failed: new Map(),
  minimum: undefined,
  maximum: undefined,
  version: 0,
  squares: [],
  squaresAcross: 1,
});

/** Tells which chunks are on the screen. */
function useSeen(
  map: ReturnType<typeof useCellMap>,
  request: PlaneRequest,
  isTurnedRound: boolean,
  onSeen: PlaneFigureProps["onSeen"],
): void {
  const { rows, columns } = windowSeen(map.view);
  const { down, across } = chunkSide(request);
  const end = request.extent.rows;
  const [top, bottom] = isTurnedRound ? [end - rows.to, end - rows.from] : [rows.from, rows.to];
  useEffect(() => {
    onSeen({
      rows: [Math.floor(top / down), Math.floor(Math.max(top, bottom - 1) / down)],
      columns: [Math.floor(columns.from / across), Math.floor(Math.max(columns.from, columns.to - 1) / across)],
    });
  }, [top, bottom, columns.from, columns.to, down, across, onSeen]);
}

/** Frames around the element under the cursor and around the selected chunk. */
function useMarks(
  look: PlaneLook | undefined,
  { plane, chunks, chunkShape }: PlaneRequest,
  focused: boolean,
  cursor: CellPlace,
): readonly Mark[] {
  const selected = useAppState((state) => state.chunk);
  const isOnPlane =
    selected?.length === chunkShape.length &&
    selected.every(
      (at, dimension) =>
        dimension === plane.row ||
        dimension === plane.column ||
        at === Math.floor((plane.at[dimension] ?? 0) / (chunkShape[dimension] ?? 1)),
    );
  const [row, column] = [plane.row, plane.column].map((one) => (one === undefined ? 0 : (selected?.[one] ?? 0)));
  const at = isOnPlane ? (row ?? 0) * chunks.columns + (column ?? 0) : undefined;
  return useMemo((): readonly Mark[] => {
    const element: Mark = { place: cursor, token: focused ? "--focus" : "--ink", thin: !focused };
    if (look === undefined || at === undefined) return [element];
    const { rows, columns } = windowOf(look, at);
    const size = { rows: rows.to - rows.from, columns: columns.to - columns.from };
    return [{ place: { row: rows.from, column: columns.from }, size, token: "--ink" }, element];
  }, [cursor, focused, look, at]);
}

/** Why the first of the failed chunks failed; the others say so when they are pointed at. */
function FailedNote({ progress }: Pick<PlaneFigureProps, "progress">) {
  const [first] = progress.isOld ? [] : (progress.shown?.failed.values() ?? []);
  const message = useMessage(first);
  if (first === undefined) return null;
  return (
    <p className={styles.failed} role="note">
      {message}
    </p>
  );
}
