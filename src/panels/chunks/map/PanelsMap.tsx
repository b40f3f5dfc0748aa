/** All slices of a grid side by side, a panel each: where they fit. */
import { useCallback, useMemo, useRef, useState } from "react";
import { type ChunkEdges, countAlong, declaredExtent, startAlong } from "#core/metadata/chunk-grid.ts";
import type { Raster, RasterColour, RasterSpec } from "#core/open-set.ts";
import { STATES } from "#core/table/reference.ts";
import { comparedText, useAppState, useEngine } from "#store/react.tsx";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import { type Draw, Layers } from "#widgets/cell-map/Layers.tsx";
import type { Area, Box, Point } from "#widgets/cell-map/camera.ts";
import { useCanvasSize } from "#widgets/measuring.ts";
import { type Gestures, useGestures } from "#widgets/cell-map/gestures.ts";
import { cssColour, type Rgb } from "#widgets/cell-map/palette.ts";
import { drawSign, hatch, outline, type Painter } from "#widgets/cell-map/signs.ts";
import { point, usePointed } from "../pointed-chunk.ts";
import { MapFoot } from "./MapFoot.tsx";
import styles from "./MapPart.module.css";
import { contrasting, drawName, type MapColour, orderRaster, pixelColours } from "../cell-colours.ts";
import { type CellChange, changeOfCode } from "./change-words.ts";
import { codeSign, READ_FAILED, stateSign } from "./grid-picture.ts";
import { type MapProps, marksOf, type PlaceMark, useLooked } from "./use-grid.ts";
import { movedInPanels, panelCellAt, panelCellBox, panelCorner, panelLayout } from "./panel-layout.ts";
import type { PanelLayout, PanelPlace } from "./panel-layout.ts";
import { panelSlices, type PanelSlices, panelTitle, type ShardEdges } from "./panel-slices.ts";

export function PanelsMap(props: MapProps) {
  const { node, axes, state, pointed, label, chunk } = props;
  const frame = useRef<HTMLDivElement>(null);
  const size = useCanvasSize(frame);
  const slices = useMemo(() => panelSlices(node, state.plane, axes), [node, state.plane, axes]);
  const layout = useMemo(() => (size.width === 0 ? undefined : layoutIn(size, slices, 0)), [slices, size]);
  const { picture, error, retry, stale } = usePanels(props, slices, layout);
  const [focused, setFocused] = useState(false);
  const at = usePointed(pointed);
  const looked = useLooked(props, { focused, hovered: at });
  const marks = useMemo(() => {
    const placeOf = (chunk: readonly number[] | undefined) => chunk && slices.placeOf(chunk);
    return marksOf(placeOf(at), placeOf(chunk), focused ? placeOf(state.at) : undefined);
  }, [slices, at, chunk, focused, state.at]);
  const draw = useCallback<Draw>((painter) => picture && drawPanels(painter, picture), [picture]);
  const drawMarks = useCallback<Draw>((painter) => layout && drawPanelMarks(painter, layout, marks), [layout, marks]);
  const gestures = panelGestures(layout, slices, slices.placeOf(state.at) ?? { panel: 0, row: 0, column: 0 }, {
    onCursor: (place) => state.setAt(slices.coordinatesOf(place)),
    onHover: (place) => point(pointed, place && slices.coordinatesOf(place)),
    onOpen: (place) => looked.select(slices.coordinatesOf(place)),
    onFocus: setFocused,
  });
  return (
    <>
      {error === undefined ? null : <ErrorNotice error={error} onRetry={retry} />}
      <div
        ref={frame}
        role="application"
        aria-label={label}
        aria-busy={stale}
        tabIndex={0}
        className={styles.panels}
        {...useGestures(frame, gestures)}
      >
        <Layers size={size} draw={draw} drawMarks={drawMarks} />
        {layout === undefined ? null : <Titles {...{ layout, slices, axes, chunk }} />}
      </div>
      <MapFoot
        {...props}
        {...{ looked, frame }}
        change={changeOf(picture, looked.at && slices.placeOf(looked.at))}
        dotted={picture?.dotted === true}
        sentence=""
      />
    </>
  );
}

const TITLE = 20;

/** How a cell differs between the snapshots, while that is shown. */
function changeOf(picture: PanelPicture | undefined, place: PanelPlace | undefined): CellChange | undefined {
  if (picture?.by !== "change" || place === undefined) return undefined;
  const { colour } = picture.panels[place.panel] ?? {};
  return colour && changeOfCode(colour.codes[place.row * colour.width + place.column] ?? 0);
}

interface TitlesProps extends Pick<MapProps, "axes" | "chunk"> {
  readonly layout: PanelLayout;
  readonly slices: PanelSlices;
}

/** Which part of the dimension each panel is. */
function Titles({ layout, slices, axes, chunk }: TitlesProps) {
  if (slices.panels < 2) return null;
  const selected = chunk && slices.placeOf(chunk)?.panel;
  return Array.from({ length: slices.panels }, (_, panel) => {
    const { x, y } = panelCorner(layout, panel);
    const title = panelTitle(slices, axes, panel);
    return (
      <span
        key={panel}
        className={styles.panelTitle}
        data-selected={panel === selected}
        title={title}
        style={{ left: x + MARGIN, top: y - TITLE + MARGIN, width: layout.panel.width }}
      >
        {title}
      </span>
    );
  });
}

interface Handlers extends Pick<Gestures, "onFocus"> {
  readonly onCursor: (place: PanelPlace) => void;
  readonly onHover: (place: PanelPlace | undefined) => void;
  readonly onOpen: (place: PanelPlace) => void;
}

function panelGestures(
  layout: PanelLayout | undefined,
  { panels }: PanelSlices,
  cursor: PanelPlace,
  { onCursor, onHover, onOpen, onFocus }: Handlers,
): Gestures {
  const placeAt = ({ x, y }: Point) => layout && panelCellAt(layout, panels, { x: x - MARGIN, y: y - MARGIN });
  return {
    onPoint: (at) => onHover(at && placeAt(at)),
    onClick: (at) => {
      const place = placeAt(at);
      if (place !== undefined) onOpen(place);
    },
    // Everything is in sight: there is nothing to move or to magnify.
    onGrab: () => () => undefined,
    onWheel: () => false,
    onZoom: () => undefined,
    onFit: () => undefined,
    onKey: (press) => {
      const moved = layout && movedInPanels(layout, panels, cursor, press);
      if (moved !== undefined) onCursor(moved);
      return moved !== undefined;
    },
    onOpen: () => onOpen(cursor),
    onFocus,
  };
}

/** `undefined` where a cell would be smaller than `leastSide`. */
function layoutIn({ width, height }: Area, slices: PanelSlices, leastSide?: number): PanelLayout | undefined {
  const room = { width: width - 2 * MARGIN, height: height - 2 * MARGIN };
  return panelLayout({ ...slices, room, title: slices.panels > 1 ? TITLE : 0 }, leastSide);
}

/** True if all slices fit into about this much room. */
export function fitsAsPanels({ node, state, axes }: Pick<MapProps, "node" | "state" | "axes">, room: Area): boolean {
  return layoutIn(room, panelSlices(node, state.plane, axes)) !== undefined;
}

// The pictures of all slices, asked for together.

const KINDS = 3;

function usePanels({ set, node, colour, scale }: MapProps, slices: PanelSlices, layout: PanelLayout | undefined) {
  const specs = useMemo(() => panelSpecs(node.path, slices, colour), [node.path, slices, colour]);
  const comparison = useAppState(comparedText);
  const keep = `panels ${node.path} ${colour} ${specs.length} ${colour === "change" ? comparison : ""}`;
  const answer = useEngine("table.rasters", { set: set.id, specs }, keep);
  const { data } = answer;
  const panels = useMemo(() => data && panelRasters(data), [data]);
  const picture = useMemo<PanelPicture | undefined>(() => {
    if (panels === undefined || layout === undefined || panels.length !== slices.panels) return undefined;
    const shown = panels.map((one, panel) => {
      const { width } = one.colour;
      const at = (pixel: number) =>
        slices.coordinatesOf({ panel, row: Math.floor(pixel / width), column: pixel % width });
      const raster = colour === "order" ? orderRaster(node, one.colour, at) : { ...one.colour, ...scale };
      return { ...one, colour: raster, names: colour === "order" ? at : undefined };
    });
    const dotted = colour !== "order" && panels.some(({ readings }) => readings.codes.some((code) => code > 0));
    return { layout, panels: shown, by: colour, dotted, shard: slices.shard };
  }, [panels, layout, scale, colour, slices, node]);
  return { picture, ...answer };
}

function panelSpecs(array: string, { panels, rows, columns, plane, through }: PanelSlices, colour: MapColour) {
  return Array.from({ length: panels }, (_, panel) => {
    // The cursor's place on a slice does not change the slice's picture.
    const fixed = plane.at.map((at, dimension) =>
      dimension === through?.dimension ? panel : dimension === plane.row || dimension === plane.column ? 0 : at,
    );
    const spec: Omit<RasterSpec, "colour"> = {
      array,
      rowDimension: plane.row,
      columnDimension: plane.column,
      fixed,
      rows: { from: 0, to: rows.count },
      columns: { from: 0, to: columns.count },
      width: columns.count,
      height: rows.count,
    };
    const colours: RasterColour[] = [colour === "order" ? "length" : colour, "state", "reading"];
    return colours.map((one) => ({ ...spec, colour: one }));
  }).flat();
}

function panelRasters(rasters: readonly Raster[]): readonly PanelRasters[] {
  return Array.from({ length: Math.floor(rasters.length / KINDS) }, (_, at) => {
    const [colour, states, readings] = rasters.slice(at * KINDS, (at + 1) * KINDS) as [Raster, Raster, Raster];
    return { colour, states, readings };
  });
}

// Draws the cells of several slices: a tint, the sign of the state, and what reading gave.

/** One slice, a pixel a cell. */
interface PanelRasters {
  /** Coordinates of each pixel's chunk, where its name is drawn. */
  readonly names?: ((pixel: number) => readonly number[]) | undefined;
  readonly colour: Raster;
  readonly states: Raster;
  readonly readings: Raster;
}

interface PanelPicture {
  readonly layout: PanelLayout;
  readonly panels: readonly PanelRasters[];
  readonly by: MapColour;
  /** Dots on what was not read: once something was. */
  readonly dotted: boolean;
  /** Shards are framed. */
  readonly shard: ShardEdges | undefined;
}

type PanelMark = PlaceMark<PanelPlace>;

const RADIUS = 3;
const WITH_SIGN = 8;

function drawPanels(painter: Painter, { layout, panels, by, dotted, shard }: PanelPicture): void {
  painter.context.translate(MARGIN, MARGIN);
  for (const [panel, rasters] of panels.entries()) {
    const colours = pixelColours(rasters.colour, by, painter.palette);
    const { width, height } = rasters.colour;
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      const box = panelCellBox(layout, { panel, row: Math.floor(pixel / width), column: pixel % width });
      drawCell(painter, box, { rasters, pixel, colour: unpacked(colours[pixel] ?? 0), by, dotted });
    }
    if (shard !== undefined) drawShards(painter, layout, panel, shard);
  }
}

function drawShards({ context, palette }: Painter, layout: PanelLayout, panel: number, shard: ShardEdges): void {
  const { rows, columns } = layout;
  context.strokeStyle = cssColour(palette["--ink-2"]);
  context.lineWidth = 1.5;
  for (const { from: row, to: lastRow } of shardSpans(rows.length, shard.rows)) {
    for (const { from: column, to: lastColumn } of shardSpans(columns.length, shard.columns)) {
      const end = { row: lastRow, column: lastColumn };
      const [one, other] = [panelCellBox(layout, { panel, row, column }), panelCellBox(layout, { panel, ...end })];
      const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
      const width = Math.max(one.x + one.width, other.x + other.width) - x;
      const height = Math.max(one.y + one.height, other.y + other.height) - y;
      context.beginPath();
      context.roundRect(x, y, width, height, RADIUS);
      context.stroke();
    }
  }
}

/** First and last cell of each shard. */
function shardSpans(cells: number, edges: ChunkEdges) {
  return Array.from({ length: countAlong(cells, edges) }, (_, at) => {
    const from = startAlong(edges, at);
    return { from, to: from + declaredExtent(cells, edges, at) - 1 };
  });
}

interface Cell extends Pick<PanelPicture, "by" | "dotted"> {
  readonly rasters: PanelRasters;
  readonly pixel: number;
  readonly colour: Rgb;
}

function drawCell(painter: Painter, box: Box, { rasters, pixel, colour, by, dotted }: Cell): void {
  const { context, palette, ratio } = painter;
  const reading = rasters.readings.codes[pixel] ?? 0;
  if (reading === READ_FAILED && by !== "change") return drawFailedCell(painter, box);
  fillRound(painter, box, cssColour(colour));
  const state = STATES[rasters.states.codes[pixel] ?? 0];
  const sign =
    (by === "change" ? undefined : stateSign(by, rasters.states.codes[pixel] ?? 0)) ?? codeOf(by, rasters, pixel);
  // A pixel more at the right and below: drawn without the gap that maps leave there.
  const whole = { ...box, width: box.width + 1, height: box.height + 1 };
  if (sign !== undefined && Math.min(box.width, box.height) >= WITH_SIGN) drawSign(painter, sign, whole);
  if (rasters.names !== undefined) drawName(painter, box, rasters.names(pixel).join("."), colour);
  const isUnread = dotted && reading === 0 && by !== "change" && state !== "missing" && state !== "unknown";
  if (!isUnread || Math.min(box.width, box.height) < WITH_SIGN) return;
  const dots = { ground: colour, line: contrasting(palette, colour, "--ink-2") };
  fillRound(painter, box, hatch(context, "dotted", dots, ratio));
}

const codeOf = (by: MapColour, { colour }: PanelRasters, pixel: number) => codeSign(by, colour.codes[pixel] ?? 0);

/** The same look as a failed row of the table: red on its tint, with a cross. */
function drawFailedCell(painter: Painter, box: Box): void {
  const { context, palette } = painter;
  fillRound(painter, box, cssColour(palette["--bad-bg"]));
  context.strokeStyle = cssColour(palette["--bad"]);
  context.lineWidth = 1.5;
  context.beginPath();
  context.roundRect(box.x + 0.75, box.y + 0.75, box.width - 1.5, box.height - 1.5, RADIUS);
  const arm = Math.max(1.5, Math.min(4, Math.min(box.width, box.height) / 2 - 2.5));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  context.moveTo(x - arm, y - arm);
  context.lineTo(x + arm, y + arm);
  context.moveTo(x + arm, y - arm);
  context.lineTo(x - arm, y + arm);
  context.stroke();
}

function fillRound({ context }: Painter, { x, y, width, height }: Box, style: string | CanvasPattern): void {
  context.fillStyle = style;
  context.beginPath();
  context.roundRect(x, y, width, height, Math.min(RADIUS, width / 2, height / 2));
  context.fill();
}

function drawPanelMarks(painter: Painter, layout: PanelLayout, marks: readonly PanelMark[]): void {
  painter.context.translate(MARGIN, MARGIN);
  for (const { place, token, thin } of marks) {
    outline(painter.context, panelCellBox(layout, place), painter.palette, token, thin);
  }
}

/** Room around the cells: frames reach over the edge of the outermost. */
const MARGIN = 4;

const unpacked = (colour: number): Rgb => ({ r: colour & 255, g: (colour >> 8) & 255, b: (colour >> 16) & 255 });
