/** Steps that follow each other along the axis, of all chunks together: how far apart they are at the same places. */
import { declaredExtent, startAlong } from "#core/metadata/chunk-grid.ts";
import { layerAt } from "./file-blocks.ts";
import { layerPlaces } from "./note-chunk.ts";
import type { ArrayFacts } from "./value-facts.ts";
import { isDecoded, isOpen, linesOf, placeAlong } from "./value-rule.ts";

/** Slot and layer of the earlier step, slot and layer of the later one. */
export type Line = readonly [before: number, from: number, after: number, to: number];

export interface LayerPair {
  /** Steps along the axis, the earlier first; others between them may not have been kept. */
  readonly from: number;
  readonly to: number;
  /** Places of the two steps in each line of chunks. */
  readonly lines: readonly Line[];
  /** Places with a value in both, and the mean difference there. */
  readonly places: number;
  readonly distance: number;
}

const LEAST_PLACES = 5;

/** Pairs in the order of the axis, of chunks that were decoded and have no known cause yet. */
export function layerPairs(facts: ArrayFacts): readonly LayerPair[] {
  const pairs = new Map<number, { from: number; to: number; lines: Line[] }>();
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
          const pair = pairs.get(step) ?? { from: before.step, to: step, lines: [] };
          pairs.set(step, pair);
          if (pair.from === before.step) pair.lines.push([before.slot, before.layer, slot, layer]);
        }
        before = { slot, layer, step, chunk };
      }
    }
  }
  return [...pairs.values()]
    .map((pair) => ({ ...pair, ...meanDifference(facts, pair.lines) }))
    .filter(({ places }) => places >= LEAST_PLACES)
    .toSorted((a, b) => a.to - b.to);
}

function meanDifference(facts: ArrayFacts, lines: readonly Line[]) {
  let [places, sum] = [0, 0];
  for (const [before, from, after, to] of lines) {
    const [earlier, later] = [layerAt(facts, before, from), layerAt(facts, after, to)];
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
