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

/** The references of an array in a manifest. */
interface Source extends Lasting {
  readonly array: number;
  /** Receives the bytes of references that were not there before, by kind. */
  readonly added: number[];
}

/** Kinds of references that are counted: native, virtual, inline. */
const KINDS = 3;

/** @param ranks number of ranks, 0 among them */
export function newTally(ranks: number) {
  const table = hashTable();
  const { states, placeOf } = stateList(ranks);
  const sources: Source[] = [];
  const queues = newQueues();
  const count = (region: number): void => {
    const { counts, highs, lows, lengths, origins } = queues;
    const from = region * QUEUE;
    for (let at = from; at < from + (counts[region] as number); at += 1) {
      const origin = origins[at] as number;
      const source = sources[Math.floor(origin / KINDS)] as Source;
      const length = lengths[at] as number;
      const known = table.seek(highs[at] as number, lows[at] as number);
      const to = known === 0 ? placeOf(origin % KINDS, source) : longer(known, source);
      if (to === known) continue;
      if (known === 0) source.added[origin % KINDS] = (source.added[origin % KINDS] as number) + length;
      move(states[known], states[to], length);
      table.set(to);
    }
    counts[region] = 0;
  };
  /** The state of a reference that another manifest holds as well. */
  const longer = (known: number, source: Source): number => {
    const { rank, isShared, kind, array } = states[known] as State;
    if (source.rank === 0) return known;
    if (rank === source.rank && (isShared || !source.isShared)) return known;
    const isBoth = rank === 0 ? source.isShared : isShared || source.isShared || rank !== source.rank;
    return placeOf(kind, { array, rank: Math.max(rank, source.rank), isShared: isBoth });
  };
  return {
    states: states as readonly State[],
    /** For the rows of a source. Rows wait until there are many for one region of the table, which is then at hand. */
    adder(source: Source): (row: RowReader) => void {
      const first = (sources.push(source) - 1) * KINDS;
      const { counts, highs, lows, lengths, origins } = queues;
      return ({ hash, kind, length }) => {
        const region = (hash[0] as number) >>> 24;
        const at = region * QUEUE + (counts[region] as number);
        highs[at] = hash[0] as number;
        lows[at] = hash[1] as number;
        lengths[at] = length;
        origins[at] = first + kind;
        if (++(counts[region] as number) === QUEUE) count(region);
      };
    },
    /** Counts the rows that wait. */
    finish(): void {
      for (let region = 0; region < REGIONS; region += 1) count(region);
    },
    stateOf: (hash: Int32Array): State | undefined =>
      states[table.seek(hash[0] as number, hash[1] as number) || states.length],
    get count() {
      return table.count;
    },
  };
}

/** Regions of the table, by the first byte of the hash, and rows that wait for each. */
const [REGIONS, QUEUE] = [256, 1024] as const;

const newQueues = () => ({
  counts: new Uint32Array(REGIONS),
  highs: new Uint32Array(REGIONS * QUEUE),
  lows: new Uint32Array(REGIONS * QUEUE),
  lengths: new Float64Array(REGIONS * QUEUE),
  /** Place of the source, times the kinds, plus the kind. */
  origins: new Uint32Array(REGIONS * QUEUE),
});

/** States by place; 0 stands for nothing in the table. */
function stateList(ranks: number) {
  const states: State[] = [{ kind: KINDS, array: 0, rank: 0, isShared: false, count: 0, bytes: 0 }];
  const places = new Map<number, number>();
  return {
    states,
    placeOf: (kind: number, { array, rank, isShared }: Pick<State, "array" | "rank" | "isShared">): number => {
      const key = ((array * ranks + rank) * 2 + (isShared ? 1 : 0)) * KINDS + kind;
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, states.length);
      return states.push({ kind, array, rank, isShared, count: 0, bytes: 0 }) - 1;
    },
  };
}

/** Moves one reference; nothing leaves the state that stands for nothing. */
function move(from: State | undefined, to: State | undefined, bytes: number): void {
  if (from !== undefined && from.kind !== KINDS) {
    from.count -= 1;
    from.bytes -= bytes;
  }
  if (to === undefined) return;
  to.count += 1;
  to.bytes += bytes;
}
