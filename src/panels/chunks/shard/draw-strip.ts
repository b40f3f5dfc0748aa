/** Draws the strip of a shard's bytes on a canvas. */
import { isDamaged, type ShardMap } from "../../../core/shard-map.ts";
import type { Box } from "../../../widgets/cell-map/camera.ts";
import type { CanvasSize } from "../../../widgets/cell-map/canvas-size.ts";
import { hatch, outline } from "../../../widgets/cell-map/hatch.ts";
import { cssColour, isDark, mixed } from "../../../widgets/cell-map/palette.ts";
import type { Painter } from "../../../widgets/cell-map/signs.ts";
import { formatCount } from "../../../widgets/number-format.ts";
import { ramp } from "./chunk-colours.ts";
import { stateOf, type ByteSpan } from "./file-order.ts";
import { rectanglesOf, rowTop, type StripLayout } from "./strip-layout.ts";
import { DEAD, INDEX, type StripRaster } from "./strip-raster.ts";

export interface StripPicture {
  readonly map: ShardMap;
  readonly layout: StripLayout;
  readonly seen: ByteSpan;
  readonly size: CanvasSize;
  readonly raster: StripRaster;
  /** Steps of the ramp by ordinal. */
  readonly steps: Uint8Array;
}

const LEAST_WITH_EDGE = 4;
/** How far damaged chunks stand out of their row. */
const OUTSTAND = 2;

export function drawStrip(painter: Painter, picture: StripPicture): void {
  const { context, ratio } = painter;
  const { size, layout } = picture;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  const fills = fillsOf(painter);
  for (let row = 0; row < layout.rows; row += 1) drawRow(context, picture, fills, row);
  drawOffsets(painter, picture);
  labelIndex(painter, picture);
  drawEnd(painter, picture);
}

interface Fills {
  readonly colours: readonly string[];
  readonly dead: CanvasPattern | string;
  readonly index: CanvasPattern | string;
  readonly damaged: CanvasPattern | string;
  readonly edge: string;
  readonly shared: string;
}

function fillsOf({ context, palette, ratio }: Painter): Fills {
  const dead = { ground: palette["--bg-2"], line: mixed(palette["--bg"], palette["--missing"], 0.55) };
  const index = { ground: palette["--ink-3"], line: palette["--bg-2"] };
  const damaged = { ground: palette["--bad"], line: palette["--bg"] };
  return {
    colours: ramp(isDark(palette)).map((colour) => cssColour(colour)),
    dead: hatch(context, "slanted", dead, ratio),
    index: hatch(context, "upright", index, ratio),
    damaged: hatch(context, "crossed", damaged, ratio),
    edge: cssColour(palette["--bg"]),
    shared: cssColour(palette["--ink"]),
  };
}

function drawRow(context: CanvasRenderingContext2D, picture: StripPicture, fills: Fills, row: number): void {
  const { raster, layout, size } = picture;
  const perRow = raster.pixels / layout.rows;
  const start = row * perRow;
  const y = rowTop(layout, row);
  let from = 0;
  while (from < perRow) {
    const owner = raster.owners[start + from] ?? DEAD;
    let to = from + 1;
    while (to < perRow && raster.owners[start + to] === owner) to += 1;
    const x = layout.gutter + from / size.ratio;
    const box = { x, y, width: (to - from) / size.ratio, height: layout.rowHeight };
    if (owner < 0) drawBare(context, fills, box, owner);
    else drawChunk(context, picture, fills, box, owner);
    from = to;
  }
}

function drawBare(context: CanvasRenderingContext2D, fills: Fills, { x, y, width, height }: Box, owner: number) {
  context.fillStyle = owner === INDEX ? fills.index : fills.dead;
  context.fillRect(x, y, width, height);
}

function drawChunk(
  context: CanvasRenderingContext2D,
  { map, steps }: StripPicture,
  fills: Fills,
  { x, y, width, height }: Box,
  inner: number,
): void {
  const state = stateOf(map, inner);
  if (isDamaged(state)) {
    context.fillStyle = fills.damaged;
    context.fillRect(x, y - OUTSTAND, Math.max(width, 3), height + 2 * OUTSTAND);
    return;
  }
  context.fillStyle = fills.colours[steps[inner] ?? 0] ?? fills.edge;
  context.fillRect(x, y, width, height);
  if (state === "shared") {
    context.fillStyle = fills.edge;
    context.fillRect(x, y + height - 5, width, 1.5);
    context.fillStyle = fills.shared;
    context.fillRect(x, y + height - 3.5, width, 3.5);
  }
  if (width < LEAST_WITH_EDGE) return;
  context.fillStyle = fills.edge;
  context.fillRect(x + width - 1, y, 1, height);
}

/** The first byte of each row, at its left. */
function drawOffsets({ context, palette }: Painter, { layout, seen }: StripPicture): void {
  context.fillStyle = cssColour(palette["--ink-2"]);
  context.font = "11px ui-monospace, 'SF Mono', Menlo, Consolas, monospace";
  context.textAlign = "right";
  context.textBaseline = "middle";
  const perRow = (seen.to - seen.from) / layout.rows;
  for (let row = 0; row < layout.rows; row += 1) {
    const middle = rowTop(layout, row) + layout.rowHeight / 2;
    context.fillText(formatCount(Math.ceil(seen.from + row * perRow)), layout.gutter - 8, middle);
  }
}

/** In the index where there is room, else in the band that is kept for it. */
function labelIndex({ context, palette }: Painter, { map, layout, seen }: StripPicture): void {
  const { offset, length } = map.index;
  const boxes = rectanglesOf(layout, seen, { from: offset, to: offset + length });
  const box = boxes.reduce<Box | undefined>(
    (widest, one) => (widest === undefined || one.width > widest.width ? one : widest),
    undefined,
  );
  if (box === undefined) return;
  const TEXT_WIDTH = 32;
  const inside = box.width >= TEXT_WIDTH + 12;
  const y = inside ? box.y + box.height / 2 : layout.above > 0 ? box.y - 8 : box.y + box.height + 9;
  const least = layout.gutter + TEXT_WIDTH / 2;
  const x = Math.max(least, Math.min(box.x + box.width / 2, layout.gutter + layout.width - TEXT_WIDTH / 2));
  context.font = "600 11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  if (inside) {
    context.fillStyle = cssColour(palette["--bg"]);
    context.fillRect(x - TEXT_WIDTH / 2 - 3, y - 7, TEXT_WIDTH + 6, 14);
  }
  context.fillStyle = cssColour(palette["--ink-2"]);
  context.fillText("index", x, y);
}

/** A mark at the last byte where entries reach past it. */
function drawEnd({ context, palette }: Painter, { map, layout, seen }: StripPicture): void {
  if (seen.to < map.size || !map.faults.some(({ fault }) => fault === "past-end")) return;
  const x = layout.gutter + layout.width + 1;
  const y = rowTop(layout, layout.rows - 1) + layout.rowHeight / 2;
  context.fillStyle = cssColour(palette["--bad"]);
  context.beginPath();
  context.moveTo(x, y - 6);
  context.lineTo(x + 6, y);
  context.lineTo(x, y + 6);
  context.fill();
}

export interface StripMark {
  readonly bytes: ByteSpan;
  readonly token: "--ink" | "--focus";
}

/** Frames around chunks; an arrow at the side where one lies beyond the bytes seen. */
export function drawStripMarks(
  { context, palette, ratio }: Painter,
  { layout, seen, size }: Pick<StripPicture, "layout" | "seen" | "size">,
  marks: readonly StripMark[],
): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  for (const { bytes, token } of marks) {
    for (const box of rectanglesOf(layout, seen, bytes)) outline(context, box, palette, token);
    if (bytes.to <= seen.from) arrow(context, layout, cssColour(palette[token]), "before");
    else if (bytes.from >= seen.to) arrow(context, layout, cssColour(palette[token]), "after");
  }
}

function arrow(context: CanvasRenderingContext2D, layout: StripLayout, colour: string, side: "before" | "after"): void {
  const y = rowTop(layout, side === "before" ? 0 : layout.rows - 1) + layout.rowHeight / 2;
  const tip = side === "before" ? layout.gutter - 7 : layout.gutter + layout.width + 7;
  const base = side === "before" ? tip + 7 : tip - 7;
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(tip, y);
  context.lineTo(base, y - 8);
  context.lineTo(base, y + 8);
  context.closePath();
  context.fill();
}
