/** What can be checked of an open set. A rule is a file in `rules/`; `runner.ts` runs them. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Code, Finding } from "../../core/findings/finding.ts";
import type { ArrayNode, Hierarchy } from "../../core/metadata/hierarchy.ts";
import type { Coverage } from "../../core/open-set.ts";
import type { EngineSet } from "../engine-set.ts";
import type { TableIndex } from "../table/table-index.ts";
import type { TableTally } from "../table/tally.ts";
import type { Ledger } from "./ledger.ts";

export interface CheckView {
  readonly hierarchy: Hierarchy;
  readonly arrays: readonly ArrayNode[];
  readonly index: TableIndex;
  readonly counts: TableTally;
  /** There may be nodes that are not known. */
  readonly unlisted: boolean;
}

/** An open set, for rules that are run when it is checked. */
export interface SetView extends CheckView {
  readonly set: EngineSet;
  /** What is explained already, and by whom. */
  readonly ledger: Ledger;
}

export interface Rule<View extends CheckView = CheckView> {
  readonly id: string;
  /** What it may find; findings of these codes are this rule's alone. */
  readonly codes: readonly Code[];
  run(view: View, sink: (found: Finding) => void, context: CallContext): Coverage | Promise<Coverage>;
}

/** Run when a set is checked, over what is known of it without a request. */
export type SetRule = Rule<SetView>;
