/** Runs rules over an open set, and says how far they came. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import type { RuleCoverage } from "../../core/open-set.ts";
import type { CheckView, Rule, SetRule } from "./rule.ts";
import { cfAttributes } from "./rules/cf-attributes.ts";
import { chunkLengths } from "./rules/chunk-lengths.ts";
import { coverageRule } from "./rules/coverage.ts";
import { emptySet } from "./rules/empty-set.ts";
import { missingChunks } from "./rules/missing-chunks.ts";
import { nullTargets } from "./rules/null-targets.ts";
import { sharedRanges } from "./rules/shared-ranges.ts";
import { sourceOrder } from "./rules/source-order.ts";
import { strayKeys } from "./rules/stray-keys.ts";
import { codecs } from "./rules/codecs.ts";
import { dimensions } from "./rules/dimensions.ts";
import { manifestSizes } from "./rules/manifest-sizes.ts";
import { templates } from "./rules/templates.ts";
import { targetUrls } from "./rules/target-urls.ts";
import type { EngineSet } from "../engine-set.ts";

/** Those that are run whenever a set is counted. */
export const COUNT_RULES: readonly Rule[] = [emptySet, cfAttributes, missingChunks, nullTargets];

export interface Checked {
  readonly findings: readonly Finding[];
  readonly coverage: readonly RuleCoverage[];
}

/**
 * Those that are run when a set is checked, over its metadata and columns; none makes a request. Shared ranges come before
 * lengths: a chunk that points at another array's has a wrong length for that reason.
 */
export const SET_RULES: readonly SetRule[] = [
  dimensions,
  codecs,
  targetUrls,
  templates,
  manifestSizes,
  strayKeys,
  sharedRanges,
  chunkLengths,
  coverageRule,
  sourceOrder,
];

export async function runRules(view: Omit<CheckView, "arrays">, context: CallContext): Promise<Checked> {
  return runAll({ ...view, arrays: arraysOf(view) }, COUNT_RULES, context);
}

export async function runSetRules(
  set: EngineSet,
  context: CallContext,
  rules: readonly SetRule[] = SET_RULES,
): Promise<Checked> {
  const { hierarchy, index, tally, unlisted = false } = set;
  return runAll({ set, hierarchy, index, counts: tally, unlisted, arrays: arraysOf(set) }, rules, context);
}

const arraysOf = ({ hierarchy }: Pick<CheckView, "hierarchy">): CheckView["arrays"] =>
  [...hierarchy.nodes.values()].filter((node) => node.kind === "array");

async function runAll<View extends CheckView>(
  view: View,
  rules: readonly Rule<View>[],
  context: CallContext,
): Promise<Checked> {
  const log = new FindingLog();
  const coverage: RuleCoverage[] = [];
  for (const rule of rules) {
    coverage.push({ rule: rule.id, ...(await rule.run(view, (found) => log.add(found), context)) });
  }
  return { findings: log.list(), coverage };
}

/** Whether the finding is one of a rule's, and is found again when the set is counted again. */
export const isCounted = ({ code }: Finding): boolean =>
  COUNT_RULES.some(({ codes }) => (codes as readonly string[]).includes(code));
