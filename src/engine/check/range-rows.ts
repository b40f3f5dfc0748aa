/** From a place in the order of ranges to the chunk that it is. */
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import { chunkAt, type ChunkPlace, placeText } from "#core/findings/fact.ts";
import { BLOCK_ROWS, type ColumnBlock, LENGTH_BIG, ORDINAL_WIDE } from "#core/table/reference-table.ts";
import { wideOrdinal } from "../table/array-index.ts";
import type { TargetRanges } from "../table/target-ranges.ts";
import type { SetView } from "../rules/rule.ts";
import { type ArrayNode, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import { rangesAround } from "./claims.ts";
import { possibleLengths, storedSize } from "./stored-size.ts";

export interface RangeRows {
  readonly arrayOf: (place: number) => number;
  nodeOf(place: number): ArrayNode | undefined;
  ordinalOf(place: number): number;
  chunkOf(place: number): ChunkPlace;
  /** `sst 0.0.1`. */
  textOf(place: number): string;
  targetOf(place: number): string;
  offsetOf(place: number): number;
  lengthOf(place: number): number;
}

export function rangeRows(view: SetView, ranges: TargetRanges): RangeRows {
  const { table, arrayIds } = view.index;
  const nodes = new Map(view.arrays.map((node) => [arrayIds.get(node.path) ?? -1, node]));
  const grids = new Map([...nodes].map(([id, { metadata }]) => [id, gridOf(metadata.shape, metadata.chunks)]));
  const blockOf = (row: number): ColumnBlock => table.blocks[Math.floor(row / BLOCK_ROWS)] as ColumnBlock;
  const rowOf = (place: number): number => ranges.rows[place] as number;
  const arrayOf = (place: number): number => blockOf(rowOf(place)).array[rowOf(place) % BLOCK_ROWS] as number;
  const ordinalOf = (place: number): number => {
    const ordinal = blockOf(rowOf(place)).ordinal[rowOf(place) % BLOCK_ROWS] as number;
    return ordinal === ORDINAL_WIDE ? wideOrdinal(table, rowOf(place)) : ordinal;
  };
  const chunkOf = (place: number): ChunkPlace => {
    const id = arrayOf(place);
    return chunkAt(table.arrays[id]?.path ?? "", coordinatesOf(grids.get(id) ?? [], ordinalOf(place)));
  };
  return {
    arrayOf,
    ordinalOf,
    chunkOf,
    nodeOf: (place) => nodes.get(arrayOf(place)),
    textOf: (place) => placeText(chunkOf(place)),
    offsetOf: (place) => blockOf(rowOf(place)).offset[rowOf(place) % BLOCK_ROWS] as number,
    lengthOf: (place) => {
      const length = blockOf(rowOf(place)).length[rowOf(place) % BLOCK_ROWS] as number;
      return length === LENGTH_BIG ? (table.bigLengths.get(rowOf(place)) ?? length) : length;
    },
    targetOf: (place) => table.targets.text(blockOf(rowOf(place)).target[rowOf(place) % BLOCK_ROWS] as number),
  };
}

// Decides which of two chunks owns a range, from its neighbours in the file.

/** Ranges on either side that are looked at. */
const NEAR = 3;

/** The wrong one first. */
export function wrongFirst(
  rows: RangeRows,
  ranges: TargetRanges,
  one: number,
  other: number,
): readonly [wrong: number, owner: number] {
  return ownership(rows, ranges, one, other) > ownership(rows, ranges, other, one) ? [other, one] : [one, other];
}

function ownership(rows: RangeRows, ranges: TargetRanges, place: number, rival: number): number {
  const [from, to] = rangesAround(ranges, place);
  const own = rows.chunkOf(place);
  let score = isPossible(rows, place) ? 0 : -10;
  const [first, last] = [Math.min(place, rival) - NEAR, Math.max(place, rival) + NEAR];
  for (let near = Math.max(from, first); near < Math.min(to, last + 1); near += 1) {
    if (near === place || near === rival) continue;
    const beside = rows.chunkOf(near);
    if (beside.array === own.array) score += 1;
    // Chunks of one step of a dimension lie together in many files; of neighbouring steps in others.
    const apart = own.coordinates.reduce((sum, at, axis) => sum + Math.abs(at - (beside.coordinates[axis] ?? at)), 0);
    if (beside.array === own.array) score += 1 / (1 + apart);
    else if (beside.coordinates[0] === own.coordinates[0]) score += 0.1;
  }
  return score;
}

/** True if the array's chunks can have this length. */
function isPossible(rows: RangeRows, place: number): boolean {
  const metadata = rows.nodeOf(place)?.metadata;
  const size = metadata && storedSize(metadataOfChunk(metadata, rows.chunkOf(place).coordinates));
  if (size === undefined) return true;
  const [least, most] = possibleLengths(size);
  const length = rows.lengthOf(place);
  return length >= least && length <= most;
}
