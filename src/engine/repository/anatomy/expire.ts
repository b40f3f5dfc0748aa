/** Simulates expiring snapshots and then collecting garbage; nothing is deleted. */
import { type Expiry, PARTS, type Part } from "#core/anatomy.ts";
import type { RankedFile } from "./own-files.ts";
import { lastExpired, type Ranked } from "./rank.ts";
import type { State } from "./tally.ts";

export interface Collected {
  readonly ranked: Ranked;
  readonly files: readonly RankedFile[];
  /** Native chunks whose files cannot be listed. */
  readonly unlisted: readonly State[];
  /** Places of the arrays shown, by array of `shares`; those that are not shown have none. */
  readonly places: ReadonlyMap<number, number>;
}

/** `before`: ISO. Kept are heads, the first snapshot of each chain, and snapshots that are not older. */
export function simulateExpiry({ ranked, files, unlisted, places }: Collected, before: string | undefined): Expiry {
  const last = before === undefined ? 0 : lastExpired(ranked, Date.parse(before));
  const byPart = Object.fromEntries(PARTS.map((part) => [part, 0])) as Record<Part, number>;
  const ofArrays = Array.from({ length: places.size }, () => ({ native: 0, manifests: 0 }));
  const [orphans, freed] = [{ files: 0, bytes: 0 }, [] as string[]];
  let unnamed = 0;
  const add = (part: Part, bytes: number, shares: RankedFile["shares"]): void => {
    byPart[part] += bytes;
    for (const { array, size } of shares) {
      const of = ofArrays[places.get(array) ?? -1];
      if (of !== undefined && (part === "native" || part === "manifests")) of[part] += size;
    }
  };
  for (const { name, bytes = 0, part, rank, shares } of files) {
    if (rank > last) continue;
    freed.push(name);
    if (rank > 0) add(part, bytes, shares);
    else {
      orphans.files += 1;
      orphans.bytes += bytes;
    }
  }
  for (const { rank, count, bytes, array } of unlisted) {
    if (rank > last) continue;
    unnamed += count;
    if (rank > 0) add("native", bytes, [{ array, size: bytes }]);
  }
  const bytes = PARTS.reduce((sum, part) => sum + byPart[part], orphans.bytes);
  const kept = ranked.byRank.length - last;
  return {
    before,
    expired: last,
    kept,
    freed,
    files: freed.length + unnamed,
    unnamed,
    bytes,
    byPart,
    orphans,
    ofArrays,
  };
}
