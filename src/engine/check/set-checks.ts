/** What checks of an open set gave, put together with what is known of it otherwise. */
import type { Checked, CheckPart, Glance } from "../../core/check/check.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { TargetReport } from "../../core/check/target-probe.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ZarritaSample } from "./readers/zarrita-sample.ts";
import { targetCount } from "../table/tally.ts";
import type { SetProfiles } from "./values/profile/set-profiles.ts";
import { isExplained } from "./sources/unreadable-chunks.ts";

/** The last of each kind. */
export interface SetChecks {
  /** Of the set as it was at this revision. */
  references?: { readonly revision: number; readonly part: CheckPart };
  /** Of the references, right now. */
  underWay?: Promise<unknown>;
  sources?: CheckPart & { readonly reports?: readonly TargetReport[] };
  values?: CheckPart;
  /** What is kept of the chunks that were decoded for it. */
  profiles?: SetProfiles;
  /** What was looked at unasked. */
  glance?: Glance;
  /** The chosen reader, and what is found wrong with it. */
  reader?: { readonly id: string; readonly part: CheckPart };
  /** What zarrita made of a sample of the set as it was at this revision. */
  zarrita?: { readonly revision: number; readonly ran: ZarritaSample };
  expectation?: ComparedExpectation;
}

export interface ComparedExpectation {
  readonly name: string;
  readonly text: string;
  /** Of the set as it is by now. */
  readonly part: () => CheckPart;
}

export interface CheckedSet {
  readonly findings: readonly Finding[];
  readonly checked: Checked;
}

export function together(set: EngineSet, parts: readonly CheckPart[]): CheckedSet {
  const { tally } = set;
  const log = new FindingLog();
  const unreadable = parts.find((part) => part.unreadable !== undefined)?.unreadable;
  // One fault is one finding: what reading gives of chunks whose targets are known to be at fault is not told again.
  const isTold = (part: CheckPart, found: Finding): boolean =>
    (part.chunks !== undefined || found.code === "whole-beside-ranges") && isExplained(set, unreadable, found);
  for (const part of parts) log.addAll(part.findings.filter((found) => !isTold(part, found)));
  const chunks = parts.findLast((part) => part.chunks !== undefined)?.chunks;
  const targets = parts.findLast((part) => part.targets !== undefined)?.targets;
  const reader = parts.findLast((part) => part.reader !== undefined)?.reader;
  const expectation = parts.findLast((part) => part.expectation !== undefined)?.expectation;
  return {
    findings: log.list(),
    checked: {
      rules: parts.flatMap(({ rules }) => rules),
      chunks: chunks ?? { of: tally.present, decoded: 0, failed: 0 },
      targets: targets ?? { of: targetCount(tally), asked: 0, answered: 0 },
      ...(reader === undefined ? {} : { reader }),
      ...(expectation === undefined ? {} : { expectation }),
    },
  };
}
