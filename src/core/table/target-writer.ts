/**
 * The dictionary of targets while it is written. URLs that recur are kept as text, each once; a list of
 * many new ones, one file per chunk, is kept as it is, and its texts are made when looked at.
 */

import { hashText, firstPlace } from "../basics.ts";

/** URLs in order, each made when looked at: one after the other is cheap. */
export interface TargetList {
  readonly count: number;
  text(at: number): string;
  /** Bytes that the list holds. */
  readonly byteLength: number;
}

/** A look at the URLs of a list while it is made: each in order. */
export type TargetSurvey = ReturnType<typeof surveyOf>;

/** Fewer new URLs are always kept as text. */
const FEW = 64;
/** Bytes of text per reference that are little beside its row. */
const TEXT_BYTES_A_ROW = 4;
/** An estimate of what engines keep beside the characters: a string's header, a map's entry and an array's. */
const TEXT_OVERHEAD = 64;
/** URLs of lists that are looked up by their hashes: 32 MB. */
const MAX_INDEXED = 1 << 20;
/** And of a list: itself, its pool and its arrays. */
const LIST_OVERHEAD = 1024;

/** Ids from `first` on: of texts, from `base` in their array, or of a list. */
type Segment =
  | { readonly first: number; readonly base: number }
  | { readonly first: number; readonly list: TargetList; readonly fingerprint: number };

/** `rows`: how many references there are, those of the list that is being added among them. */
export function targetWriter(rows: () => number) {
  const ids = new Map<string, number>();
  const texts: string[] = [];
  const segments: Segment[] = [];
  let [count, textBytes, listBytes] = [0, 0, 0];
  const text = textFinder(segments, texts);
  const lists = listIndex(segments, text);
  let mayRepeat = false;
  const idOf = (url: string): number => ids.get(url) ?? lists.find(url);
  const add = (url: string): number => {
    const known = idOf(url);
    if (known >= 0) return known;
    if (lists.isFull()) mayRepeat = true;
    const last = segments.at(-1);
    if (last === undefined || "list" in last) segments.push({ first: count, base: texts.length });
    texts.push(url);
    textBytes += url.length + TEXT_OVERHEAD;
    ids.set(url, count);
    return count++;
  };
  const addList = (list: TargetList, fingerprint: number): number => {
    const same = segments.find((one) => "list" in one && one.fingerprint === fingerprint && equalLists(one.list, list));
    if (same !== undefined) return same.first;
    segments.push({ first: count, list, fingerprint });
    listBytes += list.byteLength + LIST_OVERHEAD;
    return (count += list.count) - list.count;
  };
  /** A list whose URLs are mostly known is not kept beside those. */
  const keep = (list: TargetList, fingerprint: number): ((at: number) => number) => {
    if (count > 0) {
      const { known, fresh } = knownIn(list, idOf);
      if (fresh * 2 < list.count) return addFresh(list, known, add);
      if (fresh < list.count || lists.isFull()) mayRepeat = true;
    }
    const first = addList(list, fingerprint);
    return (at) => first + at;
  };
  return {
    /** Id of a URL; among those kept as text the same URL always has the same id. */
    add,
    survey: (): TargetSurvey => surveyOf(ids),
    /**
     * Ids of the URLs of a list, by their place in it. The list may be kept. Where the same list came before, or most of its
     * URLs are known, the ids are the same; else a URL may have another id than it has elsewhere.
     */
    addAll(list: TargetList, survey: TargetSurvey): (at: number) => number {
      const { fresh, bytes, fingerprint } = survey.result();
      if (fresh > FEW && textBytes + bytes > TEXT_BYTES_A_ROW * rows()) return keep(list, fingerprint);
      return addFresh(list, new Float64Array(list.count).fill(-1), add);
    },
    dictionary: {
      get count() {
        return count;
      },
      text,
      written: text,
      get mayRepeat() {
        return mayRepeat;
      },
      // Partly an estimate: what engines keep for a string differs.
      get byteLength() {
        return textBytes + listBytes + lists.byteLength();
      },
    },
  };
}

/** Id of each URL by its place in the list, -1 for unknown ones; and the number of known ones. */
function knownIn(list: TargetList, idOf: (url: string) => number) {
  const known = Float64Array.from({ length: list.count }, (_, at) => idOf(list.text(at)));
  return { known, fresh: known.reduce((sum, id) => sum + (id < 0 ? 1 : 0), 0) };
}

function addFresh(list: TargetList, ids: Float64Array, add: (url: string) => number): (at: number) => number {
  for (let at = 0; at < ids.length; at += 1) if ((ids[at] as number) < 0) ids[at] = add(list.text(at));
  return (at) => ids[at] ?? 0;
}

/** URLs of lists by their hashes: made when a URL is first looked for among them, so that one list alone needs none. */
function listIndex(segments: readonly Segment[], text: (id: number) => string) {
  let index: UrlIndex | undefined;
  let [indexed, isFull] = [0, false];
  const update = (): UrlIndex | undefined => {
    for (; indexed < segments.length; indexed += 1) {
      const segment = segments[indexed];
      if (segment === undefined || !("list" in segment)) continue;
      index ??= urlIndex(text, MAX_INDEXED);
      const room = Math.min(segment.list.count, MAX_INDEXED - index.count);
      if (room < segment.list.count) isFull = true;
      for (let at = 0; at < room; at += 1) index.add(segment.first + at, segment.list.text(at));
    }
    return index;
  };
  return {
    find: (url: string): number => update()?.find(url) ?? -1,
    isFull: () => isFull,
    byteLength: () => index?.byteLength ?? 0,
  };
}

function surveyOf(ids: ReadonlyMap<string, number>) {
  let [fresh, bytes, fingerprint] = [0, 0, 0];
  return {
    see(url: string): void {
      fingerprint = hashText(fingerprint, url);
      if (ids.has(url)) return;
      fresh += 1;
      bytes += url.length + TEXT_OVERHEAD;
    },
    /**
     * Summary of a list: the bytes that its unknown URLs would take as text, and a fingerprint that lists of the same
     * URLs share.
     */
    result: () => ({ fresh, bytes, fingerprint }),
  };
}

function equalLists(one: TargetList, other: TargetList): boolean {
  if (one.count !== other.count) return false;
  for (let at = 0; at < one.count; at += 1) if (one.text(at) !== other.text(at)) return false;
  return true;
}

function textFinder(segments: readonly Segment[], texts: readonly string[]): (id: number) => string {
  // Ids that are asked for one after the other mostly lie in the same segment.
  let at = 0;
  const holds = (id: number): boolean =>
    id >= (segments[at]?.first ?? 0) && id < (segments[at + 1]?.first ?? Number.POSITIVE_INFINITY);
  return (id) => {
    if (!holds(id)) at = lastFrom(segments, id);
    const segment = segments[at];
    if (segment === undefined) return "";
    const within = id - segment.first;
    if (!("list" in segment)) return texts[segment.base + within] ?? "";
    return within < segment.list.count ? segment.list.text(within) : "";
  };
}

/** The last segment that begins at `id` or before it. */
const lastFrom = (segments: readonly Segment[], id: number): number =>
  Math.max(0, firstPlace(0, segments.length, (at) => (segments[at]?.first ?? 0) <= id) - 1);

// URLs that have an id already, by their hashes: numbers alone, since texts would take a multiple.

type UrlIndex = ReturnType<typeof urlIndex>;

/** `text`: of the ids that were added. `most`: URLs that there is room for. */
function urlIndex(text: (id: number) => string, most: number) {
  // URLs that are made to have one hash do not know this.
  const seed = Math.floor(Math.random() * 2 ** 32);
  let hashes = new Uint32Array(2048);
  /** Ids plus 1, in at most half of the slots. */
  let slots = new Uint32Array(2048);
  let count = 0;
  const slotOf = (hash: number, url: string): number => {
    let slot = hash & (slots.length - 1);
    for (let held = slots[slot] as number; held !== 0; held = slots[slot] as number) {
      if (hashes[slot] === hash && text(held - 1) === url) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  };
  const grow = (): void => {
    const [oldHashes, oldSlots] = [hashes, slots];
    hashes = new Uint32Array(2 * oldHashes.length);
    slots = new Uint32Array(2 * oldSlots.length);
    for (const [at, held] of oldSlots.entries()) {
      if (held === 0) continue;
      const hash = oldHashes[at] as number;
      let slot = hash & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = held;
      hashes[slot] = hash;
    }
  };
  return {
    /** Id of the URL, -1 where it is not known. */
    find: (url: string): number => (slots[slotOf(hashText(seed, url), url)] as number) - 1,
    /** False where the URL has an id already, or where there is no room for more. */
    add(id: number, url: string): boolean {
      if (count >= most) return false;
      if (2 * count >= slots.length) grow();
      const hash = hashText(seed, url);
      const slot = slotOf(hash, url);
      if (slots[slot] !== 0) return false;
      slots[slot] = id + 1;
      hashes[slot] = hash;
      count += 1;
      return true;
    },
    get count() {
      return count;
    },
    get byteLength() {
      return hashes.byteLength + slots.byteLength;
    },
  };
}
