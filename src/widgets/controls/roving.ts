/** Keyboard movement among items of which one is in the tab order (WAI-ARIA Authoring Practices, "roving tabindex"). */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useRef, useState } from "react";

export type Axis = "horizontal" | "vertical" | "both";

const BACK: Readonly<Record<Axis, readonly string[]>> = {
  horizontal: ["ArrowLeft"],
  vertical: ["ArrowUp"],
  both: ["ArrowLeft", "ArrowUp"],
};
const FORTH: Readonly<Record<Axis, readonly string[]>> = {
  horizontal: ["ArrowRight"],
  vertical: ["ArrowDown"],
  both: ["ArrowRight", "ArrowDown"],
};

/** Index to which a key leads from `index` of `count` items, around the ends; `undefined` if the key does not move. */
export function movedIndex(key: string, index: number, count: number, axis: Axis): number | undefined {
  if (count === 0) return undefined;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (BACK[axis].includes(key)) return (index - 1 + count) % count;
  if (FORTH[axis].includes(key)) return (index + 1) % count;
  return undefined;
}

/**
 * Row to which a key leads from row `at`, not around the ends; `undefined` if it does not move. Page keys go `page`
 * rows.
 */
function movedRow({ key, ctrl }: Press, at: number, rows: number, page: number): number | undefined {
  const targets: ReadonlyMap<string, number> = new Map([
    ["ArrowDown", ctrl ? rows - 1 : at + 1],
    ["ArrowUp", ctrl ? 0 : at - 1],
    ["PageDown", at + page],
    ["PageUp", at - page],
    ["Home", 0],
    ["End", rows - 1],
  ]);
  const to = targets.get(key);
  return to === undefined ? undefined : Math.max(0, Math.min(to, rows - 1));
}

export interface Press {
  readonly key: string;
  /** Ctrl, or ⌘ on a Mac. */
  readonly ctrl: boolean;
}

/** The item that an item of a tree lies in, of the rows that are visible. */
export function parentIndex(rows: readonly { readonly level: number }[], index: number): number | undefined {
  const level = rows[index]?.level ?? 1;
  for (let at = index - 1; at >= 0; at -= 1) if ((rows[at]?.level ?? 0) < level) return at;
  return undefined;
}

/** Keys in a tree (WAI-ARIA Authoring Practices, "Tree View"): from the visible rows and a place to an action. */
export type TreeAction =
  | { readonly kind: "focus"; readonly index: number }
  | { readonly kind: "expand"; readonly paths: readonly string[] }
  | { readonly kind: "collapse"; readonly path: string }
  | { readonly kind: "select"; readonly path: string };

interface Row {
  readonly level: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
}

interface TreeOptions<R> {
  /** Rows a page key moves by. */
  readonly page: number;
  readonly pathOf: (row: R) => string;
}

export function actionOfKey<R extends Row>(
  key: string,
  rows: readonly R[],
  index: number,
  { page, pathOf }: TreeOptions<R>,
): TreeAction | undefined {
  const row = rows[index];
  if (row === undefined) return undefined;
  const moved = movedRow({ key, ctrl: false }, index, rows.length, page);
  if (moved !== undefined) return { kind: "focus", index: moved };
  switch (key) {
    case "ArrowRight":
      if (!row.expandable) return undefined;
      return row.expanded ? { kind: "focus", index: index + 1 } : { kind: "expand", paths: [pathOf(row)] };
    case "ArrowLeft": {
      if (row.expanded) return { kind: "collapse", path: pathOf(row) };
      const parent = parentIndex(rows, index);
      return parent === undefined ? undefined : { kind: "focus", index: parent };
    }
    case "*":
      return { kind: "expand", paths: siblingsToExpand(rows, index).map(pathOf) };
    case "Enter":
    case " ":
      return { kind: "select", path: pathOf(row) };
    default:
      return undefined;
  }
}

function siblingsToExpand<R extends Row>(rows: readonly R[], index: number): readonly R[] {
  const level = rows[index]?.level ?? 1;
  let first = index;
  while (first > 0 && (rows[first - 1]?.level ?? 0) >= level) first -= 1;
  const end = rows.findIndex((row, at) => at >= first && row.level < level);
  const siblings = rows.slice(first, end < 0 ? rows.length : end);
  return siblings.filter((row) => row.level === level && row.expandable && !row.expanded);
}

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
