/** Rules over metadata and references: nothing is requested but pages of references that are not here yet. */
import type { CallContext } from "../../core/byte-source.ts";
import type { CheckPart } from "../../core/check.ts";
import type { EngineSet } from "../engine-set.ts";
import { loadRest } from "../table/load-pages.ts";
import { locateFindings } from "./locate-findings.ts";
import { runSetRules } from "./runner.ts";

/** Pages that are fetched unasked: a chunk each would take too long. */
const MAX_PAGES = 10_000;

/** Gives what was found on opening, too. */
export async function checkReferences(set: EngineSet, context: CallContext): Promise<CheckPart> {
  const pages = [...set.index.paged.values()].reduce((sum, { pages: { count } }) => sum + count, 0);
  if (pages <= MAX_PAGES) await loadRest(set, "", context);
  await set.refresh(context);
  const { findings, coverage } = await runSetRules(set, context);
  return { findings: locateFindings(set, [...set.findings, ...findings]), rules: [...set.coverage, ...coverage] };
}
