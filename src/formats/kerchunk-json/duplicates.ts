/**
 * Keys written more than once: as in a Python dict, the last value counts and stands where the key was first written.
 * Looking costs one bit a cell; only where some are found are rows moved.
 */
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { ARRAY_NONE, type BadReference, type ColumnBlock, ORDINAL_WIDE } from "#core/table/reference-table.ts";
import { blockOf, copyRow, copyValue, eachBlock, placeOf } from "./columns.ts";
import { KeyPool } from "./pools.ts";
import { isRemoved, newRow, type Removal, removalOf } from "./document.ts";
import { keyAt, pathAt, restText, type StrayList } from "./resolve-pending-keys.ts";
import type { Slots } from "./slots.ts";

export interface RowMaps {
  readonly bad: Map<number, BadReference>;
  readonly bigLengths: Map<number, number>;
  readonly wideOrdinals: Map<number, number>;
}

export interface Settled extends RowMaps {
  readonly rows: number;
  readonly blocks: readonly ColumnBlock[];
  readonly slots: Slots;
  readonly strays: StrayList;
}

export interface Deduplicated {
  readonly rows: number;
  readonly strays: StrayList;
  /** Absent where no key was repeated. */
  readonly removal: Removal | undefined;
  readonly repeats: RowRepeats;
}

/** Rows that repeated a key, by what repeated what. */
export interface RowRepeats {
  /** Written more than once. */
  readonly written: Repeat | undefined;
  /** Written, then made by `gen`. */
  readonly overridden: Repeat | undefined;
  /** Made by `gen` more than once. */
  readonly collided: Repeat | undefined;
}

export interface Repeat {
  readonly count: number;
  /** Row of the first such key, as it is now. */
  readonly row: number;
  /** Rows, as they were, of the value that was there and of the one that took its place. */
  readonly earlier: number;
  readonly later: number;
}

/** Size of the bit set, so that all its indexes are small integers. */
const MAX_BITS = 0x7fff_ffff;

/** No tool repeats this many keys; a Map of them all would not fit. */
const MAX_REPEATED = 8_000_000;

/** For each removed row the earlier row that now has its value. */
class Replacements {
  readonly rows = new Map<number, number>();
  readonly #maximum: number;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** Throws `too-many-repeated-keys`. */
  add(row: number, first: number): void {
    if (this.rows.size >= this.#maximum) throw failure("too-many-repeated-keys", WHOLE_SET, { limit: this.#maximum });
    this.rows.set(row, first);
  }
}

/**
 * Rows are moved in place: the blocks keep their length, the last rows fall out of use. Rows from `genFrom` on are those
 * that `gen` made.
 */
export function removeDuplicates(set: Settled, genFrom: number, maximum = MAX_REPEATED): Deduplicated {
  const found = new Replacements(maximum);
  denseDuplicates(set, found);
  keyedDuplicates(set, found);
  const replaced = found.rows;
  if (replaced.size === 0) return { rows: set.rows, strays: set.strays, removal: undefined, repeats: NO_REPEATS };
  const counted = countRepeats(replaced, genFrom);
  for (const [row, first] of replaced) takeOver(set, row, first);
  const removal = removalOf(replaced, counted.values);
  const strays = compact(set, removal.removed);
  const moved = (repeat: Repeat | undefined) => repeat && { ...repeat, row: newRow(removal.removed, repeat.row) };
  const { written, overridden, collided } = counted;
  const repeats = { written: moved(written), overridden: moved(overridden), collided: moved(collided) };
  return { rows: set.rows - removal.removed.length, strays, removal, repeats };
}

const NO_REPEATS: RowRepeats = { written: undefined, overridden: undefined, collided: undefined };

/** Rows of one key come in their order, so that `values` ends with the last, which counts. */
function countRepeats(replaced: Replacements["rows"], genFrom: number) {
  const values = new Map<number, number>();
  const found: { -readonly [kind in keyof RowRepeats]: RowRepeats[kind] } = { ...NO_REPEATS };
  for (const [row, first] of replaced) {
    const earlier = values.get(first) ?? first;
    values.set(first, row);
    const kind = row < genFrom ? "written" : earlier < genFrom ? "overridden" : "collided";
    const known = found[kind];
    const isFirst = known === undefined || first < known.row;
    found[kind] = { ...(isFirst ? { row: first, earlier, later: row } : known), count: (known?.count ?? 0) + 1 };
  }
  return { ...found, values };
}

/** A bit a cell of every grid, one grid after another; sparse sets of huge grids are sorted instead. */
function denseDuplicates(set: Settled, replaced: Replacements): void {
  const counts = new Float64Array(65_536);
  eachBlock(set.blocks, set.rows, (block, _firstRow, used) => {
    for (let i = 0; i < used; i += 1) counts[block.array[i] ?? 0] = (counts[block.array[i] ?? 0] ?? 0) + 1;
  });
  const base = new Int32Array(65_536).fill(-1);
  const sparse: number[] = [];
  let bits = 0;
  for (const [id, slot] of set.slots.all.entries()) {
    const rows = counts[id] ?? 0;
    if (slot.final === undefined || rows < 2) continue;
    const cells = cellCount(slot.final.grid);
    if (cells > 100_000 + 64 * rows || bits + cells > MAX_BITS) sparse.push(id);
    else {
      base[id] = bits;
      bits += cells;
    }
  }
  const seen = new Uint32Array(Math.ceil(bits / 32));
  const twice = markBits(set, base, seen);
  if (twice !== undefined) pairBits(set, base, twice, replaced);
  for (const id of sparse) pairSorted(set, id, replaced);
}

function markBits(set: Settled, base: Int32Array, seen: Uint32Array): Uint32Array | undefined {
  let twice: Uint32Array | undefined;
  eachBlock(set.blocks, set.rows, (block, _firstRow, used) => {
    const { array, ordinal } = block;
    for (let i = 0; i < used; i += 1) {
      const from = base[array[i] as number] as number;
      const at = ordinal[i] as number;
      if (from < 0 || at >= ORDINAL_WIDE) continue;
      const bit = from + at;
      const word = bit >>> 5;
      const mask = 1 << (bit & 31);
      const before = seen[word] as number;
      if ((before & mask) !== 0) {
        twice ??= new Uint32Array(seen.length);
        twice[word] = (twice[word] as number) | mask;
      } else seen[word] = before | mask;
    }
  });
  return twice;
}

function pairBits(set: Settled, base: Int32Array, twice: Uint32Array, replaced: Replacements): void {
  pairRows(set, replaced, (array, ordinal) => {
    const from = base[array] as number;
    if (from < 0 || ordinal >= ORDINAL_WIDE) return -1;
    const bit = from + ordinal;
    return ((twice[bit >>> 5] as number) & (1 << (bit & 31))) === 0 ? -1 : bit;
  });
}

function pairSorted(set: Settled, id: number, replaced: Replacements): void {
  const ordinals: number[] = [];
  eachBlock(set.blocks, set.rows, ({ array, ordinal }, _firstRow, used) => {
    for (let i = 0; i < used; i += 1) if (array[i] === id) ordinals.push(ordinal[i] as number);
  });
  const repeated = repeatedIn(Uint32Array.from(ordinals));
  if (repeated.size === 0) return;
  pairRows(set, replaced, (array, at) => (array === id && at < ORDINAL_WIDE && repeated.has(at) ? at : -1));
}

/** `nameOf`: the same for rows of the same key; -1 for those of no repeated one. */
function pairRows(set: Settled, replaced: Replacements, nameOf: (array: number, ordinal: number) => number): void {
  const firsts = new Map<number, number>();
  eachBlock(set.blocks, set.rows, ({ array, ordinal }, firstRow, used) => {
    for (let i = 0; i < used; i += 1) {
      const name = nameOf(array[i] as number, ordinal[i] as number);
      if (name < 0) continue;
      const first = firsts.get(name);
      if (first === undefined) firsts.set(name, firstRow + i);
      else replaced.add(firstRow + i, first);
    }
  });
}

/** Stray keys and ordinals beyond 32 bits, by their text. In the order of the rows. */
function keyedDuplicates(set: Settled, replaced: Replacements): void {
  const keyed: [row: number, key: string][] = repeatedStrays(set);
  for (const [row, ordinal] of set.wideOrdinals) {
    keyed.push([row, `\0${blockOf(set.blocks, row).array[placeOf(row)]} ${ordinal}`]);
  }
  keyed.sort(([a], [b]) => a - b);
  const firsts = new Map<string, number>();
  for (const [row, key] of keyed) {
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, row);
    else replaced.add(row, first);
  }
}

function takeOver(set: Settled, row: number, first: number): void {
  copyValue(set.blocks, row, first);
  for (const map of [set.bad, set.bigLengths] as Map<number, unknown>[]) {
    const value = map.get(row);
    if (value === undefined) map.delete(first);
    else map.set(first, value);
    map.delete(row);
  }
}

/** Closes the gaps and renumbers what is kept by row. */
function compact(set: Settled, removed: Uint32Array): StrayList {
  let gap = 0;
  for (let row = removed[0] ?? 0; row < set.rows; row += 1) {
    if (removed[gap] === row) gap += 1;
    else copyRow(set.blocks, row, row - gap);
  }
  for (const map of [set.bad, set.bigLengths, set.wideOrdinals] as Map<number, unknown>[]) renumber(map, removed);
  const keys = new KeyPool();
  const reasons: number[] = [];
  let index = 0;
  set.strays.keys.forEach((row, rest) => {
    if (!isRemoved(removed, row)) {
      keys.add(newRow(removed, row), rest, 0, rest.length);
      reasons.push(set.strays.reasons[index] ?? 0);
    }
    index += 1;
  });
  return { keys, reasons };
}

function renumber(map: Map<number, unknown>, removed: Uint32Array): void {
  const entries = [...map].filter(([row]) => !isRemoved(removed, row));
  map.clear();
  for (const [row, value] of entries) map.set(newRow(removed, row), value);
}

// Stray keys that may be written more than once. Hashes distinguish nearly all others, so that of many thousands of
// keys no text is made.

/** Different each time, so that colliding keys cannot be chosen. */
const SEED = Math.trunc(Math.random() * 2 ** 32);
const encoder = new TextEncoder();

/** Rows and keys of those whose hash another has too. */
function repeatedStrays(set: Settled): [row: number, key: string][] {
  const hashes = new Uint32Array(set.strays.keys.count);
  const pathHashes = new Map<number, number>();
  let count = 0;
  set.strays.keys.forEach((row, rest) => {
    const array = blockOf(set.blocks, row).array[placeOf(row)] ?? ARRAY_NONE;
    let start = pathHashes.get(array);
    if (start === undefined) pathHashes.set(array, (start = hashOf(encoder.encode(prefixOf(set.slots, array)), SEED)));
    hashes[count++] = hashOf(rest, start);
  });
  const repeated = repeatedIn(hashes.slice());
  const found: [number, string][] = [];
  if (repeated.size === 0) return found;
  let index = 0;
  set.strays.keys.forEach((row, rest) => {
    const hash = hashes[index++] ?? 0;
    if (repeated.has(hash)) found.push([row, keyAt(pathAt(set.blocks, set.slots, row), restText(rest))]);
  });
  return found;
}

function prefixOf({ all }: Slots, array: number): string {
  const path = all[array]?.path ?? "";
  return path === "" ? "" : `${path}/`;
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, start: number): number {
  let hash = start;
  for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash;
}

/** The numbers that come more than once; `numbers` is sorted by this. */
function repeatedIn(numbers: Uint32Array): ReadonlySet<number> {
  numbers.sort();
  const repeated = new Set<number>();
  for (let at = 1; at < numbers.length; at += 1) {
    if (numbers[at] === numbers[at - 1]) repeated.add(numbers[at] as number);
  }
  return repeated;
}
