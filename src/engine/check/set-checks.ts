/** Joins the results of checks of an open set with everything else known of it. */
import type { Checked, CheckPart, Glance } from "#core/check/check.ts";
import { type Finding, finding, targetAt } from "#core/findings/finding.ts";
import type { TargetReport } from "#core/check/target-probe.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ZarritaSample } from "./readers/zarrita-sample.ts";
import { targetCount } from "../table/tally.ts";
import type { SetProfiles } from "./values/profile/set-profiles.ts";
import { causesOfParts } from "../rules/ledger.ts";

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
  const unread = [...set.index.paged.values()].reduce((sum, { failedCells }) => sum + failedCells, 0);
  return {
    findings: causesOfParts(set, [...parts, { findings: repeatedRequests(set), rules: [] }]),
    checked: {
      rules: parts.flatMap(({ rules }) => rules),
      chunks: chunks ?? { of: tally.present, decoded: 0, failed: 0 },
      targets: targets ?? { of: targetCount(tally), asked: 0, answered: 0 },
      ...(reader === undefined ? {} : { reader }),
      ...(expectation === undefined ? {} : { expectation }),
      ...(unread === 0 ? {} : { unread }),
      ...(set.unlisted === true ? { unlisted: true } : {}),
    },
  };
}

/** Requests that had to be repeated before they were answered: since the set was opened, whatever asked. */
const repeatedRequests = ({ targets }: EngineSet): readonly Finding[] =>
  targets.log.repeated().map(({ url, ...counts }) => finding("requests-repeated", targetAt(url), counts));
