/**
 * A writer of a pool whose entries are mostly those of another, its guide: they are places there. Where the guide has all
 * of them, so it has what comes out; a few others are put between the guide's own, in a pool that takes its place.
 */
import { once } from "../../core/once.ts";
import {
  bytePoolWriter,
  partOf,
  poolFinder,
  type BytePoolWriter,
  type PlainPool,
  type PoolFinder,
} from "./byte-pool.ts";
import { mergedPool } from "./merged-pool.ts";

export interface Guide {
  readonly pool: PlainPool;
  readonly view: DataView;
  /** For entries out of order. */
  readonly finder: () => PoolFinder;
}

export const guideOf = (pool: PlainPool): Guide => ({
  pool,
  view: sourceOf(pool.raw).view,
  finder: once(() => poolFinder(pool)),
});

/** For those to come; in place of the guide, where it has no fewer entries. */
export type Keep = (pool: PlainPool, instead?: Guide) => PlainPool;

export const keeping = (writer: BytePoolWriter, keep: Keep, guide?: Guide): BytePoolWriter => ({
  intern: (tag, source, from, length) => writer.intern(tag, source, from, length),
  finish: () => keep(writer.finish(), guide),
});

/** Whether the guide is likely one for a writer whose first entry this is. */
export const beginsAsIn = (guide: Guide, tag: number, source: Uint8Array, from: number, length: number): boolean =>
  placeNear(guide, 0, MAX_PASSED, tag, sourceOf(source), from, length) >= 0;

/** Bytes of a file, and the same as words. */
interface Source {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

const sourceOf = (bytes: Uint8Array): Source => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});

/** Entries of a guide that are passed over to find the next one; where they often come out of order, but that one. */
const [MAX_PASSED, NEXT_ALONE] = [64, 1] as const;
/** Shares of the entries: out of order, and such as the guide lacks. Of more of these it is no guide. */
const [OFTEN, FEW] = [1 / 8, 1 / 4] as const;
/** Fewer are few in any case. */
const ALWAYS_FEW = 64;
/** A pool is made anew for a few more entries only where so many of its own are named beside them. */
const WORTH_MERGING = 1 / 4;

export function guidedWriter(by: Guide, keep: Keep): BytePoolWriter {
  const guide = by.pool;
  const named = namedPlaces(guide.count);
  const fresh = bytePoolWriter();
  /** Of the fresh ones: before which place of the guide they come. */
  const before: number[] = [];
  let words = sourceOf(guide.raw);
  let [next, seen, jumps] = [0, 0, 0];
  let own: BytePoolWriter | undefined;
  const nameFresh = (tag: number, source: Uint8Array, from: number, length: number): number => {
    const at = fresh.intern(tag, source, from, length);
    if (at === before.length) before.push(next);
    return named.idOf(guide.count + at);
  };
  const isNoGuide = (): boolean => before.length > ALWAYS_FEW + named.count() * FEW;
  const leave = (): BytePoolWriter => keeping(copied(named.all(), guide, fresh.finish()), keep, by);
  return {
    intern(tag, source, from, length) {
      if (own !== undefined) return own.intern(tag, source, from, length);
      if (words.bytes !== source) words = sourceOf(source);
      seen += 1;
      let at = placeNear(
        by,
        next,
        jumps > ALWAYS_FEW + seen * OFTEN ? NEXT_ALONE : MAX_PASSED,
        tag,
        words,
        from,
        length,
      );
      if (at < 0) {
        jumps += 1;
        at = by.finder()(tag, source, from, length);
      }
      if (at >= 0) {
        next = at + 1;
        return named.idOf(at);
      }
      const id = nameFresh(tag, source, from, length);
      if (isNoGuide()) own = leave();
      return id;
    },
    finish() {
      if (own !== undefined) return own.finish();
      const places = named.all();
      if (before.length === 0) return partOrAll(guide, places);
      if (places.length < guide.count * WORTH_MERGING) return copied(places, guide, fresh.finish()).finish();
      const merged = mergedPool(guide, fresh.finish(), before);
      return partOrAll(
        keep(merged.pool, by),
        places.map((place) => merged.places[place] as number),
      );
    },
  };
}

/** Ids of places, in the order in which they are first named. */
function namedPlaces(most: number) {
  let ids = new Uint32Array(most);
  let places = new Uint32Array(most);
  let count = 0;
  const grow = (): void => {
    [ids, places] = [twice(ids), twice(places)];
  };
  return {
    idOf(place: number): number {
      while (place >= ids.length) grow();
      const known = ids[place] as number;
      if (known > 0) return known - 1;
      places[count] = place;
      ids[place] = ++count;
      return count - 1;
    },
    count: () => count,
    all: () => places.slice(0, count),
  };
}

function twice(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(2 * numbers.length);
  grown.set(numbers);
  return grown;
}

/** Places from the guide's count on are those of fresh entries. */
function copied(places: Uint32Array, guide: PlainPool, fresh: PlainPool): BytePoolWriter {
  const writer = bytePoolWriter();
  for (const place of places) {
    const [from, at] = place < guide.count ? [guide, place] : [fresh, place - guide.count];
    const start = from.starts[at] as number;
    writer.intern(from.raw[start] as number, from.raw, start + 1, (from.starts[at + 1] as number) - start - 1);
  }
  return writer;
}

function partOrAll(pool: PlainPool, places: Uint32Array): PlainPool {
  const isAll = places.length === pool.count && places.every((place, at) => place === at);
  return isAll ? pool : partOf(pool, places);
}

/** The place of these bytes, where it is `next`, the one before it (which may be meant again) or soon after; else -1. */
function placeNear(
  { pool, view }: Guide,
  next: number,
  passed: number,
  tag: number,
  source: Source,
  from: number,
  length: number,
): number {
  const { raw, starts, count } = pool;
  const last = Math.min(count, next + passed);
  for (let at = next; at < last; at += 1) {
    const start = starts[at] as number;
    if ((starts[at + 1] as number) - start === length + 1 && raw[start] === tag) {
      if (isSame(view, start + 1, source.view, from, length)) return at;
    }
    // After the next one, the last.
    if (at === next && next > 0) {
      const held = starts[next - 1] as number;
      const isLast = start - held === length + 1 && raw[held] === tag;
      if (isLast && isSame(view, held + 1, source.view, from, length)) return next - 1;
    }
  }
  return -1;
}

/** From the end, four bytes at a time: locations differ at their ends. */
function isSame(one: DataView, at: number, other: DataView, from: number, length: number): boolean {
  let rest = length;
  while (rest >= 4) {
    rest -= 4;
    if (one.getUint32(at + rest) !== other.getUint32(from + rest)) return false;
  }
  while (rest > 0) {
    rest -= 1;
    if (one.getUint8(at + rest) !== other.getUint8(from + rest)) return false;
  }
  return true;
}
