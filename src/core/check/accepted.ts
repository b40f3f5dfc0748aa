/**
 * Findings without those that are known: what of them is accepted, what is new, and which acceptances nothing needs.
 */
import { accepts, isAbout, type Acceptance } from "./acceptance.ts";
import type { Checked } from "./check.ts";
import { factOf } from "../findings/aliases.ts";
import { finding, type Finding, isOfExpectation, WHOLE_SET } from "../findings/finding.ts";
import { groupedBy } from "../basics.ts";
import type { Question } from "./question.ts";
import type { CheckFinding, Outgrown } from "../report/report.ts";

export interface AcceptedOne<T> {
  readonly one: T;
  /** The finding as it stands in a report. */
  readonly found: CheckFinding;
  readonly acceptance: Acceptance;
}

export interface WithoutAccepted<T> {
  readonly rest: readonly T[];
  readonly accepted: readonly AcceptedOne<T>[];
  /** Findings that reach further than their acceptance. */
  readonly outgrown: ReadonlyMap<T, Acceptance>;
  /** About which nothing was found. */
  readonly unmet: readonly Acceptance[];
}

/** `inReport`: each as acceptances name it. */
export function withoutAccepted<T>(
  all: readonly T[],
  acceptances: readonly Acceptance[],
  inReport: (one: T) => CheckFinding,
): WithoutAccepted<T> {
  if (acceptances.length === 0) return { rest: all, accepted: [], outgrown: new Map(), unmet: [] };
  const byFact = groupedBy(acceptances, ({ code }) => factOf(code));
  const accepted: AcceptedOne<T>[] = [];
  const outgrown = new Map<T, Acceptance>();
  const met = new Set<Acceptance>();
  const rest = all.filter((one) => {
    const found = inReport(one);
    const about = (byFact.get(factOf(found.code)) ?? []).filter((each) => isAbout(each, found));
    for (const each of about) met.add(each);
    const acceptance = about.find((each) => accepts(each, found));
    const [first] = about;
    if (acceptance !== undefined) accepted.push({ one, found, acceptance });
    else if (first !== undefined) outgrown.set(one, first);
    return acceptance === undefined;
  });
  return { rest, accepted, outgrown, unmet: acceptances.filter((each) => !met.has(each)) };
}

/** The acceptance as it stands beside the finding in a report. */
export function outgrownOf({ reason, date, affected, count }: Acceptance): Outgrown {
  return { reason, date, ...(affected === undefined ? {} : { affected }), ...(count === undefined ? {} : { count }) };
}

/** To be told where what it is about was looked at. */
export function unusedFinding({ code, array, key, target, reason, date }: Acceptance): Finding {
  const where = array ?? key ?? target;
  const accepted = where === undefined ? code : `${code} of ${where === "" ? "/" : where}`;
  return finding("acceptance-unused", WHOLE_SET, { accepted, reason, date });
}

/** True if everything was checked that could show the finding; otherwise its absence says nothing. */
export function isLookedAt(
  code: string,
  question: Question | undefined,
  { chunks, targets, reader, expectation }: Checked,
): boolean {
  if (isOfExpectation({ code })) return expectation !== undefined;
  if (question === "readers") return reader !== undefined;
  const isRead = chunks.decoded + chunks.failed >= chunks.of;
  const isAsked = targets.asked >= targets.of;
  if (question === "values") return isRead;
  return question !== "sources" || (isRead && isAsked);
}
