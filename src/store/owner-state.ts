/** Files of the open set's owner, as the page knows them. */
import type { Acceptance } from "../core/check/acceptance.ts";

export interface OwnerFiles {
  /** JSON as it was written, by the name of its file. */
  readonly expectation: NamedText | undefined;
  readonly accepted: readonly Acceptance[];
  /** State of their storage in the browser. `no-address`: there is nothing to keep them by. */
  readonly kept: "nothing" | "kept" | "no-address" | "no-room";
  /** They were found on opening. */
  readonly restored: boolean;
}

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export const NOTHING_WRITTEN: OwnerFiles = { expectation: undefined, accepted: [], kept: "nothing", restored: false };
