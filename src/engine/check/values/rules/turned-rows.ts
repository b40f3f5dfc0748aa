/** Files whose rows or columns run the other way than those of the files before and after them. */
import { coordinatesOf, largestShape, ordinalOf } from "../../../../core/metadata/chunk-grid.ts";
import { layerDistance, layerOf } from "../file-blocks.ts";
import { slotOf, type ArrayFacts } from "../value-facts.ts";
import {
  areNeighbours,
  explainSlots,
  fileAt,
  isDecoded,
  isOpen,
  linesOf,
  median,
  ofChunks,
  type ValueRule,
} from "../value-rule.ts";

/** Turned, a chunk must be this much nearer to its neighbours, and as declared so much farther away than is usual. */
const MOST_LEFT = 0.45;
const LEAST_AWAY = 2.5;

export const turnedRows: ValueRule = {
  id: "turned-rows",
  codes: ["rows-turned"],
  ofArray(facts, sink) {
    if (facts.axis < 0 || facts.probes.rows * facts.probes.columns < 3) return;
    for (const [dimension, meant] of turnedSlots(facts)) {
      explainSlots(facts, meant);
      const target = fileAt(facts, meant[0] ?? 0);
      const name = facts.node.metadata.dimensionNames?.[dimension] ?? `dimension ${dimension}`;
      sink(ofChunks("rows-turned", facts, meant, { dimension: name, target, chunks: meant.length }, target));
    }
  },
};

/** By dimension. */
function turnedSlots(facts: ArrayFacts): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  const steps = linesOf(facts).flatMap((line) => line.flatMap((slot, at) => stepsAt(facts, line, at, slot) ?? []));
  const usual = median(steps.map(({ declared }) => declared));
  for (const { slot, declared, turned } of steps) {
    if (!(declared > usual * LEAST_AWAY)) continue;
    const [best] = turned().toSorted((a, b) => a.distance - b.distance);
    if (best === undefined || !(best.distance < declared * MOST_LEFT)) continue;
    const own = found.get(best.dimension) ?? [];
    found.set(best.dimension, own);
    own.push(slot);
  }
  return found;
}

/** How far a chunk is from the ones before and after it, as declared and turned. */
function stepsAt(facts: ArrayFacts, line: readonly number[], at: number, slot: number) {
  const beside = [line[at - 1], line[at + 1]];
  if (!isDecoded(facts, slot) || !isOpen(facts, slot)) return undefined;
  const near = beside.flatMap((one, side) =>
    one !== undefined &&
    isDecoded(facts, one) &&
    isOpen(facts, one) &&
    areNeighbours(facts, side === 0 ? one : slot, side === 0 ? slot : one)
      ? [{ own: side === 0 ? { first: slot } : { last: slot }, other: one, isBefore: side === 0 }]
      : [],
  );
  if (near.length === 0) return undefined;
  const layer = (one: number, isBefore: boolean) => layerOf(facts, isBefore ? { last: one } : { first: one });
  const mean = (of: (one: (typeof near)[number]) => number) =>
    near.reduce((sum, one) => sum + of(one), 0) / near.length;
  const declared = mean(({ own, other, isBefore }) => layerDistance(layerOf(facts, own), layer(other, isBefore)));
  const all = () =>
    axesOf(facts).flatMap(({ dimension, isRows }) =>
      [false, true].map((isMirrored) => ({
        dimension,
        distance: mean(({ own, other, isBefore }) => {
          const there = isMirrored ? mirrored(facts, other, dimension) : other;
          return there < 0 ? NaN : layerDistance(flipped(facts, layerOf(facts, own), isRows), layer(there, isBefore));
        }),
      })),
    );
  return { slot, declared, turned: () => all().filter(({ distance }) => !Number.isNaN(distance)) };
}

function axesOf({ node, axis }: ArrayFacts): readonly { readonly dimension: number; readonly isRows: boolean }[] {
  const across = largestShape(node.metadata.chunks)
    .flatMap((length, at) => (at === axis || length < 2 ? [] : [at]))
    .slice(-2);
  return across.map((dimension, at) => ({ dimension, isRows: across.length === 2 && at === 0 }));
}

/** The chunk at the other end of a dimension: a whole file was turned, not each of its chunks. */
function mirrored(facts: ArrayFacts, slot: number, dimension: number): number {
  const coordinates = coordinatesOf(facts.grid, facts.ordinals[slot] ?? 0);
  coordinates[dimension] = (facts.grid[dimension] ?? 1) - 1 - (coordinates[dimension] ?? 0);
  return slotOf(facts, ordinalOf(facts.grid, coordinates) ?? -1);
}

function flipped({ probes: { rows, columns } }: ArrayFacts, layer: Float32Array, isRows: boolean): Float32Array {
  return layer.map((_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    return layer[isRows ? (rows - 1 - row) * columns + column : row * columns + columns - 1 - column] as number;
  });
}
