/** The entries of a manifest as columns: an entry a chunk, in the order of the document. */
import type { BadReference, StrayKey } from "#core/table/reference-table.ts";
import type { KeyMeaning, KeySpelling } from "./chunk-ordinal.ts";

/** Values of `path` that are not paths. */
export const PATH_NONE = -1;
/** Bytes or an error: in `odd`. */
export const PATH_ODD = -2;

/** Value of `length`: the whole file. */
export const WHOLE = -1;

/** Value of `ordinal`: the key is not a chunk's, and is in `strays`. */
export const STRAY = -1;

export type OddEntry =
  | { readonly kind: "inline"; readonly text: string }
  | { readonly kind: "bad"; readonly reference: BadReference };

export interface Entries {
  readonly count: number;
  readonly ordinal: readonly number[];
  /** Index into `paths`, or one of the `PATH_` values. */
  readonly path: readonly number[];
  readonly offset: readonly number[];
  readonly length: readonly number[];
  readonly odd: ReadonlyMap<number, OddEntry>;
  /** Stray keys as written, by the entry's number. */
  readonly strays: ReadonlyMap<number, { readonly key: string; readonly reason: StrayKey["reason"] }>;
  /** Entries that a later one of the same chunk or key replaces. */
  readonly replaced: ReadonlySet<number>;
  /** Paths as written, each once. */
  readonly paths: readonly string[];
}

/** Two entries of one chunk, by number; `same`: their keys are spelled alike. */
export interface RepeatedChunk {
  readonly ordinal: number;
  readonly same: boolean;
}

export type EntryWriter = ReturnType<typeof entryWriter>;

/** An entry with its place in the grid; `key` as written. */
export interface Placed {
  readonly key: string;
  readonly meaning: Exclude<KeyMeaning, { kind: "prefix" }>;
}

export function entryWriter() {
  const ordinals: number[] = [];
  const paths: number[] = [];
  const offsets: number[] = [];
  const lengths: number[] = [];
  const spellings: number[] = [];
  const dictionary = pathDictionary();
  const odd = new Map<number, OddEntry>();
  const strays = strayList();
  let increasing = true;
  let last = -1;
  const writer = {
    /** A text that was cut from a larger one may be given: what is kept is a copy. */
    pathId: (path: string): number => dictionary.idOf(path),
    add({ key, meaning }: Placed, path: number, offset: number, length: number): number {
      const entry = ordinals.length;
      const ordinal = meaning.kind === "chunk" ? meaning.ordinal : STRAY;
      if (meaning.kind === "stray") strays.add(entry, key, meaning.reason);
      else if (ordinal <= last) increasing = false;
      else last = ordinal;
      ordinals.push(ordinal);
      paths.push(path);
      offsets.push(offset);
      lengths.push(length);
      spellings.push(meaning.kind === "chunk" ? spellingCode(meaning.spelling) : 0);
      return entry;
    },
    addOdd(placed: Placed, entry: OddEntry): void {
      odd.set(writer.add(placed, PATH_ODD, 0, 0), entry);
    },
    get count() {
      return ordinals.length;
    },
    get strayCount() {
      return strays.list.size;
    },
    finish(): { readonly entries: Entries; readonly repeated: readonly RepeatedChunk[] } {
      const replaced = new Set(strays.replaced);
      const repeated = increasing ? [] : findRepeated(ordinals, spellings, replaced);
      const columns = { ordinal: ordinals, path: paths, offset: offsets, length: lengths };
      const count = ordinals.length;
      return { entries: { count, ...columns, odd, strays: strays.list, replaced, paths: dictionary.paths }, repeated };
    },
  };
  return writer;
}

/** A chunk's last entry counts; the others go into `replaced`. */
function findRepeated(ordinals: readonly number[], spellings: readonly number[], replaced: Set<number>) {
  const twice = ordinalsTwice(ordinals);
  const repeated: RepeatedChunk[] = [];
  if (twice.size === 0) return repeated;
  const latest = new Map<number, number>();
  for (const [entry, ordinal] of ordinals.entries()) {
    if (!twice.has(ordinal)) continue;
    const before = latest.get(ordinal);
    if (before !== undefined) {
      replaced.add(before);
      repeated.push({ ordinal, same: spellings[before] === spellings[entry] });
    }
    latest.set(ordinal, entry);
  }
  return repeated;
}

function ordinalsTwice(ordinals: readonly number[]): ReadonlySet<number> {
  const sorted = Float64Array.from(ordinals).sort();
  const twice = new Set<number>();
  for (let at = 1; at < sorted.length; at += 1) {
    const ordinal = sorted[at] ?? STRAY;
    if (ordinal !== STRAY && ordinal === sorted[at - 1]) twice.add(ordinal);
  }
  return twice;
}

function strayList() {
  const list = new Map<number, { readonly key: string; readonly reason: StrayKey["reason"] }>();
  const latest = new Map<string, number>();
  const replaced: number[] = [];
  return {
    list,
    replaced,
    add(entry: number, key: string, reason: StrayKey["reason"]): void {
      const own = copied(key);
      const before = latest.get(own);
      if (before !== undefined) {
        replaced.push(before);
        list.delete(before);
      }
      latest.set(own, entry);
      list.set(entry, { key: own, reason });
    },
  };
}

function pathDictionary() {
  const ids = new Map<string, number>();
  const paths: string[] = [];
  let lastPath: string | undefined;
  let lastId = -1;
  return {
    paths,
    idOf(path: string): number {
      if (path === lastPath) return lastId;
      let id = ids.get(path);
      if (id === undefined) {
        const own = copied(path);
        id = paths.push(own) - 1;
        ids.set(own, id);
      }
      lastPath = paths[id];
      lastId = id;
      return id;
    },
  };
}

/** Engines keep a whole text alive for a piece of it: a copy lets it go. */
export const copied = (text: string): string => String(JSON.parse(JSON.stringify(text)));

const SEPARATORS = ["", ".", "/"];

const spellingCode = ({ initial, separator }: KeySpelling): number => SEPARATORS.indexOf(separator) + (initial ? 3 : 0);
