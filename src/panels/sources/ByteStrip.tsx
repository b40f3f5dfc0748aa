/** The bytes of a target as a strip, with what pointer, wheel and keys do. */
import { type ReactNode, type RefObject, useCallback, useMemo, useRef } from "react";
import { STRIP_KINDS } from "#core/check/sources.ts";
import type { SourceDetail, SourceRange, SourceStrip, StripKind } from "#core/check/sources.ts";
import { useEngine } from "#store/react.tsx";
import type { Draw } from "#widgets/cell-map/Layers.tsx";
import { MapFrame } from "#widgets/cell-map/MapFrame.tsx";
import { ZoomButtons } from "#widgets/cell-map/ZoomButtons.tsx";
import { type ByteSpan, useByteSpan } from "#widgets/cell-map/use-byte-span.ts";
import type { Point } from "#widgets/cell-map/camera.ts";
import { type CanvasSize, useCanvasSize } from "#widgets/measuring.ts";
import type { Gestures } from "#widgets/cell-map/gestures.ts";
import { cssColour, distinctColour, mixed } from "#widgets/cell-map/palette.ts";
import { hatch, outline, type Painter } from "#widgets/cell-map/signs.ts";
import { formatBytes, formatCount } from "#widgets/number-format.ts";
import styles from "./BytesTab.module.css";
import { spanText } from "./source-words.ts";

export interface ByteStripProps extends ByteStripInput {
  readonly describedBy: string;
  /** A byte that was pointed at and clicked. */
  readonly onByte: (byte: number) => void;
  /** Moves to another range: by a number of ranges, or to the first or last. */
  readonly onStep: (step: number | "first" | "last") => void;
  /** Goes to the chunk of the range. */
  readonly onOpen: () => void;
  /** Beside the zoom. */
  readonly children: ReactNode;
}

export function ByteStrip(props: ByteStripProps) {
  const { detail, describedBy, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  const strip = useByteStrip(props, frame);
  const { size, zoomed, draw, drawMarks } = strip;
  return (
    <div className={styles.strip}>
      <div className={styles.stripHead}>
        <span className="quiet figures">{seenWords(strip, detail.extent)}</span>
        {children}
        <ZoomButtons label="Zoom of the bytes" all="Show all bytes" {...strip} />
      </div>
      <MapFrame
        {...{ frame, describedBy, size, zoomed, draw, drawMarks }}
        label="Bytes of the source. Arrow keys step from range to range, Enter goes to the chunk, plus and minus zoom."
        roleDescription="strip of bytes"
        className="full"
        height={STRIP_HEIGHT}
        gestures={gesturesOf(props, strip)}
      />
    </div>
  );
}

function seenWords({ seen, zoomed, perPixel }: ByteStripState, extent: number): string {
  const scale = perPixel >= 1.5 ? ` · 1 pixel = ${formatBytes(Math.round(perPixel))}` : "";
  const what = zoomed ? spanText(Math.floor(seen.from), Math.ceil(seen.to)) : `all ${formatBytes(extent)}`;
  return `${what}${scale}`;
}

const STEPS: ReadonlyMap<string, number | "first" | "last"> = new Map<string, number | "first" | "last">([
  ["ArrowRight", 1],
  ["ArrowDown", 1],
  ["ArrowLeft", -1],
  ["ArrowUp", -1],
  ["PageDown", 20],
  ["PageUp", -20],
  ["Home", "first"],
  ["End", "last"],
]);

function gesturesOf({ onByte, onStep, onOpen }: ByteStripProps, strip: ByteStripState): Gestures {
  return {
    onPoint: () => undefined,
    onClick: (at) => onByte(strip.byteAt(at)),
    ...strip.gestures,
    onKey: ({ key, ctrl }) => {
      const step = ctrl ? undefined : STEPS.get(key);
      if (step !== undefined) onStep(step);
      return step !== undefined;
    },
    onOpen,
    onFocus: () => undefined,
  };
}

// The strip's state: which bytes are seen, and what its pixels show.

/** Bytes seen at the most magnification. */
const LEAST = 32;

interface ByteStripInput {
  readonly set: number;
  readonly detail: SourceDetail;
  /** The range that keys are at. */
  readonly current: SourceRange | undefined;
  /** The bytes that were asked for. */
  readonly asked: ByteSpan | undefined;
}

function useByteStrip({ set, detail, current, asked }: ByteStripInput, frame: RefObject<HTMLDivElement | null>) {
  const { width, ratio } = useCanvasSize(frame);
  const pixels = Math.round(width * ratio);
  const { target, extent, size: end } = detail;
  const span = useByteSpan({
    size: extent,
    least: Math.min(extent, LEAST),
    followed: asked ?? current,
    subject: target,
    shareAt: ({ x }) => (width === 0 ? 0.5 : x / width),
    shareOf: (across) => across / Math.max(1, width),
  });
  const { seen } = span;
  const from = Math.floor(seen.from);
  const to = Math.ceil(seen.to);
  const request = pixels === 0 ? undefined : { set, target, from, to, pixels };
  const strip = useEngine("sources.strip", request, `sources.strip ${target}`).last?.data;
  const size = useMemo(() => ({ width, height: STRIP_HEIGHT, ratio }), [width, ratio]);
  const draw = useCallback<Draw>((painter) => drawBytes(painter, { strip, seen, size, end }), [strip, seen, size, end]);
  const drawMarks = useCallback<Draw>(
    (painter) => {
      const marks = [
        ...(current === undefined ? [] : [{ bytes: current, token: "--focus" as const }]),
        ...(asked === undefined ? [] : [{ bytes: asked, token: "--ink" as const }]),
      ];
      drawBytesMarks(painter, { seen, size }, marks);
    },
    [current, asked, seen, size],
  );
  const perPixel = width === 0 ? 0 : (seen.to - seen.from) / width;
  return {
    ...span,
    size,
    draw,
    drawMarks,
    byteAt: ({ x }: Point): number => Math.max(0, Math.min(extent - 1, Math.floor(seen.from + x * perPixel))),
    perPixel,
  };
}

type ByteStripState = ReturnType<typeof useByteStrip>;

// Draws the bytes of a target on a canvas: a strip with ticks below.

const STRIP_HEIGHT = 64;
const TOP = 6;
const BAR = 36;
/** Height of the line below the bytes that marks problems. */
const SIGN = 5;

interface BytesPicture {
  /** Absent until it is here; then of bytes that may be others than are seen. */
  readonly strip: SourceStrip | undefined;
  readonly seen: ByteSpan;
  readonly size: CanvasSize;
  /** Bytes of the target, where known. */
  readonly end: number | undefined;
}

/** From bytes to CSS pixels. */
function stripScale({ seen, size }: Pick<BytesPicture, "seen" | "size">): (byte: number) => number {
  const perByte = size.width / Math.max(1, seen.to - seen.from);
  return (byte) => (byte - seen.from) * perByte;
}

function drawBytes(painter: Painter, picture: BytesPicture): void {
  const { context, palette, ratio } = painter;
  const { size, strip } = picture;
  const bare = { ground: palette["--bg-2"], line: mixed(palette["--bg"], palette["--missing"], 0.55) };
  context.fillStyle = hatch(context, "slanted", bare, ratio);
  context.fillRect(0, TOP, size.width, BAR);
  if (strip !== undefined) {
    drawRuns(painter, picture, strip);
    drawEdges(painter, picture, strip);
    drawSigns(painter, picture, strip);
  }
  drawEnd(painter, picture);
  drawTicks(painter, picture);
}

type See = (pixel: number, left: number, right: number) => void;

/** Runs of pixels that are alike, with where they lie in CSS pixels. */
function eachRun(
  picture: BytesPicture,
  strip: SourceStrip,
  isAlike: (one: number, other: number) => boolean,
  see: See,
) {
  const at = stripScale(picture);
  const { length } = strip.kinds;
  const byteOf = (pixel: number) => strip.from + (pixel * (strip.to - strip.from)) / Math.max(1, length);
  for (let from = 0; from < length;) {
    let to = from + 1;
    while (to < length && isAlike(from, to)) to += 1;
    const [left, right] = [at(byteOf(from)), at(byteOf(to))];
    if (right > 0 && left < picture.size.width) see(from, left, right);
    from = to;
  }
}

const kindAt = ({ kinds }: SourceStrip, pixel: number): StripKind => STRIP_KINDS[kinds[pixel] ?? 0] ?? "unclaimed";

function drawRuns({ context, palette }: Painter, picture: BytesPicture, strip: SourceStrip): void {
  const { shares, owners } = strip;
  const isAlike = (one: number, other: number) => owners[one] === owners[other] && shares[one] === shares[other];
  eachRun(picture, strip, isAlike, (pixel, left, right) => {
    if (shares[pixel] === 0) return;
    // A pixel shared with unreferenced bytes is paler; never so pale as to vanish.
    const share = 0.4 + (0.6 * (shares[pixel] ?? 255)) / 255;
    const colour = distinctColour(palette, (owners[pixel] ?? 1) - 1);
    context.fillStyle = cssColour(mixed(palette["--bg"], colour, share));
    context.fillRect(left, TOP, right - left, BAR);
  });
}

/** Edges nearer to each other say nothing. */
const LEAST_BETWEEN = 5;

function drawEdges({ context, palette }: Painter, picture: BytesPicture, strip: SourceStrip): void {
  const { begins } = strip;
  const at = stripScale(picture);
  context.fillStyle = cssColour(palette["--bg"]);
  let before = Number.NEGATIVE_INFINITY;
  for (let pixel = 0; pixel < begins.length; pixel += 1) {
    if (begins[pixel] === 0) continue;
    const x = at(strip.from + (pixel * (strip.to - strip.from)) / begins.length);
    if (x - before >= LEAST_BETWEEN) context.fillRect(x, TOP, 1, BAR);
    before = x;
  }
}

/** Smallest size at which a fault stays visible, however few bytes it is. */
const LEAST_SIGN = 4;

function drawSigns({ context, palette, ratio }: Painter, picture: BytesPicture, strip: SourceStrip): void {
  const past = hatch(context, "crossed", { ground: palette["--bad"], line: palette["--bg"] }, ratio);
  const isAlike = (one: number, other: number) => strip.kinds[one] === strip.kinds[other];
  eachRun(picture, strip, isAlike, (pixel, left, right) => {
    const kind = kindAt(strip, pixel);
    const width = Math.max(right - left, LEAST_SIGN);
    if (kind === "past-end") {
      context.fillStyle = past;
      context.fillRect(Math.min(left, picture.size.width - width), TOP, width, BAR);
      return;
    }
    if (kind !== "overlap" && kind !== "shared") return;
    context.fillStyle = cssColour(palette["--bg"]);
    context.fillRect(left, TOP + BAR - SIGN - 1.5, width, SIGN + 1.5);
    context.fillStyle = cssColour(palette[kind === "overlap" ? "--warn" : "--ink"]);
    context.fillRect(left, TOP + BAR - SIGN, width, SIGN);
  });
}

/** Draws the end of the target, if there are ranges beyond. */
function drawEnd({ context, palette }: Painter, picture: BytesPicture): void {
  const { end, seen, size } = picture;
  if (end === undefined || end <= seen.from || end >= seen.to) return;
  const x = stripScale(picture)(end);
  context.fillStyle = cssColour(palette["--bad"]);
  context.fillRect(x - 1, TOP - 4, 2, BAR + 8);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "top";
  context.textAlign = x > size.width / 2 ? "right" : "left";
  context.fillText("end", x + (x > size.width / 2 ? -4 : 4), TOP + BAR + 6);
}

const TICK_WIDTH = 130;

/** Offsets below, as many as there is room for. */
function drawTicks({ context, palette }: Painter, { seen, size }: BytesPicture): void {
  context.fillStyle = cssColour(palette["--ink-2"]);
  context.font = "11px ui-monospace, 'SF Mono', Menlo, Consolas, monospace";
  context.textBaseline = "top";
  const ticks = Math.max(1, Math.floor(size.width / TICK_WIDTH));
  for (let tick = 0; tick <= ticks; tick += 1) {
    const byte = Math.round(seen.from + ((seen.to - seen.from) * tick) / ticks);
    const x = (size.width * tick) / ticks;
    context.textAlign = tick === 0 ? "left" : tick === ticks ? "right" : "center";
    context.fillText(formatCount(byte), x, TOP + BAR + 6);
  }
}

/** Frames around ranges. */
function drawBytesMarks(
  { context, palette }: Painter,
  picture: Pick<BytesPicture, "seen" | "size">,
  marks: readonly { readonly bytes: ByteSpan; readonly token: "--ink" | "--focus" }[],
): void {
  const { size } = picture;
  const at = stripScale(picture);
  for (const { bytes, token } of marks) {
    const [left, right] = [Math.max(-4, at(bytes.from)), Math.min(size.width + 4, at(bytes.to))];
    if (right < 0 || left > size.width) continue;
    outline(context, { x: left, y: TOP, width: Math.max(1, right - left), height: BAR }, palette, token);
  }
}
