import { chunkAt, finding, nodeAt, placed, RefscopeError, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { ChunkPlace, Finding, Place } from "#core/findings/finding.ts";
import { chunkKey, coordinatesOf, type KeySeparator } from "#core/metadata/chunk-grid.ts";
import type { PageSink } from "#core/table/reference-pages.ts";
import type { StrayKey } from "#core/table/reference-table.ts";
import type { TableBuilder } from "#core/table/table-builder.ts";
import { sameBytes } from "#core/bytes.ts";
import { type Configuration, resolveLocation } from "#formats/icechunk/index.ts";
import {
  type ChunkColumns,
  isLocation,
  kindOf,
  locationOf,
  ORDINAL_OUTSIDE,
  packedTexts,
  type PlainPool,
  rangeAt,
  referenceAt,
} from "#formats/icechunk/references.ts";
import { oncePer } from "../kept.ts";
import { OrdinalBox } from "../table/ordinal-box.ts";
import type { PageReferences } from "./array-references.ts";

/** Reads a page of references; fetched with the first manifest, since opening a repository needs none of it. */

export { readPage } from "./array-references.ts";
export { keptReferences } from "./kept-references.ts";

// Ids of the targets of locations that came before. Arrays of one data set mostly name the same files in the same
// order, but for chunks that one of them lacks: their locations are compared as they are stored, and need not be read
// again. Where a page's entries are part of a pool, the pool is compared once for all of its parts.

interface Page {
  readonly dictionary: Uint8Array | undefined;
  readonly pool: PlainPool;
  /** Ids by entry; `UNREAD` for entries that no page has named. */
  readonly ids: Uint32Array;
}

const MAX_BYTES = 16 << 20;
/** Entries of a page that are passed over to find the next one. */
const MAX_PASSED = 64;
/** Share of a page's locations that may be new. */
const FEW_NEW = 1 / 8;
/** Share of a pool from which on it is compared as a whole. */
const LARGE_PART = 1 / 4;

/** Sentinel above any possible target index. */
const UNREAD = 0xffff_ffff;

export function locationBook() {
  const pages: Page[] = [];
  let bytes = 0;
  const drop = (at: number): void => {
    const [page] = pages.splice(at, 1);
    if (page !== undefined) bytes -= pageBytes(page);
  };
  const keep = (page: Page): void => {
    pages.push(page);
    for (bytes += pageBytes(page); pages.length > 0; drop(0)) if (bytes <= MAX_BYTES) return;
  };
  const like = (pool: PlainPool, dictionary: Uint8Array | undefined): Likeness | undefined => {
    for (const page of pages.toReversed()) {
      const found = equalBytes(page.dictionary, dictionary) ? likeness(page, pool) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    /**
     * Ids of targets by entry, where a page that came before had most of the locations in this order; `read` is asked
     * for the others, and says with `undefined` that it cannot.
     */
    find({ entries, dictionary }: ChunkColumns, read: (entry: number) => number | undefined): Uint32Array | undefined {
      const { of, ids: places } = entries.part ?? { of: entries, ids: undefined };
      const known = pages.findLast((page) => page.pool === of && equalBytes(page.dictionary, dictionary));
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
    /** All entries are locations whose targets have these ids. */
    keep({ dictionary, entries }: ChunkColumns, ids: Uint32Array): void {
      keep({ dictionary, pool: entries, ids });
    },
  };
}

const pageBytes = ({ pool, ids }: Page): number => pool.byteLength + ids.byteLength;

/** Ids of the entries at these places; unknown ones are read unless there are many. */
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

/** Similarity of a page's pool to another page's. */
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

const equalBytes = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
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

interface RowsOf {
  readonly path: string;
  readonly separator: KeySeparator;
  /** `undefined` where it is not read: then no row is of a chunk that is known. */
  readonly grid: readonly number[] | undefined;
  readonly configuration: Configuration;
}

interface Adding {
  readonly page: PageReferences;
  readonly of: RowsOf;
  readonly into: PageSink;
  readonly odd: OddReferences;
  readonly target: TargetOf;
}

/** Adds a row for each reference of the page; what is odd about them. */
export function addRows(page: PageReferences, of: RowsOf, into: PageSink): readonly Finding[] {
  const odd = oddReferences(of.path, of.grid);
  into.table.expectRows(page.columns.reduce((sum, { rows }) => sum + rows, 0));
  const adding = { page, of, into, odd, target: targetFinder(page, of, into, odd) };
  if (!addPlainRows(adding)) addEachRow(adding);
  return [...page.columns.flatMap((columns) => columnFindings(columns)), ...odd.findings()];
}

/** A page of which all rows are virtual chunks within the grid, as nearly all are: column by column. */
function addPlainRows({ page, of, into: { table, array }, odd, target: targetOf }: Adding): boolean {
  const [columns, ...others] = page.columns;
  if (columns === undefined || others.length > 0 || !page.inOrder) return false;
  if (of.grid === undefined || columns.large.size > 0) return false;
  const { ordinal, entry, offset, length, rows, entries } = columns;
  if (!(ordinal instanceof Uint32Array)) return false;
  const ids = new Uint32Array(entries.count);
  for (let at = 0; at < ids.length; at += 1) {
    const target = isLocation(columns, at) ? targetOf(columns, at) : undefined;
    if (typeof target !== "number") return false;
    ids[at] = target;
  }
  const target = new Uint32Array(rows);
  for (let row = 0; row < rows; row += 1) target[row] = ids[entry[row] as number] as number;
  if (!table.addRanges(array, { ordinal, target, offset, length })) return false;
  odd.chunks(columns);
  return true;
}

function addEachRow({ page, of, into, odd, target }: Adding): void {
  const bad = (reason: Finding, ordinal: number) => {
    if (ordinal !== ORDINAL_OUTSIDE) odd.unusable(ordinal, reason);
  };
  page.eachRow((columns, row) => {
    const stray = columns.strays.get(row) ?? (of.grid === undefined ? [] : undefined);
    const ordinal = stray === undefined ? (columns.ordinal[row] ?? ORDINAL_OUTSIDE) : 0;
    const added = addRow(columns, row, ordinal, { ...into, target, bad: stray === undefined ? bad : none });
    if (stray !== undefined) {
      into.table.markStray(added, chunkKey(of.path, stray, of.separator), strayReason(stray, of.grid));
    } else if (kindOf(columns, row) === "virtual" && ordinal !== ORDINAL_OUTSIDE) {
      odd.chunk(columns, columns.entry[row] ?? 0, ordinal, (columns.checksum?.[row] ?? 0) !== 0);
    }
  });
}

/** Reports keys that match no chunk. */
const none = () => undefined;

function strayReason(coordinates: readonly number[], grid: readonly number[] | undefined): StrayKey["reason"] {
  if (grid === undefined) return "grid-unread";
  return coordinates.length === grid.length ? "outside-grid" : "wrong-rank";
}

type TargetOf = (columns: ChunkColumns, entry: number) => Target;

interface RowSink extends PageSink {
  readonly target: TargetOf;
  /** Called for each reference that cannot be followed. */
  readonly bad: (reason: Finding, ordinal: number) => void;
}

function addRow(columns: ChunkColumns, row: number, ordinal: number, into: RowSink): number {
  const { table, array, target: targetOf } = into;
  const addBad = (reason: Finding, written = "") => {
    into.bad(reason, ordinal);
    return table.addBad(array, ordinal, { reason, written });
  };
  const kind = kindOf(columns, row);
  if (kind === "virtual" && columns.large.size === 0) {
    const target = targetOf(columns, columns.entry[row] as number);
    if (typeof target === "number") {
      return table.addRange(array, ordinal, target, columns.offset[row] as number, columns.length[row] as number);
    }
  }
  if (kind === "inline" || kind === "bad") {
    const reference = referenceAt(columns, row);
    if (reference.kind === "inline") return table.addInline(array, ordinal, reference.bytes);
    return addBad(finding("icechunk-reference-empty", WHOLE_SET, {}));
  }
  const { offset, length } = rangeAt(columns, row);
  if (typeof offset === "bigint" || typeof length === "bigint") {
    const found = `an offset of ${offset} and a length of ${length}`;
    const reason = finding("reference-malformed", WHOLE_SET, { expected: "numbers of bytes up to 2^53 − 1", found });
    return addBad(reason);
  }
  if (kind === "native") return table.addNative(array, ordinal, length);
  const target = targetOf(columns, columns.entry[row] ?? 0);
  if (typeof target === "number") return table.addRange(array, ordinal, target, offset, length);
  return addBad(target.problem, target.written);
}

function targetFinder(
  { columns }: PageReferences,
  { configuration }: RowsOf,
  { table }: PageSink,
  odd: OddReferences,
): TargetOf {
  const finders = new Map(
    columns.map((one) => {
      const uncontained = (url: string, entry: number) => odd.uncontained(one, entry, url);
      return [one, virtualTargets(one, configuration, table, uncontained)];
    }),
  );
  let [last, find] = [columns[0], finders.get(columns[0] as ChunkColumns)];
  return (of, entry) => {
    if (of !== last) [last, find] = [of, finders.get(of)];
    return find?.(entry) ?? { problem: finding("icechunk-reference-empty", WHOLE_SET, {}), written: "" };
  };
}

function columnFindings({ file, inOrder, outsideExtents }: ChunkColumns): Finding[] {
  const place = targetAt(file.path);
  return [
    ...(inOrder ? [] : [finding("icechunk-manifest-unordered", place, {})]),
    ...(outsideExtents === 0 ? [] : [finding("icechunk-outside-extents", place, {}, outsideExtents)]),
  ];
}

// The targets of a manifest's virtual chunks: each distinct location is looked at once, and kept packed or as text.

/** Fewer locations are read again as fast. */
const WORTH_KEEPING = 256;

/** Id of a target in the table, or why a chunk cannot be followed. */
type Target = number | { readonly problem: Finding; readonly written: string };

/** Locations that the pages of a table share. */
const bookOf = oncePer<TableBuilder, ReturnType<typeof locationBook>>(() => locationBook());

/**
 * Targets by the ids of entries in the columns. `uncontained` is called with each location that no container covers.
 */
function virtualTargets(
  columns: ChunkColumns,
  configuration: Configuration,
  table: TableBuilder,
  uncontained: (url: string, entry: number) => void,
): (entry: number) => Target {
  const { entries } = columns;
  const book = bookOf(table);
  const known = book.find(columns, (entry) => containedTarget(columns, entry, configuration, table));
  if (known !== undefined) return (entry) => known[entry] ?? 0;
  const places = new Uint32Array(entries.count);
  const problems = new Map<number, Target>();
  const urls = packedTexts();
  const survey = table.surveyTargets();
  let [count, contained] = [0, 0];
  for (let entry = 0; entry < entries.count; entry += 1) {
    if (!isLocation(columns, entry)) continue;
    let location = "";
    try {
      location = locationOf(columns, entry);
      const { url, container } = resolveLocation(location, configuration);
      if (container === undefined) uncontained(url, entry);
      else contained += 1;
      survey.see(url);
      urls.add(url);
      places[entry] = count++;
    } catch (error) {
      if (!(error instanceof RefscopeError)) throw error;
      const written = location === "" ? "" : JSON.stringify(location.slice(0, 500));
      problems.set(entry, { problem: error.finding, written });
    }
  }
  const idAt = table.addTargets(urls.finish(), survey);
  if (contained === entries.count && contained >= WORTH_KEEPING) book.keep(columns, places.map(idAt));
  return (entry) => problems.get(entry) ?? idAt(places[entry] ?? 0);
}

/** `undefined`: it is none, is not read, or in no container. */
function containedTarget(
  columns: ChunkColumns,
  entry: number,
  configuration: Configuration,
  table: TableBuilder,
): number | undefined {
  if (!isLocation(columns, entry)) return undefined;
  try {
    const { url, container } = resolveLocation(locationOf(columns, entry), configuration);
    return container === undefined ? undefined : table.addTarget(url);
  } catch (error) {
    if (error instanceof RefscopeError) return undefined;
    throw error;
  }
}

// Chunks of a page whose references cannot be followed, and virtual ones that are recorded without a checksum or lie in
// no container: how many, and which first.

const MAX_PLACES = 100;
/** Hosts that are counted separately; any further ones count as the last. */
const MAX_HOSTS = 200;
/** So are reasons. */
const MAX_REASONS = 50;

interface Host {
  readonly host: string;
  readonly url: string;
  readonly chunks: Chunks | undefined;
}

type OddReferences = ReturnType<typeof oddReferences>;

interface Reason {
  readonly reason: Finding;
  readonly chunks: Chunks | undefined;
}

export function oddReferences(path: string, grid: readonly number[] | undefined) {
  const chunks = () => (grid === undefined ? undefined : new Chunks(path, grid));
  const unrecorded = chunks();
  const hosts = new Map<string, number>();
  const list: Host[] = [];
  const reasons = new Map<string, Reason>();
  /** Marks by entry: 1 + the host that no container covers. */
  const marks = new Map<ChunkColumns, Uint16Array>();
  /** A virtual chunk inside the grid. */
  const chunk = (columns: ChunkColumns, entry: number, ordinal: number, isRecorded: boolean): void => {
    if (!isRecorded) unrecorded?.add(ordinal);
    if (marks.size === 0) return;
    const host = list[(marks.get(columns)?.[entry] ?? 0) - 1];
    host?.chunks?.add(ordinal);
  };
  return {
    /** A location that no container covers; `entry`: its place in the columns. */
    uncontained(columns: ChunkColumns, entry: number, url: string): void {
      const host = /^[a-z][a-z\d+.-]*:\/\/[^/]*\/?/i.exec(url)?.[0] ?? url;
      let at = hosts.get(host);
      if (at === undefined && list.length < MAX_HOSTS) {
        at = list.push({ host, url, chunks: chunks() }) - 1;
        hosts.set(host, at);
      }
      const own = marks.get(columns) ?? new Uint16Array(columns.entries.count);
      marks.set(columns, own);
      own[entry] = 1 + (at ?? list.length - 1);
    },
    chunk,
    /** All rows are virtual chunks inside the grid. */
    chunks(columns: ChunkColumns): void {
      const { rows, ordinal, entry, checksum } = columns;
      if (marks.size === 0 && checksum === undefined) return unrecorded?.addAll(ordinal);
      for (let row = 0; row < rows; row += 1)
        chunk(columns, entry[row] as number, ordinal[row] as number, (checksum?.[row] ?? 0) !== 0);
    },
    /** A reference that cannot be followed, and why. */
    unusable(ordinal: number, reason: Finding): void {
      const key = reasonKey(reason);
      const known = reasons.get(key) ?? (reasons.size < MAX_REASONS ? undefined : [...reasons.values()].at(-1));
      const kept = known ?? { reason, chunks: chunks() };
      if (known === undefined) reasons.set(key, kept);
      kept.chunks?.add(ordinal);
    },
    findings: (): readonly Finding[] => [
      ...[...reasons.values()].flatMap(({ reason, chunks: own }) => {
        const found = own?.found(([first]) => placed(reason, first ?? nodeAt(path))) ?? [];
        return found.length === 0 ? [placed(reason, nodeAt(path))] : found;
      }),
      ...(unrecorded?.found((places) => finding("icechunk-no-checksum", places[0] ?? nodeAt(path), {})) ?? []),
      ...list.flatMap(({ host, url, chunks }) => {
        const alone = finding("icechunk-no-container", targetAt(url), { host });
        const found = chunks?.found(() => alone) ?? [];
        return found.length === 0 ? [alone] : found;
      }),
    ],
  };
}

/** Key of a reason: the problem and the manifest, since a location belongs to one chunk alone. */
function reasonKey({ code, facts, place }: Finding): string {
  const isOfFile = place.kind === "target" && facts["text"] === undefined;
  return JSON.stringify([code, facts["problem"], facts["name"], isOfFile ? place.target : ""]);
}

class Chunks {
  readonly #path: string;
  readonly #grid: readonly number[];
  readonly #box: OrdinalBox;
  readonly #first: number[] = [];

  constructor(path: string, grid: readonly number[]) {
    [this.#path, this.#grid, this.#box] = [path, grid, new OrdinalBox(grid)];
  }

  add(ordinal: number): void {
    this.#box.add(ordinal);
    if (this.#first.length < MAX_PLACES) this.#first.push(ordinal);
  }

  addAll(ordinals: ArrayLike<number>): void {
    this.#box.addAll(ordinals);
    for (let at = 0; at < ordinals.length && this.#first.length < MAX_PLACES; at += 1)
      this.#first.push(ordinals[at] as number);
  }

  /** Nothing where there are none. */
  found(make: (chunks: readonly ChunkPlace[]) => Finding): readonly Finding[] {
    const { chunks } = this.#box;
    if (chunks === 0) return [];
    const places = this.#first.map((ordinal) => chunkAt(this.#path, coordinatesOf(this.#grid, ordinal)));
    const made = make(places);
    const { place } = made;
    const all: readonly Place[] = place.kind === "target" ? places.map((chunk) => ({ ...place, chunk })) : places;
    const extent = { arrays: [this.#box.extent(this.#path)], moreArrays: 0 };
    return [{ ...made, place: all[0] ?? place, count: chunks, extent, ...(all.length > 1 ? { places: all } : {}) }];
  }
}
