import { useState, type RefObject } from "react";
import { useMeasuring } from "../use-measuring.ts";

export interface CanvasSize {
  /** Size in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels in a CSS pixel. */
  readonly ratio: number;
}

/** The size that a canvas is laid out with, kept up to date; 0 by 0 before. */
export function useCanvasSize(ref: RefObject<HTMLElement | null>): CanvasSize {
  const [size, setSize] = useState<CanvasSize>({ width: 0, height: 0, ratio: 1 });
  useMeasuring(ref, ({ clientWidth: width, clientHeight: height }) =>
    setSize({ width, height, ratio: window.devicePixelRatio }),
  );
  return size;
}
