/** How many chunks a slice or a series would read if the array were chunked otherwise. */
import type { Plane } from "./plane.ts";

export interface ChunkShape {
  readonly chunks: readonly number[];
  /** `current`, else in which way it is another. */
  readonly kind: "current" | "longer" | "balanced" | "whole";
  /** Stored, if it compresses as it does now. */
  readonly bytes: number;
  /** Chunks that the slice reads, and their bytes. */
  readonly reads: number;
  readonly readBytes: number;
  /** Chunks that a slice the other way reads: a map where a series is meant, a series where a map is. */
  readonly across?: number;
}

export interface ChunkedArray {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  /** Stored bytes of an element, on average. */
  readonly elementBytes: number;
}

/** A larger chunk is no better advice than a slow one. */
const LARGEST = 32 * 1024 ** 2;

/** The current one first; others only where they differ from it and from each other. `across`: the slice the other way. */
export function otherChunkShapes(array: ChunkedArray, plane: Plane, across: Plane | undefined): readonly ChunkShape[] {
  const { shape, chunks, elementBytes } = array;
  const along = shownOf(plane);
  const others = shape.flatMap((_, dimension) => (along.includes(dimension) ? [] : [dimension]));
  const reads = (of: readonly number[], slice: Plane) =>
    shownOf(slice).reduce((product, each) => product * Math.ceil((shape[each] ?? 1) / (of[each] ?? 1)), 1);
  const shapeOf = (kind: ChunkShape["kind"], of: readonly number[]): ChunkShape => {
    const bytes = elementBytes * elementsIn(of);
    const count = reads(of, plane);
    const way = across === undefined ? {} : { across: reads(of, across) };
    return { kind, chunks: of, bytes, reads: count, readBytes: count * bytes, ...way };
  };
  const current = shapeOf("current", chunks);
  const grown = (factor: number) => stretched(chunks, shape, along, factor);
  const balance = Math.sqrt(current.reads / Math.max(1, current.across ?? 1));
  const candidates = [
    shapeOf("longer", grown(Math.max(1, Math.floor(LARGEST / 2 / Math.max(1, current.bytes))))),
    shapeOf("balanced", squeezed(grown(balance), others, elementsIn(chunks))),
    shapeOf("whole", squeezed(grown(Infinity), others, elementsIn(chunks))),
  ];
  const found = new Map([[chunks.join(), current]]);
  for (const one of candidates) {
    const isBetter = one.reads < current.reads && one.bytes <= Math.max(LARGEST, current.bytes);
    if (isBetter && !found.has(one.chunks.join())) found.set(one.chunks.join(), one);
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
    const [now, most] = [longer[each] ?? 1, shape[each] ?? 1];
    const length = Math.max(now, Math.min(most, Math.round(now * left)));
    left /= length / now;
    longer[each] = length;
  }
  return longer;
}

/** The longest of the dimensions are halved until a chunk has no more elements than that. */
function squeezed(chunks: readonly number[], dimensions: readonly number[], elements: number): readonly number[] {
  const shorter = [...chunks];
  while (elementsIn(shorter) > elements) {
    const longest = dimensions.toSorted((one, other) => (shorter[other] ?? 1) - (shorter[one] ?? 1))[0];
    if (longest === undefined || (shorter[longest] ?? 1) <= 1) break;
    shorter[longest] = Math.ceil((shorter[longest] ?? 1) / 2);
  }
  return shorter;
}

/** The one that is worth a change: a quarter of the chunks or fewer, and the least loss the other way. */
export function advisedShape([current, ...others]: readonly ChunkShape[]): ChunkShape | undefined {
  const worth = others.filter(({ reads }) => current !== undefined && reads * 4 <= current.reads);
  return worth.find(({ kind }) => kind === "balanced") ?? worth.at(0);
}

/** The dimension of the longest series, or the two of the largest map, that the slice does not go along. */
export function otherWay(plane: Plane, shape: readonly number[]): Plane | undefined {
  const along = shownOf(plane);
  const rest = shape
    .map((length, dimension) => ({ length, dimension }))
    .filter(({ length, dimension }) => length > 1 && !along.includes(dimension))
    .toSorted((one, other) => other.length - one.length);
  const taken = rest.slice(0, along.length === 1 ? 2 : 1).map(({ dimension }) => dimension);
  if (taken.length === 0) return undefined;
  const [column, row] = taken.toSorted((one, other) => other - one);
  return { row, column, at: plane.at };
}
