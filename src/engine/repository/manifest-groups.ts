/**
 * Which manifests of an array must be compared with which: those of both snapshots whose boxes of chunks meet, directly
 * or through others. A group that is the same on both sides need not be fetched.
 */
import { groupedBy } from "../../core/grouped.ts";
import type { Extents, ManifestRef } from "../../formats/icechunk/index.ts";
import { boxOf, meet } from "./boxes.ts";
import type { SideArray } from "./snapshot-side.ts";

export interface ManifestGroup {
  /** In the order in which they count. */
  readonly from: readonly ManifestRef[];
  readonly to: readonly ManifestRef[];
}

interface Boxed {
  readonly side: "from" | "to";
  readonly manifest: ManifestRef;
  /** Within the side's grid. */
  readonly box: Extents;
}

/** Pairs of boxes that are looked at; beyond, all manifests are one group. */
const MAX_MEETINGS = 20_000_000;

/** Groups that may differ. */
export function manifestGroups(from: SideArray | undefined, to: SideArray | undefined): readonly ManifestGroup[] {
  const boxed = [...boxesOf("from", from), ...boxesOf("to", to)];
  return groupsOf(boxed).flatMap((group) => {
    const [one, other] = [group.filter(({ side }) => side === "from"), group.filter(({ side }) => side === "to")];
    // The same manifest says other things of another array.
    return from?.id === to?.id && isSame(one, other) ? [] : [{ from: one.map(manifestOf), to: other.map(manifestOf) }];
  });
}

const manifestOf = ({ manifest }: Boxed): ManifestRef => manifest;

function boxesOf(side: Boxed["side"], array: SideArray | undefined): readonly Boxed[] {
  if (array === undefined) return [];
  const boxed = array.manifests.map((manifest) => ({ side, manifest, box: boxOf(array.grid, manifest.extents) }));
  return boxed.filter(({ box }) => box.every(({ from, to }) => from < to));
}

function isSame(one: readonly Boxed[], other: readonly Boxed[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ manifest, box }, index) => {
      const match = other[index];
      return match?.manifest.id === manifest.id && sameBox(box, match.box) && sameExtents(manifest, match.manifest);
    })
  );
}

const sameExtents = (one: ManifestRef, other: ManifestRef): boolean =>
  one.extents.length === other.extents.length && sameBox(one.extents, other.extents);

const sameBox = (one: Extents, other: Extents): boolean =>
  one.every(({ from, to }, axis) => from === other[axis]?.from && to === other[axis]?.to);

/** In each the order of `all`. */
function groupsOf(all: readonly Boxed[]): readonly (readonly Boxed[])[] {
  const parent = all.map((_, index) => index);
  const root = (index: number): number => {
    let at = index;
    for (let up = parent[at] ?? at; up !== at; up = parent[at] ?? at) {
      parent[at] = parent[up] ?? up;
      at = up;
    }
    return at;
  };
  if (!joinMeeting(all, (one, other) => (parent[root(one)] = root(other)))) return [all];
  const groups = groupedBy(all.entries(), ([index]) => root(index));
  return [...groups.values()].map((group) => group.map(([, boxed]) => boxed));
}

/** A sweep along the first dimension. False: too many meetings to look at. */
function joinMeeting(all: readonly Boxed[], join: (one: number, other: number) => void): boolean {
  const start = (index: number) => all[index]?.box[0]?.from ?? 0;
  const order = all.map((_, index) => index).sort((a, b) => start(a) - start(b));
  let open: number[] = [];
  let looked = 0;
  for (const index of order) {
    const box = all[index]?.box ?? [];
    open = open.filter((other) => (all[other]?.box[0]?.to ?? Infinity) > start(index));
    looked += open.length;
    if (looked > MAX_MEETINGS) return false;
    for (const other of open) if (meet(box, all[other]?.box ?? [])) join(index, other);
    open.push(index);
  }
  return true;
}
