/**
 * Ids of the targets of locations that came before. Arrays of one data set mostly name the same files in the same order, but
 * for chunks that one of them lacks: their locations are compared as they are stored, and need not be read again. Where
 * a page's entries are part of a pool, the pool is compared once for all of its parts.
 */
import { sameBytes } from "../../core/same-bytes.ts";
import type { ChunkColumns, PlainPool } from "../../formats/icechunk/references.ts";

interface Page {
  readonly dictionary: Uint8Array | undefined;
  readonly pool: PlainPool;
  /** By entry; `UNREAD` for such as no page had that named it. */
  readonly ids: Uint32Array;
}

export interface LocationBook {
  /**
   * Ids of targets by entry, where a page that came before had most of the locations in this order; `read` is asked for
   * the others, and says with `undefined` that it cannot.
   */
  find(columns: ChunkColumns, read: (entry: number) => number | undefined): Uint32Array | undefined;
  /** All entries are locations whose targets have these ids. */
  keep(columns: ChunkColumns, ids: Uint32Array): void;
}

const MAX_BYTES = 16 << 20;
/** Entries of a page that are passed over to find the next one. */
const MAX_PASSED = 64;
/** Share of a page's locations that may be new. */
const FEW_NEW = 1 / 8;
/** Share of a pool from which on it is compared as a whole. */
const LARGE_PART = 1 / 4;

/** No table has so many targets. */
const UNREAD = 0xffff_ffff;

export function locationBook(): LocationBook {
  const pages: Page[] = [];
  let bytes = 0;
  const drop = (at: number): void => {
    const [page] = pages.splice(at, 1);
    if (page !== undefined) bytes -= sizeOf(page);
  };
  const keep = (page: Page): void => {
    pages.push(page);
    for (bytes += sizeOf(page); pages.length > 0; drop(0)) if (bytes <= MAX_BYTES) return;
  };
  const like = (pool: PlainPool, dictionary: Uint8Array | undefined): Likeness | undefined => {
    for (const page of pages.toReversed()) {
      const found = isSame(page.dictionary, dictionary) ? likeness(page, pool) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    find({ entries, dictionary }, read) {
      const { of, ids: places } = entries.part ?? { of: entries, ids: undefined };
      const known = pages.findLast((page) => page.pool === of && isSame(page.dictionary, dictionary));
      if (known !== undefined) return idsIn(known.ids, places, entries.count, read);
      const isLarge = entries.count >= of.count * LARGE_PART;
      const found = like(isLarge ? of : entries, dictionary);
      if (found === undefined) return undefined;
      if (!isLarge) return idsIn(found.ids, undefined, entries.count, read);
      // Its entries are here once more.
      if (found.shared >= found.page.pool.count * (1 - FEW_NEW)) drop(pages.indexOf(found.page));
      keep({ dictionary, pool: of, ids: found.ids });
      return idsIn(found.ids, places, entries.count, read);
    },
    keep({ dictionary, entries }, ids) {
      keep({ dictionary, pool: entries, ids });
    },
  };
}

const sizeOf = ({ pool, ids }: Page): number => pool.byteLength + ids.byteLength;

/** Ids of entries, which are at these places; those that are not known are read, unless they are many. */
function idsIn(
  all: Uint32Array,
  places: Uint32Array | undefined,
  count: number,
  read: (entry: number) => number | undefined,
): Uint32Array | undefined {
  const ids = places === undefined ? all.slice() : places.map((place) => all[place] as number);
  const unread: number[] = [];
  const most = mostNew(count);
  for (let entry = ids.indexOf(UNREAD); entry >= 0; entry = ids.indexOf(UNREAD, entry + 1)) {
    if (unread.push(entry) > most) return undefined;
  }
  for (const entry of unread) {
    const id = read(entry);
    if (id === undefined) return undefined;
    ids[entry] = id;
    all[places?.[entry] ?? entry] = id;
  }
  return ids;
}

const mostNew = (entries: number): number => 16 + entries * FEW_NEW;

/** What a page says of a pool that is like its own. */
interface Likeness {
  readonly page: Page;
  readonly ids: Uint32Array;
  /** Entries of both. */
  readonly shared: number;
}

function likeness(page: Page, pool: PlainPool): Likeness | undefined {
  const ids = new Uint32Array(pool.count).fill(UNREAD);
  const most = mostNew(pool.count);
  let [next, shared] = [0, 0];
  for (let entry = 0; entry < pool.count; entry += 1) {
    const last = Math.min(page.pool.count, next + MAX_PASSED);
    let at = next;
    while (at < last && !isSameEntry(page.pool, at, pool, entry)) at += 1;
    if (at < last) {
      ids[entry] = page.ids[at] as number;
      next = at + 1;
      shared += 1;
      continue;
    }
    const fresh = entry + 1 - shared;
    if (fresh > most || (entry < 8 && fresh > 4)) return undefined;
  }
  return { page, ids, shared };
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && sameBytes(one, other));

function isSameEntry(one: PlainPool, at: number, other: PlainPool, entry: number): boolean {
  const from = one.starts[at] as number;
  const start = other.starts[entry] as number;
  const length = (one.starts[at + 1] as number) - from;
  if ((other.starts[entry + 1] as number) - start !== length) return false;
  // Locations differ at their ends.
  for (let byte = length - 1; byte >= 0; byte -= 1) {
    if (one.raw[from + byte] !== other.raw[start + byte]) return false;
  }
  return true;
}
