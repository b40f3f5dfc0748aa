/**
 * Columns of whole blocks, in less memory: a column with one value throughout (the array of nearly every block, the offset
 * where files are chunks) is shared by all blocks that have it, and offsets below 4 GB take four bytes instead of eight.
 * All can be read as before.
 */
import { BLOCK_ROWS, type ColumnBlock, type OffsetColumn } from "./reference-table.ts";

export interface BlockSettler {
  /** The same rows; `ordinal`, `target` and `length` are the block's own columns. */
  settle(block: ColumnBlock): ColumnBlock;
  /** Bytes of all blocks that were settled, what they share once. */
  readonly byteLength: number;
}

export function blockSettler(): BlockSettler {
  const arrays = new Map<number, ColumnBlock["array"]>();
  const offsets = new Map<number, OffsetColumn>();
  let byteLength = 0;
  const shared = <T extends OffsetColumn | ColumnBlock["array"]>(
    all: Map<number, T>,
    value: number,
    make: () => T,
  ): T => {
    const known = all.get(value);
    if (known !== undefined) return known;
    const made = make();
    byteLength += made.byteLength;
    all.set(value, made);
    return made;
  };
  const narrowed = (offset: OffsetColumn): OffsetColumn => (isNarrow(offset) ? Uint32Array.from(offset) : offset);
  const own = <T extends OffsetColumn | ColumnBlock["array"]>(column: T): T => {
    byteLength += column.byteLength;
    return column;
  };
  return {
    settle({ array, ordinal, target, offset, length }) {
      const [id, from] = [array[0] ?? 0, offset[0] ?? 0];
      return {
        array: isThroughout(array, id) ? shared(arrays, id, () => array) : own(array),
        ordinal: own(ordinal),
        target: own(target),
        offset: isThroughout(offset, from) ? shared(offsets, from, () => narrowed(offset)) : own(narrowed(offset)),
        length: own(length),
      };
    },
    get byteLength() {
      return byteLength;
    },
  };
}

function isThroughout(column: Uint16Array | OffsetColumn, value: number): boolean {
  for (let at = 1; at < BLOCK_ROWS; at += 1) if (column[at] !== value) return false;
  return true;
}

function isNarrow(offset: OffsetColumn): boolean {
  for (let at = 0; at < BLOCK_ROWS; at += 1) if ((offset[at] as number) > 0xffff_ffff) return false;
  return true;
}
