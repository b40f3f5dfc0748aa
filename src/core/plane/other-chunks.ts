/** How many chunks a slice or a series would read if the array were chunked otherwise. */
import type { Plane } from "./plane.ts";

export interface ChunkShape {
  readonly chunks: readonly number[];
  /** Stored, if it compresses as it does now. */
  readonly bytes: number;
  /** Chunks that the slice reads. */
  readonly reads: number;
  /** Those that a slice the other way reads: a map where a series is meant, a series where a map is. */
  readonly across?: number;
}

interface ChunkedArray {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  /** Stored bytes of an element, on average. */
  readonly elementBytes: number;
}

/** A larger chunk is no better advice than a slow one. */
const LARGEST = 32 * 1024 ** 2;

/**
 * The current one, then such that read fewer: longer where the slice goes, as large as now but so long that both ways
 * read about as many, and as large as now but all along the slice.
 */
export function otherChunkShapes({ shape, chunks, elementBytes }: ChunkedArray, plane: Plane): readonly ChunkShape[] {
  const across = otherWay(plane, shape);
  const along = shownOf(plane);
  const reads = (of: readonly number[], slice: Plane) =>
    shownOf(slice).reduce((product, each) => product * Math.ceil((shape[each] ?? 1) / (of[each] ?? 1)), 1);
  const shapeOf = (of: readonly number[]): ChunkShape => {
    const cost = { chunks: of, bytes: Math.round(elementBytes * elementsIn(of)), reads: reads(of, plane) };
    return across === undefined ? cost : { ...cost, across: reads(of, across) };
  };
  const current = shapeOf(chunks);
  const others = shape.map((_, dimension) => dimension).filter((dimension) => !along.includes(dimension));
  const grown = (factor: number) => stretched(chunks, shape, along, Math.max(1, factor));
  const asLarge = (factor: number) => squeezed(grown(factor), others, elementsIn(chunks));
  const balance = Math.sqrt(current.reads / (current.across ?? 1));
  const found = new Map([[chunks.join(), current]]);
  for (const of of [grown(Math.floor(LARGEST / 2 / current.bytes)), asLarge(balance), asLarge(Infinity)]) {
    const one = shapeOf(of);
    const isBetter = one.reads < current.reads && one.bytes <= Math.max(LARGEST, current.bytes);
    if (isBetter && !found.has(of.join())) found.set(of.join(), one);
  }
  return [...found.values()];
}

const shownOf = ({ row, column }: Plane): readonly number[] =>
  [row, column].filter((dimension) => dimension !== undefined);

const elementsIn = (chunks: readonly number[]): number => chunks.reduce((product, length) => product * length, 1);

/** Up to so many times as long in all, one dimension after the other. */
function stretched(chunks: readonly number[], shape: readonly number[], along: readonly number[], factor: number) {
  const longer = [...chunks];
  let left = factor;
  for (const each of along.toReversed()) {
    const now = longer[each] ?? 1;
    const length = Math.max(now, Math.min(shape[each] ?? 1, Math.round(now * left)));
    left /= length / now;
    longer[each] = length;
  }
  return longer;
}

/** The longest of the dimensions is halved until a chunk has no more elements than that. */
function squeezed(chunks: readonly number[], dimensions: readonly number[], elements: number): readonly number[] {
  const shorter = [...chunks];
  while (elementsIn(shorter) > elements) {
    const [longest] = dimensions.toSorted((one, other) => (shorter[other] ?? 1) - (shorter[one] ?? 1));
    if (longest === undefined || (shorter[longest] ?? 1) <= 1) break;
    shorter[longest] = Math.ceil((shorter[longest] ?? 1) / 2);
  }
  return shorter;
}

/**
 * Shape that is worth a change: one with a quarter of the chunks or fewer, and of those the one that reads fewest both
 * ways.
 */
export function advisedShape([current, ...others]: readonly ChunkShape[]): ChunkShape | undefined {
  const both = ({ reads, across = 0 }: ChunkShape) => reads + across;
  return others
    .filter(({ reads }) => reads * 4 <= (current?.reads ?? 0))
    .toSorted((one, other) => both(one) - both(other))[0];
}

/** The largest map that goes along none of a series' dimension, or the longest series along none of a map's. */
export function otherWay(plane: Plane, shape: readonly number[]): Plane | undefined {
  const along = shownOf(plane);
  const [column, row] = shape
    .map((length, dimension) => ({ length, dimension }))
    .filter(({ length, dimension }) => length > 1 && !along.includes(dimension))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, along.length === 1 ? 2 : 1)
    .map(({ dimension }) => dimension)
    .toSorted((one, other) => other - one);
  return column === undefined ? undefined : { row, column, at: plane.at };
}
