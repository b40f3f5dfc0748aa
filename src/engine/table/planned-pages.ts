/** Which pages of references are fetched where not all can be: those of coordinates first, a part of each other array. */
import type { CallContext } from "#core/byte-source.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { isCoordinate } from "#core/metadata/coordinate-nodes.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ArrayPages } from "./array-pages.ts";

export interface WhichPages {
  /** Path of the array, or of the group above it; "" is all. */
  readonly path: string;
  /** How many chunks of an array are wanted, given their total; absent: all. */
  readonly sampleOf?: (node: ArrayNode, cells: number) => number;
}

interface PagesOfArray {
  readonly of: ArrayPages;
  readonly pages: readonly number[];
}

interface Wanted {
  readonly of: ArrayPages;
  readonly isCoordinate: boolean;
  /** Pages that are wanted, where there is room. */
  readonly count: number;
}

/** Pages of which a page is looked for that is not here. */
const MAX_STEPS = 200_000;

/** `room`: what all may weigh; no page weighs less than 1. */
export function plannedPages(
  { index, hierarchy, table }: EngineSet,
  { path, sampleOf }: WhichPages,
  room: number,
  weightOf: (of: ArrayPages, page: number) => number,
): readonly PagesOfArray[] {
  const wanted = [...index.paged].flatMap(([id, of]): readonly Wanted[] => {
    const { path: at = "" } = table.arrays[id] ?? {};
    const node = hierarchy.nodes.get(at);
    if (node?.kind !== "array" || !(path === "" || at === path || at.startsWith(`${path}/`))) return [];
    const cells = (table.arrays[id]?.grid ?? []).reduce((product, count) => product * count, 1);
    const chunks = sampleOf?.(node, cells) ?? cells;
    const count = Math.min(of.pages.count - of.loaded, chunks >= cells ? Infinity : chunks);
    return count <= 0 ? [] : [{ of, isCoordinate: isCoordinate(node), count }];
  });
  const order = wanted.toSorted(
    (one, other) => Number(other.isCoordinate) - Number(one.isCoordinate) || one.count - other.count,
  );
  let left = room;
  return order.map(({ of, isCoordinate, count }, at) => {
    const part = isCoordinate ? left : Math.floor(left / (order.length - at));
    const pages = spread(of, Math.min(count, part), part, weightOf);
    left -= pages.reduce((sum, page) => sum + Math.max(1, weightOf(of, page)), 0);
    return { of, pages };
  });
}

/** So many that are not here, as evenly as can be. */
function spread(
  of: ArrayPages,
  count: number,
  room: number,
  weightOf: (of: ArrayPages, page: number) => number,
): readonly number[] {
  const found = new Set<number>();
  const all = of.pages.count;
  let weight = 0;
  const take = (page: number): void => {
    const own = Math.max(1, weightOf(of, page));
    if (found.size >= count || weight + own > room || found.has(page) || of.stateOf(page) === "loaded") return;
    found.add(page);
    weight += own;
  };
  if (count < all) for (let at = 0; at < count; at += 1) take(Math.floor(((at + 0.5) * all) / count));
  for (let page = 0; page < Math.min(all, MAX_STEPS) && found.size < count; page += 1) take(page);
  return [...found].toSorted((a, b) => a - b);
}

export async function loadPlanned(planned: readonly PagesOfArray[], context: CallContext): Promise<void> {
  for (const { of, pages } of planned) await of.load(pages, context);
}
