/** Rules over metadata and references: nothing is requested but pages of references that are not here yet. */
import type { CallContext } from "#core/byte-source.ts";
import type { CheckPart } from "#core/check/check.ts";
import type { ChunkPlace, Finding, Place } from "#core/findings/finding.ts";
import { type DocumentSet, type EngineSet, isDocument } from "../engine-set.ts";
import { loadRest } from "../table/load-pages.ts";
import { arraysOf, type Checked, runAll } from "../rules/count-rules.ts";
import { genParts } from "./document-templates.ts";
import { Ledger } from "../rules/ledger.ts";
import { chunkOfRow, type SetRule } from "../rules/rule.ts";
import { chunkLengths } from "./rules/chunk-lengths.ts";
import { codecs, dimensions, manifestSizes, coordinatesAsWritten } from "./rules/array-metadata.ts";
import { coverageRule } from "./rules/coverage.ts";
import { overlappingRanges, repeatedRanges } from "./rules/shared-ranges.ts";
import { sourceOrder } from "./rules/source-order.ts";
import { sourcesDisagree } from "./rules/sources-disagree.ts";
import { strayKeys } from "./rules/stray-keys.ts";
import { targetUrls } from "./rules/target-urls.ts";
import { templates } from "./rules/templates.ts";

/** Pages that are fetched unasked: a chunk each would take too long. */
const MAX_PAGES = 10_000;

/** With what was found on opening. `fetchesPages`: those that are not here are fetched first, where they are few. */
export async function checkReferences(set: EngineSet, context: CallContext, fetchesPages = true): Promise<CheckPart> {
  const pages = [...set.index.paged.values()].reduce((sum, { pages: { count } }) => sum + count, 0);
  if (fetchesPages && pages <= MAX_PAGES) await loadRest(set, "", context);
  await set.refresh(context);
  const ledger = new Ledger(set);
  const { findings, coverage } = await runSetRules(set, context, SET_RULES, ledger);
  // A rule that is run after the one for gaps may explain them.
  const isGapOpen = ({ code, extent }: Finding) =>
    code !== "steps-missing" || (extent?.arrays ?? []).some(({ array }) => ledger.isOpen(array, "gaps"));
  const all = [...ledger.leftOf(set.findings), ...findings.filter(isGapOpen)];
  return { findings: await locateFindings(set, all), rules: [...set.coverage, ...coverage] };
}

// Runs rules over an open set. None of them is needed to open one: they are fetched when a set is checked.

/**
 * Those that are run when a set is checked, over its metadata and columns; none makes a request. Repeated ranges come before
 * lengths, since a chunk that points at another array's has a wrong length for that reason; overlaps come after them.
 */
export const SET_RULES: readonly SetRule[] = [
  dimensions,
  coordinatesAsWritten,
  codecs,
  targetUrls,
  templates,
  manifestSizes,
  strayKeys,
  repeatedRanges,
  chunkLengths,
  overlappingRanges,
  coverageRule,
  sourceOrder,
  sourcesDisagree,
];

export async function runSetRules(
  set: EngineSet,
  context: CallContext,
  rules: readonly SetRule[] = SET_RULES,
  ledger = new Ledger(set),
): Promise<Checked> {
  const { hierarchy, index, tally, unlisted = false } = set;
  ledger.noteOpened(set.findings);
  return runAll({ set, ledger, hierarchy, index, counts: tally, unlisted, arrays: arraysOf(set) }, rules, context);
}

// Findings on templates and gens with the array, and where there is one the chunk, that they break.

/** Findings on URLs with templates that are looked for in the table. */
const MAX_LOOKED_FOR = 100;

async function locateFindings(set: EngineSet, findings: readonly Finding[]): Promise<readonly Finding[]> {
  if (!isDocument(set) || set.document.version === 0) return findings;
  const arrays = new Map((await genParts(set.document)).map(({ index, array }) => [index, array]));
  const chunkOf = chunkFinder(set, findings);
  const located = (place: Place): Place => {
    if (place.kind === "gen") {
      const array = arrays.get(place.index);
      return array === undefined || !set.hierarchy.nodes.has(array) ? place : { ...place, array };
    }
    const chunk = place.kind === "target" && place.chunk === undefined ? chunkOf(place.target) : undefined;
    return place.kind === "target" && chunk !== undefined ? { ...place, chunk } : place;
  };
  return findings.map((found) => {
    const { place, places } = found;
    return { ...found, place: located(place), ...(places === undefined ? {} : { places: places.map(located) }) };
  });
}

/** The first chunk that is read from a URL as it is written, templates and all. */
function chunkFinder(
  { table }: DocumentSet,
  findings: readonly Finding[],
): (written: string) => ChunkPlace | undefined {
  const places = findings.flatMap(({ place, places: all = [place] }) => all);
  const urls = places.flatMap((place) =>
    place.kind === "target" && place.target.includes("{{") ? [place.target] : [],
  );
  const wanted = new Set(urls.slice(0, MAX_LOOKED_FOR));
  const rows = new Map<string, number>();
  if (wanted.size > 0) {
    for (const [row, { reason }] of table.bad) {
      const { place } = reason;
      if (place.kind === "target" && wanted.has(place.target) && !rows.has(place.target)) rows.set(place.target, row);
    }
    const ids = new Map<number, string>();
    for (let id = 0; id < table.targets.count; id += 1) {
      const written = table.targets.written(id);
      if (wanted.has(written) && !rows.has(written)) ids.set(id, written);
    }
    if (ids.size > 0) findRows(table, ids, rows);
  }
  return (written) => {
    const row = rows.get(written);
    return row === undefined ? undefined : chunkOfRow(table, row);
  };
}

function findRows(
  { blocks, rows: all }: DocumentSet["table"],
  ids: Map<number, string>,
  rows: Map<string, number>,
): void {
  for (const [at, { target }] of blocks.entries()) {
    const first = at * target.length;
    const count = Math.min(target.length, all - first);
    for (let i = 0; i < count; i += 1) {
      const written = ids.get(target[i] as number);
      if (written === undefined) continue;
      rows.set(written, first + i);
      ids.delete(target[i] as number);
      if (ids.size === 0) return;
    }
  }
}
