/** What is odd about a shard's index, a finding a kind. */
import { coordinatesOf } from "../../core/chunk-grid.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import type { Place } from "../../core/findings/place.ts";
import { SHARED } from "../../core/shard-entries.ts";
import { shardEntryFacts } from "../../core/shard-map-of.ts";
import { ENTRY_STATES, isDamaged, type ShardMap } from "../../core/shard-map.ts";

type ShardPlace = Extract<Place, { kind: "shard" }>;

/** `hidden`: behind the index stands a checksum that the metadata do not name. */
export function shardFindings(map: ShardMap, place: ShardPlace, hidden: boolean): readonly Finding[] {
  const damage = damageOf(map, place);
  const identical = identicalEntries(map, place);
  if (hidden) {
    const facts = { length: map.index.length, isShifted: false };
    return [...damage, ...identical, finding("shard-index-checksum-unnamed", place, facts)];
  }
  const { bytesDead: bytes, gaps, size } = map;
  // What a damaged or repeated entry should point at belongs to nobody now.
  const isExplained = damage.length + identical.length > 0;
  if (bytes === 0 || isExplained) return [...damage, ...identical];
  return [finding("shard-dead-bytes", place, { bytes, gaps: gaps.length / 2, size })];
}

function damageOf(map: ShardMap, place: ShardPlace): readonly Finding[] {
  return ENTRY_STATES.flatMap((state, code) => {
    const count = map.counts[code] ?? 0;
    if (!isDamaged(state) || count === 0) return [];
    const listed = map.faults.find(({ fault, isRead }) => fault === state && isRead !== true);
    const first = listed ?? { inner: map.codes.indexOf(code) };
    return [finding(`shard-${state}`, { ...place, entry: first.inner }, shardEntryFacts(map, first), count)];
  });
}

const MAX_NAMED = 8;

/** Where several are, those of the first of them are named. */
function identicalEntries(map: ShardMap, place: ShardPlace): readonly Finding[] {
  const first = map.codes.indexOf(SHARED);
  if (first < 0) return [];
  const [offset, length] = [map.offsets[first] ?? 0, map.lengths[first] ?? 0];
  const same: number[] = [];
  for (let at = first; at < map.codes.length && same.length < MAX_NAMED; at += 1)
    if (map.offsets[at] === offset && map.lengths[at] === length) same.push(at);
  const inner = same.map((at) => coordinatesOf(map.innerGrid, at));
  const facts = { inner, offset, length, entries: map.counts[SHARED] ?? 0, dead: map.bytesDead };
  return [finding("shard-entries-identical", { ...place, entry: first }, facts)];
}
