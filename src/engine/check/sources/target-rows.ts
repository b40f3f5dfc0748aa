/** Collects facts from the references to each target in one pass: their reach and their places. */
import type { CallContext } from "#core/byte-source.ts";
import { LENGTH_BIG, LENGTH_WHOLE, type ColumnBlock } from "#core/table/reference-table.ts";
import { startPace } from "#engine/pace.ts";
import { eachBlock } from "#engine/table/array-index.ts";
import { lengthOf } from "#engine/table/batch.ts";
import type { TableIndex } from "#engine/table/table-index.ts";
import { targetIdOf } from "#engine/table/target-ranges.ts";

/** Columns by target id; of equal URLs at the first. One more id is that of the target that is meant by null. */
export interface TargetRows {
  readonly nullId: number;
  readonly references: Float64Array;
  /** References without a range. */
  readonly whole: Float64Array;
  /** Bytes that ranges need the target to have, and a row that needs them. */
  readonly end: Float64Array;
  readonly endRow: Uint32Array;
  /** Row + 1 of a reference that begins at 0; 0 where there is none. */
  readonly zeroRow: Uint32Array;
}

export async function targetRows(index: TableIndex, context: CallContext): Promise<TargetRows> {
  const { table } = index;
  const size = table.targets.count + 1;
  const rows: TargetRows = {
    nullId: size - 1,
    references: new Float64Array(size),
    whole: new Float64Array(size),
    end: new Float64Array(size),
    endRow: new Uint32Array(size),
    zeroRow: new Uint32Array(size),
  };
  const pace = startPace(context, "Looking at targets", table.rows);
  await index.firstTargets.update(pace);
  await eachBlock(table, pace, (block, first, count) => addBlock(rows, index, block, first, count));
  return rows;
}

function addBlock(rows: TargetRows, index: TableIndex, block: ColumnBlock, first: number, count: number): void {
  const { table } = index;
  const { target, offset, length } = block;
  const { references, whole, end, endRow, zeroRow } = rows;
  for (let i = 0; i < count; i += 1) {
    const id = targetIdOf(index, target[i] as number, rows.nullId);
    if (id < 0) continue;
    const raw = length[i] as number;
    (references[id] as number) += 1;
    if (raw === LENGTH_WHOLE) {
      (whole[id] as number) += 1;
      zeroRow[id] = first + i + 1;
      continue;
    }
    const from = offset[i] as number;
    const bytes = raw < LENGTH_BIG ? raw : lengthOf(table, first + i, target[i] as number, raw);
    if (from === 0) zeroRow[id] = first + i + 1;
    if (bytes === 0 || from + bytes <= (end[id] as number)) continue;
    end[id] = from + bytes;
    endRow[id] = first + i + 1;
  }
}

/** `null` for the target that is meant by null. */
export const targetText = ({ table }: TableIndex, { nullId }: TargetRows, id: number): string | null =>
  id === nullId ? null : table.targets.text(id);
