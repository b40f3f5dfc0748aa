/** Where missing chunks lie: one pass over the references, a bit for each cell. */
import type { CallContext } from "../../../core/byte-source.ts";
import { cellCount, coordinatesOf, gridOf } from "../../../core/metadata/chunk-grid.ts";
import type { ArrayExtent } from "../../../core/findings/fact.ts";
import type { ArrayNode } from "../../../core/metadata/hierarchy.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";
import type { CheckView } from "../rule.ts";

/** Cells of all arrays together for which a bit is kept: 8 MiB. */
export const MAX_CELLS = 1 << 26;

/** Missing chunks that are named. */
const MAX_NAMED = 100;

export interface MissingExtent {
  readonly extent: ArrayExtent;
  /** Coordinates of the first, in C order. */
  readonly first: readonly (readonly number[])[];
}

/** By path; arrays with chunks that are not known yet have none, nor those past the budget. */
export async function missingExtents(
  { index, counts }: CheckView,
  lacking: readonly ArrayNode[],
  context: CallContext,
): Promise<ReadonlyMap<string, MissingExtent>> {
  const extents = new Map<string, MissingExtent>();
  const bits = new Map<number, Uint8Array>();
  const searched: { readonly id: number; readonly path: string; readonly grid: readonly number[] }[] = [];
  let room = MAX_CELLS;
  for (const { path, metadata } of lacking) {
    const grid = gridOf(metadata.shape, metadata.chunks);
    const cells = cellCount(grid);
    const { missing, unknown } = counts.arrays.get(path)?.states ?? { missing: cells, unknown: 0 };
    const id = index.arrayIds.get(path);
    if (missing === cells) {
      const extent = { array: path, chunks: missing, from: grid.map(() => 0), to: grid.map((n) => n - 1) };
      const first = Array.from({ length: Math.min(MAX_NAMED, missing) }, (_, at) => coordinatesOf(grid, at));
      extents.set(path, { extent, first });
    } else if (id !== undefined && unknown === 0 && cells <= room) {
      room -= cells;
      bits.set(id, new Uint8Array(Math.ceil(cells / 8)));
      searched.push({ id, path, grid });
    }
  }
  if (searched.length > 0) await markPresent(index.table, bits, context);
  for (const { id, path, grid } of searched) {
    const box = boxOf(bits.get(id) ?? new Uint8Array(0), grid);
    if (box === undefined) continue;
    const { first, ...reach } = box;
    extents.set(path, { extent: { array: path, ...reach }, first });
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

/** The box that holds all cells without a bit. */
function boxOf(bits: Uint8Array, grid: readonly number[]) {
  const cells = cellCount(grid);
  const from = grid.map(() => Infinity);
  const to = grid.map(() => -1);
  const first: (readonly number[])[] = [];
  let chunks = 0;
  for (let byte = 0; byte < bits.length; byte += 1) {
    if (bits[byte] === 0xff) continue;
    for (let at = byte * 8; at < Math.min(cells, byte * 8 + 8); at += 1) {
      if (((bits[byte] as number) >>> (at & 7)) & 1) continue;
      chunks += 1;
      const coordinates = coordinatesOf(grid, at);
      if (first.length < MAX_NAMED) first.push(coordinates);
      for (const [axis, coordinate] of coordinates.entries()) {
        from[axis] = Math.min(from[axis] as number, coordinate);
        to[axis] = Math.max(to[axis] as number, coordinate);
      }
    }
  }
  return chunks === 0 ? undefined : { chunks, from, to, first };
}
