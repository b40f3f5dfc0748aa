/** The graph of a repository's snapshots: their order and lanes, as git tools draw them. A snapshot has one parent. */

/** A snapshot as the order needs it. */
export interface Dated {
  readonly id: string;
  readonly parent: string | undefined;
  /** ISO; snapshots without a time are the oldest. */
  readonly time: string | undefined;
}

export interface CommitOrder {
  /** Places in the list of snapshots: newest first, children before parents. */
  readonly order: readonly number[];
  /** Row of each row's parent; -1 where no row is its parent. */
  readonly parents: Int32Array;
  /** Rows whose parent would be a row above: parents in a circle. */
  readonly circles: ReadonlySet<number>;
}

/** Newest first, but a parent whose clock was ahead follows its children. */
export function commitOrder(snapshots: readonly Dated[]): CommitOrder {
  const { up, sequence, cut } = childrenFirst(snapshots);
  const times = snapshots.map(({ time }) => time ?? "");
  for (const at of sequence) {
    const parent = up[at] ?? -1;
    if (parent >= 0 && (times[at] ?? "") < (times[parent] ?? "")) times[parent] = times[at] ?? "";
  }
  const place = new Uint32Array(snapshots.length);
  for (const [index, at] of sequence.entries()) place[at] = index;
  const order = sequence.toSorted((a, b) => compareTimes(times[b], times[a]) || (place[a] ?? 0) - (place[b] ?? 0));
  const rows = new Uint32Array(snapshots.length);
  for (const [row, at] of order.entries()) rows[at] = row;
  const parents = Int32Array.from(order, (at) => ((up[at] ?? -1) < 0 ? -1 : (rows[up[at] ?? 0] ?? -1)));
  return { order, parents, circles: new Set(cut.map((at) => rows[at] ?? 0)) };
}

/** The order of ISO times in one zone; a snapshot without a time comes first. */
export const compareTimes = (a = "", b = ""): number => (a < b ? -1 : a > b ? 1 : 0);

/** Puts every snapshot after all its children; cuts a circle at its newest one. */
function childrenFirst(snapshots: readonly Dated[]) {
  const places = new Map(snapshots.map(({ id }, at) => [id, at]));
  const up = Int32Array.from(snapshots, ({ parent }) => (parent === undefined ? -1 : (places.get(parent) ?? -1)));
  const waits = new Uint32Array(snapshots.length);
  for (const parent of up) if (parent >= 0) waits[parent] = (waits[parent] ?? 0) + 1;
  const byTime = snapshots.map((_, at) => at).sort((a, b) => compareTimes(snapshots[b]?.time, snapshots[a]?.time));
  const sequence: number[] = [];
  const cut: number[] = [];
  const done = new Uint8Array(snapshots.length);
  const follow = (from: number) => {
    for (let at = from; at >= 0 && done[at] === 0 && waits[at] === 0; at = up[at] ?? -1) {
      done[at] = 1;
      sequence.push(at);
      const parent = up[at] ?? -1;
      if (parent >= 0) waits[parent] = (waits[parent] ?? 1) - 1;
    }
  };
  for (const at of byTime) follow(at);
  for (const start of byTime) {
    if (done[start] === 1) continue;
    // Circles are left: each snapshot in one waits for one other.
    let last = start;
    while ((up[last] ?? -1) !== start) last = up[last] ?? start;
    up[last] = -1;
    cut.push(last);
    waits[start] = 0;
    follow(start);
  }
  return { up, sequence, cut };
}

export interface CommitLanes {
  /** Lane of each row, from 0: also of the line from it to its parent, until that joins the parent's lane. */
  readonly lanes: Uint32Array;
  /** Lanes used. */
  readonly count: number;
}

/** `first`: a row whose line of descent has lane 0 for itself, as `main` has; -1: none has. */
export function commitLanes(parents: Int32Array, first = -1): CommitLanes {
  const isFirst = new Uint8Array(parents.length);
  for (let row = first; row >= 0; row = parents[row] ?? -1) isFirst[row] = 1;
  const lanes = new Uint32Array(parents.length);
  /** Lanes that lead to a row, by that row. */
  const leading = new Map<number, number[]>();
  const taken: boolean[] = first < 0 ? [] : [true];
  let lowest = 0;
  const free = () => {
    while (taken[lowest] === true) lowest += 1;
    return lowest;
  };
  for (const [row, parent] of parents.entries()) {
    const here = leading.get(row) ?? [];
    leading.delete(row);
    const lane = isFirst[row] === 1 ? 0 : here.length === 0 ? free() : here.reduce((a, b) => Math.min(a, b));
    for (const ended of here) release(ended);
    lanes[row] = lane;
    if (parent < 0) {
      release(lane);
      continue;
    }
    taken[lane] = true;
    const others = leading.get(parent);
    if (others === undefined) leading.set(parent, [lane]);
    else others.push(lane);
  }
  return {
    lanes,
    count: Math.max(
      taken.length,
      lanes.reduce((most, lane) => Math.max(most, lane + 1), 0),
    ),
  };

  function release(lane: number) {
    if (lane === 0 && first >= 0) return;
    taken[lane] = false;
    lowest = Math.min(lowest, lane);
  }
}

/** Lines of a row beside its own dot. */
export interface RowLines {
  /** Lanes of lines that pass by. */
  readonly passing: readonly number[];
  /** Lanes of children, other than the row's own, that end at its dot. */
  readonly joining: readonly number[];
  /** A child in the row's own lane is above. */
  readonly isContinued: boolean;
}

/** Lines in rows `from` to `to` (excluded). */
export function linesIn(parents: Int32Array, lanes: Uint32Array, from: number, to: number): readonly RowLines[] {
  const rows = Array.from({ length: Math.max(0, to - from) }, () => ({
    passing: [] as number[],
    joining: [] as number[],
    isContinued: false,
  }));
  for (let child = 0; child < to; child += 1) {
    const parent = parents[child] ?? -1;
    if (parent < from) continue;
    const lane = lanes[child] ?? 0;
    for (let row = Math.max(child + 1, from); row < Math.min(parent, to); row += 1)
      rows[row - from]?.passing.push(lane);
    const end = rows[parent - from];
    if (end === undefined) continue;
    if (lane === lanes[parent]) end.isContinued = true;
    else end.joining.push(lane);
  }
  return rows;
}
