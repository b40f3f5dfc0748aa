/** Keyboard movement among items of which one is in the tab order (WAI-ARIA Authoring Practices, "roving tabindex"). */

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
export function movedRow({ key, ctrl }: Press, at: number, rows: number, page: number): number | undefined {
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
