/** Sizes of elements as they are laid out. */
import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from "react";

/** Measures an element when it is laid out, and whenever its size changes. */
export function useMeasuring(ref: RefObject<HTMLElement | null>, measure: (element: HTMLElement) => void): void {
  const onSize = useEffectEvent(measure);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const update = () => onSize(element);
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
}

/** Inner width of an element in CSS pixels, kept up to date; 0 before it is laid out. */
export function useElementWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useMeasuring(element, (measured) => {
    const style = getComputedStyle(measured);
    const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
    setWidth(Math.max(0, Math.floor(measured.clientWidth - padding)));
  });
  return [element, width];
}

/** The same of both sides, padding included. */
export function useElementSize<E extends HTMLElement>() {
  const element = useRef<E>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useMeasuring(element, ({ clientWidth: width, clientHeight: height }) => setSize({ width, height }));
  return [element, size] as readonly [RefObject<E | null>, typeof size];
}

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
