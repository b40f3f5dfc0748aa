/** From a place in the order of ranges to the chunk that it is. */
import { coordinatesOf, gridOf } from "../../core/metadata/chunk-grid.ts";
import { chunkAt, placeText, type ChunkPlace } from "../../core/findings/place.ts";
import type { ArrayNode } from "../../core/metadata/hierarchy.ts";
import { BLOCK_ROWS, LENGTH_BIG, ORDINAL_WIDE, type ColumnBlock } from "../../core/table/reference-table.ts";
import { wideOrdinal } from "../table/array-index.ts";
import type { TargetRanges } from "../table/target-ranges.ts";
import type { SetView } from "./rule.ts";

export interface RangeRows {
  arrayOf(place: number): number;
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
