/** What of the array is shown, and how. The slice and the choice of values are in the address. */
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { ChunkEdges } from "../../core/metadata/chunk-edges.ts";
import { chunkOf, chunkStart } from "../../core/metadata/chunk-grid.ts";
import { useActions, useApp, useAppState, useCommand } from "../../store/react.tsx";
import { firstPlane, type Plane, slidDimensions } from "../../widgets/cell-map/plane.ts";
import type { Colormap } from "../../widgets/values/colormap.ts";
import { useDelayed } from "../../widgets/notes/use-delayed.ts";
import type { RangeChoice } from "./colour-range.ts";
import { parseSlice, type SeenSpans, sliceText } from "./slice-text.ts";
import type { Paid } from "./use-leave.ts";
import { usePlane } from "./use-plane.ts";

export interface SliceLook {
  readonly colormap: Colormap;
  readonly range: RangeChoice;
  readonly edges: boolean;
  /** What was asked for of slices that are not free. */
  readonly paid: Paid | undefined;
  /** Lines between source files. */
  readonly fileEdges: boolean;
  /** Rows that count up from the south are turned round. */
  readonly northUp: boolean;
  readonly equalAspect: boolean;
  /** Which of the other dimensions has the scale with the series; absent = the first. */
  readonly through?: number;
}

export interface SliceView extends SliceLook {
  readonly plane: Plane;
  readonly scaled: boolean;
  /** The part that a link says is seen: shown whenever it is another object. */
  readonly given: SeenSpans | undefined;
}

const FIRST: SliceLook = {
  colormap: "viridis",
  range: { mode: "slice", logarithmic: false },
  edges: true,
  paid: undefined,
  fileEdges: false,
  northUp: true,
  equalAspect: false,
};

/** Begins at the selected chunk; follows it where another one is selected elsewhere. */
export function useSliceView(array: string, shape: readonly number[], chunkShape: readonly ChunkEdges[]) {
  const actions = useActions();
  const chunk = useAppState((state) => state.chunk);
  const scaled = !useAppState((state) => state.rawValues);
  const [look, setLook] = useState(FIRST);
  const [isSwapped, setSwapped] = useState(false);
  const { here, given, setHere, giveHere } = useHere(array);
  const givenSpans = useMemo(
    () => (given.slice === undefined ? undefined : parseSlice(given.slice, shape, [])?.spans),
    [given, shape],
  );
  const firstOf = (coordinates: readonly number[] | undefined) =>
    chunkStart(coordinates ?? shape.map(() => 0), chunkShape).map((at, dimension) =>
      Math.min((shape[dimension] ?? 1) - 1, at),
    );
  const at = isInside(here.point, shape) ? here.point : firstOf(chunk);
  const parsed = here.slice === undefined ? undefined : parseSlice(here.slice, shape, at);
  const plane = usePlane(swapped(parsed?.plane ?? firstPlane(shape, at), isSwapped));
  const spans = parsed?.spans;
  const goTo = (next: Plane, point: readonly number[] | undefined) => {
    const isSame = next.row === plane.row && next.column === plane.column;
    setSwapped((next.row ?? -1) > (next.column ?? -1));
    const to = { slice: sliceText(next, shape, isSame ? spans : undefined), point };
    if (isSame) setHere(to);
    else giveHere(to);
  };
  const change = ({ plane: moved, scaled: isScaled, ...part }: Partial<SliceView>) => {
    if (moved !== undefined) goTo(moved, here.point === undefined ? undefined : moved.at);
    if (isScaled !== undefined) actions.showRawValues(!isScaled);
    // The same part is seen, the other way round or in another shape.
    if (part.northUp !== undefined || part.equalAspect !== undefined) giveHere(here);
    if (Object.keys(part).length > 0) setLook((before) => ({ ...before, ...part }));
  };
  const [followed, setFollowed] = useState(chunk);
  if (chunk !== followed) {
    setFollowed(chunk);
    const isElsewhere = chunk?.length === shape.length && chunkOf(plane.at, chunkShape).join() !== chunk.join();
    if (isElsewhere) setHere({ slice: sliceText({ ...plane, at: firstOf(chunk) }, shape, spans), point: undefined });
  }
  useCommand("show-slice", (command) => {
    if (command.array === array) goTo({ ...plane, at: firstOf(command.at) }, undefined);
  });
  return {
    view: { ...look, plane, scaled, given: givenSpans },
    change,
    /** The part that is seen now; `undefined`: all of it. */
    see: (seen: SeenSpans | undefined) => setHere({ ...here, slice: sliceText(plane, shape, seen) }),
    /** All of the slice again, where a link shows a part of it. */
    showWhole: () => giveHere({ ...here, slice: sliceText(plane, shape) }),
    /** The cursor, moved to an element. */
    point: (element: readonly number[]) => goTo({ ...plane, at: element }, element),
    /** An element that was clicked, with its chunk. */
    select: (element: readonly number[]) => {
      const place = { slice: sliceText({ ...plane, at: element }, shape, spans), point: element };
      setHere(place);
      actions.selectElement(array, chunkOf(element, chunkShape), place);
    },
  };
}

export type SliceActions = Pick<ReturnType<typeof useSliceView>, "see" | "showWhole" | "point" | "select">;

const isInside = (point: readonly number[] | undefined, shape: readonly number[]): point is readonly number[] =>
  point?.length === shape.length && point.every((at, dimension) => at < (shape[dimension] ?? 0));

/** The one of the other dimensions that has the scale with the series; `undefined` where all others have one place only. */
export function scaledDimension({ plane, through }: SliceView, shape: readonly number[]): number | undefined {
  const slid = slidDimensions(shape, [plane.row, plane.column]);
  return through !== undefined && slid.includes(through) ? through : slid[0];
}

/** The later of the two dimensions runs down. */
function swapped(plane: Plane, isSwapped: boolean): Plane {
  return isSwapped && plane.row !== undefined ? { ...plane, row: plane.column, column: plane.row } : plane;
}

/** The slice alone, at whatever place along its own dimensions the cursor stands. */
export const useSlice = ({ row, column, at }: Plane): Plane =>
  usePlane({ row, column, at: at.map((one, of) => (of === row || of === column ? 0 : one)) });

// Where one looks, as the store and the address say it, and how far one has moved on since.

interface Here {
  /** As text. */
  readonly slice: string | undefined;
  /** The element, where one was pointed out. */
  readonly point: readonly number[] | undefined;
}

interface Ahead {
  readonly here: Here;
  /** What the store said when that began, as text. */
  readonly of: string;
  /** The slice as it was given from outside: another object, another gift. */
  readonly given: Pick<Here, "slice">;
}

/** Milliseconds of rest after which the address says where one looks: browsers refuse to write it very often. */
const REST = 250;

const textOf = ({ slice, point }: Here): string => JSON.stringify([slice, point]);

function useHere(array: string) {
  const { store, actions } = useApp();
  const slice = useAppState((state) => state.slice);
  const point = useAppState((state) => state.point);
  const stored = textOf({ slice, point });
  const [ahead, setAhead] = useState<Ahead>({ here: { slice, point }, of: stored, given: { slice } });
  let now = ahead;
  if (stored !== ahead.of) {
    // A link, or something selected elsewhere; else what was written from here has come back.
    const isOther = stored !== textOf(ahead.here);
    const isGiven = isOther && slice !== ahead.here.slice;
    now = { here: isOther ? { slice, point } : ahead.here, of: stored, given: isGiven ? { slice } : ahead.given };
    setAhead(now);
  }
  const { here, given } = now;
  const write = useEffectEvent(() => {
    if (textOf(here) !== stored) actions.showPlace(here);
  });
  useDelayed(textOf(here), textOf(here) === stored ? undefined : REST, () => write());
  useEffect(() => {
    const id = store.getState().set?.id;
    return () => {
      const { set, node } = store.getState();
      if (set?.id === id && node === array) write();
    };
  }, [store, array]);
  return {
    here,
    given,
    setHere: (next: Here) => setAhead((before) => ({ ...before, here: next })),
    /** As if it came from outside: the map shows the part that the slice names. */
    giveHere: (next: Here) => setAhead((before) => ({ ...before, here: next, given: { slice: next.slice } })),
  };
}
