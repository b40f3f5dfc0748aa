/** Finds where missing chunks lie: one pass over the references, and the gaps between them. */
import type { CallContext } from "#core/byte-source.ts";
import { cellCount, coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import { type ArrayExtent, chunkAt, type ChunkPlace } from "#core/findings/fact.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { startPace } from "../pace.ts";
import { eachBlock, wideOrdinal } from "../table/array-index.ts";
import { Marks, roomOf } from "../table/marks.ts";
import { ORDINAL_STRAY, ORDINAL_WIDE } from "#core/table/reference-table.ts";
import { type CheckView, ChunkPlaces, MAX_PLACES } from "./rule.ts";

/** Bits for the marks of all arrays together: 8 MiB. */
export const MAX_BITS = 1 << 26;

export interface MissingExtent {
  readonly extent: ArrayExtent;
  /** The first, in C order. */
  readonly places: readonly ChunkPlace[];
}

/** Extents by path; arrays with unknown chunks have none, nor those past the budget. */
export async function missingExtents(
  { index, counts }: CheckView,
  lacking: readonly ArrayNode[],
  context: CallContext,
): Promise<ReadonlyMap<string, MissingExtent>> {
  const extents = new Map<string, MissingExtent>();
  const present = new Map<number, Marks>();
  const searched: { readonly node: ArrayNode; readonly marks: Marks }[] = [];
  let room = MAX_BITS;
  for (const node of lacking) {
    const { path, metadata } = node;
    const grid = gridOf(metadata.shape, metadata.chunks);
    const cells = cellCount(grid);
    const { missing, unknown } = counts.arrays.get(path)?.states ?? { missing: cells, unknown: 0 };
    const id = index.arrayIds.get(path);
    if (missing === cells) {
      const named = Array.from({ length: Math.min(MAX_PLACES, missing) }, (_, at) => coordinatesOf(grid, at));
      const extent = { array: path, chunks: missing, from: grid.map(() => 0), to: grid.map((n) => n - 1) };
      extents.set(path, { extent, places: named.map((at) => chunkAt(path, at)) });
    } else if (id !== undefined && unknown === 0 && roomOf(cells, cells - missing) <= room) {
      const marks = new Marks(cells, cells - missing);
      room -= roomOf(cells, cells - missing);
      present.set(id, marks);
      searched.push({ node, marks });
    }
  }
  if (searched.length > 0) await markPresent(index.table, present, context);
  const pace = startPace(context, "Looking for missing chunks", MAX_BITS);
  for (const { node, marks } of searched) {
    const places = new ChunkPlaces(node);
    await marks.eachGap((from, to) => places.addRun(from, to), pace);
    if (places.count > 0) extents.set(node.path, { extent: places.extent(), places: places.places });
  }
  return extents;
}

export async function markPresent(
  table: CheckView["index"]["table"],
  present: ReadonlyMap<number, Marks>,
  context: CallContext,
): Promise<void> {
  const byId = Array.from({ length: table.arrays.length }, (_, id) => present.get(id));
  const pace = startPace(context, "Looking for missing chunks", table.rows);
  await eachBlock(table, pace, ({ array, ordinal }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const own = byId[array[i] as number];
      const at = ordinal[i] as number;
      if (own !== undefined && at !== ORDINAL_STRAY) own.add(at === ORDINAL_WIDE ? wideOrdinal(table, first + i) : at);
    }
  });
}
