/** From a key as the user types it to its place in a view. */
import type { CallContext } from "../../core/byte-source.ts";
import { ordinalOf, parseChunkName } from "../../core/chunk-grid.ts";
import type { ViewRow } from "../../core/open-set.ts";
import { entryOf, lowerBound, rowOf } from "./array-index.ts";
import { viewRow, type NativePlaces, type Place } from "./rows.ts";
import type { ReadingResults } from "./read-entries.ts";
import type { TableIndex } from "./table-index.ts";
import type { View } from "./view.ts";

/**
 * `index` is the key's position in the view; -1 where there is such a chunk or stray key but the view does not list it
 * (a filter hides it, it is in another array, or it is a chunk without a reference where those are not listed);
 * `undefined`, as is `row`, where no grid has such a chunk and no reference such a key.
 */
export interface FoundKey {
  readonly index: number | undefined;
  readonly row: ViewRow | undefined;
}

export async function findKey(
  view: View,
  key: string,
  results: ReadingResults,
  context: CallContext,
  natives?: NativePlaces,
): Promise<FoundKey> {
  const place = await locate(view.index, key, context);
  if (place === undefined) return { index: undefined, row: undefined };
  const entry = entryOfPlace(view, place);
  const index = entry < 0 ? -1 : positionOf(view, entry);
  return { index, row: viewRow(view.index, place, index, results, natives) };
}

/** The row of a chunk by its coordinates; `undefined` where the set has no such array, or its grid no such chunk. */
export async function rowOfChunk(
  index: TableIndex,
  path: string,
  coordinates: readonly number[],
  results: ReadingResults,
  context: CallContext,
  natives?: NativePlaces,
): Promise<ViewRow | undefined> {
  const array = index.arrayIds.get(path);
  const grid = array === undefined ? undefined : index.table.arrays[array]?.grid;
  const ordinal = grid === undefined ? undefined : ordinalOf(grid, coordinates);
  if (array === undefined || ordinal === undefined) return undefined;
  const row = rowOf(await index.arrayIndex(array, context), ordinal);
  return viewRow(index, row < 0 ? { row: -1, array, ordinal } : { row }, -1, results, natives);
}

async function locate(index: TableIndex, key: string, context: CallContext): Promise<Place | undefined> {
  const stray = index.strays().rowOfKey(key);
  if (stray !== undefined) return { row: stray };
  const cell = parseKey(index, key);
  if (cell === undefined) return undefined;
  const row = rowOf(await index.arrayIndex(cell.array, context), cell.ordinal);
  return row < 0 ? { row: -1, ...cell } : { row };
}

/** The array whose path the key begins with and whose grid has the rest as a chunk; the longest such path. */
function parseKey(index: TableIndex, key: string): { readonly array: number; readonly ordinal: number } | undefined {
  for (let end = key.lastIndexOf("/"); ; end = key.lastIndexOf("/", end - 1)) {
    const array = index.arrayIds.get(end < 0 ? "" : key.slice(0, end));
    const slot = array === undefined ? undefined : index.table.arrays[array];
    if (array !== undefined && slot?.grid !== undefined) {
      const coordinates = parseChunkName(key.slice(end + 1), slot.grid.length, slot.separator);
      const ordinal = coordinates && ordinalOf(slot.grid, coordinates);
      if (ordinal !== undefined) return { array, ordinal };
    }
    if (end <= 0) return undefined;
  }
}

/** -1 where the scope has no such entry. */
function entryOfPlace({ scope }: View, place: Place): number {
  if ("ordinal" in place) return scope.array?.id === place.array ? entryOf(scope.array.index, place.ordinal) : -1;
  if (scope.rows === undefined) return place.row;
  if (scope.array !== undefined) return scope.rows.indexOf(place.row + 1);
  const entry = lowerBound(scope.rows, place.row + 1);
  return scope.rows[entry] === place.row + 1 ? entry : -1;
}

function positionOf({ list, ascending }: View, entry: number): number {
  if (list === undefined) return entry;
  if (!ascending) return list.indexOf(entry);
  const position = lowerBound(list, entry);
  return list[position] === entry ? position : -1;
}
