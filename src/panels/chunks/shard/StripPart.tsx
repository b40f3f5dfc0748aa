/** The bytes of the shard, in file order, with what pointer, wheel and keys do. */
import { type ReactNode, type RefObject, useCallback, useMemo, useRef } from "react";
import { ENTRY_STATES, isDamaged, type ShardMap } from "#core/table/shard-map.ts";
import type { Draw } from "#widgets/cell-map/Layers.tsx";
import { MapFrame } from "#widgets/cell-map/MapFrame.tsx";
import { ZoomButtons } from "#widgets/cell-map/ZoomButtons.tsx";
import type { Box, Point } from "#widgets/cell-map/camera.ts";
import { useCanvasSize } from "#widgets/measuring.ts";
import type { Gestures } from "#widgets/cell-map/gestures.ts";
import { cssColour, mixed } from "#widgets/cell-map/palette.ts";
import { hatch, outline, type Painter } from "#widgets/cell-map/signs.ts";
import { useByteSpan } from "#widgets/cell-map/use-byte-span.ts";
import { formatBytes, formatCount } from "#widgets/number-format.ts";
import styles from "./StripPart.module.css";
import { drawName, type MapColour, ramp } from "../cell-colours.ts";
import { firstPlaceAfter, movedInFile, spanOf, stateOf } from "./file-order.ts";
import type { ByteSpan, FileOrder, Tints } from "./file-order.ts";
import { dotted } from "./chunk-sentence.ts";
import { chunkCoordinates, markedChunks } from "./shard-props.ts";
import type { Hover, Marks, ShardArray, ShardPlace } from "./shard-props.ts";
import { byteAt, rectanglesOf, rowTop, stripHeight, stripLayout, stripPoint, stripTicks } from "./strip-layout.ts";
import type { StripLayout } from "./strip-layout.ts";

export interface PartHandlers {
  readonly onCursor: (inner: number) => void;
  readonly onHover: (hover: Hover | undefined) => void;
  /** With the keyboard. */
  readonly onFocus: (focused: boolean) => void;
  /** Called by a click, or by Enter. */
  readonly onSelect: (inner: number) => void;
}

export interface StripPartProps extends StripInput, PartHandlers {
  readonly label: string;
  /** Below, before the zoom. */
  readonly children: ReactNode;
}

export function StripPart(props: StripPartProps) {
  const { label, order, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  const strip = useStrip(props, frame);
  const { size, zoomed, draw, drawMarks } = strip;
  return (
    <section aria-label="Bytes of the shard">
      <MapFrame
        {...{ frame, label, size, zoomed, draw, drawMarks }}
        className={styles.stripFrame}
        height={size.height}
        gestures={stripGestures(props, strip)}
      />
      <div className={styles.below}>
        {children}
        <span className="cut faint size-12 tabular" title={exactSpan(strip.seen)}>
          {seenWords(strip)}
        </span>
        <ZoomButtons
          label="Zoom of the bytes"
          all="Show all bytes"
          {...strip}
          magnifiable={strip.magnifiable && order.ordinals.length > 0}
        />
      </div>
    </section>
  );
}

const exactSpan = ({ from, to }: ByteSpan) => `${formatCount(Math.floor(from))} to ${formatCount(Math.ceil(to))}`;

/** How much one sees, and at what scale, where the ticks do not say it. */
function seenWords({ seen, zoomed, bytesPerPixel, size }: Strip): string {
  const perPixel = bytesPerPixel * size.ratio;
  const scale = perPixel >= 1.5 ? [`1 pixel = ${formatBytes(Math.round(perPixel))}`] : [];
  return [...(zoomed ? [`${formatBytes(Math.round(seen.to - seen.from))} in sight`] : []), ...scale].join(" · ");
}

function stripGestures(props: StripPartProps, strip: Strip): Gestures {
  const { map, order, cursor, onCursor, onHover, onSelect, onFocus } = props;
  return {
    onPoint: (at) => onHover(at && strip.at(at)),
    onClick: (at) => {
      const found = strip.at(at);
      if (found?.kind !== "chunk") return;
      onCursor(found.inner);
      onSelect(found.inner);
    },
    ...strip.gestures,
    onKey: ({ key, ctrl }) => {
      const page = strip.seen.to - strip.seen.from;
      const moved = ctrl ? undefined : movedInFile(map, order, cursor, { key, page, row: page / strip.layout.rows });
      if (moved !== undefined) onCursor(moved);
      return moved !== undefined;
    },
    onOpen: () => onSelect(cursor),
    onFocus,
  };
}

// The strip's state: which bytes are seen, what its pixels show.

export interface StripInput extends Tints {
  readonly map: ShardMap;
  readonly order: FileOrder;
  readonly array: ShardArray;
  readonly shard: ShardPlace;
  readonly cursor: number;
  readonly marks: Marks;
}

function useStrip(input: StripInput, frame: RefObject<HTMLDivElement | null>) {
  const { map, order, cursor } = input;
  const { width, ratio } = useCanvasSize(frame);
  const layout = useMemo(
    () => stripLayout(order.ordinals.length, map.size, width, map.index.offset < map.size / 2),
    [order.ordinals.length, map, width],
  );
  const span = useByteSpan({
    size: map.size,
    least: leastSpan(layout, map.size),
    followed: spanOf(map, cursor),
    subject: map,
    shareAt: (point, seen) => {
      const place = stripPoint(layout, point);
      return place === undefined ? 0.5 : (byteAt(layout, seen, place) - seen.from) / (seen.to - seen.from);
    },
    // A row down is all of a row.
    shareOf: (across, down) => {
      const rows = across / layout.width + (layout.rows > 1 ? down / (layout.rowHeight + layout.gap) : 0);
      return rows / layout.rows;
    },
  });
  const { seen } = span;
  const perRow = Math.max(1, Math.round(layout.width * ratio));
  const pixels = width === 0 ? 0 : layout.rows * perRow;
  const owners = useMemo(() => rasterStrip(map, order, seen, pixels), [map, order, seen, pixels]);
  const drawing = useStripDrawing(input, { layout, seen, owners });
  /** Item at a point of the canvas. */
  const at = (point: Point): Hover | undefined => {
    const place = stripPoint(layout, point);
    if (place === undefined || pixels === 0) return undefined;
    const pixel = place.row * perRow + Math.min(perRow - 1, Math.floor(place.x * ratio));
    const owner = owners[pixel] ?? INDEX;
    if (owner >= 0) return { kind: "chunk", inner: owner };
    if (owner === INDEX) return { kind: "bare", bytes: { from: map.index.offset, to: map.index.offset + 1 } };
    const length = (seen.to - seen.from) / pixels;
    const from = seen.from + pixel * length;
    return { kind: "bare", bytes: { from, to: from + length } };
  };
  const bytesPerPixel = pixels === 0 ? 0 : (seen.to - seen.from) / pixels;
  return { ...span, layout, size: { width, height: stripHeight(layout), ratio }, at, bytesPerPixel, ...drawing };
}

type Shown = Pick<StripPicture, "layout" | "seen" | "owners">;

function useStripDrawing({ map, steps, colour, shard, marks }: StripInput, { layout, seen, owners }: Shown) {
  const draw = useCallback<Draw>(
    (painter) => {
      if (owners.length > 0) drawStrip(painter, { map, layout, seen, owners, steps, colour, shard });
    },
    [map, layout, seen, owners, steps, colour, shard],
  );
  const { selected, cursor: focused, hovered } = marks;
  const drawMarks = useCallback<Draw>(
    (painter) => {
      const shown = markedChunks({ selected, cursor: focused, hovered }).flatMap(({ inner, token }) => {
        const bytes = spanOf(map, inner);
        return bytes === undefined ? [] : [{ bytes, token }];
      });
      drawStripMarks(painter, { layout, seen }, shown);
    },
    [map, layout, seen, selected, focused, hovered],
  );
  return { draw, drawMarks };
}

type Strip = ReturnType<typeof useStrip>;

/** Visible bytes at maximum zoom: about sixteen per row, or all of a smaller shard. */
export const leastSpan = (layout: StripLayout, size: number): number => Math.min(Math.max(1, size), layout.rows * 16);

// Draws the strip of a shard's bytes on a canvas.

interface StripPicture extends Tints {
  readonly map: ShardMap;
  readonly shard: ShardPlace;
  readonly layout: StripLayout;
  readonly seen: ByteSpan;
  /**
   * For each pixel, of all rows one after the other, the ordinal of the chunk shown, or `DEAD`, or `INDEX`: a damaged chunk
   * before all others, else what has the most bytes in it.
   */
  readonly owners: Int32Array<ArrayBuffer>;
}

const LEAST_WITH_EDGE = 4;
/** How far damaged chunks stand out of their row. */
const OUTSTAND = 2;

function drawStrip(painter: Painter, picture: StripPicture): void {
  const fills = fillsOf(painter, picture.colour);
  for (let row = 0; row < picture.layout.rows; row += 1) drawRow(painter, picture, fills, row);
  drawOffsets(painter, picture);
  labelIndex(painter, picture);
  drawEnd(painter, picture);
}

type Fills = ReturnType<typeof fillsOf>;

function fillsOf({ context, palette, ratio }: Painter, colour: MapColour) {
  const dead = { ground: palette["--bg-2"], line: mixed(palette["--bg"], palette["--missing"], 0.55) };
  const index = { ground: palette["--ink-3"], line: palette["--bg-2"] };
  const damaged = { ground: palette["--bad"], line: palette["--bg"] };
  return {
    colours: ramp(colour, palette),
    dead: hatch(context, "slanted", dead, ratio),
    index: hatch(context, "upright", index, ratio),
    damaged: hatch(context, "crossed", damaged, ratio),
    edge: cssColour(palette["--bg"]),
    shared: cssColour(palette["--ink"]),
  };
}

function drawRow(painter: Painter, picture: StripPicture, fills: Fills, row: number): void {
  const { context, ratio } = painter;
  const { owners, layout } = picture;
  const perRow = owners.length / layout.rows;
  const start = row * perRow;
  const y = rowTop(layout, row);
  let from = 0;
  while (from < perRow) {
    const owner = owners[start + from] ?? DEAD;
    let to = from + 1;
    while (to < perRow && owners[start + to] === owner) to += 1;
    const x = layout.gutter + from / ratio;
    const box = { x, y, width: (to - from) / ratio, height: layout.rowHeight };
    if (owner >= 0) drawChunk(painter, picture, fills, box, owner);
    else {
      context.fillStyle = owner === INDEX ? fills.index : fills.dead;
      context.fillRect(box.x, box.y, box.width, box.height);
    }
    from = to;
  }
}

function drawChunk(painter: Painter, { map, shard, steps }: StripPicture, fills: Fills, box: Box, inner: number): void {
  const { context } = painter;
  const { x, y, width, height } = box;
  const state = stateOf(map, inner);
  if (isDamaged(state)) {
    context.fillStyle = fills.damaged;
    context.fillRect(x, y - OUTSTAND, Math.max(width, 3), height + 2 * OUTSTAND);
    return;
  }
  const tint = fills.colours[steps[inner] ?? 0] ?? painter.palette["--bg"];
  context.fillStyle = cssColour(tint);
  context.fillRect(x, y, width, height);
  drawName(painter, box, dotted(chunkCoordinates(shard, map.innerGrid, inner)), tint);
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

/** The first byte of each row, at its left; of a single one bytes below it. */
function drawOffsets({ context, palette }: Painter, { layout, seen, map }: StripPicture): void {
  context.fillStyle = cssColour(palette["--ink-2"]);
  if (layout.rows === 1) {
    const y = rowTop(layout, 0) + layout.rowHeight;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const byte of stripTicks(layout, seen, map.size)) {
      const x = layout.gutter + ((byte - seen.from) / (seen.to - seen.from)) * layout.width;
      context.textAlign = x < layout.gutter + 30 ? "left" : x > layout.gutter + layout.width - 30 ? "right" : "center";
      context.fillRect(Math.min(Math.round(x), layout.gutter + layout.width - 1), y + 1, 1, 4);
      context.fillText(formatCount(byte), x, y + 12);
    }
    return;
  }
  context.font = "11px ui-monospace, 'SF Mono', Menlo, Consolas, monospace";
  context.textAlign = "right";
  context.textBaseline = "middle";
  const perRow = (seen.to - seen.from) / layout.rows;
  for (let row = 0; row < layout.rows; row += 1) {
    const middle = rowTop(layout, row) + layout.rowHeight / 2;
    context.fillText(formatCount(Math.ceil(seen.from + row * perRow)), layout.gutter - 8, middle);
  }
}

/** Labels the index inside it if there is room, else in the band that is kept for it. */
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

interface StripMark {
  readonly bytes: ByteSpan;
  readonly token: "--ink" | "--focus";
}

/** Frames around chunks; an arrow at the side where one lies beyond the bytes seen. */
function drawStripMarks(
  { context, palette }: Painter,
  { layout, seen }: Pick<StripPicture, "layout" | "seen">,
  marks: readonly StripMark[],
): void {
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

// Contents of each pixel of the strip, of which several chunks may share one. Pure.

/** Instead of an ordinal: bytes of no chunk, of the index. */
export const DEAD = -1;
export const INDEX = -2;

const DAMAGED = ENTRY_STATES.map(isDamaged);

/** Returns the owner of each of `pixels` pixels: an inner chunk, `INDEX` or `DEAD`. */
export function rasterStrip(map: ShardMap, order: FileOrder, seen: ByteSpan, pixels: number): StripPicture["owners"] {
  const owners = new Int32Array(pixels).fill(DEAD);
  const length = seen.to - seen.from;
  if (pixels === 0 || length <= 0) return owners;
  const sums = { owners, most: new Float64Array(pixels), used: new Float64Array(pixels), scale: pixels / length };
  for (let place = firstPlaceAfter(order, seen.from); place < order.ordinals.length; place += 1) {
    const inner = order.ordinals[place] ?? 0;
    if ((map.offsets[inner] ?? 0) >= seen.to) break;
    const span = spanOf(map, inner);
    if (span !== undefined) paint(sums, seen, span, inner, DAMAGED[map.codes[inner] ?? 0] === true);
  }
  leaveDead(sums);
  paintIndex(sums, map, seen);
  return owners;
}

interface Sums {
  readonly owners: Int32Array;
  /** Share of the pixel that its owner has; over 1 for damaged ones. */
  readonly most: Float64Array;
  /** Share of the pixel that is used. */
  readonly used: Float64Array;
  /** Pixels a byte. */
  readonly scale: number;
}

/** Damaged entries outbid any other. */
const OUTBID = 2;

function paint({ owners, most, used, scale }: Sums, seen: ByteSpan, span: ByteSpan, inner: number, bad: boolean): void {
  const from = Math.max(0, (span.from - seen.from) * scale);
  const to = Math.min(owners.length, (span.to - seen.from) * scale);
  for (let pixel = Math.floor(from); pixel < to; pixel += 1) {
    const share = Math.min(to, pixel + 1) - Math.max(from, pixel);
    used[pixel] = (used[pixel] ?? 0) + share;
    const bid = bad ? OUTBID + share : share;
    if (bid <= (most[pixel] ?? 0)) continue;
    most[pixel] = bid;
    owners[pixel] = inner;
  }
}

/** Pixels that are more than half dead are shown so, unless a damaged chunk is in them. */
function leaveDead({ owners, most, used }: Sums): void {
  for (let pixel = 0; pixel < owners.length; pixel += 1) {
    if ((used[pixel] ?? 0) < 0.5 && (most[pixel] ?? 0) < OUTBID) owners[pixel] = DEAD;
  }
}

/** The index has at least one pixel. Damaged chunks that reach into it stay in front. */
function paintIndex({ owners, most, scale }: Sums, { index }: ShardMap, seen: ByteSpan): void {
  const from = (index.offset - seen.from) * scale;
  const to = from + index.length * scale;
  if (index.length === 0 || to <= 0 || from >= owners.length) return;
  const first = Math.max(0, Math.min(Math.round(from), Math.ceil(to) - 1, owners.length - 1));
  const end = Math.min(owners.length, Math.max(Math.round(to), first + 1));
  for (let pixel = first; pixel < end; pixel += 1) {
    if ((most[pixel] ?? 0) < OUTBID) owners[pixel] = INDEX;
  }
}
