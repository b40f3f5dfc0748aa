/** Elements stored in the other order (C or F) than declared: all chunks, or those of a file, are much smoother in the other. */
import { finding } from "../../../../core/findings/finding.ts";
import type { ArrayFacts } from "../value-facts.ts";
import {
  isDecoded,
  median,
  placeAt,
  withChunks,
  fileAt,
  targetPlace,
  type ValueRule,
  type ValuesView,
  isOpen,
  explainSlots,
} from "../value-rule.ts";

/** How many times as rough as declared, and how smooth in the other order. */
const LEAST_RATIO = 1.35;
const SMOOTH = 0.6;
/** Elements of an array that are enough to tell by. */
const LEAST_ELEMENTS = 200;

export const otherOrder: ValueRule = {
  id: "other-order",
  codes: ["values-of-other-order"],
  run(view, ledger, sink) {
    for (const facts of view.facts) {
      if (!isOpen(ledger, facts)) continue;
      const slots = [...facts.ordinals.keys()].filter(
        (slot) =>
          isDecoded(facts, slot) && isOpen(ledger, facts, slot) && !Number.isNaN(facts.columns.rough[slot] as number),
      );
      const turned = slots.filter((slot) => isTurned(facts, slot));
      if (turned.length === 0 || elementsOf(facts, turned) < LEAST_ELEMENTS) continue;
      const isAll = turned.length * 10 >= slots.length * 8;
      const meant = isAll ? slots : wholeFiles(facts, slots, turned);
      const [first] = meant;
      if (first === undefined) continue;
      if (isAll) ledger.explain(facts.node.path, "grid");
      else explainSlots(ledger, facts, meant);
      sink(withChunks(found(view, facts, { meant, first, isAll }), facts, meant));
    }
  },
};

interface Turned {
  readonly meant: readonly number[];
  readonly first: number;
  readonly isAll: boolean;
}

function found(view: ValuesView, facts: ArrayFacts, { meant, first, isAll }: Turned) {
  const of = (read: (slot: number) => number) => median(meant.map(read));
  const isPlanes = meant.every((slot) => bestOf(facts, slot) === readings(facts, slot).transposed);
  const target = isAll ? undefined : fileAt(view, facts, first);
  const place = target === undefined ? placeAt(facts, first) : targetPlace(target, facts, first);
  const { order } = facts.node.metadata;
  return finding("values-of-other-order", place, {
    order,
    isPlanes,
    rough: of((slot) => readings(facts, slot).rough),
    otherwise: of((slot) => bestOf(facts, slot)),
    target,
    chunks: meant.length,
  });
}

function isTurned(facts: ArrayFacts, slot: number): boolean {
  const { rough } = readings(facts, slot);
  const best = bestOf(facts, slot);
  return rough > best * LEAST_RATIO && best < SMOOTH;
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
