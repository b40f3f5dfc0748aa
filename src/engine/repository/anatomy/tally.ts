/**
 * Counts references, each once, by state: kind, array, and how long it stays. A reference stays as long as the most
 * lasting snapshot that holds it; snapshots are ranked by that, 1 the first to go, and rank 0 stands for all that no
 * branch or tag leads to.
 */
import { hashTable } from "./hash-table.ts";
import type { RowReader } from "./reference-hash.ts";

export interface State {
  readonly kind: number;
  readonly array: number;
  readonly rank: number;
  /** False: only the snapshot of this rank holds it. */
  readonly isShared: boolean;
  count: number;
  bytes: number;
}

/** How long the references of a manifest stay. */
export type Lasting = Pick<State, "rank" | "isShared">;

export type Tally = ReturnType<typeof newTally>;

/** Kinds of references that are counted: native, virtual, inline. */
const KINDS = 3;

/** @param ranks number of ranks, 0 among them */
export function newTally(ranks: number) {
  const table = hashTable();
  // Its place is the number in the table, where 0 stands for nothing.
  const states: State[] = [{ kind: KINDS, array: 0, rank: 0, isShared: false, count: 0, bytes: 0 }];
  const places = new Map<number, number>();
  const placeOf = (kind: number, array: number, rank: number, isShared: boolean): number => {
    const key = ((array * ranks + rank) * 2 + (isShared ? 1 : 0)) * KINDS + kind;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, states.length);
    return states.push({ kind, array, rank, isShared, count: 0, bytes: 0 }) - 1;
  };
  const move = (from: State, to: State, bytes: number): void => {
    from.count -= 1;
    from.bytes -= bytes;
    to.count += 1;
    to.bytes += bytes;
  };
  return {
    states: states as readonly State[],
    /** For the rows of one array in a manifest. @returns true for a reference that was not there before */
    adder(array: number, { rank, isShared }: Lasting): (row: RowReader) => boolean {
      const fresh = [-1, -1, -1];
      let [from, to] = [-1, -1];
      return ({ hash, kind, length }) => {
        const known = table.seek(hash[0] as number, hash[1] as number);
        if (known === 0) {
          const place =
            fresh[kind] === -1 ? (fresh[kind] = placeOf(kind, array, rank, isShared)) : (fresh[kind] as number);
          const state = states[place] as State;
          state.count += 1;
          state.bytes += length;
          table.set(place);
          return true;
        }
        if (known !== from) {
          from = known;
          const old = states[known] as State;
          const isBoth = old.isShared || isShared || old.rank !== rank;
          if (rank === 0) to = known;
          else if (old.rank === 0) to = placeOf(old.kind, old.array, rank, isShared);
          else to = placeOf(old.kind, old.array, Math.max(old.rank, rank), isBoth);
        }
        if (to !== known) {
          move(states[known] as State, states[to] as State, length);
          table.set(to);
        }
        return false;
      };
    },
    stateOf: (hash: Int32Array): State | undefined =>
      states[table.seek(hash[0] as number, hash[1] as number) || states.length],
    get count() {
      return table.count;
    },
    get byteLength() {
      return table.byteLength;
    },
  };
}
