/** A view: a scope, filtered and sorted, as a list of entries that rows are then asked from by position. */
import type { CallContext } from "../../core/byte-source.ts";
import type { ViewInfo, ViewSpec } from "../../core/open-set.ts";
import { filterScope } from "./filter.ts";
import { NO_READINGS, type Readings } from "./read-entries.ts";
import { scopeOf, type Scope } from "./scope.ts";
import { sortEntries } from "./sort.ts";
import type { TableIndex } from "./table-index.ts";

export interface View {
  readonly index: TableIndex;
  readonly scope: Scope;
  /** Entry of each row of the view; `undefined` where they are the same. */
  readonly list: Uint32Array<ArrayBuffer> | undefined;
  /** Whether `list` is in the order of the entries. */
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
  const list = sort === undefined ? passing : await sortEntries(index, scope, passing, sort, context);
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
