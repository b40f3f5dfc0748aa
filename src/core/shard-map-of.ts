/** What a shard's index says of its bytes, made from its entries. */
import type { ByteRange } from "./byte-source.ts";
import { coordinatesOf } from "./chunk-grid.ts";
import type { RefscopeError } from "./errors.ts";
import { failure } from "./findings/failure.ts";
import type { ShardEntryFacts } from "./findings/catalogue/shard.ts";
import { WHOLE_SET } from "./findings/place.ts";
import {
  classifyEntries,
  EMPTY,
  INTO_INDEX,
  OVERLAP,
  select,
  SHARED,
  withoutCode,
  type IndexEntries,
} from "./shard-entries.ts";
import { ENTRY_STATES, isDamaged, type EntryState, type ShardFault, type ShardMap } from "./shard-map.ts";
import { overlappedBy } from "./shard-overlaps.ts";
import { writeOrderOf } from "./write-order.ts";

export type { IndexEntries } from "./shard-entries.ts";

const MAX_FAULTS = 10_000;

/**
 * `size`: bytes of the shard; `index`: where its index lies. A million entries in any order take a
 * fraction of a second. `inFileOrder` holds what covers bytes of the shard: present and overlapping entries, those that
 * reach into the index, and of shared ones the first.
 */
export function shardMap(
  entries: IndexEntries,
  size: number,
  index: ByteRange,
  innerGrid: readonly number[],
): ShardMap {
  const { codes, inside } = classifyEntries(entries, size, index);
  const inFileOrder = withoutRepeats(entries, codes, inside);
  const { gaps, dead } = gapsBetween(entries, inFileOrder, size, index);
  const written = withoutCode(inFileOrder, codes, INTO_INDEX);
  const counts = ENTRY_STATES.map(() => 0);
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return {
    ...entries,
    codes,
    innerGrid,
    size,
    index: { offset: index.offset, length: index.length },
    counts,
    inFileOrder,
    gaps,
    bytesUsed: Math.max(0, size - dead - index.length),
    bytesDead: dead,
    writeOrder: writeOrderOf(written, innerGrid),
    ...faultsOf(entries, codes, inside),
  };
}

/** Keeps the first of entries with the same place. */
function withoutRepeats({ offsets, lengths }: IndexEntries, codes: Uint8Array, inside: Uint32Array<ArrayBuffer>) {
  if (![SHARED, OVERLAP, INTO_INDEX].some((code) => codes.includes(code))) return inside;
  let start = -1;
  let lengthsHere = new Set<number>();
  return inside.filter((ordinal, i) => {
    const offset = offsets[ordinal] as number;
    const isFirst = offset !== start;
    start = offset;
    if (isFirst && offsets[inside[i + 1] ?? -1] !== offset) return true;
    if (isFirst) lengthsHere = new Set();
    const isRepeat = lengthsHere.has(lengths[ordinal] as number);
    lengthsHere.add(lengths[ordinal] as number);
    return !isRepeat;
  });
}

/** Bytes that neither the index nor an entry covers. `sorted` by offset. */
function gapsBetween({ offsets, lengths }: IndexEntries, sorted: Uint32Array, size: number, index: ByteRange) {
  const gaps = new Float64Array(2 * sorted.length + 4);
  let [count, dead, reached] = [0, 0, 0];
  const cover = (from: number, to: number) => {
    if (from > reached) {
      gaps[count++] = reached;
      gaps[count++] = from;
      dead += from - reached;
    }
    reached = Math.max(reached, to);
  };
  let isIndexDue = true;
  for (const ordinal of sorted) {
    const offset = offsets[ordinal] as number;
    if (isIndexDue && offset >= index.offset) {
      cover(index.offset, index.offset + index.length);
      isIndexDue = false;
    }
    cover(offset, offset + (lengths[ordinal] as number));
  }
  if (isIndexDue) cover(index.offset, index.offset + index.length);
  cover(size, size);
  return { gaps: gaps.slice(0, count), dead };
}

const DAMAGED = ENTRY_STATES.map(isDamaged);

function faultsOf(
  entries: IndexEntries,
  codes: Uint8Array,
  inside: Uint32Array<ArrayBuffer>,
): Pick<ShardMap, "faults" | "faultCount"> {
  const damaged = select(codes, (code) => DAMAGED[code] === true);
  const listed = damaged.subarray(0, MAX_FAULTS);
  const hasOverlap = listed.some((inner) => codes[inner] === OVERLAP);
  const whole = hasOverlap ? withoutCode(inside, codes, INTO_INDEX) : inside;
  const others = hasOverlap ? overlappedBy(entries, codes, whole, listed.at(-1) ?? 0) : undefined;
  const faults = Array.from(listed, (inner): ShardFault => {
    const fault = stateOf(codes, inner) as ShardFault["fault"];
    const named = others?.get(inner);
    return named === undefined ? { inner, fault } : { inner, fault, with: named };
  });
  const read = readDespite(faults, codes);
  const all = [...faults, ...read].sort((a, b) => a.inner - b.inner).slice(0, MAX_FAULTS);
  return { faults: all, faultCount: damaged.length + read.length };
}

const MAX_NAMED = 8;

/** The other side of each overlap: entries that are read, though either of the two may be wrong. */
function readDespite(faults: readonly ShardFault[], codes: Uint8Array): readonly ShardFault[] {
  const over = new Map<number, number[]>();
  for (const { inner, with: others = [] } of faults) {
    for (const other of others) {
      if (DAMAGED[codes[other] as number] === true) continue;
      const named = over.get(other);
      if (named === undefined) over.set(other, [inner]);
      else if (named.length < MAX_NAMED) named.push(inner);
    }
  }
  return Array.from(over, ([inner, named]) => ({ inner, fault: "overlap", with: named, isRead: true }));
}

function stateOf(codes: Uint8Array, inner: number): EntryState {
  return ENTRY_STATES[codes[inner] ?? EMPTY] ?? "empty";
}

/** Why no chunk can be read from an entry: code `shard-` and its state. `undefined` where one can, or it is empty. */
export function shardEntryError(
  map: Pick<ShardMap, "offsets" | "lengths" | "codes" | "innerGrid" | "size">,
  inner: number,
): RefscopeError | undefined {
  const state = stateOf(map.codes, inner);
  return isDamaged(state) ? failure(`shard-${state}`, WHOLE_SET, shardEntryFacts(map, { inner })) : undefined;
}

/** What the index says of an entry that cannot be read. */
export function shardEntryFacts(
  map: Pick<ShardMap, "offsets" | "lengths" | "innerGrid" | "size">,
  { inner, with: others = [] }: Pick<ShardFault, "inner" | "with">,
): ShardEntryFacts {
  const half = (value = -1) => (value < 0 ? undefined : value);
  const nameOf = (entry: number) => coordinatesOf(map.innerGrid, entry);
  const [offset, length] = [half(map.offsets[inner]), half(map.lengths[inner])];
  return { inner: nameOf(inner), offset, length, size: map.size, others: others.map(nameOf) };
}
