/** A step with exactly the values of the one before it, among steps that all differ: a source that was read before it was new. */
import { chunkAlong } from "#core/metadata/chunk-grid.ts";
import { layerAt } from "../file-blocks.ts";
import { layerPairs, type LayerPair } from "../layer-pairs.ts";
import { isNumericCoordinate } from "../plan.ts";
import type { ArrayFacts } from "../value-facts.ts";
import { coordinatesAt, isDecoded, ofChunks, type ValueRule } from "../value-rule.ts";
import { nameOf } from "./turned-rows.ts";

/** Places that are compared, and different values among them. */
const LEAST_PLACES = 24;
const LEAST_VALUES = 12;
/**
 * Greatest share of the pairs of steps, or one pair; and the least number of other pairs, each with few equal values.
 */
const MOST_REPEATED = 0.05;
const LEAST_OTHERS = 6;
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
    if (others.length < LEAST_OTHERS || others.some((pair) => equalIn(facts, pair).share > MOST_EQUAL)) return;
    const told = same.filter((pair) => pair.places >= LEAST_PLACES && equalIn(facts, pair).values >= LEAST_VALUES);
    if (told.length === 0) return;
    const chunks = new Set(told.map(({ to }) => chunkAlong(facts.node.metadata.chunks[facts.axis] ?? 1, to)));
    const slots = [...facts.ordinals.keys()].filter(
      (slot) => isDecoded(facts, slot) && chunks.has(coordinatesAt(facts, slot)[facts.axis] ?? 0),
    );
    const steps = told.slice(0, MAX_STEPS).map(({ to }) => to);
    const about = { along: nameOf(facts, facts.axis), steps, count: told.length, places: told[0]?.places ?? 0 };
    sink(ofChunks("step-repeated", facts, slots, about));
  },
};

/** Share of places at which two steps have the same value, and the number of distinct values. */
function equalIn(facts: ArrayFacts, { members, places }: LayerPair) {
  const values = new Set<number>();
  let equal = 0;
  for (let at = 0; at < members.length; at += 4) {
    const [before = 0, from = 0, after = 0, to = 0] = members.slice(at, at + 4);
    const later = layerAt(facts, after, to);
    for (const [place, value] of layerAt(facts, before, from).entries()) {
      if (values.size < LEAST_VALUES && !Number.isNaN(value)) values.add(value);
      if (value === later[place]) equal += 1;
    }
  }
  return { share: equal / places, values: values.size };
}
