/** Rules that are run whenever a set is counted, and how any rules are run. */
import type { CallContext } from "#core/byte-source.ts";
import type { Finding } from "#core/findings/finding.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import type { RuleCoverage } from "#core/open-set.ts";
import { type CheckView, type Rule, ruleFailed } from "./rule.ts";
import { cfAttributes } from "./cf-attributes.ts";
import { emptySet, nullTargets } from "./empty-set.ts";
import { levels } from "./levels.ts";
import { missingChunks } from "./missing-chunks.ts";

export const COUNT_RULES: readonly Rule[] = [emptySet, cfAttributes, levels, missingChunks, nullTargets];

export interface Checked {
  readonly findings: readonly Finding[];
  readonly coverage: readonly RuleCoverage[];
}

export async function runRules(view: Omit<CheckView, "arrays">, context: CallContext): Promise<Checked> {
  return runAll({ ...view, arrays: arraysOf(view) }, COUNT_RULES, context);
}

export const arraysOf = ({ hierarchy }: Pick<CheckView, "hierarchy">): CheckView["arrays"] =>
  [...hierarchy.nodes.values()].filter((node) => node.kind === "array");

/** How far each came is said beside what it found. */
export async function runAll<View extends CheckView>(
  view: View,
  rules: readonly Rule<View>[],
  context: CallContext,
): Promise<Checked> {
  const log = new FindingLog();
  const coverage: RuleCoverage[] = [];
  for (const rule of rules) {
    try {
      coverage.push({ rule: rule.id, ...(await rule.run(view, (found) => log.add(found), context)) });
    } catch (error) {
      log.add(ruleFailed(rule.id, error, context));
      coverage.push({ rule: rule.id, unit: "sets", of: 1, lookedAt: 0, sampled: 0 });
    }
  }
  return { findings: log.list(), coverage };
}

/** True if the finding belongs to a rule, and is found again when the set is counted again. */
export const isCounted = ({ code }: Finding): boolean =>
  COUNT_RULES.some(({ codes }) => (codes as readonly string[]).includes(code));
