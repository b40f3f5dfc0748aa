/** What checks of an open set gave, put together with what is known of it otherwise. */
import type { Checked, CheckPart } from "../../core/check.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { EngineSet } from "../engine-set.ts";

/** The last of each kind. */
export interface SetChecks {
  /** Of the set as it was at this revision. */
  references?: { readonly revision: number; readonly part: CheckPart };
  sources?: CheckPart;
  values?: CheckPart;
  readers?: CheckPart;
}

export interface CheckedSet {
  readonly findings: readonly Finding[];
  readonly checked: Checked;
}

export function together({ tally }: EngineSet, parts: readonly CheckPart[]): CheckedSet {
  const log = new FindingLog();
  for (const { findings } of parts) log.addAll(findings);
  const chunks = parts.findLast((part) => part.chunks !== undefined)?.chunks;
  const targets = parts.findLast((part) => part.targets !== undefined)?.targets;
  const reader = parts.findLast((part) => part.reader !== undefined)?.reader;
  const of = tally.targetReferences.reduce((sum: number, references) => sum + Number(references > 0), 0);
  return {
    findings: log.list(),
    checked: {
      rules: parts.flatMap(({ rules }) => rules),
      chunks: chunks ?? { of: tally.present, decoded: 0, failed: 0 },
      targets: targets ?? { of, asked: 0, answered: 0 },
      ...(reader === undefined ? {} : { reader }),
    },
  };
}
