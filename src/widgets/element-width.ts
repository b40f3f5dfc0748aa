import { useLayoutEffect, useRef, useState, type RefObject } from "react";

/** Inner width of an element in CSS pixels, kept up to date; 0 before it is laid out. */
export function useElementWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return undefined;
    const measure = () => {
      const style = getComputedStyle(measured);
      const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
      setWidth(Math.max(0, Math.floor(measured.clientWidth - padding)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => {
      observer.disconnect();
    };
  }, []);
  return [element, width];
}
