/** What checking one set on the command line came to. */
import type { Acceptance } from "../core/acceptance.ts";
import type { ReaderReport } from "../core/report/readers.ts";
import type { CheckReport } from "../core/report/report.ts";

export interface Report extends CheckReport {
  readonly headline: string;
  /** Which arrays lose how much; empty where none does. */
  readonly loss: string;
  /** The set could not be opened. */
  readonly isUnopened: boolean;
  /** By which something was accepted. */
  readonly acceptances: readonly Acceptance[];
  /** Those that were asked about. */
  readonly readers: readonly ReaderReport[];
}
