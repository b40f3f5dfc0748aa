/** Lengths of references by array, against what a chunk must have: one pass over the columns. */
import { hasRegularChunks } from "../../core/metadata/array-metadata.ts";
import type { CallContext } from "../../core/byte-source.ts";
import { coordinatesOf, gridOf } from "../../core/metadata/chunk-grid.ts";
import type { ArrayNode } from "../../core/metadata/hierarchy.ts";
import {
  FIRST_SPECIAL_TARGET,
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  ORDINAL_WIDE,
  TARGET_INLINE,
  TARGET_NATIVE,
  TARGET_NULL,
} from "../../core/table/reference-table.ts";
import { startPace } from "../pace.ts";
import { eachBlock, wideOrdinal } from "../table/array-index.ts";
import { ChunkPlaces } from "./chunk-places.ts";
import type { SetView } from "./rule.ts";
import { commonSize, possibleLengths, storedSizes, type StoredSize } from "./stored-size.ts";

/** Inline values of which the bytes are counted: each has to be unescaped. */
const MAX_INLINE = 500_000;

/** Chunks of one array whose lengths are wrong in one way. */
export interface WrongLengths {
  readonly places: ChunkPlaces;
  /** Of the first, and which that is. */
  first: number;
  ordinal: number;
  least: number;
  most: number;
}

export interface ArrayLengths {
  readonly id: number;
  readonly node: ArrayNode;
  /** Of every chunk; `undefined` where nothing can be said, or chunks are unequal. */
  readonly size: StoredSize | undefined;
  /** Of one chunk, by its ordinal. */
  sizeAt(ordinal: number): StoredSize | undefined;
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
  const { least, most, boundsAt } = boundsOf(byId);
  const known = new Float64Array(byId.length);
  const isOpen = (id: number, at: number): boolean => view.ledger.isOpen(table.arrays[id]?.path ?? "", at);
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
        if (!isOpen(id, at)) continue;
        const bounds = boundsAt(id, at);
        noteRange(byId[id], at, bytes, bounds);
        // What a range of another length overlaps follows from that.
        if (bounds[0] === bounds[1] && bytes !== bounds[0]) view.ledger.explain(table.arrays[id]?.path ?? "", at);
      } else if (to === TARGET_INLINE && (most[id] as number) <= (least[id] as number) && inlines < MAX_INLINE) {
        inlines += 1;
        const text = table.inline.slice(offset[i] as number, length[i] as number);
        const { bytes, oddity } = view.set.format.decodeInline(text);
        if (oddity === "bad-base64" || oddity === "lone-surrogate") continue;
        const at = cell === ORDINAL_WIDE ? wideOrdinal(table, first + i) : cell;
        const [fewest, greatest] = boundsAt(id, at);
        if (fewest !== greatest) continue;
        (known[id] as number) += 1;
        if (bytes.length === fewest) continue;
        noteWrong(byId[id]?.inline, at, bytes.length);
      }
    }
  });
  for (const [id, one] of byId.entries()) if (one !== undefined) one.known = known[id] as number;
  return { arrays: byId.filter((one) => one !== undefined), lookedAt: known.reduce((sum, one) => sum + one, 0) };
}

function newLengths(id: number, node: ArrayNode): ArrayLengths {
  const { metadata } = node;
  const isChunks = metadata.sharding === undefined;
  const size = isChunks ? commonSize(metadata) : undefined;
  const grid = gridOf(metadata.shape, metadata.chunks);
  const sizes = storedSizes(metadata);
  const sizeAt = (ordinal: number) => (isChunks ? sizes(coordinatesOf(grid, ordinal)) : undefined);
  const wrong = (): WrongLengths => ({
    places: new ChunkPlaces(node),
    first: -1,
    ordinal: -1,
    least: Infinity,
    most: -1,
  });
  const [empty, short, long, inline] = [new ChunkPlaces(node), wrong(), wrong(), wrong()];
  return { id, node, size, sizeAt, known: 0, empty, short, long, inline };
}

const ANY_LENGTH = [1, Infinity] as const;

/** Fewest and most bytes by array; where chunks are unequal none are right (Infinity and -1), and each is looked at. */
function boundsOf(byId: readonly (ArrayLengths | undefined)[]) {
  const bounds = byId.map((one) => {
    if (one !== undefined && one.node.metadata.sharding === undefined && !hasRegularChunks(one.node.metadata))
      return [Infinity, -1] as const;
    return one?.size === undefined ? ANY_LENGTH : possibleLengths(one.size);
  });
  const boundsAt = (id: number, ordinal: number): Bounds => {
    const known = bounds[id] ?? ANY_LENGTH;
    if (known[0] <= known[1]) return known;
    const size = byId[id]?.sizeAt(ordinal);
    return size === undefined ? ANY_LENGTH : possibleLengths(size);
  };
  const column = (at: 0 | 1) => Float64Array.from(bounds, (bound) => bound[at]);
  return { least: column(0), most: column(1), boundsAt };
}

type Bounds = readonly [least: number, most: number];

function noteRange(of: ArrayLengths | undefined, ordinal: number, bytes: number, [least, most]: Bounds): void {
  if (bytes === 0) of?.empty.add(ordinal);
  else if (bytes < least) noteWrong(of?.short, ordinal, bytes);
  else if (bytes > most) noteWrong(of?.long, ordinal, bytes);
}

function noteWrong(of: WrongLengths | undefined, ordinal: number, bytes: number): void {
  if (of === undefined) return;
  if (of.places.count === 0) [of.first, of.ordinal] = [bytes, ordinal];
  of.least = Math.min(of.least, bytes);
  of.most = Math.max(of.most, bytes);
  of.places.add(ordinal);
}
