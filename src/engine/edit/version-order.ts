/** The order of keys of the Version 0 result: metadata and chunk references in the order of the document. */
import { lowerBound } from "../table/array-index.ts";

/** A key of the result: a row of the table, or a metadata entry by its index. */
export type VersionItem =
  { readonly kind: "row"; readonly row: number } | { readonly kind: "metadata"; readonly index: number };

export interface VersionOrder {
  readonly total: number;
  /** 0 … total - 1. */
  at(position: number): VersionItem;
  positionOf(item: VersionItem): number;
  positionOfRow(row: number): number;
}

/** `before`: for each metadata entry how many rows of the table stand before it, ascending. */
export function versionOrder(rows: number, before: readonly number[]): VersionOrder {
  const metadata = Float64Array.from(before, (row, index) => row + index);
  const sorted = Float64Array.from(before);
  // Entries before the row count: those with at most as many rows before them as the row has.
  const positionOfRow = (row: number): number => row + lowerBound(sorted, row + 1);
  return {
    total: rows + metadata.length,
    at(position) {
      const index = lowerBound(metadata, position);
      return metadata[index] === position ? { kind: "metadata", index } : { kind: "row", row: position - index };
    },
    positionOf(item) {
      return item.kind === "metadata" ? (metadata[item.index] ?? -1) : positionOfRow(item.row);
    },
    positionOfRow,
  };
}
