/** Steps whose values run the other way along a dimension than those of the steps before and after them. */
import { scale } from "#core/cf/cf.ts";
import { isJsonObject } from "#core/json/json.ts";
import { chunkAlong, coordinatesOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { isDocument } from "#engine/engine-set.ts";
import { coordinateArray } from "#engine/many/axis.ts";
import { largestPairs, layerPairs, type LayerPair } from "../layer-pairs.ts";
import { layerAt } from "../file-blocks.ts";
import { scalingOfNode } from "../note-chunk.ts";
import { isNumericCoordinate } from "../plan.ts";
import { NO_FILE, slotOf, type ArrayFacts } from "../value-facts.ts";
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

/** Distance of neighbouring steps as declared, in multiples of the usual one and of nearly all others. */
const LEAST_AWAY = 2.5;
const LEAST_OF_LARGE = 1.5;
/** Reversed, they must be so much nearer, no farther apart than others are, and alike. */
const MOST_LEFT = 0.34;
const MOST_OF_LARGE = 1.5;
const LEAST_ALIKE = 0.7;
/** Greatest share of the pairs of steps that may be turned, two at least; and the least number of others. */
const MOST_TURNED = 0.34;
const LEAST_OTHERS = 3;
const LEAST_PLACES = 8;
/** Pairs of which it is asked how alike they are: noise is like nothing beside it. */
const MAX_ASKED = 24;
/**
 * Longest step of the coordinate that counts: across a longer one the other season may mirror fields at the equator.
 */
const LONGEST_STEP = 1.5;
const MAX_RUNS = 5;

export const turnedRows: ValueRule = {
  id: "turned-rows",
  codes: ["rows-turned"],
  ofArray(facts, sink, view) {
    if (facts.axis < 0 || isNumericCoordinate(facts.node) || isPlaces(facts)) return;
    const pairs = layerPairs(facts);
    for (const [dimension, found] of turnedPairs(view, facts, pairs)) {
      const steps = turnedRuns(facts, found);
      const edges = facts.node.metadata.chunks[facts.axis] ?? 1;
      const isMeant = (chunk: number) =>
        steps.some(([from, to]) => chunk >= chunkAlong(edges, from) && chunk <= chunkAlong(edges, to));
      const meant = [...facts.ordinals.keys()].filter(
        (slot) => isDecoded(facts, slot) && isMeant(coordinatesAt(facts, slot)[facts.axis] ?? 0),
      );
      explainSlots(facts, meant);
      const files = new Set(meant.map((slot) => facts.files[slot]));
      const target = files.size === 1 ? fileAt(facts, meant[0] ?? 0) : undefined;
      const about = {
        dimension: nameOf(facts, dimension),
        along: nameOf(facts, facts.axis),
        steps: steps.slice(0, MAX_RUNS),
        moreRuns: Math.max(0, steps.length - MAX_RUNS),
        isAbout: found.some(({ pair: { from, to } }) => to - from > 1),
        ...differences(facts, found, pairs),
        target,
        chunks: meant.length,
        isAppended: isAppended(view, facts, dimension, steps),
      };
      sink(ofChunks("rows-turned", facts, meant, about, target));
    }
  },
};

export const nameOf = ({ node }: ArrayFacts, dimension: number): string =>
  node.metadata.dimensionNames?.[dimension] ?? `dimension ${dimension}`;

/** Places themselves, as swaths have them: each pass may run its own way. */
export const isPlaces = ({ node }: ArrayFacts): boolean =>
  /latitude|longitude/.test(attributeOf(node, "standard_name")) ||
  /^degrees?_?(north|east|N|E)$/.test(attributeOf(node, "units"));

function attributeOf({ attributes }: ArrayNode, name: string): string {
  const value = isJsonObject(attributes) ? attributes.get(name) : undefined;
  return typeof value === "string" ? value : "";
}

/** Two-dimensional coordinates that change from step to step say how each runs. */
export function hasOwnPlaces({ set }: ValuesView, facts: ArrayFacts, dimension: number): boolean {
  const { metadata, path } = facts.node;
  const names = attributeOf(facts.node, "coordinates").split(/\s+/);
  const [axis, own] = [metadata.dimensionNames?.[facts.axis], metadata.dimensionNames?.[dimension]];
  return names.some((name) => {
    const node = set.hierarchy.nodes.get(path.slice(0, path.lastIndexOf("/") + 1) + name);
    const dimensions = node?.kind === "array" ? (node.metadata.dimensionNames ?? []) : [];
    return dimensions.includes(axis ?? "") && dimensions.includes(own ?? "");
  });
}

interface Turned {
  readonly pair: LayerPair;
  readonly dimension: number;
  readonly distance: number;
}

/** Turned pairs by dimension. */
function turnedPairs(view: ValuesView, facts: ArrayFacts, pairs: readonly LayerPair[]) {
  const found = new Map<number, Turned[]>();
  const usual = median(pairs.map(({ distance }) => distance));
  const most = Math.max(2, Math.floor(pairs.length * MOST_TURNED));
  const large = pairs.filter(({ distance }) => distance > usual * LEAST_AWAY && distance > 0);
  if (large.length === 0 || large.length > most || pairs.length - large.length < LEAST_OTHERS) return found;
  const turned = large.flatMap((pair) => turnedOf(facts, pair) ?? []);
  const own = new Set(turned.map(({ pair }) => pair));
  // A storm among the others does not hide what is upside down; many of them do.
  const usualMost = largestPairs(pairs.filter((pair) => !own.has(pair)));
  if (turned.length === 0 || !(usualLikeness(facts, pairs, own) > LEAST_ALIKE)) return found;
  const jumps = longSteps(view, facts);
  for (const one of turned) {
    const { pair, distance, dimension } = one;
    if (pair.distance < usualMost * LEAST_OF_LARGE || distance > usualMost * MOST_OF_LARGE) continue;
    if (jumps(pair) || hasOwnPlaces(view, facts, dimension)) continue;
    const known = found.get(dimension) ?? [];
    found.set(dimension, known);
    known.push(one);
  }
  return found;
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
  if (best === undefined || !(best.distance < pair.distance * MOST_LEFT) || !(best.correlation > LEAST_ALIKE))
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
function alike(facts: ArrayFacts, { members, places: declared }: LayerPair, dimension = -1, isMirrored = false) {
  let [n, sum, x, y, xx, yy, xy] = [0, 0, 0, 0, 0, 0, 0];
  const turned = reversedPlaces(facts, dimension);
  let first: number | undefined;
  for (let at = 0; at < members.length; at += 4) {
    const [before = 0, from = 0, after = 0, to = 0] = members.slice(at, at + 4);
    const there = isMirrored ? mirrored(facts, after, dimension) : after;
    if (there < 0 || !isDecoded(facts, there)) continue;
    const [earlier, later] = [layerAt(facts, before, from), layerAt(facts, there, to)];
    for (const [place, value] of earlier.entries()) {
      const other = later[turned[place] ?? 0] as number;
      const difference = Math.abs(other - value);
      if (!Number.isFinite(difference)) continue;
      first ??= value;
      const [one, two] = [value - first, other - first];
      n += 1;
      sum += difference;
      x += one;
      y += two;
      xx += one * one;
      yy += two * two;
      xy += one * two;
    }
  }
  if (n < Math.max(LEAST_PLACES, declared / 2)) return { distance: NaN, correlation: NaN };
  const correlation = (n * xy - x * y) / Math.sqrt((n * xx - x * x) * (n * yy - y * y));
  return { distance: sum / n, correlation };
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

/** Tells for which pairs the axis' coordinate, if known, takes a longer step than it mostly does. */
export function longSteps({ set, facts: all }: ValuesView, { node, axis }: ArrayFacts): (pair: LayerPair) => boolean {
  const coordinate = coordinateArray(set, node, axis);
  const values = all.find((one) => one.node === coordinate)?.whole;
  if (values === undefined) return () => false;
  const at = (step: number) => values[step] ?? NaN;
  const usual = median(Array.from(values.subarray(1), (value, step) => Math.abs(value - at(step))));
  return ({ from, to }) => Math.abs(at(to) - at(from)) > usual * (to - from) * LONGEST_STEP;
}

/** Between the boundaries every other run of steps is reversed: the fewer of them. */
function turnedRuns({ node, axis }: ArrayFacts, found: readonly Turned[]): readonly (readonly [number, number])[] {
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
function isAppended(
  { set }: ValuesView,
  facts: ArrayFacts,
  dimension: number,
  steps: readonly (readonly [number, number])[],
): boolean {
  const [run, ...others] = steps;
  if (run === undefined || others.length > 0 || isDocument(set)) return false;
  const isAtEnd = run[0] === 0 || run[1] === (facts.node.metadata.shape[facts.axis] ?? 0) - 1;
  const hasCoordinate = coordinateArray(set, facts.node, dimension) !== undefined;
  return isAtEnd && hasCoordinate && facts.files.every((file) => file === NO_FILE);
}
