/** Values outside the range that the attributes call valid. Readers leave them as they are. */
import { finding, nodeAt } from "#core/findings/finding.ts";
import { scalingOfNode } from "../note-chunk.ts";
import { openSlots, type ValueRule, withChunks } from "../value-rule.ts";

export const validRange: ValueRule = {
  id: "valid-range",
  codes: ["values-outside-valid-range"],
  ofArray(facts, sink) {
    const valid = scalingOfNode(facts.node)?.valid;
    const { outside, count } = facts.columns;
    const slots = valid === undefined ? [] : openSlots(facts).filter((slot) => (outside[slot] as number) > 0);
    if (slots.length === 0) return;
    const sum = (column: Float64Array) => slots.reduce((total, slot) => total + (column[slot] as number), 0);
    const about = { outside: sum(outside), of: sum(count), least: valid?.minimum, most: valid?.maximum };
    sink(withChunks(finding("values-outside-valid-range", nodeAt(facts.node.path), about), facts, slots));
  },
};
