/** Where missing chunks lie: one pass over the references, a bit for each cell. */
import type { CallContext } from "../../../core/byte-source.ts";
import { cellCount, coordinatesOf, gridOf } from "../../../core/metadata/chunk-grid.ts";
import { type ArrayExtent, chunkAt, type ChunkPlace } from "../../../core/findings/fact.ts";
import type { ArrayNode } from "../../../core/metadata/array-metadata.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";
import { type CheckView, ChunkPlaces, eachMissing, MAX_PLACES } from "../rule.ts";

/** Cells of all arrays together for which a bit is kept: 8 MiB. */
export const MAX_CELLS = 1 << 26;

export interface MissingExtent {
  readonly extent: ArrayExtent;
  /** The first, in C order. */
  readonly places: readonly ChunkPlace[];
}

/** By path; arrays with chunks that are not known yet have none, nor those past the budget. */
export async function missingExtents(
  { index, counts }: CheckView,
  lacking: readonly ArrayNode[],
  context: CallContext,
): Promise<ReadonlyMap<string, MissingExtent>> {
  const extents = new Map<string, MissingExtent>();
  const bits = new Map<number, Uint8Array>();
  const searched: { readonly id: number; readonly node: ArrayNode; readonly cells: number }[] = [];
  let room = MAX_CELLS;
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
    } else if (id !== undefined && unknown === 0 && cells <= room) {
      room -= cells;
      bits.set(id, new Uint8Array(Math.ceil(cells / 8)));
      searched.push({ id, node, cells });
    }
  }
  if (searched.length > 0) await markPresent(index.table, bits, context);
  for (const { id, node, cells } of searched) {
    const places = new ChunkPlaces(node);
    eachMissing(bits.get(id) ?? new Uint8Array(0), cells, (ordinal) => places.add(ordinal));
    if (places.count > 0) extents.set(node.path, { extent: places.extent(), places: places.places });
  }
  return extents;
}

export async function markPresent(
  table: CheckView["index"]["table"],
  bits: ReadonlyMap<number, Uint8Array>,
  context: CallContext,
): Promise<void> {
  const byId = Array.from({ length: table.arrays.length }, (_, id) => bits.get(id));
  const pace = startPace(context, "Looking for missing chunks", table.rows);
  await eachBlock(table, pace, ({ array, ordinal }, _first, count) => {
    for (let i = 0; i < count; i += 1) {
      const own = byId[array[i] as number];
      const at = ordinal[i] as number;
      // Ordinals that are none (strays) lie past the end.
      if (own !== undefined && at >>> 3 < own.length) (own[at >>> 3] as number) |= 1 << (at & 7);
    }
  });
}
