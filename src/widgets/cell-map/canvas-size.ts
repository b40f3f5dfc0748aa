import { useLayoutEffect, useState, type RefObject } from "react";

export interface CanvasSize {
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels in a CSS pixel. */
  readonly ratio: number;
}

/** The size that a canvas is laid out with, kept up to date; 0 by 0 before. */
export function useCanvasSize(ref: RefObject<HTMLElement | null>): CanvasSize {
  const [size, setSize] = useState<CanvasSize>({ width: 0, height: 0, ratio: 1 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize({ width, height, ratio: window.devicePixelRatio });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [ref]);
  return size;
}
