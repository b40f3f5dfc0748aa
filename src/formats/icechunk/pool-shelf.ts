/**
 * Pools of entries that came before, as guides for the next: arrays of one data set mostly name the same files in the same
 * order, but for chunks that one of them lacks. What a guide has needs no hash, and takes no memory of its own; a few
 * entries that it lacks are put between its own, so that the next array finds them there.
 */
import { once } from "#core/basics.ts";
import { bytePoolWriter, grown, partOf, plainPool, poolFinder } from "#core/byte-pool.ts";
import type { BytePoolWriter, PlainPool, PoolFinder } from "#core/byte-pool.ts";

export interface PoolShelf {
  /** A writer whose entries are likely those of a pool on the shelf. */
  writer(): BytePoolWriter;
}

const MAX_BYTES = 16 << 20;
/** Pools of fewer entries are quickly made. */
const LEAST = 256;

export function poolShelf(): PoolShelf {
  const guides: Guide[] = [];
  let bytes = 0;
  const keep: Keep = (pool, instead) => {
    if (pool.count < Math.max(LEAST, instead?.pool.count ?? 0)) return pool;
    const at = instead === undefined ? -1 : guides.indexOf(instead);
    if (at >= 0) bytes -= guides.splice(at, 1)[0]?.pool.byteLength ?? 0;
    guides.push({
      pool,
      view: sourceOf(pool.raw).view,
      finder: once(() => poolFinder(pool)),
    });
    bytes += pool.byteLength;
    while (bytes > MAX_BYTES) bytes -= guides.shift()?.pool.byteLength ?? bytes;
    return pool;
  };
  const guideFor: FindGuide = (tag, source, from, length) =>
    guides.findLast((one) => placeNear(one, 0, MAX_PASSED, tag, sourceOf(source), from, length) >= 0);
  return { writer: () => shelfWriter(guideFor, keep) };
}

type FindGuide = (tag: number, source: Uint8Array, from: number, length: number) => Guide | undefined;

/** Entries by which a guide is looked for: it may lack the first. */
const TRIES = 4;

function shelfWriter(guideFor: FindGuide, keep: Keep): BytePoolWriter {
  let own = keeping(bytePoolWriter(), keep);
  let tries = 0;
  const follow = (guide: Guide): void => {
    const before = own.finish();
    own = guidedWriter(guide, keep);
    for (let id = 0; id < before.count; id += 1) {
      const bytes = before.bytes(id);
      own.intern(before.tag(id), bytes, 0, bytes.length);
    }
    tries = TRIES;
  };
  return {
    intern(tag, source, from, length) {
      if (tries < TRIES) {
        tries += 1;
        const guide = guideFor(tag, source, from, length);
        if (guide !== undefined) follow(guide);
      }
      return own.intern(tag, source, from, length);
    },
    finish: () => own.finish(),
  };
}

// A writer of a pool whose entries are mostly those of another, its guide: they are places there. Where the guide has
// all of them, so it has what comes out; a few others are put between the guide's own, in a pool that takes its place.

interface Guide {
  readonly pool: PlainPool;
  readonly view: DataView;
  /** For entries out of order. */
  readonly finder: () => PoolFinder;
}

/** For those to come; in place of the guide, where it has no fewer entries. */
type Keep = (pool: PlainPool, instead?: Guide) => PlainPool;

const keeping = (writer: BytePoolWriter, keep: Keep, guide?: Guide): BytePoolWriter => ({
  intern: (tag, source, from, length) => writer.intern(tag, source, from, length),
  finish: () => keep(writer.finish(), guide),
});

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

function guidedWriter(by: Guide, keep: Keep): BytePoolWriter {
  const guide = by.pool;
  const named = namedPlaces(guide.count);
  const fresh = bytePoolWriter();
  /** Places of the guide before which each fresh entry comes. */
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
  return {
    idOf(place: number): number {
      while (place >= ids.length) [ids, places] = [grown(ids, 2 * ids.length), grown(places, 2 * places.length)];
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

/**
 * The place of these bytes, where it is `next`, the one before it (which may be meant again) or soon after; else -1.
 */
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
      if (equalRuns(view, start + 1, source.view, from, length)) return at;
    }
    // After the next one, the last.
    if (at === next && next > 0) {
      const held = starts[next - 1] as number;
      const isLast = start - held === length + 1 && raw[held] === tag;
      if (isLast && equalRuns(view, held + 1, source.view, from, length)) return next - 1;
    }
  }
  return -1;
}

/** From the end, four bytes at a time: locations differ at their ends. */
function equalRuns(one: DataView, at: number, other: DataView, from: number, length: number): boolean {
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

// A pool with a few entries more, each before one of its own, or at its end.

/** `before`: by entry of `fresh` the entry of `pool`, or its count. */
function mergedPool(pool: PlainPool, fresh: PlainPool, before: readonly number[]) {
  const count = pool.count + fresh.count;
  const bytes = new Uint8Array((pool.starts[pool.count] as number) + (fresh.starts[fresh.count] as number));
  const starts = new Uint32Array(count + 1);
  const places = new Uint32Array(count);
  let [at, used] = [0, 0];
  /** Entries from `from` to `to` (excluded); the first of `of` is the one at `first` of `places`. */
  const add = (of: PlainPool, first: number, from: number, to: number): void => {
    const start = of.starts[from] as number;
    bytes.set(of.raw.subarray(start, of.starts[to]), used);
    for (let entry = from; entry < to; entry += 1) {
      places[first + entry] = at;
      starts[at] = used + (of.starts[entry] as number) - start;
      at += 1;
    }
    used += (of.starts[to] as number) - start;
  };
  let done = 0;
  for (const entry of [...before.keys()].toSorted((a, b) => (before[a] ?? 0) - (before[b] ?? 0))) {
    const to = before[entry] ?? 0;
    add(pool, 0, done, to);
    add(fresh, pool.count, entry, entry + 1);
    done = to;
  }
  add(pool, 0, done, pool.count);
  starts[count] = used;
  return { pool: plainPool(bytes, starts, count), places };
}
