/** Runs rules over an open set. None of them is needed to open one: they are fetched when a set is checked. */
import type { CallContext } from "../../core/byte-source.ts";
import { arraysOf, runAll, type Checked } from "./count-rules.ts";
import type { SetRule } from "./rule.ts";
import { chunkLengths } from "./rules/chunk-lengths.ts";
import { coverageRule } from "./rules/coverage.ts";
import { sharedRanges } from "./rules/shared-ranges.ts";
import { sourceOrder } from "./rules/source-order.ts";
import { strayKeys } from "./rules/stray-keys.ts";
import { codecs } from "./rules/codecs.ts";
import { dimensions } from "./rules/dimensions.ts";
import { manifestSizes } from "./rules/manifest-sizes.ts";
import { templates } from "./rules/templates.ts";
import { targetUrls } from "./rules/target-urls.ts";
import type { EngineSet } from "../engine-set.ts";

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

export async function runSetRules(
  set: EngineSet,
  context: CallContext,
  rules: readonly SetRule[] = SET_RULES,
): Promise<Checked> {
  const { hierarchy, index, tally, unlisted = false } = set;
  return runAll({ set, hierarchy, index, counts: tally, unlisted, arrays: arraysOf(set) }, rules, context);
}
