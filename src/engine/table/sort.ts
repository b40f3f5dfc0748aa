/**
 * Puts entries in the order of a column: keys are gathered in one pass and sorted by digits. Rows that have no value
 * in the column (a missing chunk has no offset) come last in both directions, in the order they were in.
 */
import type { CallContext } from "../../core/byte-source.ts";
import type { SortColumn, ViewSpec } from "../../core/open-set.ts";
import { FIRST_SPECIAL_TARGET } from "../../core/reference-table.ts";
import { STATES, STATES_IN_ORDER } from "../../core/reference.ts";
import { BATCH, eachBatch, type Batch, type BatchColumns } from "./batch.ts";
import { startPace, type Pace } from "../pace.ts";
import { radixSort } from "./radix.ts";
import type { Scope } from "./scope.ts";
import type { TableIndex } from "./table-index.ts";

const TWO_32 = 0x1_0000_0000;

type List = Uint32Array<ArrayBuffer> | undefined;

/**
 * The entries of `list` (`undefined`: all) in order; equal ones stay in the order they were in. Columns: states in their
 * order (`STATES_IN_ORDER`), targets by their text (a null URL has none), keys by array and then by ordinal (C order), strays
 * after their array's chunks; `length` of an inline value is that of its text in the document.
 */
export async function sortEntries(
  index: TableIndex,
  scope: Scope,
  list: List,
  sort: NonNullable<ViewSpec["sort"]>,
  context: CallContext,
): Promise<List> {
  const count = list?.length ?? scope.count;
  const pace = startPace(context, "Sorting references", count);
  if (sort.column === "key" && scope.array !== undefined) return sort.descending ? reversed(list, count) : list;
  if (sort.column === "key" && index.table.wideOrdinals.size > 0) return sortWideKeys(index, scope, list, sort, pace);
  return sortBy(index, scope, list, columnOf(index, sort.column), sort.descending, pace);
}

/** An array's entries are in the order of their keys to begin with. */
function reversed(list: List, count: number): Uint32Array<ArrayBuffer> {
  if (list !== undefined) return list.toReversed();
  const entries = new Uint32Array(count);
  for (let i = 0; i < count; i += 1) entries[i] = count - 1 - i;
  return entries;
}

/** Array and ordinal do not fit one key of 64 bits: by ordinal first, then, stably, by array. */
async function sortWideKeys(
  index: TableIndex,
  scope: Scope,
  list: List,
  { descending }: NonNullable<ViewSpec["sort"]>,
  pace: Pace,
): Promise<List> {
  const byOrdinal = await sortBy(index, scope, list, keyColumn(index, "ordinal"), descending, pace);
  return sortBy(index, scope, byOrdinal, keyColumn(index, "array"), descending, pace);
}

/** How to get the keys of a batch: whole numbers below 2^64 as two halves. */
interface KeyColumn {
  readonly columns: BatchColumns;
  fill(batch: Batch, keys: BatchKeys): void;
}

interface BatchKeys {
  readonly low: Uint32Array<ArrayBuffer>;
  readonly high: Uint32Array<ArrayBuffer>;
  /** 1 where the row has a value. */
  readonly valued: Uint8Array<ArrayBuffer>;
}

async function sortBy(
  index: TableIndex,
  scope: Scope,
  list: List,
  column: KeyColumn,
  descending: boolean,
  pace: Pace,
): Promise<Uint32Array<ArrayBuffer>> {
  const total = list?.length ?? scope.count;
  const keys = { low: new Uint32Array(BATCH), high: new Uint32Array(BATCH), valued: new Uint8Array(BATCH) };
  const gathered = gatheredKeys(total);
  await eachBatch(index.table, scope, list, column.columns, pace, (batch) => {
    column.fill(batch, keys);
    gathered.add(batch, keys);
  });
  const { entries, low, high, count } = gathered.result();
  const sorted = await radixSort({ entries, low, high, count }, descending, pace);
  if (sorted !== entries) sorted.set(entries.subarray(count), count);
  return sorted;
}

/** Rows with a value from the front, rows without from the back. */
function gatheredKeys(total: number) {
  const entries = new Uint32Array(total);
  const low = new Uint32Array(total);
  let high: Uint32Array<ArrayBuffer> | undefined;
  let count = 0;
  let back = total;
  return {
    add({ size, entries: from }: Batch, keys: BatchKeys): void {
      // Most columns never need the upper half: it is made when the first key above 2^32 comes.
      if (high === undefined && anyAboveZero(keys.high, size)) high = new Uint32Array(total);
      for (let i = 0; i < size; i += 1) {
        const entry = from[i] as number;
        if (keys.valued[i] === 0) {
          entries[--back] = entry;
          continue;
        }
        entries[count] = entry;
        low[count] = keys.low[i] as number;
        if (high !== undefined) high[count] = keys.high[i] as number;
        count += 1;
      }
    },
    result() {
      entries.subarray(back).reverse();
      return { entries, low, high, count };
    },
  };
}

function anyAboveZero(values: Uint32Array, size: number): boolean {
  for (let i = 0; i < size; i += 1) if (values[i] !== 0) return true;
  return false;
}

const columnOf = (index: TableIndex, column: SortColumn): KeyColumn => COLUMNS[column](index);

const COLUMNS: Readonly<Record<SortColumn, (index: TableIndex) => KeyColumn>> = {
  key: (index) => keyColumn(index, "both"),
  state: () => stateColumn,
  target: targetColumn,
  offset: () => numberColumn({ offset: true }, (batch, i) => batch.offset[i] as number),
  length: () => numberColumn({}, (batch, i) => batch.length[i] as number),
  end: () => numberColumn({ offset: true }, (batch, i) => endOf(batch.offset[i] as number, batch.length[i] as number)),
};

const endOf = (offset: number, length: number): number => (offset < 0 ? -1 : offset + length);

/** Place of each state's code in the order of states. */
const STATE_RANKS = Uint8Array.from(STATES, (state) => STATES_IN_ORDER.indexOf(state));

const stateColumn: KeyColumn = {
  columns: {},
  fill({ size, state }, { low, high, valued }) {
    const ranks = STATE_RANKS;
    for (let i = 0; i < size; i += 1) low[i] = ranks[state[i] as number] as number;
    high.fill(0);
    valued.fill(1);
  },
};

function targetColumn(index: TableIndex): KeyColumn {
  const ranks = index.targetRanks();
  return {
    columns: {},
    fill({ size, target }, { low, high, valued }) {
      high.fill(0);
      for (let i = 0; i < size; i += 1) {
        const id = target[i] as number;
        valued[i] = Number(id < FIRST_SPECIAL_TARGET);
        low[i] = id < FIRST_SPECIAL_TARGET ? (ranks[id] as number) : 0;
      }
    },
  };
}

/** Negative = no value. */
function numberColumn(columns: BatchColumns, valueOf: (batch: Batch, i: number) => number): KeyColumn {
  return {
    columns,
    fill(batch, { low, high, valued }) {
      for (let i = 0; i < batch.size; i += 1) {
        const value = valueOf(batch, i);
        valued[i] = Number(value >= 0);
        low[i] = value >>> 0;
        high[i] = value < TWO_32 ? 0 : Math.floor(value / TWO_32);
      }
    },
  };
}

/**
 * `both`: array in the upper half, ordinal in the lower (for tables whose ordinals fit 32 bits); or one of them alone.
 * A stray counts as lying behind its array's cells, at its place among all strays.
 */
function keyColumn(index: TableIndex, part: "both" | "array" | "ordinal"): KeyColumn {
  const ranks = index.arrayRanks();
  const strays = index.strays();
  const strayRanks = strays.ranks();
  return {
    columns: { cell: true },
    fill({ size, rows, array, ordinal }, { low, high, valued }) {
      valued.fill(1);
      for (let i = 0; i < size; i += 1) {
        let at = ordinal[i] as number;
        const of = (ranks[array[i] as number] as number) * 2 + Number(at < 0);
        if (at < 0) at = strayRanks[strays.positionOf((rows[i] as number) - 1)] ?? 0;
        low[i] = part === "array" ? of : at >>> 0;
        if (part === "both") high[i] = of;
        else high[i] = part === "array" || at < TWO_32 ? 0 : Math.floor(at / TWO_32);
      }
    },
  };
}
