/**
 * Steps that fit to the steps before and after them only under a change: repeated, run the other way along a dimension,
 * or shifted by some cells.
 */
import { maskOf, missingTest } from "#core/cf/cf-statistics.ts";
import { scale, viewedValues } from "#core/cf/cf.ts";
import { groupedBy } from "#core/basics.ts";
import { metadataOfChunk } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import {
  cellCount,
  chunkAlong,
  coordinatesOf,
  insideShape,
  largestShape,
  ordinalOf,
} from "#core/metadata/chunk-grid.ts";
import { decodeValues } from "#core/values/values.ts";
import { isDocument } from "#engine/engine-set.ts";
import { coordinateArray } from "#engine/many/axis.ts";
import { layerAt } from "../file-blocks.ts";
import { largestPairs, type LayerPair, layerPairs, type Line } from "../layer-pairs.ts";
import { layerPlaces, scalingOfNode } from "../note-chunk.ts";
import { isNumericCoordinate } from "../plan.ts";
import { bestShift, compare, likenessOf, type Plane } from "../plane-shift.ts";
import { bytesOf } from "../repair-search.ts";
import { type ArrayFacts, NO_FILE, slotOf } from "../value-facts.ts";
import { coordinatesAt, explainSlots, factsByNode, fileOfAll, isDecoded, median, ofChunks } from "../value-rule.ts";
import type { ValueRule, ValuesView } from "../value-rule.ts";

/** Distance of neighbouring steps as declared, in multiples of the usual one and of nearly all others. */
const LEAST_AWAY = 2.5;
const LEAST_OF_LARGE = 1.5;
/** Changed, they must be so much nearer, and no farther apart than others are. */
const MOST_LEFT = 0.34;
const MOST_OF_LARGE = 1.5;
/** Least number of other pairs of steps. */
const LEAST_OTHERS = 3;
/**
 * Longest step of the coordinate that counts: across a longer one the other season may mirror fields at the equator.
 */
const LONGEST_STEP = 1.5;

type Run = readonly [from: number, to: number];

/** Pairs of neighbouring steps that are much farther apart than usual, and all others. */
interface OddPairs {
  readonly pairs: readonly LayerPair[];
  readonly large: readonly LayerPair[];
  readonly others: readonly LayerPair[];
  readonly usual: number;
}

/** `mostOf`: how many of so many pairs may be odd. */
function oddPairs(facts: ArrayFacts, mostOf: (pairs: number) => number): OddPairs | undefined {
  if (facts.axis < 0 || isNumericCoordinate(facts.node) || isPlaces(facts)) return undefined;
  const pairs = layerPairs(facts);
  const usual = median(pairs.map(({ distance }) => distance));
  const large = pairs.filter(({ distance }) => distance > usual * LEAST_AWAY && distance > 0);
  const others = pairs.filter((pair) => !large.includes(pair));
  const isRule = large.length > 0 && large.length <= mostOf(pairs.length) && others.length >= LEAST_OTHERS;
  return isRule ? { pairs, large, others, usual } : undefined;
}

/** Decoded chunks with any of the steps. */
function slotsOfSteps(facts: ArrayFacts, runs: readonly Run[]): readonly number[] {
  const edges = facts.node.metadata.chunks[facts.axis] ?? 1;
  const chunks = new Set(
    runs.flatMap((run) => {
      const [from, to] = [chunkAlong(edges, run[0]), chunkAlong(edges, run[1])];
      return Array.from({ length: to - from + 1 }, (_, at) => from + at);
    }),
  );
  return [...facts.ordinals.keys()].filter(
    (slot) => isDecoded(facts, slot) && chunks.has(coordinatesAt(facts, slot)[facts.axis] ?? 0),
  );
}

const nameOf = ({ node }: ArrayFacts, dimension: number): string =>
  node.metadata.dimensionNames?.[dimension] ?? `dimension ${dimension}`;

/** Places themselves, as swaths have them: each pass may run its own way. */
const isPlaces = ({ node }: ArrayFacts): boolean =>
  /latitude|longitude/.test(textAttribute(node.attributes, "standard_name") ?? "") ||
  /^degrees?_?(north|east|N|E)$/.test(textAttribute(node.attributes, "units") ?? "");

/** Two-dimensional coordinates that change from step to step say how each runs. */
function hasOwnPlaces({ set }: ValuesView, facts: ArrayFacts, dimension: number): boolean {
  const { attributes, metadata, path } = facts.node;
  const names = textAttribute(attributes, "coordinates")?.split(/\s+/) ?? [];
  const [axis, own] = [metadata.dimensionNames?.[facts.axis], metadata.dimensionNames?.[dimension]];
  return names.some((name) => {
    const node = set.hierarchy.nodes.get(path.slice(0, path.lastIndexOf("/") + 1) + name);
    const dimensions = node?.kind === "array" ? (node.metadata.dimensionNames ?? []) : [];
    return dimensions.includes(axis ?? "") && dimensions.includes(own ?? "");
  });
}

/** Tells for which pairs the axis' coordinate, if known, takes a longer step than it mostly does. */
function longSteps({ set, facts: all }: ValuesView, { node, axis }: ArrayFacts): (pair: LayerPair) => boolean {
  const coordinate = coordinateArray(set, node, axis);
  const values = coordinate && factsByNode(all).get(coordinate)?.whole;
  if (values === undefined) return () => false;
  const at = (step: number) => values[step] ?? NaN;
  const usual = median(Array.from(values.subarray(1), (value, step) => Math.abs(value - at(step))));
  return ({ from, to }) => Math.abs(at(to) - at(from)) > usual * (to - from) * LONGEST_STEP;
}

// Steps reversed along a dimension.

const LEAST_ALIKE_TURNED = 0.7;
/** Greatest share of the pairs of steps that may be turned, two at least. */
const MOST_TURNED = 0.34;
const LEAST_PLACES = 8;
/** Pairs of which it is asked how alike they are: noise is like nothing beside it. */
const MAX_ASKED = 24;
const MAX_RUNS = 5;

export const turnedRows: ValueRule = {
  id: "turned-rows",
  codes: ["rows-turned"],
  ofArray(facts, sink, view) {
    const odd = oddPairs(facts, (pairs) => Math.max(2, Math.floor(pairs * MOST_TURNED)));
    for (const [dimension, turned] of odd === undefined ? [] : turnedPairs(view, facts, odd)) {
      const runs = turnedRuns(facts, turned);
      const slots = slotsOfSteps(facts, runs);
      explainSlots(facts, slots);
      const target = fileOfAll(facts, slots);
      const about = {
        dimension: nameOf(facts, dimension),
        along: nameOf(facts, facts.axis),
        steps: runs.slice(0, MAX_RUNS),
        moreRuns: Math.max(0, runs.length - MAX_RUNS),
        isAbout: turned.some(({ pair: { from, to } }) => to - from > 1),
        ...differences(facts, turned, odd?.pairs ?? []),
        target,
        chunks: slots.length,
        isAppended: isAppended(view, facts, dimension, runs),
      };
      sink(ofChunks("rows-turned", facts, slots, about, target));
    }
  },
};

interface Turned {
  readonly pair: LayerPair;
  readonly dimension: number;
  readonly distance: number;
}

/** Turned pairs by dimension. */
function turnedPairs(view: ValuesView, facts: ArrayFacts, { pairs, large }: OddPairs) {
  const turned = large.flatMap((pair) => turnedOf(facts, pair) ?? []);
  const own = new Set(turned.map(({ pair }) => pair));
  // A storm among the others does not hide what is upside down; many of them do.
  const usualMost = largestPairs(pairs.filter((pair) => !own.has(pair)));
  if (turned.length === 0 || !(usualLikeness(facts, pairs, own) > LEAST_ALIKE_TURNED)) return [];
  const jumps = longSteps(view, facts);
  const isClear = ({ pair, distance, dimension }: Turned): boolean =>
    pair.distance >= usualMost * LEAST_OF_LARGE &&
    distance <= usualMost * MOST_OF_LARGE &&
    !jumps(pair) &&
    !hasOwnPlaces(view, facts, dimension);
  return groupedBy(turned.filter(isClear), ({ dimension }) => dimension);
}

/** The dimension along which the later step must be reversed to be like the one before it. */
function turnedOf(facts: ArrayFacts, pair: LayerPair): Turned | undefined {
  const candidates = facts.probes.places.flatMap((places, dimension) => {
    const isSplit = dimension !== facts.axis && (facts.grid[dimension] ?? 1) > 1;
    return [...(isSplit ? [true] : []), ...(places > 1 ? [false] : [])].map((isMirrored) => ({
      dimension,
      ...alike(facts, pair, dimension, isMirrored),
    }));
  });
  const [best] = candidates.toSorted((a, b) => a.distance - b.distance);
  if (best === undefined || !(best.distance < pair.distance * MOST_LEFT) || !(best.correlation > LEAST_ALIKE_TURNED))
    return undefined;
  return { pair, dimension: best.dimension, distance: best.distance };
}

/** The correlation of steps beside each other that are as they should be. */
function usualLikeness(facts: ArrayFacts, pairs: readonly LayerPair[], turned: ReadonlySet<LayerPair>): number {
  const others = pairs.filter((pair) => !turned.has(pair));
  const every = Math.ceil(others.length / MAX_ASKED);
  return median(others.filter((_, at) => at % every === 0).map((pair) => alike(facts, pair).correlation));
}

/** The mean difference of a pair, with its later step reversed if a dimension is given, and how alike the two are. */
function alike(facts: ArrayFacts, { lines, places: declared }: LayerPair, dimension = -1, isMirrored = false) {
  const [one, other]: [number[], number[]] = [[], []];
  const turned = reversedPlaces(facts, dimension);
  for (const [before, from, after, to] of lines) {
    const there = isMirrored ? mirrored(facts, after, dimension) : after;
    if (there < 0 || !isDecoded(facts, there)) continue;
    const [earlier, later] = [layerAt(facts, before, from), layerAt(facts, there, to)];
    for (const [place, value] of earlier.entries()) {
      const changed = later[turned[place] ?? 0] as number;
      if (!Number.isFinite(changed - value)) continue;
      one.push(value);
      other.push(changed);
    }
  }
  if (one.length < Math.max(LEAST_PLACES, declared / 2)) return { distance: NaN, correlation: NaN };
  const distance = one.reduce((sum, value, at) => sum + Math.abs((other[at] as number) - value), 0) / one.length;
  return { distance, correlation: likenessOf(one, other) };
}

/** For each place of a layer, the one as far from the other end of the dimension. */
function reversedPlaces({ probes: { places, size } }: ArrayFacts, dimension: number): readonly number[] {
  const stride = places.slice(dimension + 1).reduce((product, count) => product * count, 1);
  const count = places[dimension] ?? 1;
  if (dimension < 0) return [...Array(size).keys()];
  return Array.from({ length: size }, (_, place) => {
    const at = Math.floor(place / stride) % count;
    return place + (count - 1 - 2 * at) * stride;
  });
}

/** The chunk at the other end of a dimension: a whole step was turned, not each of its chunks. */
function mirrored(facts: ArrayFacts, slot: number, dimension: number): number {
  const coordinates = coordinatesOf(facts.grid, facts.ordinals[slot] ?? 0);
  coordinates[dimension] = (facts.grid[dimension] ?? 1) - 1 - (coordinates[dimension] ?? 0);
  return slotOf(facts, ordinalOf(facts.grid, coordinates) ?? -1);
}

/** Between the boundaries every other run of steps is reversed: the fewer of them. */
function turnedRuns({ node, axis }: ArrayFacts, found: readonly Turned[]): readonly Run[] {
  const length = node.metadata.shape[axis] ?? 0;
  const starts = [0, ...found.map(({ pair }) => pair.to).toSorted((a, b) => a - b)];
  const runs = starts.map((from, at) => [from, (starts[at + 1] ?? length) - 1] as const);
  const [even, odd] = [0, 1].map((parity) => runs.filter((_, at) => at % 2 === parity)) as [typeof runs, typeof runs];
  const steps = (some: typeof runs) => some.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return steps(even) < steps(odd) ? even : odd;
}

/** Differences in the units of the unpacked values. */
function differences({ node }: ArrayFacts, found: readonly Turned[], pairs: readonly LayerPair[]) {
  const scaling = scalingOfNode(node);
  const unpacked = (by: number) => (scaling === undefined ? by : Math.abs(scale(by, scaling) - scale(0, scaling)));
  const own = new Set(found.map(({ pair }) => pair));
  return {
    declared: unpacked(median(found.map(({ pair }) => pair.distance))),
    reversed: unpacked(median(found.map(({ distance }) => distance))),
    usual: unpacked(median(pairs.flatMap((pair) => (own.has(pair) ? [] : [pair.distance])))),
  };
}

/** The first or last steps of a store that holds its own data, with a coordinate that the last append wrote. */
function isAppended({ set }: ValuesView, facts: ArrayFacts, dimension: number, steps: readonly Run[]): boolean {
  const [run, ...others] = steps;
  if (run === undefined || others.length > 0 || isDocument(set)) return false;
  const isAtEnd = run[0] === 0 || run[1] === (facts.node.metadata.shape[facts.axis] ?? 0) - 1;
  const hasCoordinate = coordinateArray(set, facts.node, dimension) !== undefined;
  return isAtEnd && hasCoordinate && facts.files.every((file) => file === NO_FILE);
}

// Steps whose values lie some cells away from where those of the steps before and after them do: files of other
// extents.

const LEAST_ALIKE_SHIFTED = 0.8;
/** Other pairs that are asked must be alike as they are, and not be nearer when shifted. */
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
    const { chunks, dataType } = facts.node.metadata;
    if (cellCount(largestShape(chunks)) * dataType.itemSize > MAX_BYTES) return;
    const odd = oddPairs(facts, () => MAX_BOUNDARIES);
    const run = odd === undefined ? undefined : await shiftedRun(view, facts, odd);
    if (run === undefined) return;
    const { steps, slots, shift, ...distances } = run;
    explainSlots(facts, slots);
    const target = fileOfAll(facts, slots);
    const moved = [...shift.by.keys()].filter((dimension) => shift.by[dimension] !== 0);
    const about = {
      dimensions: moved.map((dimension) => nameOf(facts, dimension)),
      cells: moved.map((dimension) => shift.by[dimension] ?? 0),
      wraps: shift.wraps,
      along: nameOf(facts, facts.axis),
      steps,
      ...distances,
      target,
      chunks: slots.length,
    };
    sink(ofChunks("steps-shifted", facts, slots, about, target));
  },
};

async function shiftedRun(view: ValuesView, facts: ArrayFacts, { large, others, usual }: OddPairs) {
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
    if (!isFit || !(likeness > LEAST_ALIKE_SHIFTED)) return undefined;
  }
  const every = Math.ceil(others.length / ASKED);
  for (const pair of others.filter((_, at) => at % every === 0)) {
    const own = await planes(pair);
    const moving = bestShift(own, () => false, MOVES);
    if (moving !== undefined || !(compare(own, { ...shift, by: shift.by.map(() => 0) }).likeness > LEAST_ALIKE_SHIFTED))
      return undefined;
  }
  const { declared, shifted } = compare(await planes(first), shift);
  const { steps, slots, isBefore } = run;
  return { steps, slots, shift: isBefore ? back : shift, declared, shifted, usual };
}

/** Also from the step before the last one to the first of the run, and to its second: one odd step is no evidence. */
function beside(others: readonly LayerPair[], { from, to, lines }: LayerPair): readonly Pick<LayerPair, "lines">[] {
  const earlier = others.find((pair) => pair.to === from);
  const later = others.find((pair) => pair.from === to);
  const none: Line = [-1, -1, -1, -1];
  const fromEarlier = lines.map(([, , slot, layer], at): Line => {
    const [before, own] = earlier?.lines[at] ?? none;
    return [before, own, slot, layer];
  });
  const toLater = lines.map(([slot, layer], at): Line => {
    const [, , after, own] = later?.lines[at] ?? none;
    return [slot, layer, after, own];
  });
  return [...(earlier ? [{ lines: fromEarlier }] : []), ...(later ? [{ lines: toLater }] : [])];
}

/**
 * Between two boundaries, or from one of another file to the nearer end; there the coordinate must say that nothing is
 * left out.
 */
function runBetween(view: ValuesView, facts: ArrayFacts, [first, last]: readonly LayerPair[]) {
  const { node, axis } = facts;
  const length = node.metadata.shape[axis] ?? 0;
  if (first === undefined) return undefined;
  const isBefore = last === undefined && first.to * 2 <= length;
  const [from, to] = isBefore ? [0, first.from] : [first.to, last === undefined ? length - 1 : last.from];
  if (last === undefined) {
    const coordinate = coordinateArray(view.set, node, axis);
    const isKnown = view.facts.some((one) => one.node === coordinate && one.whole !== undefined);
    if (!isKnown || first.lines[0]?.[0] === first.lines[0]?.[2]) return undefined;
  } else if ((to - from + 1) * 2 > length) return undefined;
  const slots = slotsOfSteps(facts, [[from, to]]);
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
  return async ({ lines }: Pick<LayerPair, "lines">): Promise<readonly (readonly [Plane, Plane])[]> => {
    const every = Math.ceil(lines.length / MAX_LINES);
    const found: (readonly [Plane, Plane])[] = [];
    for (const [before, from, after, to] of lines.filter((_, at) => at % every === 0)) {
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

// Steps with exactly the values of the one before it, among steps that all differ: a source that was read before it
// was new.

/** Places that are compared, and different values among them. */
const LEAST_REPEATED_PLACES = 24;
const LEAST_VALUES = 12;
/**
 * Greatest share of the pairs of steps, or one pair; and the least number of other pairs, each with few equal values.
 */
const MOST_REPEATED = 0.05;
const LEAST_OTHERS_OF_REPEATED = 6;
const MOST_EQUAL = 0.5;
const MAX_STEPS = 10;

export const repeatedSteps: ValueRule = {
  id: "repeated-steps",
  codes: ["step-repeated"],
  ofArray(facts, sink) {
    if (facts.axis < 0 || isNumericCoordinate(facts.node)) return;
    const pairs = layerPairs(facts);
    const same = pairs.filter(({ distance, from, to }) => distance === 0 && to === from + 1);
    if (same.length === 0 || same.length > Math.max(1, pairs.length * MOST_REPEATED)) return;
    const others = pairs.filter((pair) => !same.includes(pair));
    if (others.length < LEAST_OTHERS_OF_REPEATED || others.some((pair) => equalIn(facts, pair).share > MOST_EQUAL))
      return;
    const told = same.filter(
      (pair) => pair.places >= LEAST_REPEATED_PLACES && equalIn(facts, pair).values >= LEAST_VALUES,
    );
    if (told.length === 0) return;
    const runs = told.map(({ to }): Run => [to, to]);
    const steps = told.slice(0, MAX_STEPS).map(({ to }) => to);
    const about = { along: nameOf(facts, facts.axis), steps, count: told.length, places: told[0]?.places ?? 0 };
    sink(ofChunks("step-repeated", facts, slotsOfSteps(facts, runs), about));
  },
};

/** Share of places at which two steps have the same value, and the number of distinct values. */
function equalIn(facts: ArrayFacts, { lines, places }: LayerPair) {
  const values = new Set<number>();
  let equal = 0;
  for (const [before, from, after, to] of lines) {
    const later = layerAt(facts, after, to);
    for (const [place, value] of layerAt(facts, before, from).entries()) {
      if (values.size < LEAST_VALUES && !Number.isNaN(value)) values.add(value);
      if (value === later[place]) equal += 1;
    }
  }
  return { share: equal / places, values: values.size };
}
