/** The sign of what is the case with a cell, drawn inside it: colour is never the only sign. */
import type { ChunkState } from "#core/table/reference.ts";
import type { Box } from "./camera.ts";
import { cssColour, mixed, type Palette, type Rgb } from "./palette.ts";

export type Sign =
  /** Lines in a box of 10 by 10, in the background's colour; `ink`: with a line of ink inside. */
  | { readonly kind: "lines"; readonly path: string; readonly ink?: true }
  /** Hatched, with a border: nothing is there. */
  | { readonly kind: "hollow" }
  /** Three dots: not known. */
  | { readonly kind: "dots" }
  /** A red disc with a cross, seen on any colour and in the smallest cell: it failed. */
  | { readonly kind: "failed" };

export const CROSS: Sign = { kind: "lines", path: "M1.6 1.6l6.8 6.8M8.4 1.6l-6.8 6.8" };
export const TICK: Sign = { kind: "lines", path: "M2.1 5l2.2 2.2l3.6-4.4" };
/** Sign for "the same as". */
export const TWO_BARS: Sign = { kind: "lines", path: "M1.4 3.7h7.2M1.4 6.3h7.2", ink: true };
export const HOLLOW: Sign = { kind: "hollow" };
export const FAILED: Sign = { kind: "failed" };

/** The same shapes as in the manifest. `range` is the plain cell. */
export const STATE_SIGNS: Readonly<Record<ChunkState, Sign | undefined>> = {
  range: undefined,
  whole: { kind: "lines", path: "M1.6 1.6h6.8v6.8h-6.8z" },
  inline: { kind: "lines", path: "M5 .9l4.1 4.1l-4.1 4.1l-4.1-4.1z" },
  virtual: { kind: "lines", path: "M3 1.6l4 3.4l-4 3.4" },
  native: { kind: "lines", path: "M5 1.6l3.4 6.8h-6.8z" },
  missing: HOLLOW,
  bad: CROSS,
  unknown: { kind: "dots" },
};

/** Context of drawing. */
export interface Painter {
  readonly context: CanvasRenderingContext2D;
  readonly palette: Palette;
  /** Device pixels in a CSS pixel. */
  readonly ratio: number;
}

export function drawSign(painter: Painter, sign: Sign, cell: Box): void {
  // A pixel at the right and below belongs to the gap between cells.
  const inner = { ...cell, width: cell.width - 1, height: cell.height - 1 };
  if (sign.kind === "lines") drawLines(painter, sign, inner);
  else if (sign.kind === "hollow") drawHollow(painter, inner);
  else if (sign.kind === "dots") drawDots(painter, inner);
  else drawFailed(painter, inner);
}

const paths = new Map<string, Path2D>();

function pathOf(text: string): Path2D {
  const known = paths.get(text) ?? new Path2D(text);
  paths.set(text, known);
  return known;
}

const BOX = 10;
/** Share of the cell that a sign takes, and its largest side. */
const SHARE = 0.7;
const MAX_SIDE = 32;

function drawLines(
  { context, palette }: Painter,
  { path, ink }: Extract<Sign, { readonly kind: "lines" }>,
  { x, y, width, height }: Box,
): void {
  const side = Math.min(width * SHARE, height * SHARE, MAX_SIDE);
  const unit = BOX / side;
  const thick = Math.max(1.5 * unit, 1.4);
  context.save();
  context.translate(x + (width - side) / 2, y + (height - side) / 2);
  context.scale(1 / unit, 1 / unit);
  context.strokeStyle = cssColour(palette["--bg"]);
  context.lineWidth = ink === true ? thick + 2 * unit : thick;
  context.stroke(pathOf(path));
  if (ink === true) {
    context.strokeStyle = cssColour(palette["--ink"]);
    context.lineWidth = thick;
    context.stroke(pathOf(path));
  }
  context.restore();
}

function drawHollow({ context, palette, ratio }: Painter, { x, y, width, height }: Box): void {
  const line = mixed(palette["--bg"], palette["--missing"], 0.65);
  context.fillStyle = hatch(context, "slanted", { ground: palette["--bg"], line }, ratio);
  context.fillRect(x, y, width, height);
  context.strokeStyle = cssColour(line);
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
}

function drawDots({ context, palette }: Painter, { x, y, width, height }: Box): void {
  const side = Math.max(1, Math.min(width / 9, height / 9, 4));
  context.fillStyle = cssColour(palette["--missing"]);
  for (const step of [-1, 0, 1]) {
    context.fillRect(x + (width - side) / 2 + step * 2 * side, y + (height - side) / 2, side, side);
  }
}

function drawFailed({ context, palette }: Painter, { x, y, width, height }: Box): void {
  const side = Math.max(5, Math.min(14, Math.min(width, height) * 0.62));
  const unit = side / BOX;
  context.save();
  context.translate(x + (width - side) / 2, y + (height - side) / 2);
  context.scale(unit, unit);
  context.fillStyle = cssColour(palette["--bad"]);
  context.strokeStyle = cssColour(palette["--bg"]);
  context.lineWidth = 1.25;
  const disc = pathOf("M5 0a5 5 0 1 1 0 10a5 5 0 1 1 0-10z");
  context.stroke(disc);
  context.fill(disc);
  // The ring stays outside the smallest cells, so that enough red is left.
  if (side >= 8) {
    context.stroke(disc);
    context.stroke(pathOf("M3 3l4 4M7 3l-4 4"));
  }
  context.restore();
}

// Patterns and lines that tell things apart without colour.

/**
 * Slanted lines: nothing is there. Crossed: it is damaged. Upright: something else, as the index of a shard. Dotted: it
 * was not read.
 */
export type HatchKind = "slanted" | "crossed" | "upright" | "dotted";

export interface HatchColours {
  readonly ground: Rgb;
  readonly line: Rgb;
}

/** Signs by kind, colours and size: every drawing asks for them. Themes and screens are few. */
const made = new Map<string, CanvasPattern | string>();

export function hatch(
  context: CanvasRenderingContext2D,
  kind: HatchKind,
  colours: HatchColours,
  ratio: number,
): CanvasPattern | string {
  const name = `${kind} ${cssColour(colours.ground)} ${cssColour(colours.line)} ${ratio}`;
  const known = made.get(name) ?? pattern(context, tileOf(kind, colours, ratio), ratio);
  made.set(name, known);
  return known;
}

/** Pixels after which it repeats. */
const SIDES: Readonly<Record<HatchKind, number>> = { slanted: 6, crossed: 6, upright: 4, dotted: 11 };

/** A tile to repeat. */
function tileOf(kind: HatchKind, colours: HatchColours, ratio: number): HTMLCanvasElement {
  const side = Math.round(SIDES[kind] * ratio);
  const tile = document.createElement("canvas");
  tile.width = side;
  tile.height = side;
  const draw = tile.getContext("2d");
  if (draw === null) return tile;
  draw.fillStyle = cssColour(colours.ground);
  draw.fillRect(0, 0, side, side);
  draw.strokeStyle = cssColour(colours.line);
  draw.lineWidth = ratio;
  if (kind === "dotted") {
    draw.fillStyle = cssColour(colours.line);
    draw.fillRect(Math.round(side / 2), Math.round(side / 2), 1.5 * ratio, 1.5 * ratio);
    return tile;
  }
  draw.beginPath();
  if (kind === "upright") {
    draw.moveTo(side / 2, 0);
    draw.lineTo(side / 2, side);
  } else {
    // Beyond the tile too, so that its corners join.
    for (const shift of [-side, 0, side]) {
      draw.moveTo(shift, side);
      draw.lineTo(shift + side, 0);
      if (kind !== "crossed") continue;
      draw.moveTo(shift, 0);
      draw.lineTo(shift + side, side);
    }
  }
  draw.stroke();
  return tile;
}

/** Drawn in device pixels, whatever the scale of the context. */
function pattern(context: CanvasRenderingContext2D, tile: HTMLCanvasElement, ratio: number): CanvasPattern | string {
  const made = context.createPattern(tile, "repeat");
  made?.setTransform(new DOMMatrix([1 / ratio, 0, 0, 1 / ratio, 0, 0]));
  return made ?? "";
}

/** Two lines, one in the background's colour, so that it is seen on any ground. Narrow things get a wider frame. */
export function outline(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Box,
  palette: Palette,
  token: "--ink" | "--focus",
  thin = false,
): void {
  const LEAST = 7;
  const growX = Math.max(0, LEAST - width) / 2;
  const growY = Math.max(0, LEAST - height) / 2;
  const frame = [x - growX, y - growY, width + 2 * growX, height + 2 * growY] as const;
  context.strokeStyle = cssColour(palette["--bg"]);
  context.lineWidth = thin ? 3 : 5;
  context.strokeRect(...frame);
  context.strokeStyle = cssColour(palette[token]);
  context.lineWidth = thin ? 1 : 2.5;
  context.strokeRect(...frame);
}
