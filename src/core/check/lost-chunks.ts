/**
 * Which chunks cannot be read, or are wrong, as far as errors name them: a chunk counts once, however many causes it
 * has.
 */
import { nodePathOf } from "../metadata/hierarchy-path.ts";
import { groupedBy } from "../basics.ts";
import { type ArrayExtent, chunkIn, type Finding, nodeOf } from "../findings/fact.ts";
import type { SaidFinding } from "../findings/explained.ts";
import { outOfReach } from "../findings/out-of-reach.ts";
import { type ChunkEdges, declaredExtent, startAlong } from "../metadata/chunk-grid.ts";

/**
 * Kinds of loss: chunks that cannot be read, or whose values are not theirs. `unreached`: their sources gave nothing.
 */
export type Loss = "unread" | "wrong" | "unreached";

/** Sizes of an array's grid, as far as known. */
export interface ArraySizes {
  /** Chunks that it should have. */
  readonly cells?: number | undefined;
  readonly shape?: readonly number[] | undefined;
  readonly chunks?: readonly ChunkEdges[] | undefined;
}

export type SizesOf = (array: string) => ArraySizes | undefined;

/** A source that gave nothing, whether it is missing or could not be asked, shows no loss. */
function isOfLoss({ found, said, failing }: Weighable, loss: Loss): boolean {
  const isOut = outOfReach(found) !== undefined;
  if (isOut || loss === "unreached") return isOut && loss === "unreached";
  return (
    said?.severity === "error" && (said.holds !== undefined && failing === undefined ? "wrong" : "unread") === loss
  );
}

interface Lost {
  /** Chunks that are named: their coordinates by their names. */
  readonly named: Map<string, readonly number[]>;
  /** Those that were only counted, and their elements. */
  unnamed: number;
  elements: number;
}

/** Chunks of the others are out of reach, which is no failure of theirs. */
export const failures = <T extends Pick<SaidFinding, "found">>(findings: readonly T[]): readonly T[] =>
  findings.filter(({ found }) => outOfReach(found) === undefined);

/** Chunks by array. */
export function lostChunks(findings: readonly Weighable[], loss: Loss = "unread"): ReadonlyMap<string, number> {
  return new Map([...lostIn(findings, loss)].map(([array, { named, unnamed }]) => [array, named.size + unnamed]));
}

/** Shares of arrays: by elements, where their shapes are known, since chunks at an edge hold fewer. */
export function lostShares(
  findings: readonly SaidFinding[],
  sizesOf: SizesOf,
  loss: Loss,
): ReadonlyMap<string, number> {
  return new Map(
    [...lostIn(findings, loss, sizesOf)].map(([array, { named, unnamed, elements }]) => {
      const sizes = sizesOf(array);
      const of = elementsOf(sizes);
      if (of === undefined) return [array, shareIn(named.size + unnamed, sizes)];
      const known = [...named.values()].reduce((sum, at) => sum + elementsIn(sizes, at), 0);
      return [array, Math.min(1, (known + elements) / of)];
    }),
  );
}

const shareIn = (chunks: number, sizes: ArraySizes | undefined): number =>
  Math.min(1, chunks / Math.max(1, sizes?.cells ?? chunks));

function lostIn(findings: readonly Weighable[], loss: Loss, sizesOf?: SizesOf): ReadonlyMap<string, Lost> {
  const all = new Map<string, Lost>();
  for (const one of findings) {
    if (!isOfLoss(one, loss)) continue;
    for (const { array, chunks, names, box } of reachOf(narrowed(one))) {
      const lost = all.get(array) ?? { named: new Map(), unnamed: 0, elements: 0 };
      all.set(array, lost);
      const more = Math.max(0, chunks - names.size);
      if (more > 0 && sizesOf !== undefined) lost.elements += unnamedElements(sizesOf(array), { names, more, box });
      lost.unnamed += more;
      for (const [name, at] of names) lost.named.set(name, at);
    }
  }
  return all;
}

/**
 * All elements of a box that is full, without those of the chunks that are named in it; else as many as chunks have on
 * average.
 */
function unnamedElements(
  sizes: ArraySizes | undefined,
  { names, more, box }: { readonly more: number } & Pick<Reach, "names" | "box">,
): number {
  const { shape, chunks, cells = 0 } = sizes ?? {};
  const of = elementsOf(sizes);
  if (of === undefined || shape === undefined || chunks === undefined) return 0;
  const cellsInBox = box?.from.reduce((product, from, axis) => product * ((box.to[axis] ?? from) - from + 1), 1);
  if (box === undefined || cellsInBox !== more + names.size) return (more * of) / Math.max(1, cells);
  const inBox = box.from.reduce((product, from, axis) => {
    const [length, edges] = [shape[axis] ?? 1, chunks[axis] ?? 1];
    const end = Math.min(length, startAlong(edges, (box.to[axis] ?? from) + 1));
    return product * Math.max(0, end - startAlong(edges, from));
  }, 1);
  return inBox - [...names.values()].reduce((sum, at) => sum + elementsIn(sizes, at), 0);
}

/** `undefined` where the shape is not known, or it has none. */
function elementsOf({ shape, chunks }: ArraySizes = {}): number | undefined {
  const of = shape?.reduce((product, length) => product * length, 1) ?? 0;
  return chunks === undefined || of === 0 ? undefined : of;
}

function elementsIn({ shape = [], chunks = [] }: ArraySizes = {}, at: readonly number[]): number {
  return shape.reduce((product, length, axis) => product * declaredExtent(length, chunks[axis] ?? 1, at[axis] ?? 0), 1);
}

export type Weighable = Pick<SaidFinding, "found" | "failing"> & Partial<Pick<SaidFinding, "said">>;

/** Share of the array that loses most by it; 0 if it names none. */
export function shareOf(one: Weighable, sizesOf: SizesOf): number {
  const { elements } = (one.failing === undefined ? one.said : undefined) ?? {};
  const all = elements === Infinity ? Infinity : elementsOf(sizesOf(nodeOf(one.found.place) ?? ""));
  if (elements !== undefined && all !== undefined) return elements === Infinity ? 1 : Math.min(1, elements / all);
  const reaching = narrowed(one);
  const shares = reachOf(reaching).map(({ array, chunks, names, box }) => {
    const sizes = sizesOf(array);
    const of = elementsOf(sizes);
    if (of === undefined) return chunks / Math.max(1, sizes?.cells ?? Infinity);
    const more = Math.max(0, chunks - names.size);
    const named = [...names.values()].reduce((sum, at) => sum + elementsIn(sizes, at), 0);
    return (named + (more > 0 ? unnamedElements(sizes, { names, more, box }) : 0)) / of;
  });
  const keys = (reaching.places ?? [reaching.place]).flatMap((at) => (at.kind === "key" ? [at.key] : []));
  const byArray = groupedBy(keys, (key) => arrayAbove(key, sizesOf));
  const keyed = [...byArray].map(([array, own]) => own.length / Math.max(1, sizesOf(array)?.cells ?? Infinity));
  return Math.min(1, Math.max(0, ...shares, ...keyed));
}

/** To the chunks that are known to fail. */
function narrowed({ found, failing }: Weighable): Reaching {
  const [place = found.place] = failing ?? [];
  return failing === undefined ? found : { place, places: failing };
}

/**
 * The deepest array that a key lies below: its chunks may be written with `/`. Where there is none, what the key says.
 */
export function arrayAbove(key: string, known: (path: string) => unknown): string {
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
    const path = key.slice(0, end);
    if (known(path) !== undefined) return path;
  }
  return nodePathOf(key);
}

interface Reach {
  readonly array: string;
  readonly chunks: number;
  /** Coordinates of the chunks that are named. */
  readonly names: ReadonlyMap<string, readonly number[]>;
  readonly box: ArrayExtent | undefined;
}

type Reaching = Pick<Finding, "place" | "places"> & { readonly extent?: Finding["extent"] };

/** How far a finding reaches in chunks, by array. */
function reachOf({ place, places = [place], extent }: Reaching): readonly Reach[] {
  const names = new Map<string, Map<string, readonly number[]>>();
  for (const one of places) {
    const chunk = chunkIn(one);
    if (chunk === undefined) continue;
    const { array, coordinates } = chunk;
    names.set(array, (names.get(array) ?? new Map()).set(coordinates.join("."), coordinates));
  }
  const boxes = new Map((extent?.arrays ?? []).map((box) => [box.array, box]));
  const arrays = new Set([...names.keys(), ...boxes.keys()]);
  return [...arrays].map((array) => {
    const [known, box] = [names.get(array) ?? new Map<string, readonly number[]>(), boxes.get(array)];
    return { array, chunks: box?.chunks ?? known.size, names: known, box };
  });
}
