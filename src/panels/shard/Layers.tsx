/** Two canvases one over the other: what is costly to draw below, the frames that follow the pointer above. */
import { useLayoutEffect, useRef } from "react";
import type { CanvasSize } from "../../widgets/canvas-size.ts";
import { readColours, useThemeName } from "../../widgets/canvas-colours.ts";
import { TOKENS, type Palette } from "./chunk-colours.ts";
import styles from "./ShardPanel.module.css";

export type Draw = (context: CanvasRenderingContext2D, palette: Palette) => void;

export interface LayersProps {
  readonly size: CanvasSize;
  /** Called whenever it is another function: memoise it. */
  readonly draw: Draw;
  readonly drawMarks: Draw;
}

export function Layers({ size, draw, drawMarks }: LayersProps) {
  return (
    <>
      <Layer size={size} draw={draw} />
      <Layer size={size} draw={drawMarks} />
    </>
  );
}

function Layer({ size: { width, height, ratio }, draw }: { readonly size: CanvasSize; readonly draw: Draw }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useThemeName();
  const painted = useRef<{ readonly palette: Palette; readonly theme: string }>(undefined);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (element === null || context === null || context === undefined || width === 0) return;
    if (painted.current?.theme !== theme) {
      painted.current = { theme, palette: readColours(element.parentElement ?? element, TOKENS) };
    }
    draw(context, painted.current.palette);
  }, [draw, theme, width]);
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
