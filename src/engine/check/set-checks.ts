/** Joins the results of checks of an open set with everything else known of it. */
import type { Checked, CheckedChunks, CheckPart, Glance } from "#core/check/check.ts";
import { type Code, factsOf, type Finding, finding, nodeOf, targetAt } from "#core/findings/finding.ts";
import type { TargetReport } from "#core/check/target-probe.ts";
import type { EngineSet } from "../engine-set.ts";
import type { HeldFile } from "./held/held-files.ts";
import type { ArrayFacts } from "./values/value-facts.ts";
import type { ZarritaSample } from "./readers/zarrita-sample.ts";
import { readingTally } from "../chunk/readings.ts";
import { targetCount } from "../table/tally.ts";
import type { SetProfiles } from "./values/profile/set-profiles.ts";
import { Ledger } from "../rules/ledger.ts";
import { causesOf } from "#core/findings/causes.ts";

/** The last of each kind. */
export interface SetChecks {
  /** Check of the references, of the set at this revision. */
  references?: { readonly revision: number; readonly part: CheckPart };
  /** Check of the references under way. */
  underWay?: Promise<unknown>;
  sources?: CheckPart & { readonly reports?: readonly TargetReport[] };
  /** Comparison with the source files themselves. */
  held?: CheckPart;
  values?: CheckPart;
  /** Statements held against each other. */
  witness?: CheckPart;
  /** Source files whose own index was read, and facts of the arrays that were decoded, by path: for the witnesses. */
  indexed?: readonly HeldFile[];
  facts?: Map<string, ArrayFacts>;
  /** All chunks were decoded, as it was asked. */
  isDeep?: boolean;
  /** Profiles of the chunks that were decoded for it. */
  profiles?: SetProfiles;
  /** Targets and chunks checked unasked. */
  glance?: Glance;
  /** The chosen reader, and what is found wrong with it. */
  reader?: { readonly id: string; readonly part: CheckPart };
  /** Zarrita's results for a sample, of the set at this revision. */
  zarrita?: { readonly revision: number; readonly ran: ZarritaSample };
  expectation?: ComparedExpectation;
}

export interface ComparedExpectation {
  readonly name: string;
  readonly text: string;
  /** Part for the set as it is now. */
  readonly part: () => CheckPart;
}

export interface CheckedSet {
  readonly findings: readonly Finding[];
  readonly checked: Checked;
}

export function together(set: EngineSet, parts: readonly CheckPart[]): CheckedSet {
  const { tally } = set;
  const chunks = parts.findLast((part) => part.chunks !== undefined)?.chunks;
  const targets = parts.findLast((part) => part.targets !== undefined)?.targets;
  const reader = parts.findLast((part) => part.reader !== undefined)?.reader;
  const expectation = parts.findLast((part) => part.expectation !== undefined)?.expectation;
  const compared = parts.flatMap((part) => part.compared ?? []);
  const unread = [...set.index.paged.values()].reduce((sum, { failedCells }) => sum + failedCells, 0);
  return {
    findings: causesOfParts(set, [...parts, { findings: repeatedRequests(set), rules: [] }]),
    checked: {
      rules: parts.flatMap(({ rules }) => rules),
      chunks: withUnreached(set, chunks ?? { of: tally.present, decoded: 0, failed: 0 }, parts),
      targets: targets ?? { of: targetCount(tally), asked: 0, answered: 0 },
      ...(reader === undefined ? {} : { reader }),
      ...(expectation === undefined ? {} : { expectation }),
      ...(unread === 0 ? {} : { unread }),
      ...(compared.length === 0 ? {} : { compared }),
      ...(set.unlisted === true ? { unlisted: true } : {}),
    },
  };
}

/** Chunks whose sources gave nothing are counted where sources were asked and chunks were not read, too. */
function withUnreached(set: EngineSet, chunks: CheckedChunks, parts: readonly CheckPart[]): CheckedChunks {
  const { decoded, failed, unbuilt = 0 } = chunks;
  const told = readingTally(set, parts).arrays.reduce((sum, { unreached = 0 }) => sum + unreached, 0);
  const cells = set.nodes.reduce((sum, node) => sum + (node.cells ?? 0), 0);
  const most = Math.max(0, cells - set.tally.states.missing - decoded - failed - unbuilt);
  const unreached = Math.min(most, Math.max(told, chunks.unreached ?? 0));
  return unreached === 0 ? chunks : { ...chunks, unreached };
}

/** Requests that had to be repeated before they were answered: since the set was opened, whatever asked. */
const repeatedRequests = ({ targets }: EngineSet): readonly Finding[] =>
  targets.log.repeated().map(({ url, ...counts }) => finding("requests-repeated", targetAt(url), counts));

/** Joins the findings of several checks, one for each cause: chunks with a known cause are not reported again. */
export function causesOfParts(set: EngineSet, parts: readonly CheckPart[]): readonly Finding[] {
  const ledger = new Ledger(
    set,
    parts.flatMap(({ explained }) => explained ?? []),
  );
  const isToldBetter = toldByValues(parts);
  for (const part of parts) {
    for (const found of part.findings) {
      if (isToldBetter(found)) continue;
      const isRead = part.chunks !== undefined || found.code === "whole-beside-ranges";
      if (!isRead || !ledger.isExplained(found)) ledger.note(found);
    }
  }
  return causesOf(ledger.findings());
}

const OF_PLACES: ReadonlySet<string> = new Set<Code>(["statements-disagree", "calendar-unlike-months"]);
const UNEVEN: ReadonlySet<string> = new Set<Code>(["coordinate-unordered", "coordinate-gap"]);

/** Tells which earlier findings the check of values reports better, or differently. */
function toldByValues(parts: readonly CheckPart[]): (found: Finding) => boolean {
  const all = parts.flatMap(({ findings }) => findings);
  const isAfterEnd = afterEnds(all);
  const masking = all.flatMap(({ code, place }) => (code === "fill-masks-values" ? (nodeOf(place) ?? []) : []));
  const contradicted = new Set(all.flatMap(({ code, place }) => (OF_PLACES.has(code) ? (nodeOf(place) ?? []) : [])));
  const decided = new Set([...masking, ...parts.flatMap(({ withoutZeros = [] }) => withoutZeros)]);
  return (found) => {
    // A coordinate that other statements contradict need not be called uneven as well.
    if (UNEVEN.has(found.code) && contradicted.has(nodeOf(found.place) ?? "")) return true;
    const isOfZeros = factsOf(found, "fill-value-confusing")?.problem === "zero";
    return isOfZeros ? decided.has(nodeOf(found.place) ?? "") : isAfterEnd(found);
  };
}

/** Tells which findings follow from a file that ends inside a chunk: chunks are missing at the end. */
function afterEnds(all: readonly Finding[]): (found: Finding) => boolean {
  const ends = new Map(
    all.flatMap((found) => {
      const facts = factsOf(found, "file-ends-inside-chunk");
      const array = nodeOf(found.place);
      return facts === undefined || array === undefined ? [] : [[array, facts] as const];
    }),
  );
  const isAfter = (array: string, coordinates: readonly number[]): boolean => {
    const { axis, chunk, last = chunk } = ends.get(array) ?? { axis: 0, chunk: Infinity };
    return (coordinates[axis] ?? 0) > last;
  };
  return (found) => {
    if (ends.size === 0 || (found.code !== "steps-missing" && found.code !== "chunks-missing")) return false;
    const { arrays = [], moreArrays = 0 } = found.extent ?? {};
    return arrays.length > 0 && moreArrays === 0 && arrays.every(({ array, from }) => isAfter(array, from));
  };
}
