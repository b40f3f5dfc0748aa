/** Where chunks of different source files meet on a slice. */
import { type ChunkEdges, startAlong } from "../../core/chunk-edges.ts";
import type { PlaneChunks, PlaneExtent } from "../../core/plane.ts";
import type { EdgeLine } from "../../widgets/cell-map/areas.ts";

export interface ChunkTargets {
  /** A number for each target, by place among the chunks of the plane; 0: none. */
  readonly values: ArrayLike<number>;
}

interface Sides {
  readonly chunks: PlaneChunks;
  readonly extent: PlaneExtent;
  /** Of the chunks. */
  readonly side: { readonly down: ChunkEdges; readonly across: ChunkEdges };
  /** Rows from the last to the first. */
  readonly isTurned: boolean;
}

/** Lines in elements of the screen; neighbouring pieces of one line are one. */
export function fileEdges({ values }: ChunkTargets, { chunks, extent, side, isTurned }: Sides): readonly EdgeLine[] {
  const at = (row: number, column: number) => values[row * chunks.columns + column] ?? 0;
  const differ = (one: number, other: number) => one !== other && one !== 0 && other !== 0;
  const y = (row: number) => {
    const place = Math.min(extent.rows, startAlong(side.down, row));
    return isTurned ? extent.rows - place : place;
  };
  const x = (column: number) => Math.min(extent.columns, startAlong(side.across, column));
  const lines: EdgeLine[] = [];
  for (let row = 1; row < chunks.rows; row += 1) {
    for (const { from, to } of runs(chunks.columns, (column) => differ(at(row - 1, column), at(row, column)))) {
      lines.push({ from: { row: y(row), column: x(from) }, to: { row: y(row), column: x(to) } });
    }
  }
  for (let column = 1; column < chunks.columns; column += 1) {
    for (const { from, to } of runs(chunks.rows, (row) => differ(at(row, column - 1), at(row, column)))) {
      lines.push({ from: { row: y(from), column: x(column) }, to: { row: y(to), column: x(column) } });
    }
  }
  return lines;
}

/** Where something holds, from place to place. */
function runs(count: number, holds: (at: number) => boolean) {
  const found: { from: number; to: number }[] = [];
  for (let at = 0; at < count; at += 1) {
    if (!holds(at)) continue;
    const last = found.at(-1);
    if (last?.to === at) last.to = at + 1;
    else found.push({ from: at, to: at + 1 });
  }
  return found;
}
