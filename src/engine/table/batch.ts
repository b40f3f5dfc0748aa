/**
 * Entries a few thousand at a time, their columns side by side in small buffers: what is asked of a batch is then a
 * short loop over numbers that are still in the processor's cache, whatever the scope.
 */
import {
  ARRAY_NONE,
  BLOCK_ROWS,
  FIRST_SPECIAL_TARGET,
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  ORDINAL_WIDE,
  TARGET_BAD,
  TARGET_INLINE,
  TARGET_NATIVE,
  TARGET_NULL,
  type ColumnBlock,
  type ReferenceTable,
} from "#core/table/reference-table.ts";
import { STATE_CODE } from "#core/table/reference.ts";
import { ENTRY_FAILED, ENTRY_UNKNOWN, wideOrdinal } from "./array-index.ts";
import type { Pace } from "../pace.ts";
import type { Scope } from "./table-index.ts";

/** Most entries of a batch. */
export const BATCH = 4096;

/** The first `size` of each column. The buffers are used again for the next batch. */
export type Batch = ReturnType<typeof newBatch>;

export interface BatchColumns {
  readonly offset?: boolean;
  /** `array` and `ordinal`. */
  readonly cell?: boolean;
}

/** All entries of the scope, or those of `list`, in order. */
export async function eachBatch(
  table: ReferenceTable,
  scope: Scope,
  list: Uint32Array<ArrayBuffer> | undefined,
  columns: BatchColumns,
  pace: Pace,
  visit: (batch: Batch) => void,
): Promise<void> {
  const batch = newBatch();
  const virtual = virtualRanges(table, scope.array?.id);
  const total = list?.length ?? scope.count;
  // A block is a whole number of batches.
  batch.consecutive = list === undefined && scope.rows === undefined;
  for (let from = 0; from < total; from += BATCH) {
    batch.size = Math.min(BATCH, total - from);
    fillRows(batch, scope, list, from);
    fillReferences(batch, table, virtual);
    if (columns.offset === true) fillOffsets(batch, table);
    if (columns.cell === true) fillCells(batch, table, scope);
    visit(batch);
    await pace.yieldIfDue(from);
  }
}

export function newBatch() {
  return {
    size: 0,
    /** True if the rows follow each other within one block, so that whole pieces of columns can be copied. */
    consecutive: false,
    entries: new Uint32Array(BATCH),
    /** Row + 1, 0 for a cell without a reference. */
    rows: new Uint32Array(BATCH),
    /** Index in `STATES`. */
    state: new Uint8Array(BATCH),
    /** Target as in the table; `TARGET_INLINE` for a missing chunk. */
    target: new Uint32Array(BATCH),
    /** Bytes: of a range or virtual chunk, of an inline value as written, of a native object where known; -1 = none. */
    length: new Float64Array(BATCH),
    /** Only for a range or virtual chunk, else -1; only where asked for. */
    offset: new Float64Array(BATCH),
    /** Array id, and ordinal in its grid (-1 for strays). Only where asked for. */
    array: new Uint16Array(BATCH),
    ordinal: new Float64Array(BATCH),
    /** Raw ordinal as in the table, from which `ordinal` is made. */
    raw: new Uint32Array(BATCH),
  };
}

function fillRows(batch: Batch, scope: Scope, list: Uint32Array<ArrayBuffer> | undefined, from: number): void {
  const { entries, rows, size } = batch;
  if (list === undefined) for (let i = 0; i < size; i += 1) entries[i] = from + i;
  else entries.set(list.subarray(from, from + size));
  if (scope.rows === undefined) for (let i = 0; i < size; i += 1) rows[i] = (entries[i] as number) + 1;
  else if (list === undefined) rows.set(scope.rows.subarray(from, from + size));
  else for (let i = 0; i < size; i += 1) rows[i] = scope.rows[entries[i] as number] as number;
}

const NO_BLOCK: ColumnBlock = {
  array: new Uint16Array(0),
  ordinal: new Uint32Array(0),
  target: new Uint32Array(0),
  offset: new Float64Array(0),
  length: new Uint32Array(0),
};

export const blockOf = (table: ReferenceTable, row: number): ColumnBlock =>
  table.blocks[Math.floor(row / BLOCK_ROWS)] ?? NO_BLOCK;

/** Columns of a row; those of a bad reference if there is no such row. */
export function columnsAt(table: ReferenceTable, row: number) {
  const { array, target, offset, length } = blockOf(table, row);
  const at = row % BLOCK_ROWS;
  return {
    array: array[at] ?? ARRAY_NONE,
    target: target[at] ?? TARGET_BAD,
    offset: offset[at] ?? 0,
    length: length[at] ?? 0,
  };
}

type NumberColumn = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Copies one column of the table for the rows of the batch; what it holds for missing rows means nothing. */
function gather(batch: Batch, table: ReferenceTable, column: keyof ColumnBlock, to: NumberColumn): void {
  const { rows, size } = batch;
  if (batch.consecutive) {
    const first = (rows[0] as number) - 1;
    to.set(blockOf(table, first)[column].subarray(first % BLOCK_ROWS, (first % BLOCK_ROWS) + size));
    return;
  }
  let at = -1;
  let from: NumberColumn = NO_BLOCK[column];
  for (let i = 0; i < size; i += 1) {
    const row = Math.max(0, (rows[i] as number) - 1);
    if (row >>> 16 !== at) {
      at = row >>> 16;
      from = blockOf(table, row)[column];
    }
    to[i] = from[row & 0xffff] as number;
  }
}

/** Which ranges among the rows of a scope are virtual chunks: none, all, or those of the arrays marked 1. */
export type VirtualRanges = "none" | "all" | Uint8Array<ArrayBuffer>;

/** @param array where the scope is a single one */
export function virtualRanges({ arrays }: ReferenceTable, array: number | undefined): VirtualRanges {
  if (array !== undefined) return arrays[array]?.virtual === true ? "all" : "none";
  if (!arrays.some(({ virtual }) => virtual === true)) return "none";
  return Uint8Array.from(arrays, ({ virtual }) => Number(virtual === true));
}

/** Fills `state`, `target` and `length` for the first `size` of `rows`. */
export function fillReferences(batch: Batch, table: ReferenceTable, virtual: VirtualRanges): void {
  const { size, rows, state, target, length } = batch;
  // Imported constants are looked up at every use: in a loop that costs more than all else.
  const [special, big, range, odd] = [FIRST_SPECIAL_TARGET, LENGTH_BIG, STATE_CODE.range, ENTRY_FAILED];
  const [inline, block] = [TARGET_INLINE, BLOCK_ROWS];
  let first = -1;
  let { target: targets, length: lengths } = NO_BLOCK;
  for (let i = 0; i < size; i += 1) {
    const row = rows[i] as number;
    if (row === 0 || row >= odd) {
      state[i] = stateWithoutRow(row);
      target[i] = inline;
      length[i] = -1;
      continue;
    }
    // One loop on purpose: a second pass over an intermediate array would double the cost.
    let at = row - 1 - first;
    if (first < 0 || at < 0 || at >= block) {
      ({ target: targets, length: lengths } = blockOf(table, row - 1));
      at = (row - 1) % block;
      first = row - 1 - at;
    }
    const to = targets[at] as number;
    const bytes = lengths[at] as number;
    target[i] = to;
    const isRange = to < special && bytes < big;
    state[i] = isRange ? range : stateCodeOf(to, bytes);
    length[i] = isRange ? bytes : lengthOf(table, row - 1, to, bytes);
  }
  if (virtual !== "none") markVirtual(batch, table, virtual);
}

/** Apart from the loop above, which is thus as short for tables that have no virtual chunks. */
function markVirtual(batch: Batch, table: ReferenceTable, virtual: Exclude<VirtualRanges, "none">): void {
  const { size, state, array } = batch;
  const [from, to] = [STATE_CODE.range, STATE_CODE.virtual];
  if (virtual === "all") {
    for (let i = 0; i < size; i += 1) if (state[i] === from) state[i] = to;
    return;
  }
  gather(batch, table, "array", array);
  for (let i = 0; i < size; i += 1) if (state[i] === from && virtual[array[i] as number] === 1) state[i] = to;
}

/** For an entry of `ArrayIndex.rows` that is not a row. */
function stateWithoutRow(entry: number): number {
  if (entry === ENTRY_UNKNOWN) return STATE_CODE.unknown;
  return entry === ENTRY_FAILED ? STATE_CODE.bad : STATE_CODE.missing;
}

/** Index in `STATES` of the reference that a row of the columns means; of virtual chunks that of a range. */
export function stateCodeOf(target: number, length: number): number {
  if (target < FIRST_SPECIAL_TARGET || target === TARGET_NULL) {
    return length === LENGTH_WHOLE ? STATE_CODE.whole : STATE_CODE.range;
  }
  if (target === TARGET_INLINE) return STATE_CODE.inline;
  return target === TARGET_NATIVE ? STATE_CODE.native : STATE_CODE.bad;
}

/** Length in bytes of the reference in a row with these column values; -1 where it has none. */
export function lengthOf(table: ReferenceTable, row: number, target: number, length: number): number {
  if (target === TARGET_BAD || length === LENGTH_WHOLE) return -1;
  return length === LENGTH_BIG ? (table.bigLengths.get(row) ?? length) : length;
}

function fillOffsets(batch: Batch, table: ReferenceTable): void {
  const { size, state, offset } = batch;
  gather(batch, table, "offset", offset);
  const [range, virtual] = [STATE_CODE.range, STATE_CODE.virtual];
  for (let i = 0; i < size; i += 1) if (state[i] !== range && state[i] !== virtual) offset[i] = -1;
}

function fillCells(batch: Batch, table: ReferenceTable, scope: Scope): void {
  if (scope.array !== undefined) return fillArrayCells(batch, scope.array);
  const { size, rows, array, ordinal, raw } = batch;
  gather(batch, table, "array", array);
  gather(batch, table, "ordinal", raw);
  for (let i = 0; i < size; i += 1) {
    const at = raw[i] as number;
    ordinal[i] = at < ORDINAL_WIDE ? at : oddOrdinal(table, (rows[i] as number) - 1, at);
  }
}

function fillArrayCells({ size, entries, array, ordinal }: Batch, { id, index }: NonNullable<Scope["array"]>): void {
  array.fill(id, 0, size);
  for (let i = 0; i < size; i += 1) {
    const entry = entries[i] as number;
    if (entry >= index.listed) ordinal[i] = -1;
    else ordinal[i] = index.ordinals === undefined ? entry : (index.ordinals[entry] as number);
  }
}

/** Ordinal of a row in its array's grid, -1 for strays. */
export function ordinalOfRow(table: ReferenceTable, row: number): number {
  const ordinal = blockOf(table, row).ordinal[row & 0xffff] as number;
  return ordinal < ORDINAL_WIDE ? ordinal : oddOrdinal(table, row, ordinal);
}

const oddOrdinal = (table: ReferenceTable, row: number, ordinal: number): number =>
  ordinal === ORDINAL_STRAY ? -1 : wideOrdinal(table, row);
