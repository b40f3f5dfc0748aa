/** State of the view Data for its parts: the array, the slice with its reading, and its look. */
import { dimensionName } from "#widgets/zarr-words.ts";
import { placeText } from "#widgets/plane/axis-words.ts";
import { createContext, use, useMemo, useState } from "react";
import type { Axis } from "#core/cf/axis.ts";
import type { ColourHint } from "#core/cf/colour-hint.ts";
import { type ChunkEdges, chunkOf, chunkStart } from "#core/metadata/chunk-grid.ts";
import type { NodeSummary, SetSummary } from "#core/open-set.ts";
import { isFree, MOST_PLANE_CHUNKS } from "#core/plane/plane-budget.ts";
import { isSamePlane, planeAlone, planeOfChunks } from "#core/plane/plane.ts";
import type { Plane, PlaneCost, SeenSpans, ShownSlice, ValuesAbout } from "#core/plane/plane.ts";
import { valueText } from "#core/values/value-text.ts";
import { withoutToken } from "#core/words/without-secrets.ts";
import { remember, rememberedObject } from "#store/browser-storage.ts";
import { useActions, useAppState, useEngine } from "#store/react.tsx";
import { coordinatesAt, firstPlane, sidesOf, slidDimensions } from "#widgets/cell-map/plane.ts";
import { classesOf, type Colormap, hintedColormap } from "#widgets/values/colormap.ts";
import { chosenRange, type RangeChoice } from "#widgets/plane/colour-range.ts";
import { useShownAxes } from "#store/hooks/use-axes.ts";
import { planeRequest, usePlaneValues } from "#store/hooks/use-plane-values.ts";

export interface SliceLook {
  /** `auto`: as the attributes of the array ask for. */
  readonly colormap: Colormap | "auto";
  readonly range: RangeChoice;
  readonly edges: boolean;
  /** Neighbouring values are blended, where they are no classes. */
  readonly smooth: boolean;
  /** Requests for slices that are not free. */
  readonly paid: Paid | undefined;
  /** Lines between source files. */
  readonly fileEdges: boolean;
  /** Rows that count up from the south are turned round. */
  readonly northUp: boolean;
  readonly equalAspect: boolean;
  /** Coasts over sides of degrees; remembered. */
  readonly coasts: boolean;
  /** Which of the other dimensions has the scale with the series; absent = the first. */
  readonly through?: number;
}

const FIRST: SliceLook = {
  colormap: "auto",
  range: { mode: "auto", logarithmic: false },
  edges: true,
  smooth: false,
  paid: undefined,
  fileEdges: false,
  northUp: true,
  equalAspect: false,
  coasts: true,
};

const PLACE = "refscope.data.1";

export interface ArrayInput {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly shape: readonly number[];
  readonly grid: readonly number[];
  readonly chunkShape: readonly ChunkEdges[];
}

export function useShownArray({ set, node, shape, grid, chunkShape }: ArrayInput) {
  const { plane, cursor, given, isPointed, ...go } = useSlice(node.path, shape, chunkShape);
  const [look, setLook] = useState((): SliceLook => ({
    ...FIRST,
    coasts: coastsOf(rememberedObject(PLACE)["coasts"], set.url),
  }));
  const of = { set: set.id, array: node.path };
  const scaled = !useAppState((state) => state.rawValues);
  const slid = slidDimensions(shape, [plane.row, plane.column]);
  const hint = scaled || node.colours?.kind !== "signed" ? node.colours : undefined;
  const colours = useMemo(() => coloursOf(look, hint), [look, hint]);
  const through = look.through !== undefined && slid.includes(look.through) ? look.through : slid[0];
  const known = useShownAxes(set.id, node.path);
  const axes: Axes = (dimension) => known[dimension];
  const { leave, error, retry } = useLeave({ ...of, plane, chunkShape }, look.paid);
  const request = useMemo(
    () => planeRequest({ set: set.id, array: node.path, shape, chunkShape, plane, scaled }, grid),
    [set.id, node.path, shape, chunkShape, grid, plane, scaled],
  );
  const count = request.chunks.rows * request.chunks.columns;
  const about = useEngine("plane.about", of).data;
  const kind = count > MOST_PLANE_CHUNKS ? "too-many" : kindOf(plane, about);
  const visible = useVisibleChunks();
  const isOn = leave.kind !== "asking" && (kind === "plane" || kind === "line");
  const every = leave.kind === "granted" ? leave.every : 0;
  const progress = usePlaneValues("plane", request, { every, on: isOn }, visible.isSeen);
  const isWhole = !progress.isOld && progress.done === count && progress.wanted === count;
  const [tools, setTools] = useState<HTMLElement | null>(null);
  return {
    set,
    node,
    grid,
    request,
    progress,
    /** Permission to read the slice, or the reason why it is unknown. */
    leave: isWhole ? ({ kind: "granted", every: 1 } as const) : leave,
    error,
    retry,
    kind,
    about,
    /** The slice with the element that is looked at. */
    plane: cursor,
    isPointed,
    given,
    go,
    axes,
    /** Dimensions with other slices; the one of them that has the scale. */
    slid,
    through,
    look,
    /** Look that results from the choices. */
    colours: { ...colours, hint },
    change: (part: Partial<SliceLook>) => {
      if (part.northUp !== undefined || part.equalAspect !== undefined) go.showAgain();
      if (part.coasts !== undefined) remember(PLACE, JSON.stringify({ coasts: part.coasts }));
      setLook((before) => ({ ...before, ...part }));
    },
    /** A value with its unit; nothing where there is none. */
    label: (value: number | undefined) =>
      value === undefined ? "" : labelOf(value, hint, valueText(value, about, scaled)),
    /** Called with the chunks on the screen. */
    see: visible.see,
    /** Place for the figure's tools among those of the view. */
    tools,
    setTools,
  };
}

/** Unasked, but over the samples: their ocean is made up, and its land is not the Earth's. */
function coastsOf(remembered: unknown, url = ""): boolean {
  const samples = new URL("samples/", withoutToken(document.baseURI)).href;
  return typeof remembered === "boolean" ? remembered : !url.startsWith(samples);
}

/** A class has its name before its number. */
function labelOf(value: number, hint: ColourHint | undefined, text: string): string {
  const meaning = hint?.kind === "flags" ? hint.meanings[hint.values.indexOf(value)] : undefined;
  return meaning === undefined || meaning === text ? text : `${meaning} (${text})`;
}

function coloursOf({ colormap: chosen, range }: SliceLook, hint: ColourHint | undefined) {
  const colormap = chosen === "auto" ? hintedColormap(hint) : chosen;
  return { colormap, range: chosenRange(range, colormap), classes: chosen === "auto" ? classesOf(hint) : undefined };
}

export type ArrayShown = ReturnType<typeof useShownArray>;
export const ShownArray = createContext<ArrayShown | undefined>(undefined);

export function useShown(): ArrayShown {
  const shown = use(ShownArray);
  if (shown === undefined) throw new Error("useShown outside ShownArray");
  return shown;
}

/** Kind of figure for the plane; `undefined` until the kind of its values is known. */
function kindOf(plane: Plane, about: ValuesAbout | undefined): "plane" | "line" | "text" | undefined {
  if (about === undefined) return undefined;
  if (!about.numeric || (plane.row === undefined && plane.column === undefined)) return "text";
  return plane.row === undefined ? "line" : "plane";
}

/** Coordinates along each dimension of the array: `undefined` if there are none, or not known yet. */
export type Axes = (dimension: number) => Axis | undefined;

/** Which chunks of the plane are on the screen: they are read first. */
export interface SeenChunks {
  /** First and last, both seen. */
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

function useVisibleChunks() {
  const [kept] = useState(() => {
    let seen: SeenChunks | undefined;
    return {
      see: (next: SeenChunks) => {
        seen = next;
      },
      isSeen: (row: number, column: number) =>
        seen === undefined ||
        (row >= seen.rows[0] && row <= seen.rows[1] && column >= seen.columns[0] && column <= seen.columns[1]),
    };
  });
  return kept;
}

/** "31°S"; "x index 12" where nothing stands along the dimension. */
export function placeAlong({ node, axes }: ArrayShown, dimension: number, at: number): string {
  const axis = axes(dimension);
  return axis?.values === undefined
    ? `${dimensionName(node.dimensionNames, dimension)} index ${at}`
    : placeText(axis, at);
}

const ALL: SeenSpans = new Map();

/** The slice of the selected array: the store's, else the one through the selected chunk. And how to go on from it. */
function useSlice(array: string, shape: readonly number[], chunkShape: readonly ChunkEdges[]) {
  const actions = useActions();
  const slice = useAppState((state) => state.slice);
  const point = useAppState((state) => state.point);
  const chunk = useAppState((state) => state.chunk);
  const isPointed = isInside(point, shape);
  const at = useMemo(() => {
    if (isInside(point, shape)) return point;
    const start = chunkStart(chunk ?? shape.map(() => 0), chunkShape);
    return shape.map((length, dimension) => Math.min(length - 1, start[dimension] ?? 0));
  }, [point, chunk, shape, chunkShape]);
  const shown = useMemo((): ShownSlice => {
    if (slice !== undefined && isFit(slice, shape)) return slice;
    return { plane: planeAlone(firstPlane(shape, at)), seen: ALL, given: ALL };
  }, [slice, shape, at]);
  const { plane, seen, given } = shown;
  const cursor = useMemo(() => ({ ...plane, at: coordinatesAt(plane, sidesOf(plane, at)) }), [plane, at]);
  const go = (part: Partial<ShownSlice>, to = point) => actions.showPlace({ slice: { ...shown, ...part }, point: to });
  return {
    plane,
    /** The same, with the element that is looked at. */
    cursor,
    /** True if the cursor was placed: nothing marks it before. */
    isPointed,
    /** The part that is to be shown. */
    given,
    /** To another plane; a cursor that was moved goes along. */
    turn: (next: Plane) => {
      const isOther = next.row !== plane.row || next.column !== plane.column;
      const whole = isOther ? { seen: ALL, given: new Map() } : {};
      go({ plane: planeAlone(next), ...whole }, point === undefined ? undefined : next.at);
    },
    /** The part that is seen now. */
    see: (part: SeenSpans) => go({ seen: part }),
    /** All of the slice again, where a link shows a part of it. */
    showWhole: () => go({ seen: ALL, given: new Map() }),
    /** The same part, the other way round or in another shape. */
    showAgain: () => {
      if (slice !== undefined) go({ given: new Map(seen) });
    },
    /** The cursor, moved to an element. */
    point: (element: readonly number[]) => go({}, element),
    /** An element that was clicked, with its chunk. */
    select: (element: readonly number[]) =>
      actions.selectElement(array, chunkOf(element, chunkShape), { slice: shown, point: element }),
  };
}

const isInside = (point: readonly number[] | undefined, shape: readonly number[]): point is readonly number[] =>
  point?.length === shape.length && point.every((at, dimension) => at < (shape[dimension] ?? 0));

/** The array may be another one since: its document is edited, or another snapshot is shown. */
const isFit = ({ plane, seen }: ShownSlice, shape: readonly number[]): boolean =>
  isInside(plane.at, shape) && [...seen].every(([dimension, { to }]) => to <= (shape[dimension] ?? 0));

/** A granted request: the slices of the same chunks, and those after it too if that was chosen. */
export interface Paid {
  /** Every n-th chunk down and across. */
  readonly every: number;
  /** The slice whose cost was said: the first one through its chunks. */
  readonly slice: Plane;
  readonly onward: boolean;
}

export type Leave =
  | { readonly kind: "asking" }
  | { readonly kind: "costly"; readonly cost: PlaneCost; readonly slice: Plane }
  | { readonly kind: "granted"; readonly every: number };

/** True if the permission for one slice holds for another one. */
export const holds = ({ slice, onward }: Paid, of: Plane): boolean =>
  isSamePlane(slice, of) || (onward && slice.row === of.row && slice.column === of.column);

export function leaveFor(cost: PlaneCost | undefined, paid: Paid | undefined, slice: Plane): Leave {
  if (paid !== undefined && holds(paid, slice)) return { kind: "granted", every: paid.every };
  if (cost === undefined) return { kind: "asking" };
  return isFree(cost) ? { kind: "granted", every: 1 } : { kind: "costly", cost, slice };
}

interface Asked {
  readonly set: number;
  readonly array: string;
  readonly plane: Plane;
  readonly chunkShape: readonly ChunkEdges[];
}

/** Permission to read the slice: at once if that is free, else on request with its cost stated. */
function useLeave({ set, array, plane, chunkShape }: Asked, paid: Paid | undefined) {
  const slice = useMemo(() => planeOfChunks(plane, chunkShape), [plane, chunkShape]);
  const answer = useEngine("plane.cost", { set, array, plane: slice }, `${array} cost`);
  // The cost of the slice before says nothing of this one.
  const cost = answer.stale ? undefined : answer.data;
  return { leave: leaveFor(cost, paid, slice), error: answer.error, retry: answer.retry };
}
