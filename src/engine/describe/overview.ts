/** Counts, targets and a Python snippet, for the whole set, a group or an array. */
import type { CallContext } from "#core/byte-source.ts";
import { withoutSecrets } from "#core/words/without-secrets.ts";
import type { Overview } from "#core/open-set.ts";
import type { EngineSet } from "../engine-set.ts";
import { topTargets } from "../table/facets.ts";
import { hostsOf, rangeLengths, tally, targetCount } from "../table/tally.ts";

const MAX_TARGETS = 50;

export async function overviewOf(set: EngineSet, path: string, context: CallContext): Promise<Overview> {
  const { index, table, targets } = set;
  await set.refresh(context);
  const counts = path === "" ? set.tally : await tally(index, path, context);
  return {
    path,
    states: counts.states,
    bytes: counts.bytes,
    hosts: hostsOf(index, counts, (target) => targets.hostOf(target)),
    targets: topTargets(table, counts.targetReferences, counts.targetBytes, MAX_TARGETS),
    targetCount: targetCount(counts),
    lengths: await rangeLengths(index, path, context),
    python: withoutSecrets(await set.format.python(set)),
    pythonLong: withoutSecrets(await set.format.python(set, "long")),
  };
}
