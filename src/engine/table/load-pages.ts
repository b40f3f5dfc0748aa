/** Fetches pages of references that are missing: all, or as many as a check may. */
import type { CallContext } from "#core/byte-source.ts";
import { failure, nodeAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ArrayPages } from "./array-pages.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { isCoordinate } from "#core/metadata/hierarchy-path.ts";

/** Requests that one press of a button may cause. */
const MAX_PAGES = 200_000;

/** Requests that a check may cause beside what it says that it costs. */
const MAX_BESIDE = 10_000;

/**
 * References that are not here, for a check: as many as it may fetch first; the others stay unknown, and said to be.
 */
export async function loadForCheck(set: EngineSet, which: WhichPages, context: CallContext): Promise<void> {
  if (which.sampleOf === undefined && pagesLeft(set, which.path).rest <= MAX_BESIDE)
    await loadRest(set, which.path, context);
  else await loadPlanned(pagesForCheck(set, which), context);
  await set.refresh(context);
}

/** Chunks whose references a check of all would fetch first. */
export function chunksFetched(set: EngineSet): number {
  const { unknown } = set.tally.states;
  if (pagesLeft(set, "").rest <= MAX_BESIDE) return unknown;
  const planned = pagesForCheck(set, { path: "" });
  const cells = planned.flatMap(({ of, pages }) => pages.map((page) => of.pages.cellsOf(page)));
  return Math.min(
    unknown,
    cells.reduce((sum, one) => sum + one, 0),
  );
}

const pagesForCheck = (set: EngineSet, which: WhichPages) => plannedPages(set, which, MAX_BESIDE, () => 1);

/** Requests that a look unasked may take, each with as many references; of more they count for more. */
const MAX_UNASKED = 64;
const FEW_REFERENCES = 2000;

/** Weight of fetching a page. */
export const pageWeight = (of: ArrayPages, page: number): number => Math.ceil(of.pages.cellsOf(page) / FEW_REFERENCES);

/** Unasked, as far as it costs little. The answer: how many requests that took. */
export async function loadUnasked(set: EngineSet, context: CallContext): Promise<number> {
  if (set.index.paged.size === 0) return 0;
  const planned = plannedPages(set, { path: "" }, MAX_UNASKED, pageWeight);
  await loadPlanned(planned, context);
  await set.refresh(context);
  return planned.reduce((sum, { pages }) => sum + pages.length, 0);
}

function pagesLeft({ index }: EngineSet, path: string) {
  const within = [...index.paged].filter(([id]) => {
    const at = index.table.arrays[id]?.path ?? "";
    return path === "" || at === path || at.startsWith(`${path}/`);
  });
  return { within, rest: within.reduce((sum, [, { pages, loaded }]) => sum + pages.count - loaded, 0) };
}

/** Throws `too-many-pages`. */
export async function loadRest(set: EngineSet, path: string, context: CallContext): Promise<void> {
  const { within, rest } = pagesLeft(set, path);
  if (rest > MAX_PAGES)
    throw failure("too-many-pages", path === "" ? WHOLE_SET : nodeAt(path), { requests: rest, limit: MAX_PAGES });
  for (const [, pages] of within) await pages.load(pages.rest(), context);
}

/**
 * Which pages of references are fetched where not all can be: those of coordinates first, a part of each other array.
 */
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
function plannedPages(
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

/** Picks at most `count` unloaded pages of at most `room` in weight, spread as evenly as possible. */
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

async function loadPlanned(planned: readonly PagesOfArray[], context: CallContext): Promise<void> {
  for (const { of, pages } of planned) await of.load(pages, context);
}
