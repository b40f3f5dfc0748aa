/** Draws the cells of several slices: a tint, the sign of the state, and what reading gave. */
import { type ChunkEdges, countAlong, declaredExtent, startAlong } from "../../../core/chunk-edges.ts";
import type { Raster, RasterColour } from "../../../core/open-set.ts";
import { STATES } from "../../../core/reference.ts";
import type { Box } from "../../../widgets/cell-map/camera.ts";
import { hatch, outline } from "../../../widgets/cell-map/hatch.ts";
import { cssColour, type Palette, type Rgb } from "../../../widgets/cell-map/palette.ts";
import { drawSign, type Painter } from "../../../widgets/cell-map/signs.ts";
import { pixelColours } from "./cell-colours.ts";
import { codeSign, READ_FAILED, stateSign } from "./grid-picture.ts";
import type { ShardEdges } from "./panel-slices.ts";
import { panelCellBox, type PanelLayout, type PanelPlace } from "./panel-layout.ts";

/** One slice, a pixel a cell. */
export interface PanelRasters {
  readonly colour: Raster;
  readonly states: Raster;
  readonly readings: Raster;
}

export interface PanelPicture {
  readonly layout: PanelLayout;
  readonly panels: readonly PanelRasters[];
  readonly by: RasterColour;
  /** Dots on what was not read: once something was. */
  readonly dotted: boolean;
  /** Shards are framed. */
  readonly shard: ShardEdges | undefined;
}

export interface PanelMark {
  readonly place: PanelPlace;
  readonly token: "--ink" | "--focus";
  readonly thin?: boolean;
}

const RADIUS = 3;
const WITH_SIGN = 8;

export function drawPanels(painter: Painter, { layout, panels, by, dotted, shard }: PanelPicture): void {
  start(painter);
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

interface Cell {
  readonly rasters: PanelRasters;
  readonly pixel: number;
  readonly colour: Rgb;
  readonly by: RasterColour;
  readonly dotted: boolean;
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
  const isUnread = dotted && reading === 0 && by !== "change" && state !== "missing" && state !== "unknown";
  if (!isUnread || Math.min(box.width, box.height) < WITH_SIGN) return;
  const dots = { ground: colour, line: contrasting(palette, colour) };
  fillRound(painter, box, hatch(context, "dotted", dots, ratio));
}

const codeOf = (by: RasterColour, { colour }: PanelRasters, pixel: number) => codeSign(by, colour.codes[pixel] ?? 0);

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

export function drawPanelMarks(painter: Painter, layout: PanelLayout, marks: readonly PanelMark[]): void {
  start(painter);
  for (const { place, token, thin } of marks) {
    outline(painter.context, panelCellBox(layout, place), painter.palette, token, thin);
  }
}

function start({ context, ratio }: Painter): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  // Frames reach over the edge of the outermost cells.
  context.translate(MARGIN, MARGIN);
}

/** Room around the cells for frames. */
export const MARGIN = 4;

const unpacked = (colour: number): Rgb => ({ r: colour & 255, g: (colour >> 8) & 255, b: (colour >> 16) & 255 });

/** Seen on the tint whatever it is. */
function contrasting(palette: Palette, { r, g, b }: Rgb): Rgb {
  const light = (rgb: Rgb) => 0.3 * rgb.r + 0.59 * rgb.g + 0.11 * rgb.b;
  const [ink, bg] = [palette["--ink-2"], palette["--bg"]];
  const tint = light({ r, g, b });
  return Math.abs(light(ink) - tint) > Math.abs(light(bg) - tint) ? ink : bg;
}
