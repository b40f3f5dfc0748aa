import { useEffectEvent, useLayoutEffect, type RefObject } from "react";

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
