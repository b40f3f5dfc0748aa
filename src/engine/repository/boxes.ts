/** Boxes of chunks: what part of an array's grid a manifest is asked for. */
import type { Extents } from "#formats/icechunk/index.ts";

/** A box of an array's grid; dimensions without extents are whole. Empty where a manifest holds nothing of the array. */
export const boxOf = (grid: readonly number[], extents: Extents): Extents =>
  grid.map((length, axis) => {
    const { from, to } = extents[axis] ?? { from: 0, to: length };
    return { from: Math.min(from, length), to: Math.max(Math.min(from, length), Math.min(to, length)) };
  });

export const meet = (one: Extents, other: Extents): boolean =>
  one.every((range, axis) => {
    const { from, to } = other[axis] ?? range;
    return Math.max(range.from, from) < Math.min(range.to, to);
  });
