/** Saves the picture on the screen: in the colours of the page, with a title above. */

interface PictureWords {
  /** "sst, sea surface temperature (°C)" and "2026-01-03 · ocean.json". */
  readonly title: string;
  readonly subtitle: string;
}

export const SIDE = 16;

/** `style`: of an element that has the page's colours. `draw`: below the title, in CSS pixels. */
export function pictureFile(
  { width, height, ratio }: Readonly<Record<"width" | "height" | "ratio", number>>,
  { title, subtitle }: PictureWords,
  style: CSSStyleDeclaration,
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<Blob> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const context = canvas.getContext("2d");
  if (context === null) return Promise.reject(new Error("The browser provides no canvas to draw on."));
  context.scale(ratio, ratio);
  context.fillStyle = background(style);
  context.fillRect(0, 0, width, height);
  context.fillStyle = style.color;
  context.font = "600 15px system-ui, sans-serif";
  context.fillText(title, SIDE, 22, width - 2 * SIDE);
  context.font = "12px system-ui, sans-serif";
  context.fillText(subtitle, SIDE, 40, width - 2 * SIDE);
  draw(context);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The browser made no picture.")) : resolve(blob)));
  });
}

/** The first ground that is not transparent. */
function background({ backgroundColor: own }: CSSStyleDeclaration): string {
  return own === "" || own === "rgba(0, 0, 0, 0)" ? getComputedStyle(document.body).backgroundColor : own;
}
