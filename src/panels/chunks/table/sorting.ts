/** The order of the rows: TanStack's sorting state on one side, the engine's `sort` on the other. */
import type { SortingState } from "@tanstack/react-table";
import type { ViewSpec } from "../../../core/open-set.ts";
import { columnSpec } from "./columns.ts";

/** Rows of an array are in key order unless sorted; rows of a group in the order of the document. */
export function shownOrder(sorting: SortingState, isArray: boolean): { id: string; desc: boolean } | undefined {
  return sorting[0] ?? (isArray ? { id: "key", desc: false } : undefined);
}

export function ariaSort(sorting: SortingState, isArray: boolean, column: string): "ascending" | "descending" | "none" {
  const order = shownOrder(sorting, isArray);
  if (order?.id !== column) return "none";
  return order.desc ? "descending" : "ascending";
}

/** Ascending, descending, back to the order without sorting. */
export function nextSorting(sorting: SortingState, isArray: boolean, column: string): SortingState {
  const now = ariaSort(sorting, isArray, column);
  if (now === "ascending") return [{ id: column, desc: true }];
  if (now === "descending") return [];
  return isArray && column === "key" ? [] : [{ id: column, desc: false }];
}

export function sortOf(sorting: SortingState): NonNullable<ViewSpec["sort"]> | undefined {
  const [order] = sorting;
  const column = order === undefined ? undefined : columnSpec(order.id)?.sort;
  return order === undefined || column === undefined ? undefined : { column, descending: order.desc };
}
