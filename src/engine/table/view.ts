/** A view: a scope, filtered and sorted, as a list of entries that rows are then asked from by position. */
import type { CallContext } from "#core/byte-source.ts";
import type { SortColumn, ViewInfo, ViewSpec } from "#core/open-set.ts";
import { FIRST_SPECIAL_TARGET } from "#core/table/reference-table.ts";
import { STATES, STATES_IN_ORDER } from "#core/table/reference.ts";
import { oncePer } from "../kept.ts";
import { type Pace, startPace } from "../pace.ts";
import { BATCH, type Batch, type BatchColumns, eachBatch } from "./batch.ts";
import { filterScope } from "./filter.ts";
import { isTied, radixSort, type SortedEntries } from "./radix.ts";
import { NO_READINGS, type Readings } from "./read-entries.ts";
import { answered, type Scope, scopeOf, type TableIndex } from "./table-index.ts";

export interface View {
  readonly index: TableIndex;
  readonly scope: Scope;
  /** Entry of each row of the view; `undefined` where they are the same. */
  readonly list: Uint32Array<ArrayBuffer> | undefined;
  /** True if `list` is in the order of the entries. */
  readonly ascending: boolean;
  readonly info: Omit<ViewInfo, "view">;
}

/**
 * Throws `coordinates-need-an-array` and `dimension-unknown` for coordinate filters that fit no grid, and
 * `too-many-targets` where there are too many URLs to sort by.
 */
export async function openView(
  index: TableIndex,
  spec: ViewSpec,
  context: CallContext,
  readings: Readings = NO_READINGS,
): Promise<View> {
  const scope = await scopeOf(index, spec.scope, context);
  const { list: passing, facets } = await filterScope(index, scope, spec.filter, context, readings);
  const { sort } = spec;
  const list = sort === undefined ? passing : await sortEntries({ index, scope, list: passing }, sort, context);
  const rows = list?.length ?? scope.count;
  const states = { ...facets.states, missing: facets.states.missing + unlistedCells(scope, spec) };
  const info = { rows, total: scope.count, listsMissing: scope.listsMissing, facets: { ...facets, states } };
  return { index, scope, list, ascending: list === passing, info };
}

/** Cells without a reference that are too many to list: still counted, while nothing but the state is filtered. */
function unlistedCells({ array, listsMissing }: Scope, { filter }: ViewSpec): number {
  const others = Object.entries(filter).some(([name, value]) => name !== "states" && value !== undefined);
  return array === undefined || listsMissing || others ? 0 : Math.max(0, array.index.cells - array.index.listed);
}

/** Entry at a position of the view, 0 … rows - 1. */
export function entryAt(view: View, position: number): number {
  return view.list === undefined ? position : (view.list[position] as number);
}

// Puts entries in the order of a column: keys are gathered in one pass and sorted by digits. Rows that have no value in
// the column (a missing chunk has no offset) come last in both directions, in the order they were in. The order of the
// column sorted by last is kept: the other direction is the same with its ties turned, and a filter leaves some out.

const TWO_32 = 0x1_0000_0000;

type List = Uint32Array<ArrayBuffer> | undefined;

interface Sorted {
  readonly index: TableIndex;
  readonly scope: Scope;
  readonly list: List;
}

/** Entries in the ascending order of a column; those without a value behind. */
interface ColumnOrder extends SortedEntries {
  readonly valued: number;
}

/**
 * The entries of `list` (`undefined`: all; else ascending) in order; equal ones stay in the order they were in. Columns:
 * states in their order (`STATES_IN_ORDER`), targets by their text (a null URL has none), keys by array and then by ordinal
 * (C order), strays after their array's chunks; `length` of an inline value is that of its text in the document.
 */
async function sortEntries(
  of: Sorted,
  { column, descending }: NonNullable<ViewSpec["sort"]>,
  context: CallContext,
): Promise<List> {
  const { scope, list } = of;
  const pace = startPace(context, "Sorting references", list?.length ?? scope.count);
  if (column === "key" && scope.array !== undefined) return descending ? reversed(list, scope.count) : list;
  const order = await orderOf(of, column, pace);
  return descending ? turned(order) : order.entries;
}

/** An array's entries are in the order of their keys to begin with. */
function reversed(list: List, count: number): Uint32Array<ArrayBuffer> {
  if (list !== undefined) return list.toReversed();
  const entries = new Uint32Array(count);
  for (let i = 0; i < count; i += 1) entries[i] = count - 1 - i;
  return entries;
}

/** Sorting one entry takes about as long as looking up this many in a list. */
const LOOKS_A_SORT = 16;

function orderOf(of: Sorted, column: SortColumn, pace: Pace): Promise<ColumnOrder> {
  const { index, scope, list } = of;
  const question = JSON.stringify([scope.path, column]);
  const sort = () => newOrder(of, column, pace);
  if (list === undefined) return answered(index, "order", question, sort);
  const isWhole = index.kept.get("order")?.question === question && list.length * LOOKS_A_SORT > scope.count;
  const find = isWhole
    ? async () => listedAlone(await answered(index, "order", question, sort), list, scope.count)
    : sort;
  // A list stays the same object while the filter is the same.
  return answered(index, "order of a part", `${question} ${idOf(list)}`, find);
}

let lastId = 0;
const idOf = oncePer<Uint32Array, number>(() => (lastId += 1));

/** Order of a list's entries, from an order of all entries. */
function listedAlone({ entries, ties, valued }: ColumnOrder, list: Uint32Array, count: number): ColumnOrder {
  const isListed = new Uint8Array((count + 7) >>> 3);
  for (let i = 0; i < list.length; i += 1) {
    const entry = list[i] as number;
    (isListed[entry >>> 3] as number) |= 1 << (entry & 7);
  }
  const part = { entries: new Uint32Array(list.length), ties: new Uint8Array((list.length + 7) >>> 3), valued: 0 };
  let [to, keysLeft, keysTaken] = [0, 0, -1];
  for (let i = 0; i < entries.length; i += 1) {
    const entry = entries[i] as number;
    if (i === valued) part.valued = to;
    if (i < valued && !isTied(ties, i)) keysLeft += 1;
    if (!isTied(isListed, entry)) continue;
    part.entries[to] = entry;
    if (i < valued && keysLeft === keysTaken) (part.ties[to >>> 3] as number) |= 1 << (to & 7);
    keysTaken = keysLeft;
    to += 1;
  }
  return valued < entries.length ? part : { ...part, valued: to };
}

/** The other way round; equal ones, and those without a value, stay as they came. */
function turned({ entries, ties, valued }: ColumnOrder): Uint32Array<ArrayBuffer> {
  const other = new Uint32Array(entries.length);
  let to = 0;
  for (let end = valued; end > 0;) {
    let start = end - 1;
    while (start > 0 && isTied(ties, start)) start -= 1;
    for (let i = start; i < end; i += 1) other[to++] = entries[i] as number;
    end = start;
  }
  other.set(entries.subarray(valued), valued);
  return other;
}

async function newOrder(of: Sorted, column: SortColumn, pace: Pace): Promise<ColumnOrder> {
  const { index, scope } = of;
  const sort = (by: KeyColumn) => sortBy(of, by, pace);
  if (column !== "key") return sort(COLUMNS[column](index));
  if (index.table.wideOrdinals.size === 0) return sort(keyColumn(index));
  // Array and ordinal do not fit one key of 64 bits: the ordinal's place among all does.
  const ranks = ranksOf(await sort(ordinalColumn(index)), scope.count);
  return sort(keyColumn(index, ranks));
}

/** Rank by entry: the number of smaller keys. */
function ranksOf({ entries, ties }: ColumnOrder, count: number): Uint32Array {
  const ranks = new Uint32Array(count);
  let rank = 0;
  for (let i = 0; i < entries.length; i += 1) {
    if (!isTied(ties, i)) rank = i;
    ranks[entries[i] as number] = rank;
  }
  return ranks;
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
async function sortBy({ index, scope, list }: Sorted, column: KeyColumn, pace: Pace): Promise<ColumnOrder> {
  const total = list?.length ?? scope.count;
  const keys = { low: new Uint32Array(BATCH), high: new Uint32Array(BATCH), valued: new Uint8Array(BATCH) };
  const gathered = gatheredKeys(total);
  await eachBatch(index.table, scope, list, column.columns, pace, (batch) => {
    column.fill(batch, keys);
    gathered.add(batch, keys);
  });
  const { pairs, high, count, others } = gathered.result();
  const sorted = await radixSort({ pairs, high, count }, pace, total);
  sorted.entries.set(others, count);
  return { ...sorted, valued: count };
}

/** Rows with a value from the front, rows without from the back. */
function gatheredKeys(total: number) {
  const pairs = new Uint32Array(total * 2);
  let high: Uint32Array<ArrayBuffer> | undefined;
  let count = 0;
  let back = total;
  return {
    add({ size, entries }: Batch, keys: BatchKeys): void {
      // Most columns never need the upper half: it is made when the first key above 2^32 comes.
      if (high === undefined && anyAboveZero(keys.high, size)) high = new Uint32Array(total);
      const { low, valued } = keys;
      const first = count;
      for (let i = 0; i < size; i += 1) {
        const isValued = valued[i] === 1;
        const at = isValued ? count * 2 : (back - 1) * 2;
        pairs[at] = low[i] as number;
        pairs[at + 1] = entries[i] as number;
        if (isValued) count += 1;
        else back -= 1;
      }
      if (high !== undefined) gatherHigh(high, first, keys, size);
    },
    result() {
      const others = Uint32Array.from({ length: total - back }, (_, at) => pairs[(total - 1 - at) * 2 + 1] as number);
      return { pairs, high, count, others };
    },
  };
}

function gatherHigh(to: Uint32Array, first: number, { high, valued }: BatchKeys, size: number): void {
  let at = first;
  for (let i = 0; i < size; i += 1) {
    if (valued[i] === 0) continue;
    to[at] = high[i] as number;
    at += 1;
  }
}

function anyAboveZero(values: Uint32Array, size: number): boolean {
  for (let i = 0; i < size; i += 1) if (values[i] !== 0) return true;
  return false;
}

const COLUMNS: Readonly<Record<Exclude<SortColumn, "key">, (index: TableIndex) => KeyColumn>> = {
  state: () => stateColumn,
  target: targetColumn,
  offset: () => ({ columns: { offset: true }, fill: ({ offset, size }, keys) => fillNumbers(offset, size, keys) }),
  length: () => ({ columns: {}, fill: ({ length, size }, keys) => fillNumbers(length, size, keys) }),
  end: () => ({ columns: { offset: true }, fill: fillEnds }),
};

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
      const special = FIRST_SPECIAL_TARGET;
      high.fill(0);
      for (let i = 0; i < size; i += 1) {
        const id = target[i] as number;
        valued[i] = id < special ? 1 : 0;
        low[i] = id < special ? (ranks[id] as number) : 0;
      }
    },
  };
}

/** Negative = no value. */
function fillNumbers(values: Float64Array, size: number, { low, high, valued }: BatchKeys): void {
  const above = TWO_32;
  for (let i = 0; i < size; i += 1) {
    const value = values[i] as number;
    valued[i] = value < 0 ? 0 : 1;
    low[i] = value >>> 0;
    high[i] = value < above ? 0 : value / above;
  }
}

function fillEnds(batch: Batch, keys: BatchKeys): void {
  const { offset, length, size } = batch;
  for (let i = 0; i < size; i += 1) {
    const from = offset[i] as number;
    if (from >= 0) offset[i] = from + (length[i] as number);
  }
  fillNumbers(offset, size, keys);
}

/**
 * Array in the upper half, ordinal, or its place among all (`ranks`, by entry), in the lower. A stray counts as lying
 * behind its array's cells, at its place among all strays.
 */
function keyColumn(index: TableIndex, ordinalRanks?: Uint32Array): KeyColumn {
  const arrays = index.arrayRanks();
  const rankOfStray = strayRanks(index);
  return {
    columns: { cell: true },
    fill({ size, rows, entries, array, ordinal }, { low, high, valued }) {
      valued.fill(1);
      for (let i = 0; i < size; i += 1) {
        const at = ordinal[i] as number;
        high[i] = (arrays[array[i] as number] as number) * 2 + (at < 0 ? 1 : 0);
        if (ordinalRanks !== undefined) low[i] = ordinalRanks[entries[i] as number] as number;
        else low[i] = at < 0 ? rankOfStray(rows[i] as number) : at >>> 0;
      }
    },
  };
}

/** The ordinals alone, which may be above 2^32. */
function ordinalColumn(index: TableIndex): KeyColumn {
  const rankOfStray = strayRanks(index);
  return {
    columns: { cell: true },
    fill({ size, rows, ordinal }, keys) {
      for (let i = 0; i < size; i += 1) if ((ordinal[i] as number) < 0) ordinal[i] = rankOfStray(rows[i] as number);
      fillNumbers(ordinal, size, keys);
    },
  };
}

/** Given a row + 1. */
function strayRanks(index: TableIndex): (row: number) => number {
  const strays = index.strays();
  const ranks = strays.ranks();
  return (row) => ranks[strays.positionOf(row - 1)] ?? 0;
}
