/** The picture as a file: what is on the screen, with its name above and its colours below. */
import { colormapTable, COLORMAP_SIZE, type Colormap } from "../../widgets/colormap.ts";

export interface PictureWords {
  /** "sst, sea surface temperature (°C)" and "2026-01-03 · ocean.json". */
  readonly title: string;
  readonly subtitle: string;
  readonly colormap: Colormap;
  readonly low: string;
  readonly high: string;
}

const TOP = 52;
const BOTTOM = 48;
const SIDE = 16;

/** `map`: the canvas that the slice is drawn on, axes included; `style`: of an element that has the page's colours. */
export function pictureFile(map: HTMLCanvasElement, style: CSSStyleDeclaration, words: PictureWords): Promise<Blob> {
  const ratio = map.width / Math.max(1, map.clientWidth);
  const [width, height] = [map.clientWidth + 2 * SIDE, map.clientHeight + TOP + BOTTOM];
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  if (context === null) return Promise.reject(new Error("The browser gives no canvas to draw on."));
  context.scale(ratio, ratio);
  context.fillStyle = background(style);
  context.fillRect(0, 0, width, height);
  context.drawImage(map, SIDE, TOP, map.clientWidth, map.clientHeight);
  context.fillStyle = style.color;
  context.font = "600 15px system-ui, sans-serif";
  context.fillText(words.title, SIDE, 22, width - 2 * SIDE);
  context.font = "12px system-ui, sans-serif";
  context.fillText(words.subtitle, SIDE, 40, width - 2 * SIDE);
  drawRamp(context, words, { left: SIDE, top: height - BOTTOM + 12, width: Math.min(320, width - 2 * SIDE) });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error("The browser made no picture of the canvas."));
      else resolve(blob);
    });
  });
}

/** The first ground that is not transparent. */
function background(style: CSSStyleDeclaration): string {
  const own = style.backgroundColor;
  return own === "" || own === "rgba(0, 0, 0, 0)" ? getComputedStyle(document.body).backgroundColor : own;
}

interface Ramp {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

function drawRamp(
  context: CanvasRenderingContext2D,
  { colormap, low, high }: PictureWords,
  { left, top, width }: Ramp,
): void {
  const table = colormapTable(colormap);
  const ink = context.fillStyle;
  for (let at = 0; at < width; at += 1) {
    const colour = Math.round((at / (width - 1)) * (COLORMAP_SIZE - 1)) * 3;
    context.fillStyle = `rgb(${table[colour] ?? 0} ${table[colour + 1] ?? 0} ${table[colour + 2] ?? 0})`;
    context.fillRect(left + at, top, 1, 10);
  }
  context.fillStyle = ink;
  context.fillText(low, left, top + 26);
  context.textAlign = "right";
  context.fillText(high, left + width, top + 26);
}
