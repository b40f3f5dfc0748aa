/** One value far from all others of the array, which one wrong bit explains. */
import { finding } from "../../../../core/findings/finding.ts";
import type { ArrayFacts } from "../value-facts.ts";
import { isFar } from "../wild-bits.ts";
import { isDecoded, placeAt, withChunks, type ValueRule, isOpen, explainSlots } from "../value-rule.ts";

/** Of more chunks than these it is the data that are wild. */
const MAX_CHUNKS = 3;

export const wildValues: ValueRule = {
  id: "wild-values",
  codes: ["value-wild"],
  run(view, ledger, sink) {
    for (const facts of view.facts) {
      if (!isOpen(ledger, facts)) continue;
      const slots = [...facts.ordinals.keys()].filter((slot) => isDecoded(facts, slot) && isOpen(ledger, facts, slot));
      const few = slots.filter((slot) => (facts.columns.wild[slot] as number) > 0);
      if (few.length > Math.max(1, Math.min(MAX_CHUNKS, slots.length / 4))) continue;
      const wild = few.filter((slot) => isWild(facts, slots, slot));
      explainSlots(ledger, facts, wild);
      for (const slot of wild) {
        const value = facts.columns.wildValue[slot] ?? NaN;
        sink(
          withChunks(
            finding("value-wild", placeAt(facts, slot), {
              value,
              range: restOf(facts, slots, slot),
              isBit: facts.columns.wildBit[slot] === 1,
            }),
            facts,
            [slot],
          ),
        );
      }
    }
  },
};

/** Least and greatest of all other values of the array. */
function restOf({ columns }: ArrayFacts, slots: readonly number[], wild: number): readonly [number, number] {
  const value = columns.wildValue[wild];
  let [least, most] = [Infinity, -Infinity];
  for (const slot of slots) {
    const isOwn = slot === wild;
    const low = isOwn && columns.minimum[slot] === value ? columns.nextMinimum[slot] : columns.minimum[slot];
    const high = isOwn && columns.maximum[slot] === value ? columns.nextMaximum[slot] : columns.maximum[slot];
    least = Math.min(least, low ?? NaN);
    most = Math.max(most, high ?? NaN);
  }
  return [least, most];
}

function isWild(facts: ArrayFacts, slots: readonly number[], slot: number): boolean {
  const { wild, wildValue } = facts.columns;
  const [least, most] = restOf(
    facts,
    slots.filter((one) => one === slot || !((wild[one] as number) > 0)),
    slot,
  );
  return isFar(wildValue[slot] as number, least, most, 1);
}
