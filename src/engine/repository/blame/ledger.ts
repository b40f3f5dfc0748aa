/** The chunks of an array while their origins are looked for: who explains a chunk first, newest first, has it. */
import { BLAME_KINDS, type BlamedCommit, type BlameKind } from "#core/blame.ts";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import type { HistoryEntry, UpdatedChunks } from "#formats/icechunk/index.ts";
import { snapshotEntry } from "../history.ts";

/** Index in BLAME_KINDS. */
export const CODE = Object.fromEntries(BLAME_KINDS.map((kind, code) => [kind, code])) as Record<BlameKind, number>;

export type Ledger = ReturnType<typeof openLedger>;

/** `grid`: few enough chunks to number each. */
export function openLedger(grid: readonly number[]) {
  const by = new Uint32Array(cellCount(grid));
  const kinds = new Uint8Array(by.length);
  const commits: BlamedCommit[] = [];
  const places = new Map<string, number>();
  /** Chunks that are not explained yet: those with a reference, and those without. */
  const open = { present: 0, absent: by.length };
  const placeOf = (commit: BlamedCommit): number => {
    const key = `${commit.id} ${commit.orEarlier}`;
    const known = places.get(key) ?? commits.push(commit);
    places.set(key, known);
    return known;
  };
  return {
    grid,
    by,
    kinds,
    commits,
    open,
    /** Before anything is explained. The first reference of a chunk counts. */
    addReference(ordinal: number, kind: number): void {
      if (kinds[ordinal] !== CODE.absent) return;
      kinds[ordinal] = kind;
      open.present += 1;
      open.absent -= 1;
    },
    isOpen: (ordinal: number): boolean => by[ordinal] === 0,
    isAbsent: (ordinal: number): boolean => by[ordinal] === 0 && kinds[ordinal] === CODE.absent,
    wrote(ordinal: number, commit: BlamedCommit): void {
      by[ordinal] = placeOf(commit);
      open.present -= 1;
    },
    took(ordinal: number, commit: BlamedCommit, how: "deleted" | "resized"): void {
      by[ordinal] = placeOf(commit);
      kinds[ordinal] = CODE[how];
      open.absent -= 1;
    },
  };
}

/** Ordinal of a chunk that a log names; -1 outside the grid. */
export function loggedOrdinal(grid: readonly number[], { coordinates, starts }: UpdatedChunks, index: number): number {
  const start = starts[index] ?? 0;
  if ((starts[index + 1] ?? 0) - start !== grid.length) return -1;
  let ordinal = 0;
  for (let axis = 0; axis < grid.length; axis += 1) {
    const [cell, length] = [coordinates[start + axis] ?? 0, grid[axis] ?? 0];
    if (cell >= length) return -1;
    ordinal = ordinal * length + cell;
  }
  return ordinal;
}

/** `id`: the commit of the log; other than the entry's it has expired. */
export function blamedCommit(entry: HistoryEntry, orEarlier = false, id = entry.id): BlamedCommit {
  if (id === entry.id) return { ...snapshotEntry(entry), orEarlier, expired: false };
  return {
    id,
    parent: undefined,
    time: undefined,
    message: "",
    author: undefined,
    metadata: [],
    orEarlier,
    expired: true,
  };
}
