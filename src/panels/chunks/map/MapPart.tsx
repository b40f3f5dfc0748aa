/** The chunk grid of the selected array as a picture (DESIGN "The screen"). */
import { useCallback, useMemo, useRef, useState } from "react";
import type { NodeSummary, Raster, RasterSpec } from "#core/open-set.ts";
import { isNorthLast, placeRange } from "#core/cf/axis.ts";
import { typedStep } from "#core/cf/typed-place.ts";
import { placedAt } from "#core/plane/plane.ts";
import { chunkOf, chunkStart, declaredExtent, startAlong } from "#core/metadata/chunk-grid.ts";
import { useCheapAxes } from "#store/hooks/use-axes.ts";
import { useAppState, useEngine } from "#store/react.tsx";
import { EmptyState, ErrorNotice } from "#widgets/notes/Notices.tsx";
import { Popover } from "#widgets/controls/Popover.tsx";
import { CellMap, type CellMapProps } from "#widgets/cell-map/CellMap.tsx";
import { DimensionSlider, SideSelects } from "#widgets/cell-map/Dimensions.tsx";
import { ZoomButtons } from "#widgets/cell-map/ZoomButtons.tsx";
import { numbered } from "#widgets/cell-map/axes.ts";
import { windowSeen } from "#widgets/cell-map/camera.ts";
import type { Area, CellPlace, CellWindow, GridExtent, SideSpacing, Span } from "#widgets/cell-map/camera.ts";
import { coordinatesAt, elementSpan, extentOf, placeOf, slidDimensions, withIndex } from "#widgets/cell-map/plane.ts";
import type { Plane } from "#widgets/cell-map/plane.ts";
import { spacingOf } from "#widgets/cell-map/spacing.ts";
import { isFine } from "#widgets/cell-map/tile.ts";
import { useCellMap } from "#widgets/cell-map/use-cell-map.ts";
import { dimensionName } from "#widgets/zarr-words.ts";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { useMeasuring } from "#widgets/measuring.ts";
import { point, usePointed } from "../pointed-chunk.ts";
import { MapFoot } from "./MapFoot.tsx";
import styles from "./MapPart.module.css";
import { fitsAsPanels, PanelsMap } from "./PanelsMap.tsx";
import { type MapColour, orderRaster, useLengthScale } from "../cell-colours.ts";
import { type CellChange, changeOfCode } from "./change-words.ts";
import { gridPicture, type Layer, useRaster } from "./grid-picture.ts";
import { marksOf, rasterSpec, useCompared, useFailedPlaces, useGridState, useLooked } from "./use-grid.ts";
import type { MapProps } from "./use-grid.ts";

export type MapPartProps = Pick<MapProps, "set" | "node" | "grid" | "pointed" | "colour" | "onColour">;

// All slices of the grid side by side where they fit, else one that is moved in.

/** About what head and foot take of the height. */
const AROUND = 150;

export function MapPart(given: MapPartProps) {
  const { set, node, grid, colour } = given;
  const compared = useCompared(node.path);
  const chunk = useAppState((state) => (state.node === node.path ? state.chunk : undefined));
  const state = useGridState(node.path, grid);
  const detail = useEngine("set.node", { set: set.id, path: node.path }).data;
  const array = detail?.path === node.path ? detail.array : undefined;
  // No chunk is read yet, or its own bytes came: they come first, in a request of their own.
  const mayAsk = useAppState(({ readings }) => readings > 0) || chunk === undefined;
  const known = useCheapAxes(set.id, node, mayAsk);
  const axes = useCallback((dimension: number) => known[dimension], [known]);
  const [single, setSingle] = useState(false);
  const stage = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Area>();
  useMeasuring(stage, ({ clientWidth, clientHeight }) => {
    if (clientWidth > 0) setRoom({ width: clientWidth - PADDING, height: clientHeight - AROUND });
  });
  const lengths = useLengthScale(set, node);
  const asked = colour === "blame" && set.repository !== undefined ? { set: set.id, array: node.path } : undefined;
  const blame = useEngine("repository.blame", asked);
  const commits = blame.data?.commits.length;
  const scale = commits === undefined ? lengths : { minimum: 1, maximum: commits, longest: commits };
  const extent = extentOf(grid, state.plane);
  if (extent.rows * extent.columns === 0) {
    return <EmptyState title="This array has no chunks">One of its dimensions has length 0.</EmptyState>;
  }
  const fits = room !== undefined && fitsAsPanels({ node, state, axes }, room);
  const asPanels = fits && !single;
  const map: MapProps = {
    ...given,
    array,
    axes,
    chunk,
    state,
    scale,
    compared,
    label: gridLabel(given, asPanels),
    blame: asked && blame,
    colour: shownColour(colour, { change: compared, blame: commits }),
  };
  return (
    <div ref={stage} role="group" className={styles.panel} aria-label="Chunk grid">
      <MapHead {...map} single={!asPanels} onSingle={fits ? setSingle : undefined} />
      {room === undefined ? null : asPanels ? <PanelsMap {...map} /> : <SliceMap {...map} />}
    </div>
  );
}

const PADDING = 20;

/** Lengths while there is nothing to colour by: a comparison comes back with the next array that differs. */
function shownColour(colour: MapColour, known: { readonly change: unknown; readonly blame: unknown }): MapColour {
  return (colour === "change" || colour === "blame") && known[colour] === undefined ? "length" : colour;
}

function gridLabel({ node, grid }: MapPartProps, asPanels: boolean): string {
  const name = node.path === "" ? "the root array" : node.path;
  const keys = asPanels
    ? "Arrow keys move, page keys go from panel to panel, Enter selects."
    : "Arrow keys move, Enter selects, plus and minus zoom.";
  return `Chunk grid of ${name}, ${grid.join(" by ")} chunks. ${keys}`;
}

// Title of the map, and the choice of what goes down, along and from panel to panel.

interface MapHeadProps extends MapProps {
  /** One slice is shown. */
  readonly single: boolean;
  /** Absent where there is no room for all. */
  readonly onSingle: ((single: boolean) => void) | undefined;
}

function MapHead(props: MapHeadProps) {
  const { node, grid, state, single, onSingle } = props;
  const words = sidesWords(props);
  const hasSlices = slidDimensions(grid, [state.plane.row, state.plane.column]).length > 0;
  return (
    <div className={styles.head}>
      <h2 className={styles.title}>Map</h2>
      <span className="grow cut" title={words}>
        {words}
      </span>
      {grid.length < 2 ? null : (
        <Popover label="Sides" title="Sides of the map" align="end">
          <div className="column gap-8">
            <SideSelects
              names={node.dimensionNames}
              counts={grid}
              plane={state.plane}
              onPlane={state.setPlane}
              className={`inline-row gap-6 quiet ${styles.choice}`}
            />
            {hasSlices ? (
              <label className={styles.single}>
                <input
                  type="checkbox"
                  checked={single}
                  disabled={onSingle === undefined}
                  onChange={({ target }) => onSingle?.(target.checked)}
                />
                One slice at a time
              </label>
            ) : null}
            {onSingle === undefined && hasSlices ? (
              <p className={styles.faint}>There are too many chunks to show all slices at once.</p>
            ) : null}
          </div>
        </Popover>
      )}
    </div>
  );
}

/** `lat up, lon right, a panel a time chunk`. */
function sidesWords({ node, grid, axes, state, single }: MapHeadProps): string {
  const { row, column } = state.plane;
  const name = (dimension: number) => dimensionName(node.dimensionNames, dimension);
  const [through] = slidDimensions(grid, [row, column]);
  const parts: string[] = [];
  if (row !== undefined) parts.push(`${name(row)} ${!single && isNorthLast(axes(row)) ? "up" : "down"}`);
  if (column !== undefined) parts.push(`${name(column)} right`);
  if (!single && through !== undefined) parts.push(`one panel per ${name(through)} chunk`);
  if (node.shardShape !== undefined && !single) parts.push("frames are shards");
  return parts.join(", ");
}

// One slice of the grid as a picture that is moved in, with a slider for each of the other dimensions.

function SliceMap(props: MapProps) {
  const { node, grid, colour, state, label } = props;
  const { coloured, cells, ...shown } = useSlice(props);
  const { map } = cells;
  const { extent } = map.view;
  const { layer } = coloured;
  const sentence = [
    scaleSentence(layer, colour),
    windowSentence(windowSeen(map.view), extent, node.cells ?? extent.rows * extent.columns),
  ];
  const slid = slidDimensions(grid, [state.plane.row, state.plane.column]);
  return (
    <>
      <div className={styles.line}>
        {slid.map((dimension) => (
          <GridSlider key={dimension} dimension={dimension} {...props} />
        ))}
        <ZoomButtons label="Zoom" all="Show the whole grid" {...map} />
      </div>
      {coloured.error === undefined ? null : <ErrorNotice error={coloured.error} onRetry={coloured.retry} />}
      <CellMap label={label} className={styles.frame} {...cells} />
      <MapFoot {...props} {...shown} frame={map.frame} dotted={false} sentence={sentence.filter(Boolean).join(" · ")} />
    </>
  );
}

function useSlice(props: MapProps) {
  const { set, node, grid, colour, state, chunk, pointed, scale } = props;
  const { plane, cursor } = state;
  const extent = extentOf(grid, plane);
  const axes = useMemo(() => numbered({ row: 0, column: 0 }, { columns: extent.columns }), [extent.columns]);
  const spacing = useSpacing(node, plane);
  const map = useCellMap({ extent, axes, spacing, cursor, subject: `${plane.row} ${plane.column}` });
  const [focused, setFocused] = useState(false);
  const spec = rasterSpec(node.path, plane, map, colour);
  const coloured = useRaster(set.id, spec);
  // The shapes in the cells are those of the states, whatever the colours say.
  const hasStates = colour !== "state" && colour !== "change";
  const stated = useRaster(set.id, hasStates && spec !== undefined ? { ...spec, colour: "state" } : undefined);
  const failed = useFailedPlaces(set.id, node, plane);
  const selected = useMemo(() => (chunk === undefined ? undefined : placeOf(plane, chunk)), [plane, chunk]);
  const pointedAt = usePointed(pointed);
  const hovered = useMemo(() => pointedAt && placeOf(plane, pointedAt), [plane, pointedAt]);
  const looked = useLooked(props, { focused, hovered: pointedAt });
  const place = hovered ?? (focused ? cursor : selected);
  const change = useCellChange(set.id, spec, place, coloured.layer);
  const { layer } = coloured;
  const states = colour === "state" ? layer : stated.layer;
  const select = (at: CellPlace) => looked.select(coordinatesAt(plane, at));
  const cells: Omit<CellMapProps, "label"> = {
    map,
    picture: useMemo(() => {
      const tinted = colour === "order" ? layer && ordered(node, plane, layer) : layer && { ...layer, ...scale };
      return gridPicture(colour, tinted, states, failed);
    }, [node, plane, colour, layer, scale, states, failed]),
    marks: useMemo(
      () => marksOf(hovered, selected, focused ? cursor : undefined),
      [hovered, selected, focused, cursor],
    ),
    cursor,
    onCursor: state.setCursor,
    onHover: (at) => point(pointed, at && coordinatesAt(plane, at)),
    onFocus: setFocused,
    onClick: select,
    onOpen: select,
  };
  return { coloured, cells, looked, change };
}

function ordered(node: NodeSummary, plane: Plane, layer: Layer): Layer {
  const { width, window, cellsDown, cellsAlong } = layer;
  const row = (pixel: number) => window.rows.from + Math.floor(pixel / width) * cellsDown;
  const column = (pixel: number) => window.columns.from + (pixel % width) * cellsAlong;
  return { ...layer, ...orderRaster(node, layer, (at) => coordinatesAt(plane, { row: row(at), column: column(at) })) };
}

/** Unequal chunks are drawn to scale. */
function useSpacing({ shape, chunks }: MapProps["node"], { row, column }: Plane): SideSpacing | undefined {
  return useMemo(() => {
    const along = (dimension: number | undefined) =>
      dimension === undefined ? undefined : spacingOf(shape?.[dimension] ?? 0, chunks?.[dimension] ?? 1);
    const spacing = { rows: along(row), columns: along(column) };
    return spacing.rows === undefined && spacing.columns === undefined ? undefined : spacing;
  }, [shape, chunks, row, column]);
}

function GridSlider({ node, grid, axes, state, dimension }: MapProps & { readonly dimension: number }) {
  const { plane, setPlane } = state;
  const count = grid[dimension] ?? 1;
  const at = plane.at[dimension] ?? 0;
  const length = node.shape?.[dimension] ?? count;
  const edges = node.chunks?.[dimension] ?? 1;
  const span = `${elementSpan(length, edges, at)} of ${formatCount(length)}`;
  const name = dimensionName(node.dimensionNames, dimension);
  const axis = axes(dimension);
  const first = startAlong(edges, at);
  const places = axis && placeRange(axis, first, first + declaredExtent(length, edges, at) - 1);
  const onPlace = (typed: string) => {
    const place = typedStep(typed, { node, axes: grid.map((_, one) => axes(one)), dimension, unit: "chunk" });
    if (place.kind === "none") return place.why;
    state.goTo(chunkOf(placedAt(chunkStart(plane.at, node.chunks ?? []), place.positions), node.chunks ?? []));
    return undefined;
  };
  return (
    <DimensionSlider
      {...{ name, count, at, onPlace }}
      className={styles.slider}
      fieldLabel={`Chunk along ${name}`}
      valueText={`chunk ${at}, ${places ?? `elements ${span}`}`}
      note={places ?? span}
      noteTitle={`Elements ${span}`}
      onAt={(next) => setPlane(withIndex(plane, dimension, next))}
    />
  );
}

// How one cell of the map differs between the snapshots that were compared.

/** From the picture where the cell has a pixel of its own there, else asked for. `undefined` while not known. */
function useCellChange(
  set: number,
  spec: RasterSpec | undefined,
  place: CellPlace | undefined,
  layer: Layer | undefined,
): CellChange | undefined {
  const shows = spec?.colour === "change" && place !== undefined;
  const seen = shows ? changeAt(layer, place) : undefined;
  const isCoarse = layer !== undefined && seen === undefined;
  const asked = useRaster(set, shows && isCoarse ? cellSpec(spec, place) : undefined);
  return seen ?? (shows && isCoarse ? changeAt(asked.layer, place) : undefined);
}

/** A picture of one cell. */
function cellSpec(spec: RasterSpec, { row, column }: CellPlace): RasterSpec {
  const rows = { from: row, to: row + 1 };
  return { ...spec, rows, columns: { from: column, to: column + 1 }, width: 1, height: 1 };
}

/** `undefined` where the cell lies outside the picture, or shares its pixel with others. */
export function changeAt(layer: Layer | undefined, { row, column }: CellPlace): CellChange | undefined {
  if (layer === undefined) return undefined;
  const { window, width, height, codes } = layer;
  const i = row - window.rows.from;
  const j = column - window.columns.from;
  if (!isFine(layer) || i < 0 || j < 0 || i >= height || j >= width) return undefined;
  return changeOfCode(codes[i * width + j] ?? 0);
}

/** Which of several chunks gives a pixel its colour. */
const CHOSEN: Readonly<Record<MapColour, string>> = {
  state: "the worst is shown",
  target: "the first source is shown",
  length: "the longest is shown",
  order: "the first is shown",
  reading: "a failed one is shown first",
  change: "a removed one is shown first, then changed, then added",
  blame: "the newest commit is shown",
};

/** Says when one pixel shows several chunks; empty if each chunk has its own. */
export function scaleSentence(raster: Raster | undefined, colour: MapColour): string {
  if (raster === undefined || raster.cellsDown * raster.cellsAlong <= 1) return "";
  return `1 pixel = ${formatCount(raster.cellsDown)} × ${formatCount(raster.cellsAlong)} chunks, ${CHOSEN[colour]}`;
}

/** How many of the array's `cells` chunks are in sight: the slice, or which rows and columns of it. */
export function windowSentence({ rows, columns }: CellWindow, extent: GridExtent, cells: number): string {
  const all = rows.to - rows.from >= extent.rows && columns.to - columns.from >= extent.columns;
  const inSlice = extent.rows * extent.columns;
  if (all && inSlice === cells) return `${countOf(cells, "chunk")}, all in sight`;
  if (all) return `${formatCount(inSlice)} of ${countOf(cells, "chunk")} in this slice`;
  return `rows ${span(rows)} of ${formatCount(extent.rows)}, columns ${span(columns)} of ${formatCount(extent.columns)}`;
}

const span = ({ from, to }: Span) => `${formatCount(from)}–${formatCount(to - 1)}`;
