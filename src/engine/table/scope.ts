/** Which rows a view is about, before any filter: an array's cells and strays, or the references below a group. */
import type { CallContext } from "../../core/byte-source.ts";
import { ARRAY_NONE } from "../../core/table/reference-table.ts";
import { eachBlock, type ArrayIndex } from "./array-index.ts";
import { startPace } from "../pace.ts";
import { answered, type TableIndex } from "./table-index.ts";

/** Rows are listed as entries: 0 … count - 1. */
export interface Scope {
  readonly path: string;
  readonly count: number;
  /** Row + 1 of each entry, 0 for a cell without a reference; `undefined` where entry = row. */
  readonly rows: Uint32Array<ArrayBuffer> | undefined;
  /** Where the scope is one array. */
  readonly array: { readonly id: number; readonly index: ArrayIndex } | undefined;
  /** Whether cells without a reference are among the entries. */
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
