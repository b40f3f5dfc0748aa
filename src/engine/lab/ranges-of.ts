/** All ranges of an array, counted for a move: one pass over the columns. */
import type { CallContext } from "../../core/byte-source.ts";
import { BLOCK_ROWS, ORDINAL_STRAY } from "../../core/reference-table.ts";
import { STATE_CODE } from "../../core/reference.ts";
import type { ShiftRanges } from "../edit/shift-ranges.ts";
import { shiftedRange } from "../edit/shift-ranges.ts";
import { lengthOf, stateCodeOf } from "../table/batch.ts";
import type { DocumentSet } from "../engine-set.ts";
import { startPace } from "../pace.ts";

export interface RangeCounts {
  /** References with offset and length. */
  readonly ranges: number;
  /** How many of them cannot be moved so. */
  readonly impossible: number;
  /** References of the array that gen makes, of any kind. */
  readonly madeByGen: number;
}

export async function rangesOf(
  { table, index, origins }: DocumentSet,
  path: string,
  move: Pick<ShiftRanges, "shift" | "lengthen">,
  context: CallContext,
): Promise<RangeCounts> {
  const id = index.arrayIds.get(path);
  const counts = { ranges: 0, impossible: 0, madeByGen: 0 };
  if (id === undefined) return counts;
  const pace = startPace(context, "Counting the array's ranges", table.rows);
  for (const [number, block] of table.blocks.entries()) {
    const first = number * BLOCK_ROWS;
    const size = Math.min(BLOCK_ROWS, table.rows - first);
    for (let at = 0; at < size; at += 1) {
      if (block.array[at] !== id || block.ordinal[at] === ORDINAL_STRAY) continue;
      if (first + at >= origins.refsRows || origins.genOrdinal(first + at) !== undefined) counts.madeByGen += 1;
      const [target, offset, length] = [block.target[at], block.offset[at], block.length[at]] as [
        number,
        number,
        number,
      ];
      if (stateCodeOf(target, length) !== STATE_CODE.range) continue;
      counts.ranges += 1;
      if (shiftedRange(offset, lengthOf(table, first + at, target, length), move) === undefined) counts.impossible += 1;
    }
    await pace.yieldIfDue(first + size);
  }
  return counts;
}
