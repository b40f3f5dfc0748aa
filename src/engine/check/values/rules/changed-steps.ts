/**
 * Values that continue those before them, from one step on, only if they are read otherwise: unpacked once more, not
 * unpacked, in another unit, with another sign or byte order. Each is tried on the later steps; one is told if the jump disappears.
 */
import { scalingOfNode } from "../note-chunk.ts";
import { layerAt } from "../file-blocks.ts";
import { type LayerPair, layerPairs, type Line } from "../layer-pairs.ts";
import { isNumericCoordinate } from "../plan.ts";
import type { ArrayFacts } from "../value-facts.ts";
import {
  coordinatesAt,
  explainSlots,
  fileOfAll,
  isDecoded,
  isOfFlags,
  median,
  ofChunks,
  type ValueRule,
} from "../value-rule.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { chunkAlong } from "#core/metadata/chunk-grid.ts";

/** Jump in usual steps; what is left of it, in usual steps and of the jump. */
const [LEAST_JUMP, MOST_USUAL, MOST_LEFT] = [5, 2.5, 0.15];
const LEAST_BEFORE = 2;
/** Rest of a jump after a change of scale, of the values before it. */
const MOST_OF_SIZE = 0.25;
/** Rest of a jump where values go around, of what any values would leave: a quarter of the way around. */
const MOST_OF_CHANCE = 0.3;

/** Angles go on at the other end of their circle. */
const ANGLE = /^deg(?:ree)?s?(?!.*[cfk])|\brad(?:ians?)?$|direction|angle|azimuth|phase|heading/i;

/** Turns a stored number of a later step into the one that was meant; `near`: the one before it at its place. */
type Reading = (stored: number, near: number) => number;

export type ChangedReading = "packed-twice" | "not-packed" | "kelvin" | "celsius" | "sign" | "byte-order" | "times";

export const changedSteps: ValueRule = {
  id: "changed-steps",
  codes: ["steps-read-otherwise"],
  ofArray(facts, sink) {
    if (facts.axis < 0 || isNumericCoordinate(facts.node) || isOfFlags(facts)) return;
    const pairs = layerPairs(facts);
    const at = firstJump(pairs);
    const [pair, usual] = [pairs[at], median(pairs.slice(0, Math.max(0, at)).map(({ distance }) => distance))];
    if (at < LEAST_BEFORE || pair === undefined) return;
    for (const [reading, read, factor] of readingsOf(facts)) {
      const left = distanceRead(facts, pair.lines, read, true);
      if (!(left <= usual * MOST_USUAL && left <= pair.distance * MOST_LEFT)) continue;
      if (reading === "packed-twice" && left > (turnOf(facts) / 4) * MOST_OF_CHANCE) continue;
      // Everything is near to nothing, divided often enough.
      if (factor !== undefined && left > sizeBefore(facts, pair.lines) * MOST_OF_SIZE) continue;
      const { shape, chunks, dimensionNames } = facts.node.metadata;
      const [steps = 0, edges = 1] = [shape[facts.axis], chunks[facts.axis]];
      const to = endOf(facts, pairs.slice(at + 1), usual, read) ?? steps - 1;
      const [from, last] = [chunkAlong(edges, pair.to), chunkAlong(edges, to)];
      const slots = [...facts.ordinals.keys()].filter((slot) => {
        const chunk = coordinatesAt(facts, slot)[facts.axis] ?? 0;
        return isDecoded(facts, slot) && chunk >= from && chunk <= last;
      });
      const scaling = scalingOfNode(facts.node);
      const size = (stored: number) => stored * Math.abs(scaling?.scaleFactor ?? 1);
      const dimension = dimensionNames?.[facts.axis] ?? `dimension ${facts.axis}`;
      const distances = { jump: size(pair.distance), left: size(left), usual: size(usual) };
      explainSlots(facts, slots);
      const about = { reading, factor, dimension, from: pair.to, to, steps, ...distances };
      return sink(ofChunks("steps-read-otherwise", facts, slots, about, fileOfAll(facts, slots)));
    }
  },
};

/** The first pair that is far from all before it. */
function firstJump(pairs: readonly LayerPair[]): number {
  let most = 0;
  for (const [at, { distance }] of pairs.entries()) {
    if (at >= LEAST_BEFORE && distance > most * LEAST_JUMP && most > 0) return at;
    most = Math.max(most, distance);
  }
  return -1;
}

/** How far numbers that were packed twice go before they wrap, in stored numbers; Infinity for wide types. */
function turnOf({ node }: ArrayFacts): number {
  const { itemSize } = node.metadata.dataType;
  return itemSize > 4 ? Infinity : 2 ** (itemSize * 8) * Math.abs(scalingOfNode(node)?.scaleFactor ?? 1);
}

type NamedReading = readonly [reading: ChangedReading, read: Reading, factor?: number];

function readingsOf(facts: ArrayFacts): readonly NamedReading[] {
  const { node } = facts;
  const { kind, itemSize } = node.metadata.dataType;
  const scaling = scalingOfNode(node);
  const [by, offset] = [scaling?.scaleFactor ?? 1, scaling?.addOffset ?? 0];
  const isPacked = (kind === "int" || kind === "uint") && (by !== 1 || offset !== 0);
  const turn = turnOf(facts);
  const words = ["units", "standard_name", "long_name"].map((name) => textAttribute(node.attributes, name) ?? "");
  const isTemperature = /kelvin|^K$|celsius|degc|°c/i.test(words[0] ?? "");
  const unscaled = (stored: number) => stored * by + offset;
  // The writer wrapped what no longer fit into the integer.
  const packed: Reading = (stored, near) => {
    const once = unscaled(stored);
    return Number.isFinite(turn) ? once + turn * Math.round((near - once) / turn) : once;
  };
  const tried: readonly (readonly [isTried: boolean, ...NamedReading])[] = [
    [isPacked, "packed-twice", packed],
    [isPacked, "not-packed", (stored) => (stored - offset) / by],
    [isPacked && itemSize === 2, "byte-order", (stored) => swapped(stored, kind === "int")],
    [isTemperature, "celsius", (stored) => stored + 273.15 / by],
    [isTemperature, "kelvin", (stored) => stored - 273.15 / by],
    [!words.some((text) => ANGLE.test(text)), "sign", (stored) => (-unscaled(stored) - offset) / by],
    ...[10, 100, 1000, 1e4, 1e5, 1e6]
      .flatMap((one) => [one, 1 / one])
      .map((factor) => [true, "times", (stored: number) => (unscaled(stored) / factor - offset) / by, factor] as const),
  ];
  return tried.flatMap(([isTried, ...reading]) => (isTried ? [reading] : []));
}

function swapped(stored: number, isSigned: boolean): number {
  const bytes = stored & 0xffff;
  const other = ((bytes & 0xff) << 8) | (bytes >> 8);
  return isSigned && other > 0x7fff ? other - 0x10000 : other;
}

/** How far values before the jump are from zero, on average. */
function sizeBefore(facts: ArrayFacts, lines: readonly Line[]): number {
  const scaling = scalingOfNode(facts.node);
  const zero = (scaling?.addOffset ?? 0) / (scaling?.scaleFactor ?? 1);
  const sizes = lines.flatMap(([slot, layer]) =>
    Array.from(layerAt(facts, slot, layer), (one) => Math.abs(one + zero)),
  );
  const known = sizes.filter((one) => !Number.isNaN(one));
  return known.reduce((sum, one) => sum + one, 0) / known.length;
}

/** Mean distance of two steps where the later one is read otherwise, or both are. */
function distanceRead(facts: ArrayFacts, lines: readonly Line[], read: Reading, isFirst: boolean): number {
  let [places, sum] = [0, 0];
  for (const [before, from, after, to] of lines) {
    const [earlier, later] = [layerAt(facts, before, from), layerAt(facts, after, to)];
    for (let place = 0; place < earlier.length; place += 1) {
      const [one, other] = [earlier[place] as number, later[place] as number];
      const near = isFirst ? one : read(one, 0);
      const apart = Math.abs(read(other, near) - near);
      if (!Number.isFinite(apart)) continue;
      places += 1;
      sum += apart;
    }
  }
  return sum / places;
}

/** The last step before values go on as they are; `undefined` where they never do. */
function endOf(facts: ArrayFacts, pairs: readonly LayerPair[], usual: number, read: Reading): number | undefined {
  for (const pair of pairs) {
    const isSame = distanceRead(facts, pair.lines, read, false) <= usual * MOST_USUAL;
    if (!isSame && pair.distance > usual * LEAST_JUMP) return pair.from;
  }
  return undefined;
}
