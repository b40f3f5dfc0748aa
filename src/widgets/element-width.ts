import { useRef, useState, type RefObject } from "react";
import { useMeasuring } from "./use-measuring.ts";

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
