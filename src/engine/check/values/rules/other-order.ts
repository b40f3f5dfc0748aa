/** Elements stored in the other order (C or F) than declared: all chunks, or those of a file, are much smoother in the other. */
import type { ArrayFacts } from "../value-facts.ts";
import { explainArray, explainSlots, fileAt, median, ofChunks, openSlots, type ValueRule } from "../value-rule.ts";

/** How many times as rough as declared, and how smooth in the other order. */
const LEAST_RATIO = 2.4;
const SMOOTH = 0.6;
/** Least roughness: scrambled values are nearly as rough as noise. */
const LEAST_ROUGH = 0.6;
/** All values as a multiple of their standard deviation; of a normal distribution 6 to 8. */
const MOST_PEAKED = 20;
/** Elements of an array that are enough to tell by. */
const LEAST_ELEMENTS = 200;

export const otherOrder: ValueRule = {
  id: "other-order",
  codes: ["values-of-other-order"],
  isOfDeclared: true,
  ofArray(facts, sink) {
    const slots = openSlots(facts).filter((slot) => !Number.isNaN(facts.columns.rough[slot] as number));
    const turned = slots.filter((slot) => isTurned(facts, slot));
    if (turned.length === 0 || elementsOf(facts, turned) < LEAST_ELEMENTS) return;
    const isAll = turned.length * 10 >= slots.length * 8;
    const meant = isAll ? slots : wholeFiles(facts, slots, turned);
    const [first] = meant;
    if (first === undefined) return;
    if (isAll) explainArray(facts);
    else explainSlots(facts, meant);
    const of = (read: (slot: number) => number) => median(meant.map(read));
    const target = isAll ? undefined : fileAt(facts, first);
    const about = {
      order: facts.node.metadata.order,
      isPlanes: meant.every((slot) => bestOf(facts, slot) === readings(facts, slot).transposed),
      rough: of((slot) => readings(facts, slot).rough),
      otherwise: of((slot) => bestOf(facts, slot)),
      target,
      chunks: meant.length,
    };
    sink(ofChunks("values-of-other-order", facts, meant, about, target));
  },
};

function isTurned(facts: ArrayFacts, slot: number): boolean {
  const { rough } = readings(facts, slot);
  const best = bestOf(facts, slot);
  const { minimum, maximum, spread } = facts.columns;
  // If a few values make the spread, all else looks smooth beside it.
  if ((maximum[slot] as number) - (minimum[slot] as number) > (spread[slot] as number) * MOST_PEAKED) return false;
  return rough > LEAST_ROUGH && rough > best * LEAST_RATIO && best < SMOOTH;
}

const readings = ({ columns }: ArrayFacts, slot: number) => ({
  rough: columns.rough[slot] as number,
  otherwise: columns.otherwise[slot] as number,
  transposed: columns.transposed[slot] as number,
});

/** Infinite where there is no other reading. */
function bestOf(facts: ArrayFacts, slot: number): number {
  const { otherwise, transposed } = readings(facts, slot);
  return Math.min(...[otherwise, transposed].filter((one) => !Number.isNaN(one)));
}

const elementsOf = ({ columns }: ArrayFacts, slots: readonly number[]): number =>
  slots.reduce((sum, slot) => sum + (columns.count[slot] as number), 0);

/** Chunks of files all of whose chunks are turned. */
function wholeFiles({ files }: ArrayFacts, slots: readonly number[], turned: readonly number[]): readonly number[] {
  const straight = new Set(slots.filter((slot) => !turned.includes(slot)).map((slot) => files[slot]));
  return turned.filter((slot) => !straight.has(files[slot] as number));
}
