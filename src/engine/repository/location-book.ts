/**
 * Ids of the targets of locations that came before. Arrays of one data set mostly name the same files in the same order, but
 * for chunks that one of them lacks: their locations are compared as they are stored, and need not be read again.
 */
import { sameBytes } from "../../core/same-bytes.ts";
import type { ChunkColumns, PlainPool } from "../../formats/icechunk/references.ts";

interface Page {
  readonly dictionary: Uint8Array | undefined;
  readonly pool: PlainPool;
  /** By entry. */
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

export function locationBook(): LocationBook {
  const pages: Page[] = [];
  let bytes = 0;
  const keep = ({ dictionary, entries }: ChunkColumns, ids: Uint32Array): void => {
    pages.push({ dictionary, pool: entries, ids });
    bytes += entries.byteLength + ids.byteLength;
    while (bytes > MAX_BYTES) {
      const oldest = pages.shift();
      if (oldest === undefined) return;
      bytes -= oldest.pool.byteLength + oldest.ids.byteLength;
    }
  };
  return {
    find(columns, read) {
      const known = sharedIds(pages, columns);
      if (known !== undefined) return known;
      for (const page of pages.toReversed()) {
        const ids = idsFrom(page, columns, read);
        if (ids === undefined) continue;
        // Pages that come may be parts of this one's entries.
        if (columns.entries.part === undefined) keep(columns, ids);
        return ids;
      }
      return undefined;
    },
    keep,
  };
}

/** Of entries that are those of a page, or some of them, as they are kept: nothing need be compared. */
function sharedIds(pages: readonly Page[], { entries, dictionary }: ChunkColumns): Uint32Array | undefined {
  const { of, ids } = entries.part ?? { of: entries, ids: undefined };
  const page = pages.findLast(({ pool }) => pool === of);
  if (page === undefined || !isSame(page.dictionary, dictionary)) return undefined;
  return ids === undefined ? page.ids : ids.map((at) => page.ids[at] as number);
}

function idsFrom(page: Page, columns: ChunkColumns, read: (entry: number) => number | undefined) {
  const { dictionary, entries } = columns;
  if (!isSame(page.dictionary, dictionary)) return undefined;
  const ids = new Uint32Array(entries.count);
  const fresh: number[] = [];
  const most = 16 + entries.count * FEW_NEW;
  let next = 0;
  for (let entry = 0; entry < entries.count; entry += 1) {
    const last = Math.min(page.pool.count, next + MAX_PASSED);
    let at = next;
    while (at < last && !isSameEntry(page.pool, at, entries, entry)) at += 1;
    if (at === last) {
      if (fresh.push(entry) > most || (entry < 8 && fresh.length > 4)) return undefined;
      continue;
    }
    ids[entry] = page.ids[at] as number;
    next = at + 1;
  }
  for (const entry of fresh) {
    const id = read(entry);
    if (id === undefined) return undefined;
    ids[entry] = id;
  }
  return ids;
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
