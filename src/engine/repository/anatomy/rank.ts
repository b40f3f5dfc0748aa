/** The order in which expiring takes snapshots away, and with them manifests and chunks. */
import type { PlannedManifest } from "./read-manifests.ts";
import type { ReadSnapshotFacts, SnapshotsRead } from "./read-snapshots.ts";

export interface Ranked {
  /** Snapshots that a branch or tag leads to; rank 1 is the first. */
  readonly byRank: readonly ReadSnapshotFacts[];
  /** Ranks by place among all snapshots; 0 for unreached ones. */
  readonly ranks: readonly number[];
  /** Ranks from here on: what a branch or tag points to. */
  readonly firstHead: number;
}

/** Expiry leaves branch and tag heads and the first snapshot of a chain, however old they are. */
const [GOES, FIRST, HEAD] = [0, 1, 2] as const;

const lastingOf = ({ refs, parent, time }: ReadSnapshotFacts): number =>
  refs.length > 0 ? HEAD : parent === undefined || time === undefined ? FIRST : GOES;

/** @param snapshots in the order of time */
export function rankSnapshots(snapshots: readonly ReadSnapshotFacts[]): Ranked {
  const byRank = snapshots.filter(({ isReached }) => isReached).toSorted((a, b) => lastingOf(a) - lastingOf(b));
  const rankOf = new Map(byRank.map((one, at) => [one, at + 1] as const));
  const firstHead = byRank.filter((one) => lastingOf(one) !== HEAD).length + 1;
  return { byRank, ranks: snapshots.map((one) => rankOf.get(one) ?? 0), firstHead };
}

/** The highest rank that expiring before a time (in milliseconds) takes away; 0 if none is. */
export function lastExpired({ byRank }: Ranked, before: number): number {
  const at = byRank.findIndex((one) => lastingOf(one) !== GOES || !(Date.parse(one.time ?? "") < before));
  return at < 0 ? byRank.length : at;
}

/** Manifests of reached snapshots in the order of time, then those that only others have. */
export function planManifests({ snapshots, manifests }: SnapshotsRead, { ranks }: Ranked): readonly PlannedManifest[] {
  const plans = manifests.map((_, place) => ({ place, rank: 0, first: -1, isShared: false }));
  for (const [at, snapshot] of snapshots.entries()) {
    const rank = ranks[at] ?? 0;
    for (const place of snapshot.manifests) {
      const plan = plans[place];
      if (plan === undefined || rank < Math.min(1, plan.rank)) continue;
      if (plan.first < 0 || (plan.rank === 0 && rank > 0)) plan.first = at;
      else if (rank > 0) plan.isShared = true;
      plan.rank = Math.max(plan.rank, rank);
    }
  }
  const order = ({ rank, first }: PlannedManifest) => (rank === 0 ? snapshots.length : 0) + first;
  return plans.toSorted((a, b) => order(a) - order(b));
}
