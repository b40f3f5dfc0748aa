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

/** Where a key leads from `index` of `count` items, around the ends; `undefined` where the key does not move. */
export function movedIndex(key: string, index: number, count: number, axis: Axis): number | undefined {
  if (count === 0) return undefined;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (BACK[axis].includes(key)) return (index - 1 + count) % count;
  if (FORTH[axis].includes(key)) return (index + 1) % count;
  return undefined;
}
