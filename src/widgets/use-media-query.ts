import { useSyncExternalStore } from "react";

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
