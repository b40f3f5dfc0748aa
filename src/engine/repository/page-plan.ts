/**
 * Which chunks of an array are in which page: a page is a manifest, where each manifest has a box of chunks of its own;
 * else all manifests are one page, since of two that hold the same chunk the first counts. Chunks in no manifest's box
 * are missing without asking: they are a last page, with nothing in it.
 */
import { cellCount, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { isWithin, type Extents, type ManifestRef } from "#formats/icechunk/index.ts";

export interface PlannedPage {
  /** Manifests in the order of precedence; none: no chunk of the page is in any manifest. */
  readonly manifests: readonly ManifestRef[];
  readonly cells: number;
}

export interface PagePlan {
  readonly pages: readonly PlannedPage[];
  readonly pageOf: (ordinal: number) => number;
  /** Ordinals of the chunks in a page. */
  readonly visit: (page: number, see: (ordinal: number) => void) => void;
}

/** More are not compared with each other, which costs the square of their number. */
const MAX_COMPARED = 8192;

/** `grid`: chunks along each dimension. */
export function planPages(grid: readonly number[], manifests: readonly ManifestRef[]): PagePlan {
  const cells = cellCount(grid);
  const boxes = manifests.map(({ extents }) => boxOf(grid, extents));
  if (manifests.length > MAX_COMPARED || overlap(boxes)) {
    return {
      pages: [{ manifests, cells }],
      pageOf: () => 0,
      visit: (_page, see) => visitBox(grid, wholeOf(grid), see),
    };
  }
  const pages = manifests.map((manifest, index) => ({ manifests: [manifest], cells: cellsIn(boxes[index] ?? []) }));
  const rest = cells - pages.reduce((sum, page) => sum + page.cells, 0);
  const pageOf = pageFinder(grid, manifests);
  return {
    pages: rest === 0 ? pages : [...pages, { manifests: [], cells: rest }],
    pageOf,
    visit(page, see) {
      const box = boxes[page];
      if (box !== undefined) visitBox(grid, box, see);
      else for (let ordinal = 0; ordinal < cells; ordinal += 1) if (pageOf(ordinal) === page) see(ordinal);
    },
  };
}

/** Plans a page for each manifest, if nothing tells which chunks exist. */
export function pageEach(manifests: readonly ManifestRef[]): PagePlan {
  const pages = manifests.map((manifest) => ({ manifests: [manifest], cells: 0 }));
  return { pages, pageOf: () => 0, visit: () => undefined };
}

const wholeOf = (grid: readonly number[]): Extents => grid.map((to) => ({ from: 0, to }));

/** Visits a box in C order. */
function visitBox(grid: readonly number[], box: Extents, see: (ordinal: number) => void): void {
  const visit = (axis: number, ordinal: number): void => {
    const range = box[axis];
    if (range === undefined) return see(ordinal);
    for (let at = range.from; at < range.to; at += 1) visit(axis + 1, ordinal * (grid[axis] ?? 1) + at);
  };
  visit(0, 0);
}

const cellsIn = (box: Extents): number => box.reduce((product, { from, to }) => product * (to - from), 1);

function overlap(boxes: readonly Extents[]): boolean {
  return boxes.some((one, index) => {
    for (let other = 0; other < index; other += 1) if (meet(one, boxes[other] ?? [])) return true;
    return false;
  });
}

/** Neighbours lie mostly in the same page: that of the last one is asked first. */
function pageFinder(grid: readonly number[], manifests: readonly ManifestRef[]): (ordinal: number) => number {
  let last = 0;
  return (ordinal) => {
    const at = coordinatesOf(grid, ordinal);
    if (isWithin(manifests[last]?.extents ?? [], at)) return last;
    const found = manifests.findIndex(({ extents }) => isWithin(extents, at));
    if (found < 0) return manifests.length;
    last = found;
    return found;
  };
}

// Boxes of chunks: what part of an array's grid a manifest is asked for.

/**
 * A box of an array's grid; dimensions without extents are whole. Empty where a manifest holds nothing of the array.
 */
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

/** The smallest box with all these ordinals of the grid. */
export function boxAround(grid: readonly number[], ordinals: Iterable<number>): Extents {
  const box = grid.map((to) => ({ from: to, to: 0 }));
  for (const ordinal of ordinals) {
    for (const [axis, cell] of coordinatesOf(grid, ordinal).entries()) {
      const range = box[axis];
      if (range === undefined) continue;
      range.from = Math.min(range.from, cell);
      range.to = Math.max(range.to, cell + 1);
    }
  }
  return box;
}

export const sameRef = ({ id, extents }: ManifestRef): string => `${id} ${JSON.stringify(extents)}`;
