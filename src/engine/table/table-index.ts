/** A reference table with what questions about it are answered from: each part is made when first needed and kept. */
import type { CallContext } from "#core/byte-source.ts";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { ordinalOf, parseChunkName } from "#core/metadata/chunk-grid.ts";
import { groupedBy, once } from "#core/basics.ts";
import { ARRAY_NONE, BLOCK_ROWS, type ReferenceTable, type StrayKey } from "#core/table/reference-table.ts";
import type { RowOrigin } from "#core/table/version1.ts";
import { dropOldest, keptLast } from "../kept.ts";
import { type ArrayIndex, arrivedPage, buildArrayIndex, eachBlock, lowerBound } from "./array-index.ts";
import type { ArrayPages } from "./array-pages.ts";
import { firstTargets } from "./first-targets.ts";
import { compareNatural, comparePaths } from "./natural-order.ts";
import { startPace } from "../pace.ts";

// The keys of a table that fit no grid: found by row, by key and by array.

type StrayList = ReturnType<typeof listStrays>;

/** Up to this many keys, linear search beats sorting. */
const FEW = 8;

function listStrays(table: ReferenceTable) {
  const list = inRowOrder(table.strays);
  const rows = Float64Array.from(list, (stray) => stray.row);
  const order = once(() => naturalOrder(list));
  const byKey = once(() => new Map(list.map((stray) => [stray.key, stray.row])));
  let asked = 0;
  const byArray = once(() => rowsByArray(table, list, order()));
  return {
    /** Strays in row order. */
    list,
    /** Position in `list` of the stray in that row, -1 where it is none. */
    positionOf(row: number): number {
      const at = lowerBound(rows, row);
      return rows[at] === row ? at : -1;
    },
    rowOfKey(key: string): number | undefined {
      asked += 1;
      return asked > FEW ? byKey().get(key) : list.find((stray) => stray.key === key)?.row;
    },
    /** Place of each position in the natural order of the keys. */
    ranks: once(() => ranksOf(order())),
    /** Rows of the strays of an array (or of `ARRAY_NONE`), in the natural order of their keys. */
    rowsOf: (array: number): readonly number[] => byArray().get(array) ?? [],
  };
}

function inRowOrder(strays: readonly StrayKey[]): readonly StrayKey[] {
  const isOrdered = strays.every((stray, at) => at === 0 || stray.row > (strays[at - 1]?.row ?? 0));
  return isOrdered ? strays : strays.toSorted((a, b) => a.row - b.row);
}

function naturalOrder(list: readonly StrayKey[]): Uint32Array {
  const keys = list.map((stray) => stray.key);
  return Uint32Array.from(keys.keys()).sort((a, b) => compareNatural(keys[a] ?? "", keys[b] ?? "") || a - b);
}

/** From "which comes n-th" to "at which place is it". */
function ranksOf(order: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(order.length);
  for (const [rank, position] of order.entries()) ranks[position] = rank;
  return ranks;
}

function rowsByArray(table: ReferenceTable, list: readonly StrayKey[], order: Uint32Array) {
  const rows = Array.from(order, (position) => list[position]?.row ?? 0);
  return groupedBy(rows, (row) => table.blocks[Math.floor(row / BLOCK_ROWS)]?.array[row % BLOCK_ROWS] ?? 0);
}

/** Entries of all kept array indexes together: 256 MB. The one asked for last is kept whatever its size. */
const MAX_KEPT_ENTRIES = 64_000_000;
/** The URLs of more targets than this would not fit a tab's memory all at once. */
const MAX_RANKED_TARGETS = 4_000_000;

/** Which part of the document made a row. */
export type OriginOf = (row: number) => RowOrigin;

export type TableIndex = ReturnType<typeof indexTable>;

const NO_PAGES: ReadonlyMap<number, ArrayPages> = new Map();

/**
 * The table's grids must be final: rows that get another ordinal later are not noticed. Of a table that grows by pages
 * (`paged`) each that arrives must be reported.
 */
export function indexTable(
  table: ReferenceTable,
  originOf?: OriginOf,
  paged: ReadonlyMap<number, ArrayPages> = NO_PAGES,
) {
  // Descriptions of the whole table are rebuilt when it has grown.
  const strays = whileRows(table, () => listStrays(table));
  const arrays = keepArrayIndexes(table, paged, (id) => strayRowsUnder(table, strays(), id));
  const kept = new Map<string, { readonly question: string; readonly answer: Promise<unknown> }>();
  const arrayIds = new Map(table.arrays.map((slot, id) => [slot.path, id]));
  return {
    table,
    /** Origin of a row; absent if nothing is rendered. */
    originOf,
    /** Arrays whose references come page by page, by array id. */
    paged,
    pagesOf: (path: string): ArrayPages | undefined => paged.get(arrayIds.get(path) ?? -1),
    /** A page of an array has arrived or failed; rows from `from` to `to` (excluded) are new, its own among them. */
    pageChanged(id: number, page: number, from: number, to: number): void {
      kept.clear();
      arrays.pageChanged(id, page, from, to);
    },
    /** Ids of the arrays by path. */
    arrayIds,
    /** Place of each array id in the natural order of the paths; `ARRAY_NONE` comes last. */
    arrayRanks: once(() => rankArrays(table)),
    /** Ids of equal URLs. */
    firstTargets: firstTargets(table.targets),
    /** Place of each target id in the order of the URLs as text, equal ones at the same. Throws `too-many-targets`. */
    targetRanks: whileRows(table, () => rankTargets(table)),
    strays,
    arrayIndex: (id: number, context: CallContext): Promise<ArrayIndex> => arrays.index(id, context),
    /** One slot for the last answer of its kind: sorting the same rows again need not filter them again. */
    kept,
  };
}

/** A value made when asked for, and again when the table has other rows. */
function whileRows<T>(table: ReferenceTable, make: () => T): () => T {
  let made: { readonly rows: number; readonly value: T } | undefined;
  return () => {
    if (made?.rows !== table.rows) made = { rows: table.rows, value: make() };
    return made.value;
  };
}

/** The answer kept from the last time, where the question is the same. A failed answer is not kept. */
export async function answered<T>(
  index: TableIndex,
  kind: string,
  question: string,
  find: () => Promise<T>,
): Promise<T> {
  const kept = index.kept.get(kind);
  if (kept?.question === question) return (await kept.answer) as T;
  index.kept.delete(kind);
  const answer = await find();
  index.kept.set(kind, { question, answer: Promise.resolve(answer) });
  return answer;
}

function rankArrays(table: ReferenceTable): Uint32Array {
  const paths = table.arrays.map((slot) => slot.path);
  const order = Uint32Array.from(paths.keys()).sort((a, b) => comparePaths(paths[a] ?? "", paths[b] ?? ""));
  const ranks = new Uint32Array(ARRAY_NONE + 1).fill(paths.length);
  ranks.set(ranksOf(order));
  return ranks;
}

function rankTargets(table: ReferenceTable): Uint32Array {
  const { count } = table.targets;
  if (count > MAX_RANKED_TARGETS)
    throw failure("too-many-targets", WHOLE_SET, { targets: count, limit: MAX_RANKED_TARGETS });
  const texts = Array.from({ length: count }, (_, id) => table.targets.text(id));
  const order = Uint32Array.from(texts.keys()).sort((a, b) => {
    const [left, right] = [texts[a] ?? "", texts[b] ?? ""];
    return left < right ? -1 : Number(left > right);
  });
  const ranks = new Uint32Array(count);
  let before = 0;
  for (const [place, id] of order.entries()) {
    if (texts[id] !== texts[order[place - 1] ?? id]) before = place;
    ranks[id] = before;
  }
  return ranks;
}

/** A root array also lists the strays of no array: there is no other place where they would be seen. */
function strayRowsUnder(table: ReferenceTable, strays: StrayList, id: number): readonly number[] {
  const own = strays.rowsOf(id);
  return table.arrays[id]?.path === "" ? [...own, ...strays.rowsOf(ARRAY_NONE)] : own;
}

/** Keeps the indexes used last, up to a number of entries. */
function keepArrayIndexes(
  table: ReferenceTable,
  paged: ReadonlyMap<number, ArrayPages>,
  strayRows: (id: number) => readonly number[],
) {
  const kept = new Map<number, ArrayIndex>();
  const build = async (id: number, context: CallContext): Promise<ArrayIndex> => {
    for (;;) {
      const { rows } = table;
      const index = await buildArrayIndex({ table, id, strayRows: strayRows(id), pages: paged.get(id) }, context);
      // It may lack rows that came while it was being made.
      if (table.rows === rows || !paged.has(id)) return index;
    }
  };
  return {
    async index(id: number, context: CallContext): Promise<ArrayIndex> {
      const index = await keptLast(kept, id, Infinity, () => build(id, context));
      dropOldest(kept, Infinity, entriesOf, MAX_KEPT_ENTRIES);
      return index;
    },
    pageChanged(id: number, page: number, from: number, to: number): void {
      const index = kept.get(id);
      const pages = paged.get(id);
      if (index === undefined || pages === undefined) return;
      if (!arrivedPage(index, { table, id, pages }, page, from, to)) kept.delete(id);
    },
  };
}

/** An ordinal takes two entries' room. */
const entriesOf = ({ rows, ordinals }: ArrayIndex): number => rows.length * (ordinals === undefined ? 1 : 3);

/** The array whose path the key begins with and whose grid has the rest as a chunk; the longest such path. */
export function cellOfKey(
  { arrayIds, table }: Pick<TableIndex, "arrayIds" | "table">,
  key: string,
): { readonly array: number; readonly ordinal: number } | undefined {
  for (let end = key.lastIndexOf("/"); ; end = end <= 0 ? -1 : key.lastIndexOf("/", end - 1)) {
    const array = arrayIds.get(end < 0 ? "" : key.slice(0, end));
    const slot = array === undefined ? undefined : table.arrays[array];
    if (array !== undefined && slot?.grid !== undefined) {
      const coordinates = parseChunkName(key.slice(end + 1), slot.grid.length, slot.separator);
      const ordinal = coordinates && ordinalOf(slot.grid, coordinates);
      if (ordinal !== undefined) return { array, ordinal };
    }
    if (end < 0) return undefined;
  }
}

// Which rows a view is about, before any filter: an array's cells and strays, or the references below a group.

/** Rows are listed as entries: 0 … count - 1. */
export interface Scope {
  readonly path: string;
  readonly count: number;
  /** Row + 1 of each entry, 0 for a cell without a reference; `undefined` where entry = row. */
  readonly rows: Uint32Array<ArrayBuffer> | undefined;
  /** Index of the array, if the scope is one. */
  readonly array: { readonly id: number; readonly index: ArrayIndex } | undefined;
  /** True if cells without a reference are among the entries. */
  readonly listsMissing: boolean;
}

/** A path that is not an array's is a group's; the root group also has the strays of no array. */
export function scopeOf(index: TableIndex, path: string, context: CallContext): Promise<Scope> {
  const id = index.arrayIds.get(path);
  if (id !== undefined) return arrayScope(index, path, id, context);
  return answered(index, "scope", path, () => groupScope(index, path, context));
}

async function arrayScope(index: TableIndex, path: string, id: number, context: CallContext): Promise<Scope> {
  const found = await index.arrayIndex(id, context);
  const listsMissing = found.grid !== undefined && found.ordinals === undefined;
  return { path, count: found.rows.length, rows: found.rows, array: { id, index: found }, listsMissing };
}

async function groupScope(index: TableIndex, path: string, context: CallContext): Promise<Scope> {
  const { table } = index;
  const base = { path, array: undefined, listsMissing: false };
  if (path === "") return { ...base, count: table.rows, rows: undefined };
  const within = arraysWithin(index, path);
  const pace = startPace(context, "Listing the group's references", table.rows * 2);
  let count = 0;
  await eachBlock(table, pace, ({ array }, _first, rows) => {
    for (let i = 0; i < rows; i += 1) count += within[array[i] as number] as number;
  });
  const listed = new Uint32Array(count);
  let at = 0;
  await eachBlock(table, pace, ({ array }, first, rows) => {
    for (let i = 0; i < rows; i += 1) if (within[array[i] as number] === 1) listed[at++] = first + i + 1;
  });
  return { ...base, count, rows: listed };
}

/** 1 for each array id at or below a path; at the root also for `ARRAY_NONE`. */
export function arraysWithin(index: TableIndex, path: string): Uint8Array {
  const within = new Uint8Array(ARRAY_NONE + 1);
  for (const [id, slot] of index.table.arrays.entries()) {
    if (path === "" || slot.path === path || slot.path.startsWith(`${path}/`)) within[id] = 1;
  }
  if (path === "") within[ARRAY_NONE] = 1;
  return within;
}
