/** A sample of an array's chunks: spread evenly over those that have a reference. */
import { coordinatesOf } from "../../core/chunk-grid.ts";
import type { CallContext } from "../../core/byte-source.ts";
import { ENTRY_FAILED, ENTRY_UNKNOWN, type ArrayIndex } from "../table/array-index.ts";
import { startPace } from "../pace.ts";

export interface ChunkSample {
  /** In an order in which also the first few are spread over the array. */
  readonly coordinates: readonly (readonly number[])[];
  /** Chunks that have a reference, or may have one where that is not known yet. */
  readonly of: number;
}

/** @param first ordinal of a chunk that is to be the first of the sample, where it has a reference */
export async function sampleChunks(
  index: ArrayIndex,
  first: number,
  size: number,
  context: CallContext,
): Promise<ChunkSample> {
  const { rows, ordinals, listed, grid = [] } = index;
  const pace = startPace(context, "Counting the array's chunks", listed);
  const of = await countEntries(index, pace);
  const step = of / Math.min(size, of);
  const wanted = Array.from({ length: Math.min(size, of) }, (_, at) => Math.floor((at + 0.5) * step));
  const picked: number[] = [];
  let isFirstThere = false;
  let seen = 0;
  for (let entry = 0; entry < listed; entry += 1) {
    if (!hasReference(rows[entry] as number)) continue;
    const ordinal = ordinals?.[entry] ?? entry;
    if (ordinal === first) isFirstThere = true;
    if (seen === wanted[picked.length]) picked.push(ordinal);
    seen += 1;
    if ((entry & 0xffff) === 0xffff) await pace.yieldIfDue(entry);
  }
  const spread = spreadOrder(picked).filter((ordinal) => ordinal !== first);
  const sample = (isFirstThere ? [first, ...spread] : spread).slice(0, size);
  return { coordinates: sample.map((ordinal) => coordinatesOf(grid, ordinal)), of };
}

async function countEntries({ rows, listed }: ArrayIndex, pace: ReturnType<typeof startPace>): Promise<number> {
  let count = 0;
  for (let entry = 0; entry < listed; entry += 1) {
    if (hasReference(rows[entry] as number)) count += 1;
    if ((entry & 0xffff) === 0xffff) await pace.yieldIfDue(entry);
  }
  return count;
}

const hasReference = (row: number): boolean => row !== 0 && (row < ENTRY_FAILED || row === ENTRY_UNKNOWN);

/** By the reversed bits of the places: the middle before the quarters, these before the eighths. */
function spreadOrder(ordinals: readonly number[]): readonly number[] {
  const bits = Math.ceil(Math.log2(Math.max(2, ordinals.length)));
  const turned = (at: number) => Number.parseInt(at.toString(2).padStart(bits, "0").split("").toReversed().join(""), 2);
  return ordinals
    .map((ordinal, at) => ({ ordinal, rank: turned(at) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ ordinal }) => ordinal);
}
