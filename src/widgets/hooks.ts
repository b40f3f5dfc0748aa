import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";

/** The tree is a sheet, and targets are for fingers; the style sheets say the same. */
export const SMALL = "(max-width: 760px)";

/** Words are for fingers. */
export const useTouch = (): boolean => useMediaQuery("(pointer: coarse)");

/** True while a media query holds. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}

/** Acts on a value once it has stayed the same for so long; not at all without a number of milliseconds. */
export function useDelayed<T>(value: T, milliseconds: number | undefined, act: (value: T) => void): void {
  const onTime = useEffectEvent(act);
  useEffect(() => {
    if (milliseconds === undefined) return undefined;
    const timer = setTimeout(() => onTime(value), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds, value]);
}

/** Which of several things are opened, and what opens or closes one. */
export function useToggles<Key>(): readonly [opened: ReadonlySet<Key>, toggle: (key: Key) => void] {
  const [opened, setOpened] = useState<ReadonlySet<Key>>(new Set());
  const toggle = (key: Key) => {
    const changed = new Set(opened);
    if (!changed.delete(key)) changed.add(key);
    setOpened(changed);
  };
  return [opened, toggle];
}
