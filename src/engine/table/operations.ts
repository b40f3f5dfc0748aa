/** Views of the references by window, one reference, and the chunk grid as a picture. */
import type { CallContext } from "#core/byte-source.ts";
import { ordinalOf } from "#core/metadata/chunk-grid.ts";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import type { Raster, RasterSpec, RowsAnswer, TextRows, ViewInfo, ViewRow, ViewSpec } from "#core/open-set.ts";
import { givingAway } from "#core/transfer.ts";
import { dropOldest } from "../kept.ts";
import type { EngineContext, OfSet } from "../sessions.ts";
import { entryOf, lowerBound, rowOf } from "./array-index.ts";
import { rasterOf } from "./raster.ts";
import type { ReadingResults } from "./read-entries.ts";
import { loadWindow, type NativePlaces, type Place, rowsOf, viewRow } from "./rows.ts";
import { cellOfKey, type TableIndex } from "./table-index.ts";
import { openView, type View } from "./view.ts";

/** Sorted views of ten million rows hold 40 MB each; the screen closes them, this bounds what it forgets. */
const MAX_VIEWS = 8;
const MAX_ROWS = 2000;
const MAX_RASTERS = 512;

interface OfView extends OfSet {
  readonly view: number;
}

interface OfText {
  readonly scope: string;
  readonly text: string;
}

async function textRows(index: TableIndex, { scope, text }: OfText, context: CallContext): Promise<TextRows> {
  const rowsAs = async (textAs: keyof TextRows) =>
    (await openView(index, { scope, filter: { keyText: text, textAs } }, context)).info.rows;
  return { key: await rowsAs("key"), file: await rowsAs("file") };
}

export function tableOperations({ sessions }: EngineContext) {
  const viewOf = ({ set, view }: OfView): View => {
    const found = sessions.get(set).views.get(view);
    if (found !== undefined) return found;
    throw failure("view-closed", WHOLE_SET, {});
  };
  const draw = (id: number, spec: RasterSpec, context: CallContext): Promise<Raster> => {
    const { compared, set } = sessions.get(id);
    const { index, met, repository } = set;
    const changes = compared ? compared.changes.get(spec.array) : repository?.changesOf(spec.array);
    return rasterOf(index, spec, met.answered, context, { changes, blame: repository?.blameOf(spec.array) });
  };
  return {
    async view({ set, spec }: OfSet & { readonly spec: ViewSpec }, context: CallContext): Promise<ViewInfo> {
      const { set: engineSet, views } = sessions.get(set);
      const { index, met } = engineSet;
      const view = await openView(index, spec, context, { results: met.answered, version: met.readings });
      const id = sessions.nextHandle();
      views.set(id, view);
      dropOldest(views, MAX_VIEWS);
      return { view: id, ...view.info };
    },
    /** Rows of a scope, without any other filter, that a text may mean. */
    textRows: ({ set, ...of }: OfSet & OfText, context: CallContext) =>
      textRows(sessions.get(set).set.index, of, context),
    closeView({ set, view }: OfView): void {
      sessions.get(set).views.delete(view);
    },
    /** Rows `from` to `to` of the view. Fetches the pages of references that they lie in, where they are not here. */
    async rows({ from, to, ...of }: OfView & { readonly from: number; readonly to: number }, context: CallContext) {
      const { met, nativePlace } = sessions.get(of.set).set;
      const end = Math.min(to, from + MAX_ROWS);
      await loadWindow(viewOf(of), from, end, context);
      return { rows: rowsOf(viewOf(of), from, end, met.results, nativePlace) } as RowsAnswer;
    },
    /** Position in the view of a chunk key, -1 where the filter hides it, `undefined` where there is no such key. */
    find(request: OfView & { readonly key: string }, context: CallContext): Promise<FoundKey> {
      const { met, nativePlace } = sessions.get(request.set).set;
      return findKey(viewOf(request), request.key, met.results, context, nativePlace);
    },
    /** The reference of one chunk, without a view. Nothing is fetched for it: its state may be unknown. */
    reference(
      request: OfSet & { readonly array: string; readonly coordinates: readonly number[] },
      context: CallContext,
    ): Promise<ViewRow | undefined> {
      const { index, met, nativePlace } = sessions.get(request.set).set;
      return rowOfChunk(index, request.array, request.coordinates, met.results, context, nativePlace);
    },
    /** Small pictures, all at once. */
    async rasters(
      { set, specs }: OfSet & { readonly specs: readonly RasterSpec[] },
      context: CallContext,
    ): Promise<readonly Raster[]> {
      const drawn: Raster[] = [];
      for (const spec of specs.slice(0, MAX_RASTERS)) drawn.push(await draw(set, spec, context));
      return drawn;
    },
    async raster({ set, spec }: OfSet & { readonly spec: RasterSpec }, context: CallContext) {
      const raster = await draw(set, spec, context);
      return givingAway(raster, [raster.codes.buffer, raster.values.buffer]);
    },
  };
}

// From a key as the user types it to its place in a view.

/**
 * `index` is the key's position in the view; -1 where there is such a chunk or stray key but the view does not list it
 * (a filter hides it, it is in another array, or it is a chunk without a reference where those are not listed);
 * `undefined`, as is `row`, where no grid has such a chunk and no reference such a key.
 */
interface FoundKey {
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
async function rowOfChunk(
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
  return viewRow(index, await placeOfCell(index, { array, ordinal }, context), -1, results, natives);
}

async function locate(index: TableIndex, key: string, context: CallContext): Promise<Place | undefined> {
  const stray = index.strays().rowOfKey(key);
  if (stray !== undefined) return { row: stray };
  const cell = cellOfKey(index, key);
  return cell && placeOfCell(index, cell, context);
}

async function placeOfCell(
  index: TableIndex,
  cell: { readonly array: number; readonly ordinal: number },
  context: CallContext,
): Promise<Place> {
  const row = rowOf(await index.arrayIndex(cell.array, context), cell.ordinal);
  return row < 0 ? { row: -1, ...cell } : { row };
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
