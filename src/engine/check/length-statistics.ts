/** Lengths of references by array, against what a chunk must have: one pass over the columns. */
import type { CallContext } from "../../core/byte-source.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import {
  FIRST_SPECIAL_TARGET,
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  ORDINAL_WIDE,
  TARGET_INLINE,
  TARGET_NATIVE,
  TARGET_NULL,
} from "../../core/reference-table.ts";
import { startPace } from "../pace.ts";
import { eachBlock, wideOrdinal } from "../table/array-index.ts";
import { ChunkPlaces } from "./chunk-places.ts";
import { isExplained } from "./explained-chunks.ts";
import type { SetView } from "./rule.ts";
import { possibleLengths, storedSize, type StoredSize } from "./stored-size.ts";

/** Inline values of which the bytes are counted: each has to be unescaped. */
const MAX_INLINE = 500_000;

/** Chunks of one array whose lengths are wrong in one way. */
export interface WrongLengths {
  readonly places: ChunkPlaces;
  /** Of the first. */
  first: number;
  least: number;
  most: number;
}

export interface ArrayLengths {
  readonly id: number;
  readonly node: ArrayNode;
  readonly size: StoredSize | undefined;
  /** Ranges and inline values whose length is known. */
  known: number;
  readonly empty: ChunkPlaces;
  readonly short: WrongLengths;
  readonly long: WrongLengths;
  readonly inline: WrongLengths;
}

export interface Lengths {
  readonly arrays: readonly ArrayLengths[];
  readonly lookedAt: number;
}

export async function lengthStatistics(view: SetView, context: CallContext): Promise<Lengths> {
  const { table } = view.index;
  const byId = Array.from<ArrayLengths | undefined>({ length: table.arrays.length });
  for (const node of view.arrays) {
    const id = view.index.arrayIds.get(node.path);
    if (id !== undefined) byId[id] = newLengths(id, node);
  }
  const bounds = byId.map((one) => (one?.size === undefined ? undefined : possibleLengths(one.size)));
  const least = Float64Array.from(bounds, (bound) => bound?.[0] ?? 1);
  const most = Float64Array.from(bounds, (bound) => bound?.[1] ?? Infinity);
  const known = new Float64Array(byId.length);
  const isKnown = (id: number, at: number): boolean => isExplained(view, table.arrays[id]?.path ?? "", at);
  let inlines = 0;
  const pace = startPace(context, "Looking at lengths", table.rows);
  await eachBlock(table, pace, ({ array, ordinal, target, offset, length }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const id = array[i] as number;
      const to = target[i] as number;
      const cell = ordinal[i] as number;
      if (cell === ORDINAL_STRAY || id >= byId.length) continue;
      if (to < FIRST_SPECIAL_TARGET || to === TARGET_NULL || to === TARGET_NATIVE) {
        const raw = length[i] as number;
        if (raw === LENGTH_WHOLE) continue;
        (known[id] as number) += 1;
        if (raw < LENGTH_BIG && raw >= (least[id] as number) && raw <= (most[id] as number)) continue;
        const bytes = raw < LENGTH_BIG ? raw : (table.bigLengths.get(first + i) ?? raw);
        const at = cell === ORDINAL_WIDE ? wideOrdinal(table, first + i) : cell;
        if (!isKnown(id, at)) noteRange(byId[id], at, bytes, least[id] as number, most[id] as number);
      } else if (to === TARGET_INLINE && most[id] === least[id] && inlines < MAX_INLINE) {
        inlines += 1;
        const text = table.inline.slice(offset[i] as number, length[i] as number);
        const { bytes, oddity } = view.set.format.decodeInline(text);
        if (oddity === "bad-base64" || oddity === "lone-surrogate") continue;
        (known[id] as number) += 1;
        if (bytes.length === least[id]) continue;
        noteWrong(byId[id]?.inline, cell === ORDINAL_WIDE ? wideOrdinal(table, first + i) : cell, bytes.length);
      }
    }
  });
  for (const [id, one] of byId.entries()) if (one !== undefined) one.known = known[id] as number;
  return { arrays: byId.filter((one) => one !== undefined), lookedAt: known.reduce((sum, one) => sum + one, 0) };
}

function newLengths(id: number, node: ArrayNode): ArrayLengths {
  const size = node.metadata.sharding === undefined ? storedSize(node.metadata) : undefined;
  const wrong = (): WrongLengths => ({ places: new ChunkPlaces(node), first: -1, least: Infinity, most: -1 });
  return { id, node, size, known: 0, empty: new ChunkPlaces(node), short: wrong(), long: wrong(), inline: wrong() };
}

function noteRange(of: ArrayLengths | undefined, ordinal: number, bytes: number, least: number, most: number): void {
  if (bytes === 0) of?.empty.add(ordinal);
  else if (bytes < least) noteWrong(of?.short, ordinal, bytes);
  else if (bytes > most) noteWrong(of?.long, ordinal, bytes);
}

function noteWrong(of: WrongLengths | undefined, ordinal: number, bytes: number): void {
  if (of === undefined) return;
  if (of.places.count === 0) of.first = bytes;
  of.least = Math.min(of.least, bytes);
  of.most = Math.max(of.most, bytes);
  of.places.add(ordinal);
}
