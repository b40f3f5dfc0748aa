/** How far a cause reaches in chunks of one array: the box that holds them, and their share of the array. */
import { type ArrayExtent, chunkIn, type ChunkPlace, type Finding } from "../findings/fact.ts";
import { shareOf, type Weighable } from "./lost-chunks.ts";
import { placeOfKey, type NodesByPath } from "../metadata/chunk-of-key.ts";

export interface CauseReach extends ArrayExtent {
  /** Share of the array's elements: chunks at an edge hold fewer. */
  readonly share: number | undefined;
  /** Other arrays that it reaches. */
  readonly moreArrays: number;
}

/** `undefined` where it names no chunk. */
export function reachOf(cause: Weighable, nodes: NodesByPath): CauseReach | undefined {
  const { found, failing } = cause;
  const finding = failing === undefined ? found : narrowed(found, failing);
  const { extent } = finding;
  const [first] = extent?.arrays ?? [];
  const box = first ?? boxOfPlaces(finding, nodes);
  if (box === undefined) return undefined;
  const node = nodes.get(box.array);
  const moreArrays = extent === undefined ? 0 : extent.arrays.length - 1 + extent.moreArrays;
  return {
    ...box,
    share: (node?.cells ?? 0) === 0 ? undefined : shareOf(cause, (path) => (path === box.array ? node : undefined)),
    moreArrays,
  };
}

/** To the chunks that are known to fail: their neighbours are named, too. */
function narrowed({ code, facts, count, place: first }: Finding, failing: readonly ChunkPlace[]): Finding {
  const [place = first] = failing;
  return { code, facts, count, place, places: failing };
}

function boxOfPlaces({ place, places = [place] }: Finding, nodes: NodesByPath) {
  const chunks = places.flatMap((one) => {
    const at = chunkIn(one) ?? one;
    if (at.kind === "chunk") return [at];
    const keyed = at.kind === "key" ? placeOfKey(at.key, nodes) : undefined;
    return keyed?.kind === "chunk" ? [keyed] : [];
  });
  const [first] = chunks;
  if (first === undefined) return undefined;
  const own = chunks.filter(({ array }) => array === first.array);
  const along = (pick: (...numbers: number[]) => number) =>
    first.coordinates.map((_, axis) => pick(...own.map(({ coordinates }) => coordinates[axis] ?? 0)));
  const names = new Set(own.map(({ coordinates }) => coordinates.join(".")));
  return { array: first.array, chunks: names.size, from: along(Math.min), to: along(Math.max) };
}
