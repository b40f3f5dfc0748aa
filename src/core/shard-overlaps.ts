/** Which entries of a shard's index an overlapping one shares bytes with. */
import { OVERLAP, type IndexEntries } from "./shard-entries.ts";

const MAX_NAMED = 8;

/**
 * For overlapping entries with an ordinal up to `last`: the entries that begin before them (or beside them with a lower
 * ordinal and another length) and end after they begin; of many, the 8 that end last.
 * `sorted`: present, shared and overlapping entries by offset, then by ordinal.
 */
export function overlappedBy(
  { offsets, lengths }: IndexEntries,
  codes: Uint8Array,
  sorted: Uint32Array,
  last: number,
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  const endOf = (ordinal: number) => (offsets[ordinal] as number) + (lengths[ordinal] as number);
  let active: number[] = [];
  for (const ordinal of sorted) {
    const start = offsets[ordinal] as number;
    if (active.some((other) => endOf(other) <= start)) active = active.filter((other) => endOf(other) > start);
    if (codes[ordinal] === OVERLAP && ordinal <= last) {
      const isSame = (other: number) => offsets[other] === start && lengths[other] === lengths[ordinal];
      found.set(
        ordinal,
        active.filter((other) => !isSame(other)).sort((a, b) => a - b),
      );
    }
    keep(active, ordinal, endOf);
  }
  return found;
}

/** Where there are too many to name, keeps those that end last, so that no long one is missed. */
function keep(active: number[], ordinal: number, endOf: (ordinal: number) => number): void {
  if (active.length < MAX_NAMED) {
    active.push(ordinal);
    return;
  }
  let nearest = 0;
  for (let i = 1; i < active.length; i++) {
    if (endOf(active[i] as number) < endOf(active[nearest] as number)) nearest = i;
  }
  if (endOf(active[nearest] as number) < endOf(ordinal)) active[nearest] = ordinal;
}
