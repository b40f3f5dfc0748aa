/** Steps whose values lie some cells away from where those of the steps before and after them do: files of other extents. */
import { metadataOfChunk } from "#core/metadata/array-metadata.ts";
import { maskOf, missingTest } from "#core/cf/cf-statistics.ts";
import { viewedValues } from "#core/cf/cf.ts";
import { cellCount, declaredExtent, insideShape, largestShape } from "#core/metadata/chunk-grid.ts";
import { decodeValues } from "#core/values/values.ts";
import { coordinateArray } from "#engine/many/axis.ts";
import { largestPairs, layerPairs, type LayerPair } from "../layer-pairs.ts";
import { layerPlaces, scalingOfNode } from "../note-chunk.ts";
import { isNumericCoordinate } from "../plan.ts";
import { bytesOf } from "../repair-search.ts";
import { bestShift, compare, type Plane } from "../plane-shift.ts";
import type { ArrayFacts } from "../value-facts.ts";
import {
  coordinatesAt,
  explainSlots,
  fileAt,
  isDecoded,
  median,
  ofChunks,
  type ValueRule,
  type ValuesView,
} from "../value-rule.ts";
import { hasOwnPlaces, isPlaces, longSteps, nameOf } from "./turned-rows.ts";

/** Distance of neighbouring steps as declared, in multiples of the usual one and of nearly all others. */
const LEAST_AWAY = 2.5;
const LEAST_OF_LARGE = 1.5;
/** Shifted, they must be so much nearer, no farther apart than others are, and alike. */
const MOST_LEFT = 0.34;
const MOST_OF_LARGE = 1.5;
const LEAST_ALIKE = 0.8;
/** So many other pairs there must be; those that are asked must be alike as they are, and not be nearer when shifted. */
const LEAST_OTHERS = 3;
const ASKED = 3;
const MOVES = 0.6;
/** Boundaries: a run of steps has two, or reaches to an end of the array. */
const MAX_BOUNDARIES = 2;
/** Most chunks of a step that are read again, and their greatest size. */
const MAX_LINES = 4;
const MAX_BYTES = 32 * 1024 ** 2;

export const shiftedSteps: ValueRule = {
  id: "shifted-steps",
  codes: ["steps-shifted"],
  async ofArray(facts, sink, view) {
    const { axis, node } = facts;
    const size = cellCount(largestShape(node.metadata.chunks)) * node.metadata.dataType.itemSize;
    if (axis < 0 || isNumericCoordinate(node) || isPlaces(facts) || size > MAX_BYTES) return;
    const pairs = layerPairs(facts);
    const found = await shiftedRun(view, facts, pairs);
    if (found === undefined) return;
    const { steps, slots, shift, declared, shifted, usual } = found;
    explainSlots(facts, slots);
    const files = new Set(slots.map((slot) => facts.files[slot]));
    const target = files.size === 1 ? fileAt(facts, slots[0] ?? 0) : undefined;
    const cells = shift.by.flatMap((by, dimension) => (by === 0 ? [] : [[nameOf(facts, dimension), by] as const]));
    const about = {
      dimensions: cells.map(([name]) => name),
      cells: cells.map(([, by]) => by),
      wraps: shift.wraps,
      along: nameOf(facts, axis),
      steps,
      declared,
      shifted,
      usual,
      target,
      chunks: slots.length,
    };
    sink(ofChunks("steps-shifted", facts, slots, about, target));
  },
};

async function shiftedRun(view: ValuesView, facts: ArrayFacts, pairs: readonly LayerPair[]) {
  const usual = median(pairs.map(({ distance }) => distance));
  const large = pairs.filter(({ distance }) => distance > usual * LEAST_AWAY && distance > 0);
  const others = pairs.filter((pair) => !large.includes(pair));
  if (large.length === 0 || large.length > MAX_BOUNDARIES || others.length < LEAST_OTHERS) return undefined;
  const usualMost = largestPairs(others);
  const jumps = longSteps(view, facts);
  if (large.some((pair) => pair.distance < usualMost * LEAST_OF_LARGE || jumps(pair))) return undefined;
  if (facts.grid.some((_, dimension) => dimension !== facts.axis && hasOwnPlaces(view, facts, dimension)))
    return undefined;
  const run = runBetween(view, facts, large);
  const planes = planeReader(view, facts);
  const [first, last] = [large[0] as LayerPair, large[1]];
  const shift = run === undefined ? undefined : bestShift(await planes(first), wrapping(facts));
  if (run === undefined || shift === undefined) return undefined;
  // Before the run and after it the same steps are as far from it, one way and the other.
  const back = { ...shift, by: shift.by.map((by) => (shift.wraps ? by : -by)) };
  const ways = [
    { pair: first, by: shift, steps: 1 },
    ...(last === undefined ? [] : [{ pair: last, by: back, steps: 1 }]),
    ...beside(others, first).map((pair) => ({ pair, by: shift, steps: 2 })),
  ];
  if (ways.length < 2) return undefined;
  for (const { pair, by, steps } of ways) {
    const { declared, shifted, likeness } = compare(await planes(pair), by);
    const isFit = shifted < declared * MOST_LEFT && shifted <= usualMost * MOST_OF_LARGE * steps;
    if (!isFit || !(likeness > LEAST_ALIKE)) return undefined;
  }
  const every = Math.ceil(others.length / ASKED);
  for (const pair of others.filter((_, at) => at % every === 0)) {
    const own = await planes(pair);
    const moving = bestShift(own, () => false, MOVES);
    if (moving !== undefined || !(compare(own, { ...shift, by: shift.by.map(() => 0) }).likeness > LEAST_ALIKE))
      return undefined;
  }
  const { declared, shifted } = compare(await planes(first), shift);
  return { ...run, shift: run.isBefore ? back : shift, declared, shifted, usual };
}

/** Also from the step before the last one to the first of the run, and to its second: one odd step is no evidence. */
function beside(others: readonly LayerPair[], { from, to, members }: LayerPair): readonly LayerPair[] {
  const joined = (pair: LayerPair | undefined, ends: readonly number[]) => {
    const own = linesIn(pair?.members ?? []);
    const lines = linesIn(members).map((line, at) => [...line, ...(own[at] ?? [])]);
    return pair === undefined ? [] : [{ ...pair, members: lines.flatMap((line) => ends.map((at) => line[at] ?? -1)) }];
  };
  return [
    ...joined(
      others.find((pair) => pair.to === from),
      [4, 5, 2, 3],
    ),
    ...joined(
      others.find((pair) => pair.from === to),
      [0, 1, 6, 7],
    ),
  ];
}

const linesIn = (members: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: members.length / 4 }, (_, at) => members.slice(at * 4, at * 4 + 4));

/** Between two boundaries, or from one of another file to the nearer end; there the coordinate must say that nothing is left out. */
function runBetween(view: ValuesView, facts: ArrayFacts, [first, last]: readonly LayerPair[]) {
  const { node, axis } = facts;
  const length = node.metadata.shape[axis] ?? 0;
  if (first === undefined) return undefined;
  const isBefore = last === undefined && first.to * 2 <= length;
  const [from, to] = isBefore ? [0, first.from] : [first.to, last === undefined ? length - 1 : last.from];
  if (last === undefined) {
    const coordinate = coordinateArray(view.set, node, axis);
    const isKnown = view.facts.some((one) => one.node === coordinate && one.whole !== undefined);
    if (!isKnown || first.members[0] === first.members[2]) return undefined;
  } else if ((to - from + 1) * 2 > length) return undefined;
  const edges = node.metadata.chunks[axis] ?? 1;
  const slots = [...facts.ordinals.keys()].filter((slot) => {
    const chunk = coordinatesAt(facts, slot)[axis] ?? 0;
    const start = typeof edges === "number" ? chunk * edges : NaN;
    return isDecoded(facts, slot) && start <= to && start + declaredExtent(length, edges, chunk) > from;
  });
  return slots.length === 0 ? undefined : { steps: [from, to] as const, slots, isBefore };
}

/** True if a dimension may wrap around: it lies in one chunk. */
const wrapping =
  ({ axis, grid }: ArrayFacts) =>
  (dimension: number): boolean =>
    dimension !== axis && grid[dimension] === 1;

/** Reads the two steps of a pair again, in some of their chunks; what was read is kept. */
function planeReader(view: ValuesView, facts: ArrayFacts) {
  const kept = new Map<string, Promise<Plane | undefined>>();
  const planeAt = (slot: number, layer: number) => {
    const key = `${slot} ${layer}`;
    const plane = kept.get(key) ?? readPlane(view, facts, slot, layer);
    kept.set(key, plane);
    return plane;
  };
  return async ({ members }: LayerPair): Promise<readonly (readonly [Plane, Plane])[]> => {
    const lines = linesIn(members);
    const every = Math.ceil(lines.length / MAX_LINES);
    const found: (readonly [Plane, Plane])[] = [];
    for (const [before = 0, from = 0, after = 0, to = 0] of lines.filter((_, at) => at % every === 0)) {
      const [one, other] = [await planeAt(before, from), await planeAt(after, to)];
      if (one !== undefined && other !== undefined && String(one.shape) === String(other.shape))
        found.push([one, other]);
    }
    return found;
  };
}

async function readPlane(view: ValuesView, facts: ArrayFacts, slot: number, layer: number): Promise<Plane | undefined> {
  const { node, axis } = facts;
  const { shape, chunks } = node.metadata;
  const bytes = await bytesOf(view, facts, slot);
  if (bytes.length === 0) return undefined;
  const coordinates = coordinatesAt(facts, slot);
  const stored = decodeValues(new Uint8Array(bytes), metadataOfChunk(node.metadata, coordinates));
  const scaling = scalingOfNode(node);
  const { numbers, shape: own } = scaling === undefined ? stored : viewedValues(stored, scaling);
  if (numbers === undefined) return undefined;
  const isMissing = missingTest(stored, numbers, scaling, maskOf(stored, scaling));
  const inside = insideShape(shape, chunks, coordinates);
  const place = layerPlaces(facts, slot, inside[axis] ?? 1)[layer] ?? 0;
  const plane = inside.with(axis, 1);
  const values = Float64Array.from({ length: cellCount(plane) }, (_, element) => {
    let [rest, at, stride] = [element, 0, 1];
    for (let dimension = plane.length - 1; dimension >= 0; dimension -= 1) {
      const count = plane[dimension] ?? 1;
      at += (dimension === axis ? place : rest % count) * stride;
      rest = Math.floor(rest / count);
      stride *= own[dimension] ?? 1;
    }
    return isMissing(at) ? NaN : Number(numbers[at]);
  });
  return { values, shape: plane };
}
