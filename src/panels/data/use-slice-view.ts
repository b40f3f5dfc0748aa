/** What of the array is shown, and how. The slice and the choice of values are in the address. */
import { useMemo, useState } from "react";
import { parseSelection } from "../../core/selection.ts";
import { useActions, useAppState, useCommand } from "../../store/react.tsx";
import { firstPlane, slidDimensions, type Plane } from "../../widgets/cell-map/plane.ts";
import type { Colormap } from "../../widgets/colormap.ts";
import type { RangeChoice } from "./colour-range.ts";

export interface SliceLook {
  readonly colormap: Colormap;
  readonly range: RangeChoice;
  readonly edges: boolean;
  /** Every n-th chunk is read; absent while only what is free is read. */
  readonly every: number | undefined;
  /** Rows that count up from the south are turned round. */
  readonly northUp: boolean;
  readonly equalAspect: boolean;
  /** Which of the other dimensions has the scale with the series; absent = the first. */
  readonly through?: number;
}

export interface SliceView extends SliceLook {
  readonly plane: Plane;
  readonly scaled: boolean;
}

const FIRST: SliceLook = {
  colormap: "viridis",
  range: { mode: "slice", logarithmic: false },
  edges: true,
  every: undefined,
  northUp: true,
  equalAspect: false,
};

/** Begins at the selected chunk; follows it where another one is selected elsewhere. */
export function useSliceView(array: string, shape: readonly number[], chunkShape: readonly number[]) {
  const actions = useActions();
  const chunk = useAppState((state) => state.chunk);
  const slice = useAppState((state) => state.slice);
  const scaled = !useAppState((state) => state.rawValues);
  const [look, setLook] = useState(FIRST);
  const [cursor, setCursor] = useState<readonly number[]>();
  const [isSwapped, setSwapped] = useState(false);
  const firstOf = (coordinates: readonly number[] | undefined) =>
    shape.map((length, dimension) =>
      Math.min(length - 1, (coordinates?.[dimension] ?? 0) * (chunkShape[dimension] ?? 1)),
    );
  const at = cursor ?? firstOf(chunk);
  const planeText = JSON.stringify(swapped(planeOf(slice, shape, at) ?? firstPlane(shape, at), isSwapped));
  const plane = useMemo(() => JSON.parse(planeText) as Plane, [planeText]);
  const show = (next: Plane) => {
    setCursor(next.at);
    setSwapped((next.row ?? -1) > (next.column ?? -1));
    const text = sliceText(next, shape.length);
    if (text !== slice) actions.showSlice(text);
  };
  const change = ({ plane: moved, scaled: isScaled, ...part }: Partial<SliceView>) => {
    if (moved !== undefined) show(moved);
    if (isScaled !== undefined) actions.showRawValues(!isScaled);
    if (Object.keys(part).length > 0) setLook((before) => ({ ...before, ...part }));
  };
  const [followed, setFollowed] = useState(chunk);
  if (chunk !== followed) {
    setFollowed(chunk);
    const isElsewhere =
      chunk?.length === shape.length &&
      chunk.some((one, dimension) => Math.floor((plane.at[dimension] ?? 0) / (chunkShape[dimension] ?? 1)) !== one);
    if (isElsewhere) {
      setCursor(firstOf(chunk));
      queueMicrotask(() => {
        actions.showSlice(sliceText({ ...plane, at: firstOf(chunk) }, shape.length));
      });
    }
  }
  useCommand("show-slice", (command) => {
    if (command.array === array) show({ ...plane, at: firstOf(command.at) });
  });
  return { view: { ...look, plane, scaled }, change };
}

/** The one of the other dimensions that has the scale with the series; `undefined` where all others have one place only. */
export function scaledDimension({ plane, through }: SliceView, shape: readonly number[]): number | undefined {
  const slid = slidDimensions(shape, [plane.row, plane.column]);
  return through !== undefined && slid.includes(through) ? through : slid[0];
}

/** The later of the two dimensions runs down. */
function swapped(plane: Plane, isSwapped: boolean): Plane {
  return isSwapped && plane.row !== undefined ? { ...plane, row: plane.column, column: plane.row } : plane;
}

/** `undefined` where the text is no slice of the array: it is not shown silently as another one. */
function planeOf(slice: string | undefined, shape: readonly number[], at: readonly number[]): Plane | undefined {
  if (slice === undefined) return undefined;
  try {
    const parts = parseSelection(slice, shape);
    const open = parts.flatMap(({ dropped }, dimension) => (dropped ? [] : [dimension]));
    if (open.length > 2) return undefined;
    const [first, second] = open;
    const position = parts.map(({ dropped, start }, dimension) => (dropped ? start : (at[dimension] ?? 0)));
    return second === undefined
      ? { row: undefined, column: first, at: position }
      : { row: first, column: second, at: position };
  } catch {
    return undefined;
  }
}

/** The slice alone, at whatever place along its own dimensions the cursor stands; the same object while it is the same. */
export function useSlice({ row, column, at }: Plane): Plane {
  const text = JSON.stringify({ row, column, at: at.map((one, of) => (of === row || of === column ? 0 : one)) });
  return useMemo(() => JSON.parse(text) as Plane, [text]);
}

/** As NumPy indexes: `0,:,:`. */
export function sliceText({ row, column, at }: Plane, rank: number): string {
  const isShown = (dimension: number) => dimension === row || dimension === column;
  return Array.from({ length: rank }, (_, dimension) => (isShown(dimension) ? ":" : String(at[dimension] ?? 0))).join(
    ",",
  );
}
