import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState, type KeyboardEvent } from "react";
import { movedIndex } from "./roving.ts";

export interface RovingListOptions {
  readonly count: number;
  /** About, in CSS pixels: items are measured. */
  readonly rowHeight: number;
  /** Lists up to this long are drawn whole, so that the browser's own search finds everything in them. */
  readonly wholeBelow: number;
}

/**
 * A virtualised list of items with buttons, one item of which is in the tab order; arrows move among them. Items have
 * their index as `data-index`.
 */
export function useRovingList({ count, rowHeight, wholeBelow }: RovingListOptions) {
  const box = useRef<HTMLDivElement>(null);
  const [focused, setActive] = useState(0);
  const active = Math.min(focused, count - 1);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by hand, and no compiler runs
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: count <= wholeBelow ? wholeBelow : 12,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const to = movedIndex(event.key, active, count, "vertical");
    if (to === undefined) return;
    event.preventDefault();
    setActive(to);
    virtualizer.scrollToIndex(to);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-index="${to}"] button`)?.focus());
  };
  return { box, virtualizer, active, setActive, onKeyDown };
}
