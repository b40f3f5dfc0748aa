/** Canvases one over the other: what is costly to draw below, the frames that follow the pointer above. */
import { useLayoutEffect, useRef } from "react";
import type { CanvasSize } from "../measuring.ts";
import { type Palette, readPalette, useThemeName } from "./palette.ts";
import type { Painter } from "./signs.ts";
import styles from "./MapFrame.module.css";

/** Draws on a canvas that is empty; its context counts in CSS pixels. */
export type Draw = (painter: Painter) => void;

export interface LayersProps {
  readonly size: CanvasSize;
  /** Called whenever it is another function: memoise it. */
  readonly draw: Draw;
  /** Between the two, where there is such a thing: it stays while the picture below becomes another. */
  readonly drawOver?: Draw | undefined;
  readonly drawMarks: Draw;
}

export function Layers({ size, draw, drawOver, drawMarks }: LayersProps) {
  return (
    <>
      <Layer size={size} draw={draw} />
      {drawOver === undefined ? null : <Layer size={size} draw={drawOver} />}
      <Layer size={size} draw={drawMarks} />
    </>
  );
}

function Layer({ size: { width, height, ratio }, draw }: { readonly size: CanvasSize; readonly draw: Draw }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useThemeName();
  const read = useRef<{ readonly palette: Palette; readonly theme: string }>(undefined);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (element === null || context === null || context === undefined || width === 0) return;
    if (read.current?.theme !== theme) read.current = { theme, palette: readPalette(element.parentElement ?? element) };
    context.resetTransform();
    context.clearRect(0, 0, element.width, element.height);
    context.scale(ratio, ratio);
    draw({ context, palette: read.current.palette, ratio });
  }, [draw, theme, width, ratio]);
  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      className={styles.layer}
      style={{ width, height }}
      width={Math.round(width * ratio)}
      height={Math.round(height * ratio)}
    />
  );
}
