/** Steps that follow each other along the axis, of all chunks together: how far apart they are at the same places. */
import { declaredExtent, startAlong } from "#core/metadata/chunk-grid.ts";
import { layerAt } from "./file-blocks.ts";
import { layerPlaces } from "./note-chunk.ts";
import type { ArrayFacts } from "./value-facts.ts";
import { isDecoded, isOpen, linesOf, placeAlong } from "./value-rule.ts";

export interface LayerPair {
  /** Steps along the axis, the earlier first; others between them may not have been kept. */
  readonly from: number;
  readonly to: number;
  /** Four numbers for each line of chunks: slot and layer of the earlier step, slot and layer of the later one. */
  readonly members: readonly number[];
  /** Places with a value in both, and the mean difference there. */
  readonly places: number;
  readonly distance: number;
}

const LEAST_PLACES = 5;

/** Pairs in the order of the axis, of chunks that were decoded and have no known cause yet. */
export function layerPairs(facts: ArrayFacts): readonly LayerPair[] {
  const pairs = new Map<number, { from: number; to: number; members: number[] }>();
  const edges = facts.node.metadata.chunks[facts.axis] ?? 1;
  const length = facts.node.metadata.shape[facts.axis] ?? 0;
  const along = placeAlong(facts);
  for (const line of linesOf(facts)) {
    let before:
      | { readonly slot: number; readonly layer: number; readonly step: number; readonly chunk: number }
      | undefined;
    for (const slot of line) {
      if (!isDecoded(facts, slot) || !isOpen(facts, slot)) continue;
      const chunk = along(facts.ordinals[slot] ?? 0);
      const start = startAlong(edges, chunk);
      for (const [layer, place] of layerPlaces(facts, slot, declaredExtent(length, edges, chunk)).entries()) {
        const step = start + place;
        if (before !== undefined && chunk - before.chunk < 2) {
          const pair = pairs.get(step) ?? { from: before.step, to: step, members: [] };
          pairs.set(step, pair);
          if (pair.from === before.step) pair.members.push(before.slot, before.layer, slot, layer);
        }
        before = { slot, layer, step, chunk };
      }
    }
  }
  return [...pairs.values()]
    .map((pair) => ({ ...pair, ...meanDifference(facts, pair.members) }))
    .filter(({ places }) => places >= LEAST_PLACES)
    .toSorted((a, b) => a.to - b.to);
}

function meanDifference(facts: ArrayFacts, members: readonly number[]) {
  let [places, sum] = [0, 0];
  for (let at = 0; at < members.length; at += 4) {
    const earlier = layerAt(facts, members[at] as number, members[at + 1] as number);
    const later = layerAt(facts, members[at + 2] as number, members[at + 3] as number);
    for (let place = 0; place < earlier.length; place += 1) {
      const difference = Math.abs((later[place] as number) - (earlier[place] as number));
      if (!Number.isFinite(difference)) continue;
      places += 1;
      sum += difference;
    }
  }
  return { places, distance: sum / places };
}

const NEARLY_ALL = 0.9;

/** How far apart steps are at most, but for a tenth of them. */
export function largestPairs(pairs: readonly LayerPair[]): number {
  const sorted = pairs.map(({ distance }) => distance).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * NEARLY_ALL))] ?? NaN;
}
