/** Arrays of two sets compared by value: block by block of A, a random sample or all, whatever chunks B has. */
import type { CallContext } from "#core/byte-source.ts";
import { outOfReach } from "#core/findings/out-of-reach.ts";
import type { ArrayMetadata, ArrayNode } from "#core/metadata/array-metadata.ts";
import {
  cellCount,
  chunkOf,
  chunkStart,
  coordinatesOf,
  gridOf,
  insideShape,
  longestAlong,
  ordinalOf,
} from "#core/metadata/chunk-grid.ts";
import { meaningOf, sameMeaning } from "#core/metadata/meaning.ts";
import type {
  ArrayPair,
  ArrayValues,
  ElementDifferences,
  Pair,
  ValuesMode,
  ValuesVerdict,
} from "#core/set-differences.ts";
import type { Reference } from "#core/table/reference.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { eachAtOnce } from "../kept.ts";
import { startPace } from "../pace.ts";
import { type ElementBox, readAligned } from "./aligned-blocks.ts";
import { chunkReferences, sameSource } from "./compare-sets.ts";
import { addBlock, elementTally, finishedTally, type FirstDifference } from "./element-tally.ts";
import { isPlain, kindOf, pairArrays, type PairWish } from "./pair-arrays.ts";

export interface ValuesWish extends PairWish {
  readonly chunks: number | "all";
}

/**
 * Chunks of A that may have other values in B. `bytes`: stored, of both as far as their lengths are known, and of how many
 * chunks; `lacking`: those without a reference in one only.
 */
export async function comparableChunks(
  { sets, nodes, mode }: Pick<ValuesWish, "sets" | "nodes" | "mode">,
  context: CallContext,
  pair?: ArrayPair,
) {
  const { path, metadata } = nodes.a;
  const rankOf = ({ metadata }: ArrayNode) => metadata.shape.length;
  if (kindOf(nodes.a, mode) !== kindOf(nodes.b, mode) || rankOf(nodes.a) !== rankOf(nodes.b)) return undefined;
  const { at, ordinals, grid, isAlike: isOneGrid, isListed } = await chunkReferences(sets, path, context);
  const isInPlace = pair === undefined || isPlain(pair);
  const isAlike = isInPlace && decodesAlike(nodes, mode);
  const isSame = sameSource(sets);
  const isRead = ({ a, b }: ReturnType<typeof at>): boolean => !isAlike || !isSame({ a: a.reference, b: b.reference });
  const pace = startPace(context, `Comparing references of ${path}`, cellCount(grid));
  const counts = { candidates: 0, rest: 0, bytes: 0, sized: 0, lacking: 0, sameElements: 0 };
  for (const ordinal of ordinals()) {
    await pace.yieldIfDue((counts.candidates += 1));
    const { a, b } = at(ordinal);
    const [isLostInA, isLostInB] = [a, b].map(({ reference }) => reference?.kind === "missing");
    counts.lacking += Number(isOneGrid && isInPlace && isLostInA !== isLostInB);
    if (!isRead({ a, b })) {
      counts.sameElements += elementsIn(metadata, coordinatesOf(grid, ordinal));
      continue;
    }
    counts.rest += 1;
    // Chunks of another grid are taken to be as long together.
    const sizes = [a, isOneGrid ? b : a].map(({ reference }) => storedSize(reference));
    if (sizes.includes(undefined)) continue;
    counts.sized += 1;
    for (const size of sizes) counts.bytes += size ?? 0;
  }
  return { ...counts, isListed, ordinals, isRead: (ordinal: number) => isRead(at(ordinal)) };
}

const elementsIn = ({ shape, chunks }: ArrayMetadata, coordinates: readonly number[]): number =>
  insideShape(shape, chunks, coordinates).reduce((product, length) => product * length, 1);

/** `undefined`: not known before it is read. */
function storedSize(reference: Reference | undefined): number | undefined {
  if (reference?.kind === "range") return reference.length;
  return reference?.kind === "missing" || reference?.kind === "inline" ? 0 : undefined;
}

export async function compareValues(wish: ValuesWish, context: CallContext): Promise<ArrayValues> {
  const { path } = wish.nodes.a;
  const pair = await pairArrays(wish, context);
  const { uncompared, tolerance, units } = pair;
  const counts = { candidates: 0, sameSource: 0, compared: 0, different: 0, failed: 0, unreached: 0 };
  const found = uncompared === undefined ? await comparableChunks(wish, context, pair) : undefined;
  if (found === undefined)
    return { path, verdict: "uncompared", ...counts, beside: pair.beside, uncompared: uncompared ?? "type" };
  const { candidates, rest, lacking } = found;
  Object.assign(counts, { candidates, sameSource: candidates - rest });
  const most = wish.chunks === "all" ? rest : Math.min(wish.chunks, rest);
  const tally = elementTally(wish.nodes.a.metadata.shape);
  const met: Pick<ArrayValues, "failure" | "failedIn"> = {};
  let done = 0;
  const { blocks, size } = blocksOf(wish, pair, found, most);
  await eachAtOnce(blocks, Math.max(1, Math.min(AT_ONCE, Math.floor(MOST_ELEMENTS / size))), async (block) => {
    const read = await readAligned(wish, pair, block.box, context);
    const differing = read && addBlock(tally, read, wish, pair);
    for (const { ordinal, box } of block.chunks) {
      done += 1;
      // B does not reach there.
      if (read === undefined || !meets(read.box, box)) continue;
      const unread = read.unread.filter((one) => meets(one, box));
      counts[unread.length > 0 ? "failed" : "compared"] += 1;
      counts.unreached += Number(unread.length > 0 && unread.every((one) => outOfReach(one.failure) !== undefined));
      counts.different += Number(differing?.has(ordinal) === true);
    }
    const [why] = read?.unread ?? [];
    if (why !== undefined && met.failure === undefined)
      Object.assign(met, { failure: why.failure, failedIn: why.failedIn });
    context.report({ label: `Comparing values of ${path}`, done, total: most, unit: "chunks" });
  });
  const isClean = counts.different === 0 && counts.failed === 0 && most < rest;
  const { elements, first } = await finishedTally(tally, found.sameElements, wish, context);
  return {
    path,
    verdict: verdictOf(elements, counts.failed > 0 || most < rest),
    ...counts,
    ...(units !== undefined && { units }),
    tolerance,
    beside: lacking === 0 ? pair.beside : [...pair.beside, "lacking"],
    elements,
    ...(isClean && { boundAt95: 1 - 0.05 ** (1 / most) }),
    ...(first && { first: await withProvenance(wish, pair, first, context) }),
    ...met,
  };
}

function verdictOf(
  { differing, within }: Pick<ElementDifferences, "differing" | "within">,
  isPart: boolean,
): ValuesVerdict {
  if (differing > 0) return "differ";
  if (isPart) return "part";
  return within > 0 ? "within" : "same";
}

const meets = (one: ElementBox, other: ElementBox): boolean =>
  one.from.every((from, at) => {
    const start = other.from[at] ?? 0;
    return from < start + (other.count[at] ?? 1) && start < from + (one.count[at] ?? 1);
  });

// Blocks: what is read at once.

interface Block {
  readonly box: ElementBox;
  /** Chunks of A in it that may differ. */
  readonly chunks: readonly { readonly ordinal: number; readonly box: ElementBox }[];
}

/** Blocks that are read at a time. */
const AT_ONCE = 8;
/** Elements of blocks that are held together. */
const MOST_ELEMENTS = 2 ** 23;

type Comparable = NonNullable<Awaited<ReturnType<typeof comparableChunks>>>;

/** Chunks of A; where all are compared and those of B are longer, so many together that B's are read about once. */
function blocksOf(
  { nodes, chunks }: ValuesWish,
  { dimensions }: ArrayPair,
  { ordinals, isRead, isListed, rest }: Comparable,
  most: number,
): { readonly blocks: Iterable<Block>; readonly size: number } {
  const { shape, chunks: edges } = nodes.a.metadata;
  const grid = gridOf(shape, edges);
  const lengths = edges.map(longestAlong);
  let size = lengths.reduce((product, length) => product * length, 1);
  const group = lengths.map((length, dimension) => {
    const longer = longestAlong(nodes.b.metadata.chunks[dimensions[dimension]?.of ?? dimension] ?? 1) / length;
    const together = Math.max(1, Math.min(Math.ceil(longer), grid[dimension] ?? 1, Math.floor(MOST_ELEMENTS / size)));
    size *= together;
    return together;
  });
  const boxOf = (ordinal: number): ElementBox => {
    const coordinates = coordinatesOf(grid, ordinal);
    return { from: chunkStart(coordinates, edges), count: insideShape(shape, edges, coordinates) };
  };
  const blockOf = (all: readonly number[]): Block => {
    const chunks = all.map((ordinal) => ({ ordinal, box: boxOf(ordinal) }));
    const { from } = boxOf(all[0] ?? 0);
    const end = boxOf(all.at(-1) ?? 0);
    const count = end.from.map((start, at) => start + (end.count[at] ?? 1) - (from[at] ?? 0));
    return { box: { from, count }, chunks };
  };
  function* blocks(): Generator<Block> {
    if (chunks !== "all" || isListed || group.every((one) => one === 1)) {
      for (const ordinal of sampled(ordinals(), isRead, rest, most)) yield blockOf([ordinal]);
      return;
    }
    const groups = grid.map((count, dimension) => Math.ceil(count / (group[dimension] ?? 1)));
    for (let at = 0; at < cellCount(groups); at += 1) {
      const first = coordinatesOf(groups, at).map((one, dimension) => one * (group[dimension] ?? 1));
      const inside = first.map((one, dimension) => Math.min(group[dimension] ?? 1, (grid[dimension] ?? 1) - one));
      const all = Array.from({ length: cellCount(inside) }, (_, each) => {
        const within = coordinatesOf(inside, each);
        return (
          ordinalOf(
            grid,
            within.map((one, dimension) => one + (first[dimension] ?? 0)),
          ) ?? 0
        );
      });
      const wanted = all.filter(isRead);
      // Elements of chunks that are the same by their references would be counted twice.
      if (wanted.length === all.length) yield blockOf(all);
      else for (const ordinal of wanted) yield blockOf([ordinal]);
    }
  }
  return { blocks: blocks(), size };
}

/** `most` of those that are wanted, each set of as many equally likely, in their order (Knuth's algorithm S). */
function* sampled(ordinals: Iterable<number>, isWanted: (ordinal: number) => boolean, wanted: number, most: number) {
  let [left, need] = [wanted, most];
  for (const ordinal of ordinals) {
    if (need === 0) return;
    if (!isWanted(ordinal) || Math.random() * left-- >= need) continue;
    need -= 1;
    yield ordinal;
  }
}

/** The same stored bytes are the same values if both have these. */
const DECODING = [
  "dimensions",
  "shape",
  "chunks",
  "dtype",
  "byte-order",
  "shards",
  "codecs",
  "scale_factor",
  "add_offset",
  "fill",
] as const;
const OF_VALUES = ["missing", "sign", "units", "calendar"] as const;

function decodesAlike(nodes: Pair<ArrayNode>, mode: ValuesMode): boolean {
  const meaning = ({ metadata, attributes }: ArrayNode) =>
    meaningOf({ metadata, attributes: mode === "cf" ? attributes : undefined });
  const [one, other] = [meaning(nodes.a), meaning(nodes.b)];
  const isPackedAlike = one.scale_factor === other.scale_factor && one.add_offset === other.add_offset;
  return isPackedAlike && [...DECODING, ...OF_VALUES].every((member) => sameMeaning(member, one, other));
}

async function withProvenance(
  { sets, nodes }: ValuesWish,
  { dimensions }: ArrayPair,
  { element, values }: FirstDifference,
  context: CallContext,
) {
  const inB: number[] = [];
  for (const [at, { of, offset, step }] of dimensions.entries()) inB[of] = offset + step * (element[at] ?? 0);
  const of = async (side: "a" | "b") => {
    const coordinates = chunkOf(side === "a" ? element : inB, nodes[side].metadata.chunks);
    const { key, written } = await chunkReference(sets[side], nodes[side], coordinates, context);
    return { key, reference: written };
  };
  return { element, values, chunks: { a: await of("a"), b: await of("b") } };
}
