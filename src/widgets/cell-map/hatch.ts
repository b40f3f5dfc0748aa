/** Patterns and lines that tell things apart without colour. */
import type { Box } from "./camera.ts";
import { cssColour, type Palette, type Rgb } from "./palette.ts";

/**
 * Slanted lines: nothing is there. Crossed: it is damaged. Upright: something else, as the index of a shard. Dotted: it
 * was not read.
 */
export type HatchKind = "slanted" | "crossed" | "upright" | "dotted";

export interface HatchColours {
  readonly ground: Rgb;
  readonly line: Rgb;
}

/** By kind, colours and size: they are asked for with every drawing. Themes and screens are few. */
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
