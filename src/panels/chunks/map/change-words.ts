/** How chunks differ between two snapshots, in words and signs. */
import { CHANGES, type ChangeKind } from "#core/repository.ts";

/** Paths of lines in a box of 10 by 10, for marks and for the canvas: colour is never the only sign. */
export const CHANGE_SIGNS: Readonly<Record<ChangeKind, string>> = {
  set: "M5 3a2 2 0 1 1 0 4a2 2 0 1 1 0-4z",
  added: "M5 1.8v6.4M1.8 5h6.4",
  removed: "M1.8 5h6.4",
  changed: "M1.6 6.2C2.8 3.2 4 3.4 5 5s2.2 1.8 3.4-1.2",
};
export const CHANGE_BOX = 10;

export const CHANGE_NAMES: Readonly<Record<ChangeKind, string>> = {
  set: "written or deleted",
  added: "added",
  removed: "removed",
  changed: "changed",
};

/** Meaning of each kind, a sentence: for titles. */
export const CHANGE_MEANING: Readonly<Record<ChangeKind, string>> = {
  set: "A commit between the snapshots wrote or deleted the chunk. Its bytes may be unchanged.",
  added: "Only the later snapshot has a reference for the chunk.",
  removed: "Only the earlier snapshot has a reference for the chunk.",
  changed: "Both snapshots have a reference for the chunk, and they differ.",
};

/** Names for a comparison of the open set (A) with another (B). */
export const SET_CHANGE_NAMES: typeof CHANGE_NAMES = {
  ...CHANGE_NAMES,
  added: "only in B",
  removed: "only in A",
  changed: "other reference",
};

export type CellChange = ChangeKind | "unchanged";

/** Change by its code in a raster of `change`. */
export const changeOfCode = (code: number): CellChange => CHANGES[code - 1] ?? "unchanged";

/** Words for a chunk. References of sharded arrays are of whole shards. */
export function changeWords(change: CellChange, sharded: boolean, of: "snapshots" | "sets" = "snapshots"): string {
  if (of === "sets") return change === "unchanged" ? "the same in A and B" : SET_CHANGE_NAMES[change];
  const what = change === "unchanged" ? change : CHANGE_NAMES[change];
  return `${sharded ? "its shard was " : ""}${what} between the snapshots`;
}

/** The first letters of a snapshot's id: enough to tell those of a repository apart. */
export const shortSnapshot = (id: string): string => (id.length > 9 ? `${id.slice(0, 8)}…` : id);
