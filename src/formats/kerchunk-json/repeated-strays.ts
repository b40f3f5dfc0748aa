/**
 * Stray keys that may be written more than once. Hashes distinguish nearly all others, so that of many thousands of keys
 * no text is made.
 */
import { ARRAY_NONE, type ColumnBlock } from "../../core/reference-table.ts";
import { blockOf, placeOf } from "./columns.ts";
import { keyAt, pathAt, restText, type StrayList } from "./resolve-pending-keys.ts";
import type { Slots } from "./slots.ts";

interface Strays {
  readonly blocks: readonly ColumnBlock[];
  readonly slots: Slots;
  readonly strays: StrayList;
}

/** Different each time, so that colliding keys cannot be chosen. */
const SEED = Math.trunc(Math.random() * 2 ** 32);
const encoder = new TextEncoder();

/** Rows and keys of those whose hash another has too. */
export function repeatedStrays(set: Strays): [row: number, key: string][] {
  const hashes = new Uint32Array(set.strays.keys.count);
  const pathHashes = new Map<number, number>();
  let count = 0;
  set.strays.keys.forEach((row, rest) => {
    const array = blockOf(set.blocks, row).array[placeOf(row)] ?? ARRAY_NONE;
    let start = pathHashes.get(array);
    if (start === undefined) pathHashes.set(array, (start = hashOf(encoder.encode(prefixOf(set.slots, array)), SEED)));
    hashes[count++] = mixed(hashOf(rest, start));
  });
  const repeated = repeatedIn(hashes);
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

/** Never 0, which marks what is free. */
function mixed(hash: number): number {
  const spread = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (spread ^ (spread >>> 13)) >>> 0 || 1;
}

function repeatedIn(hashes: Uint32Array): ReadonlySet<number> {
  const repeated = new Set<number>();
  const size = 2 ** Math.ceil(Math.log2(2 * hashes.length + 1));
  const table = new Uint32Array(size);
  for (let index = 0; index < hashes.length; index += 1) {
    const hash = hashes[index] as number;
    let at = hash & (size - 1);
    while (table[at] !== 0 && table[at] !== hash) at = (at + 1) & (size - 1);
    if (table[at] === hash) repeated.add(hash);
    else table[at] = hash;
  }
  return repeated;
}
