/** Rules over metadata and references: nothing is requested but pages of references that are not here yet. */
import type { CallContext } from "../../core/byte-source.ts";
import type { CheckPart } from "../../core/check.ts";
import type { EngineSet } from "../engine-set.ts";
import { loadRest } from "../table/load-pages.ts";
import { locateFindings } from "./locate-findings.ts";
import { isSaidBetter } from "./rules/stray-keys.ts";
import { runSetRules } from "./runner.ts";

/** Pages that are fetched unasked: a chunk each would take too long. */
const MAX_PAGES = 10_000;

/** With what was found on opening. `fetchesPages`: those that are not here are fetched first, where they are few. */
export async function checkReferences(set: EngineSet, context: CallContext, fetchesPages = true): Promise<CheckPart> {
  const pages = [...set.index.paged.values()].reduce((sum, { pages: { count } }) => sum + count, 0);
  if (fetchesPages && pages <= MAX_PAGES) await loadRest(set, "", context);
  await set.refresh(context);
  const { findings, coverage } = await runSetRules(set, context);
  const opened = set.findings.filter((found) => !isSaidBetter(found, findings));
  return { findings: locateFindings(set, [...opened, ...findings]), rules: [...set.coverage, ...coverage] };
}
