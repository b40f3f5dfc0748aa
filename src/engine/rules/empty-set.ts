/** Sets without arrays, or without a single chunk. */
import { finding, WHOLE_SET } from "#core/findings/finding.ts";
import type { Rule } from "./rule.ts";

export const emptySet: Rule = {
  id: "empty-set",
  codes: ["no-arrays", "no-chunks"],
  run({ arrays, counts, index, unlisted, isFile = false }, sink) {
    const facts = isFile ? { isFile } : {};
    const coverage = { unit: "sets", of: 1, lookedAt: 1, sampled: 0 } as const;
    const { missing, unknown, bad } = counts.states;
    if (counts.references > 0 || unknown > 0 || bad > 0) return coverage;
    // Shards that are stored say themselves that their chunks are empty: somebody wrote them so.
    const isStored = index.table.targets.count > 0;
    if (arrays.length > 0 && missing > 0 && !isStored) sink(finding("no-chunks", WHOLE_SET, facts));
    if (arrays.length === 0 && !unlisted) sink(finding("no-arrays", WHOLE_SET, facts));
    return coverage;
  },
};

// References that mean the target given when the set is opened.

export const nullTargets: Rule = {
  id: "null-targets",
  codes: ["target-null"],
  run({ counts: { nullTarget, references } }, sink) {
    if (nullTarget.references > 0) sink(finding("target-null", WHOLE_SET, { references: nullTarget.references }));
    return { unit: "references", of: references, lookedAt: references, sampled: 0 };
  },
};
