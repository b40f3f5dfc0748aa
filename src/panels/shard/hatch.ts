/** Patterns and lines that tell things apart without colour. */
import { cssColour, type Rgb } from "../../widgets/canvas-colours.ts";
import type { Rectangle } from "./strip-layout.ts";

export type HatchKind = "dead" | "index" | "damaged" | "empty";

/** A repeating tile: slanted lines for dead bytes and empty chunks, upright ones for the index, crossed for damage. */
export function hatch(
  context: CanvasRenderingContext2D,
  kind: HatchKind,
  colours: { readonly ground: Rgb; readonly line: Rgb },
  ratio: number,
): CanvasPattern | string {
  const side = Math.round((kind === "index" ? 4 : 6) * ratio);
  const tile = document.createElement("canvas");
  tile.width = side;
  tile.height = side;
  const draw = tile.getContext("2d");
  if (draw === null) return cssColour(colours.ground);
  draw.fillStyle = cssColour(colours.ground);
  draw.fillRect(0, 0, side, side);
  draw.strokeStyle = cssColour(colours.line);
  draw.lineWidth = ratio;
  draw.beginPath();
  if (kind === "index") {
    draw.moveTo(side / 2, 0);
    draw.lineTo(side / 2, side);
  } else {
    // Beyond the tile too, so that its corners join.
    for (const shift of [-side, 0, side]) {
      draw.moveTo(shift, side);
      draw.lineTo(shift + side, 0);
      if (kind !== "damaged") continue;
      draw.moveTo(shift, 0);
      draw.lineTo(shift + side, side);
    }
  }
  draw.stroke();
  return pattern(context, tile, ratio);
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
  { x, y, width, height }: Rectangle,
  ground: Rgb,
  line: Rgb,
): void {
  const LEAST = 7;
  const growX = Math.max(0, LEAST - width) / 2;
  const growY = Math.max(0, LEAST - height) / 2;
  const frame = [x - growX, y - growY, width + 2 * growX, height + 2 * growY] as const;
  context.strokeStyle = cssColour(ground);
  context.lineWidth = 5;
  context.strokeRect(...frame);
  context.strokeStyle = cssColour(line);
  context.lineWidth = 2.5;
  context.strokeRect(...frame);
}
