/** Two compared snapshots, as they are kept for questions about single arrays. */
import type { ChangedChunks, SnapshotChanges } from "../../core/repository.ts";
import type { ChangedOrdinals } from "../engine-set.ts";

export interface Comparison {
  readonly changes: SnapshotChanges;
  /** A window of the changed chunks of one of `changes.arrays`; empty for other paths. */
  changedChunks(path: string, from: number, to: number): ChangedChunks;
  /** For an array of the open set; `undefined` where nothing in it changed. */
  changesOf(array: string): ChangedOrdinals | undefined;
}
