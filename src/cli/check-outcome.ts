/** What checking one set on the command line came to. */
import type { Acceptance } from "../core/acceptance.ts";
import type { CheckFinding, CheckReport } from "../core/report/report.ts";

export interface Report extends CheckReport {
  readonly headline: string;
  /** Which arrays lose how much; empty where none does. */
  readonly loss: string;
  /** The set could not be opened. */
  readonly isUnopened: boolean;
  /** Known findings, which are not among the findings. */
  readonly accepted: readonly AcceptedFinding[];
}

export interface AcceptedFinding {
  readonly acceptance: Acceptance;
  readonly found: CheckFinding;
}
