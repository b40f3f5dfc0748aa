/** The arrays of a set while it is being read: what is known of each, by path. */
import type { KeySeparator } from "#core/metadata/chunk-grid.ts";
import { failure, nodeAt } from "#core/findings/finding.ts";
import { MAX_ARRAYS } from "#core/table/reference-table.ts";

export interface Grid {
  readonly grid: readonly number[];
  /** Separator of keys; in an array with shards the grid counts shards, since keys name those. */
  readonly separator: KeySeparator;
}

export interface Slot {
  readonly path: string;
  /** From the first metadata met: the ordinals in the columns are by it. */
  scanned: Grid | undefined;
  /** From the last metadata met, which counts. */
  final: Grid | undefined;
  /** Its metadata are a reference themselves: the grid is learnt when they have been fetched. */
  awaited: boolean;
  /** Its metadata name a chunk grid of a kind that is not read. */
  gridUnread?: boolean;
}

export interface Slots {
  readonly all: readonly Slot[];
  find(path: string): number | undefined;
  /** Id of the array with that path, a new one where there is none. Throws `too-many-arrays`. */
  obtain(path: string): number;
}

export function slots(): Slots {
  const all: Slot[] = [];
  const byPath = new Map<string, number>();
  return {
    all,
    find: (path) => byPath.get(path),
    obtain(path) {
      const known = byPath.get(path);
      if (known !== undefined) return known;
      if (all.length >= MAX_ARRAYS) throw failure("too-many-arrays", nodeAt(path), { limit: MAX_ARRAYS });
      byPath.set(path, all.length);
      return all.push({ path, scanned: undefined, final: undefined, awaited: false }) - 1;
    },
  };
}

/** Names of the keys that are metadata documents. */
const METADATA_NAMES = new Set([".zarray", ".zattrs", ".zgroup", ".zmetadata", "zarr.json"]);

export const isMetadataKey = (key: string): boolean => METADATA_NAMES.has(key.slice(key.lastIndexOf("/") + 1));

/** A split of a key into an array's path and the name of a chunk. */
export interface KeySplit {
  readonly path: string;
  readonly rest: string;
}

const CHUNK_NAME = /^\d+(?:\.\d+)*$/;
const DIGITS = /^\d+$/;
/** Zarr v3 names chunks `c/0/1`, `c.0.1` or, those of scalars, `c`. */
const CHUNK_NAME_V3 = /^c(?:\.\d+)*$/;
const MAX_SPLITS = 64;

/**
 * All ways in which a key may be a chunk of an array, the longest path first: `a/1/0.2` is chunk `0.2` of `a/1` or chunk
 * `1/0.2` of `a`. Empty where the last part is not a chunk name.
 */
export function splitsOf(key: string): readonly KeySplit[] {
  const splits: KeySplit[] = [];
  let end = key.length;
  for (let count = 0; count < MAX_SPLITS; count += 1) {
    const slash = end === 0 ? -1 : key.lastIndexOf("/", end - 1);
    const part = key.slice(slash + 1, end);
    // A part before a leading slash is a node without a name, not the root.
    if (slash === 0) break;
    const isName = (count === 0 ? CHUNK_NAME : DIGITS).test(part);
    const isLast = !isName && (count === 0 ? CHUNK_NAME_V3.test(part) : part === "c");
    if (isName || isLast) splits.push({ path: key.slice(0, Math.max(0, slash)), rest: key.slice(slash + 1) });
    if (!isName || slash < 0) break;
    end = slash;
  }
  return splits;
}
