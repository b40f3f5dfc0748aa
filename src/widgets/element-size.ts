import { useRef, useState, type RefObject } from "react";
import { useMeasuring } from "./use-measuring.ts";

/** Inner size of an element in CSS pixels, kept up to date; 0 before it is laid out. */
export function useElementSize<E extends HTMLElement>() {
  const element = useRef<E>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useMeasuring(element, ({ clientWidth: width, clientHeight: height }) => setSize({ width, height }));
  return [element, size] as readonly [RefObject<E | null>, typeof size];
}
