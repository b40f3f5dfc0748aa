/** References that mean the target given when the set is opened. */
import { finding } from "../../../core/findings/finding.ts";
import { WHOLE_SET } from "../../../core/findings/place.ts";
import type { Rule } from "../rule.ts";

export const nullTargets: Rule = {
  id: "null-targets",
  codes: ["target-null"],
  run({ counts: { nullTarget, references } }, sink) {
    if (nullTarget.references > 0) sink(finding("target-null", WHOLE_SET, { references: nullTarget.references }));
    return { unit: "references", of: references, lookedAt: references, sampled: 0 };
  },
};
