/** State of the view History. It stays while snapshots of one repository are opened one after the other. */
import type { Finding } from "../core/findings/finding.ts";
import type { Ancestry, ComparisonMethod, SnapshotEntry } from "../core/repository.ts";

export interface HistoryState {
  /** Whose chain is followed: `branch:NAME`, `tag:NAME`, `snapshot:ID`; absent = of what is shown. */
  readonly chainOf: string | undefined;
  readonly chain: Chain | undefined;
  /** Snapshots that were met so far, by id. */
  readonly entries: ReadonlyMap<string, SnapshotEntry>;
  /** Snapshots chosen to be compared; absent = what is shown, and its parent. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The comparison that is shown, under way or failed. */
  readonly asked: AskedComparison | undefined;
  readonly failed: Finding | undefined;
  /** Another snapshot was opened from the view: the focus is to be in it again. */
  readonly refocus: boolean;
}

/** The snapshots behind one, as far as they were asked for. */
export interface Chain {
  /** Id of the first one. */
  readonly of: string;
  /** Newest first. */
  readonly entries: readonly SnapshotEntry[];
  readonly end: Ancestry["end"];
  /** More of them are being fetched. */
  readonly following: boolean;
  /** Why fetching more stopped. */
  readonly error?: Finding;
  readonly cancelled?: true;
}

export interface AskedComparison {
  readonly from: string;
  readonly to: string;
  readonly method: ComparisonMethod;
}

export const NO_HISTORY: HistoryState = {
  chainOf: undefined,
  chain: undefined,
  entries: new Map(),
  from: undefined,
  to: undefined,
  asked: undefined,
  failed: undefined,
  refocus: false,
};
