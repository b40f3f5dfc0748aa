/**
 * After the last byte: gives every row that has none its ordinal, now that all metadata are known. What stays without
 * one is a stray key.
 */
import { chunkName, coordinatesOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import { ARRAY_NONE, ORDINAL_STRAY, ORDINAL_WIDE } from "#core/table/reference-table.ts";
import type { ColumnBlock, StrayKey } from "#core/table/reference-table.ts";
import { blockOf, eachBlock, placeOf } from "./columns.ts";
import { asciiText, decodeText } from "./json-bytes.ts";
import { KeyPool } from "./pools.ts";
import { MAX_DENSE_CELLS, type PendingKeys } from "./scan-wasm.ts";
import { splitsOf, type Grid, type KeySplit, type Slot, type Slots } from "./slots.ts";

export type StrayReason = StrayKey["reason"];
const REASONS: readonly StrayReason[] = ["outside-grid", "wrong-rank", "no-array", "not-a-chunk-key", "grid-unread"];

/** Stray keys at rest: rows with the rest of their keys after the array's path, and a reason each. */
export interface StrayList {
  readonly keys: KeyPool;
  readonly reasons: readonly number[];
}

export interface Unsettled {
  readonly rows: number;
  readonly blocks: readonly ColumnBlock[];
  readonly slots: Slots;
  readonly pending: PendingKeys;
  readonly wideOrdinals: Map<number, number>;
}

const encoder = new TextEncoder();

export function settle(set: Unsettled): StrayList {
  const strays = { keys: new KeyPool(), reasons: [] as number[] };
  reorderChanged(set, strays);
  set.pending.forEach((row, rest) => settleRow(set, strays, row, rest));
  return strays;
}

export function reasonAt(strays: StrayList, index: number): StrayReason {
  return REASONS[strays.reasons[index] ?? 0] ?? "not-a-chunk-key";
}

/** Path of the array whose column id a row has, `undefined` for none. */
export function pathAt(blocks: readonly ColumnBlock[], slots: Slots, row: number): string | undefined {
  return slots.all[blockOf(blocks, row).array[placeOf(row)] ?? ARRAY_NONE]?.path;
}

/** The whole key of a row from the rest that was kept. */
export function keyAt(path: string | undefined, rest: string): string {
  return path === undefined || path === "" ? rest : `${path}/${rest}`;
}

/** Arrays whose metadata came twice and differ: the rows scanned by the first get ordinals by the last. */
function reorderChanged(set: Unsettled, strays: { keys: KeyPool; reasons: number[] }): void {
  const changed = new Map<number, Slot>();
  for (const [id, slot] of set.slots.all.entries()) {
    if (slot.scanned !== undefined && !sameGrid(slot.scanned, slot.final)) changed.set(id, slot);
  }
  if (changed.size === 0) return;
  eachBlock(set.blocks, set.rows, (block, firstRow, used) => {
    for (let i = 0; i < used; i += 1) {
      const slot = changed.get(block.array[i] ?? ARRAY_NONE);
      const ordinal = block.ordinal[i] ?? 0;
      if (slot?.scanned === undefined || ordinal === ORDINAL_STRAY || ordinal === ORDINAL_WIDE) continue;
      const name = chunkName(coordinatesOf(slot.scanned.grid, ordinal), slot.scanned.separator);
      settleRow(set, strays, firstRow + i, encoder.encode(name));
    }
  });
  for (const slot of changed.values()) slot.scanned = slot.final;
}

function sameGrid(a: Grid, b: Grid | undefined): boolean {
  return b !== undefined && a.separator === b.separator && a.grid.join() === b.grid.join();
}

function settleRow(set: Unsettled, strays: { keys: KeyPool; reasons: number[] }, row: number, rest: Uint8Array): void {
  const block = blockOf(set.blocks, row);
  const i = placeOf(row);
  const slot = set.slots.all[block.array[i] ?? ARRAY_NONE];
  const ordinal = slot?.final === undefined ? -1 : fastOrdinal(slot.final, rest);
  if (ordinal >= 0) {
    block.ordinal[i] = ordinal;
    return;
  }
  if (slot === undefined && !mayBeginChunk(rest[rest.lastIndexOf(47) + 1])) {
    block.ordinal[i] = ORDINAL_STRAY;
    strays.keys.add(row, rest, 0, rest.length);
    strays.reasons.push(REASONS.indexOf("not-a-chunk-key"));
    return;
  }
  const stray = settleSlowly(set, row, keyAt(slot?.path, decodeText(rest).text));
  if (stray === undefined) return;
  block.array[i] = stray.slot ?? ARRAY_NONE;
  block.ordinal[i] = ORDINAL_STRAY;
  const kept = encoder.encode(stray.rest);
  strays.keys.add(row, kept, 0, kept.length);
  strays.reasons.push(REASONS.indexOf(stray.reason));
}

/** Names of chunks begin with a digit or, in Zarr v3, with a c. */
const mayBeginChunk = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 48 && byte <= 57) || byte === 99);

/** Ordinal of a chunk name inside a dense grid; -1 for whatever is not plainly that. */
function fastOrdinal({ grid, separator }: Grid, name: Uint8Array): number {
  if (separator.length === 2) return -1;
  const mark = separator === "/" ? 47 : 46;
  let ordinal = 0;
  let at = 0;
  for (let d = 0; d < grid.length; d += 1) {
    const from = at;
    let value = 0;
    for (let c = (name[at] ?? 0) - 48; c >= 0 && c <= 9; c = (name[++at] ?? 0) - 48) value = value * 10 + c;
    if (at === from || at - from > 10 || (name[from] === 48 && at - from > 1)) return -1;
    const count = grid[d] ?? 0;
    if (value >= count) return -1;
    ordinal = ordinal * count + value;
    if (d < grid.length - 1 && name[at++] !== mark) return -1;
  }
  return grid.length > 0 && at === name.length && ordinal < MAX_DENSE_CELLS ? ordinal : -1;
}

interface Stray {
  readonly slot: number | undefined;
  /** The key after the path of that array; the whole key where there is none. */
  readonly rest: string;
  readonly reason: StrayReason;
}

/** Tries every array that the key may belong to, the longest path first. Returns why it fits none. */
function settleSlowly(set: Unsettled, row: number, key: string): Stray | undefined {
  let withGrid: Stray | undefined;
  let withoutGrid: Stray | undefined;
  const splits = splitsOf(key);
  for (const { path, rest } of splits) {
    const slot = set.slots.find(path);
    if (slot === undefined) continue;
    const { final, gridUnread } = set.slots.all[slot] ?? {};
    if (final === undefined) {
      withoutGrid ??= { slot, rest, reason: gridUnread === true ? "grid-unread" : "no-array" };
      continue;
    }
    const found = wholeOrdinal(final, rest);
    if (typeof found === "number") {
      place(set, row, slot, found);
      return undefined;
    }
    withGrid ??= { slot, rest, reason: found };
  }
  return withGrid ?? withoutGrid ?? { slot: undefined, rest: key, reason: reasonWithoutArray(splits) };
}

/** `a/c/0/1` is how Zarr v3 names chunks; its arrays are not known from `.zarray`. */
function reasonWithoutArray([longest]: readonly KeySplit[]): StrayReason {
  if (longest === undefined || longest.rest.startsWith("c")) return "not-a-chunk-key";
  return /(?:^|\/)c(?:\/\d+)*$/.test(longest.path) ? "not-a-chunk-key" : "no-array";
}

function wholeOrdinal({ grid, separator }: Grid, name: string): number | StrayReason {
  if (grid.length === 0) return name === chunkName([], separator) ? 0 : "wrong-rank";
  if ((separator.length === 2) !== name.startsWith("c")) return "not-a-chunk-key";
  const parts = separator.length === 2 ? name.split(separator.slice(1)).slice(1) : name.split(separator);
  if (parts.length !== grid.length) return "wrong-rank";
  if (!parts.every((part) => /^(?:0|[1-9]\d*)$/.test(part))) return "not-a-chunk-key";
  return ordinalOf(grid, parts.map(Number)) ?? "outside-grid";
}

function place(set: Unsettled, row: number, slot: number, ordinal: number): void {
  const block = blockOf(set.blocks, row);
  const i = placeOf(row);
  block.array[i] = slot;
  block.ordinal[i] = ordinal < MAX_DENSE_CELLS ? ordinal : ORDINAL_WIDE;
  if (ordinal >= MAX_DENSE_CELLS) set.wideOrdinals.set(row, ordinal);
}

/** The rest of a key as text. */
export function restText(rest: Uint8Array): string {
  return rest.length < 40 && rest.every((byte) => byte < 128) ? asciiText(rest, 0, rest.length) : decodeText(rest).text;
}
