/** The references of an array in some manifests that readers see, in the order of their chunks. */
import type { CallContext } from "../../core/byte-source.ts";
import { coordinatesOf, ordinalOf } from "../../core/chunk-grid.ts";
import type { ManifestRef } from "../../formats/icechunk/index.ts";
import { ORDINAL_OUTSIDE, type ChunkColumns } from "../../formats/icechunk/references.ts";
import { startPace, type Pace } from "../pace.ts";
import { placesInOrder } from "../table/radix.ts";
import { manifestColumns } from "./array-references.ts";
import type { OpenManifest } from "./manifest-cache.ts";
import type { SideArray } from "./snapshot-side.ts";

export interface CountedRows {
  readonly columns: readonly ChunkColumns[];
  readonly count: number;
  /** Ordinals in the box, ascending, each once. */
  readonly ordinal: Float64Array | Uint32Array;
  /** Index in `columns`, and row there; absent where it is the first and the same. */
  readonly source: Uint32Array | undefined;
  readonly row: Uint32Array | undefined;
}

const NO_ROWS: CountedRows = { columns: [], count: 0, ordinal: new Uint32Array(0), source: undefined, row: undefined };

/** References outside the array's grid are left out: they are never asked for. Throws what opening manifests throws. */
export async function countedRows(
  array: SideArray | undefined,
  manifests: readonly ManifestRef[],
  box: readonly number[],
  open: OpenManifest,
  context: CallContext,
): Promise<CountedRows> {
  if (array === undefined) return NO_ROWS;
  const { id: node, grid } = array;
  const columns = await manifestColumns({ node, grid, manifests }, open, context);
  const [first] = columns;
  if (first === undefined) return NO_ROWS;
  const alike = grid.every((length, axis) => axis === 0 || length === box[axis]);
  if (columns.length === 1 && alike && first.inOrder && first.strays.size === 0) {
    return { columns, count: first.rows, ordinal: first.ordinal, source: undefined, row: undefined };
  }
  return gathered(columns, (ordinal) => inBox(ordinal, grid, box, alike), context);
}

function inBox(ordinal: number, grid: readonly number[], box: readonly number[], alike: boolean): number {
  return alike ? ordinal : (ordinalOf(box, coordinatesOf(grid, ordinal)) ?? 0);
}

/** Where a chunk comes twice, the first counts. */
async function gathered(
  columns: readonly ChunkColumns[],
  place: (ordinal: number) => number,
  context: CallContext,
): Promise<CountedRows> {
  const total = columns.reduce((sum, { rows }) => sum + rows, 0);
  const all = {
    ordinal: new Float64Array(total),
    source: new Uint32Array(total),
    row: new Uint32Array(total),
  };
  const pace = startPace(context, "Comparing references", total);
  let used = 0;
  for (const [source, { ordinal, rows, strays }] of columns.entries()) {
    for (let row = 0; row < rows; row += 1) {
      if ((row & 4095) === 0) await pace.yieldIfDue(used);
      if (strays.has(row)) continue;
      all.ordinal[used] = place(ordinal[row] ?? ORDINAL_OUTSIDE);
      all.source[used] = source;
      all.row[used] = row;
      used += 1;
    }
  }
  const order = await orderOf(all.ordinal.subarray(0, used), pace);
  return {
    columns,
    count: order.length,
    ordinal: Float64Array.from(order, (at) => all.ordinal[at] ?? 0),
    source: Uint32Array.from(order, (at) => all.source[at] ?? 0),
    row: Uint32Array.from(order, (at) => all.row[at] ?? 0),
  };
}

/** Positions in ascending order of their values, the first of equal ones alone. */
async function orderOf(values: Float64Array, pace: Pace): Promise<Uint32Array> {
  if (isAscending(values)) return Uint32Array.from(values.keys());
  const order = await placesInOrder(values, pace);
  const value = (at: number | undefined) => values[at ?? 0];
  return order.filter((at, index) => index === 0 || value(at) !== value(order[index - 1]));
}

function isAscending(values: Float64Array): boolean {
  return values.every((value, at) => at === 0 || value > (values[at - 1] ?? 0));
}
