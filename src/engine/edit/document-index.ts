/** An open set as the studio looks at it: all its keys in order, each with its value and where it comes from. */
import { chunkKey, coordinatesOf, cellCount } from "#core/metadata/chunk-grid.ts";
import type { Reference } from "#core/table/reference.ts";
import type { RowOrigin } from "#core/table/version1.ts";
import type { MetadataEntry } from "#formats/kerchunk-json/index.ts";
import { columnsAt, ordinalOfRow } from "../table/batch.ts";
import { referenceAt } from "../chunk/chunk-reference.ts";
import type { DocumentSet } from "../engine-set.ts";
import { once } from "#core/basics.ts";
import { oncePer } from "../kept.ts";
import { rowOriginOf } from "../table/row-origin.ts";
import { lowerBound, wideOrdinal } from "../table/array-index.ts";
import { BLOCK_ROWS, ORDINAL_STRAY, ORDINAL_WIDE, type ReferenceTable } from "#core/table/reference-table.ts";
import { cellOfKey, type TableIndex } from "../table/table-index.ts";

export interface DocumentIndex {
  readonly set: DocumentSet;
  readonly metadata: readonly MetadataEntry[];
  readonly order: VersionOrder;
  /** Index of a metadata entry by key. */
  readonly metadataIndex: () => ReadonlyMap<string, number>;
}

export const documentIndex = oncePer((set: DocumentSet): DocumentIndex => {
  const { metadata } = set.document;
  const order = versionOrder(
    set.table.rows,
    metadata.map(({ row }) => row),
  );
  const metadataIndex = once(() => new Map(metadata.map(({ key }, index) => [key, index])));
  return { set, metadata, order, metadataIndex };
});

export function findItem({ set, metadataIndex }: DocumentIndex, key: string): VersionItem | undefined {
  const index = metadataIndex().get(key);
  if (index !== undefined) return { kind: "metadata", index };
  const row = rowFinder(set.index).rowOfKey(key);
  return row < 0 ? undefined : { kind: "row", row };
}

export function keyOf({ set, metadata }: DocumentIndex, item: VersionItem): string {
  if (item.kind === "metadata") return metadata[item.index]?.key ?? "";
  return keyOfRow(set, item.row);
}

export function keyOfRow({ table, index }: Pick<DocumentSet, "table" | "index">, row: number): string {
  const ordinal = ordinalOfRow(table, row);
  if (ordinal < 0) {
    const strays = index.strays();
    return strays.list[strays.positionOf(row)]?.key ?? "";
  }
  const slot = table.arrays[columnsAt(table, row).array];
  return chunkKey(slot?.path ?? "", coordinatesOf(slot?.grid ?? [], ordinal), slot?.separator ?? ".");
}

/** JSON text of a key's value, as fsspec keeps it; inline texts cut at 300 characters, bad ones at 500. */
export function valueText({ set, metadata }: DocumentIndex, item: VersionItem): string {
  if (item.kind === "row") return referenceAt(set, item.row).written;
  const value = metadata[item.index]?.value;
  return value === undefined ? "" : referenceText(value);
}

const decoder = new TextDecoder();

function referenceText(value: Reference): string {
  if (value.kind === "inline") return JSON.stringify(decoder.decode(value.bytes.subarray(0, 600)).slice(0, 300));
  if (value.kind === "whole") return JSON.stringify([value.target]);
  if (value.kind === "range") return JSON.stringify([value.target, value.offset, value.length]);
  return value.kind === "bad" ? value.written : "";
}

/** Number of the gen entry that made a key; none for keys of the document's own. */
export function genOrdinal({ set, metadata }: DocumentIndex, item: VersionItem): number | undefined {
  if (item.kind === "row") return set.origins.genOrdinal(item.row);
  return metadata[item.index]?.gen;
}

/** True if a generated key replaces one in `refs`. */
export function genReplaced({ set, metadata }: DocumentIndex, item: VersionItem): boolean {
  if (item.kind === "metadata") return metadata[item.index]?.overrides === true;
  return item.row < set.origins.refsRows;
}

export function originOf(of: DocumentIndex, item: VersionItem): RowOrigin {
  const { table, origins, renderer } = of.set;
  if (item.kind === "row") return rowOriginOf(table, origins, renderer)(item.row);
  const ordinal = genOrdinal(of, item);
  const origin = ordinal === undefined ? undefined : renderer?.origin(ordinal);
  return origin === undefined ? metadataOrigin(of.metadata[item.index]) : { kind: "gen", ...origin };
}

function metadataOrigin(entry: MetadataEntry | undefined): RowOrigin {
  const kind = entry?.value.kind;
  if (kind !== "whole" && kind !== "range") return { kind: "metadata" };
  return entry?.written === undefined ? { kind: "refs" } : { kind: "refs", written: entry.written };
}

// The order of keys of the Version 0 result: metadata and chunk references in the order of the document.

/** A key of the result: a row of the table, or a metadata entry by its index. */
export type VersionItem =
  | { readonly kind: "row"; readonly row: number }
  | { readonly kind: "metadata"; readonly index: number };

export type VersionOrder = ReturnType<typeof versionOrder>;

/** `before`: for each metadata entry how many rows of the table stand before it, ascending. */
export function versionOrder(rows: number, before: readonly number[]) {
  const metadata = Float64Array.from(before, (row, index) => row + index);
  const sorted = Float64Array.from(before);
  // Entries before the row count: those with at most as many rows before them as the row has.
  const positionOfRow = (row: number): number => row + lowerBound(sorted, row + 1);
  return {
    total: rows + metadata.length,
    /** 0 … total - 1. */
    at(position: number): VersionItem {
      const index = lowerBound(metadata, position);
      return metadata[index] === position ? { kind: "metadata", index } : { kind: "row", row: position - index };
    },
    positionOf(item: VersionItem): number {
      return item.kind === "metadata" ? (metadata[item.index] ?? -1) : positionOfRow(item.row);
    },
    positionOfRow,
  };
}

// From a key to its row, for all arrays of a table at once: two passes over the columns, whatever the number of
// arrays.

/** Row + 1 by ordinal: an array where the grid is about as large as its references are many, else a map. */
type Cells = Uint32Array | Map<number, number>;

const FREE_CELLS = 4096;
const CELLS_A_ROW = 16;

export const rowFinder = oncePer((index: TableIndex) => {
  const cells = findCells(index.table);
  /** Row of the chunk with this ordinal; -1 where it has no reference. */
  const rowOfCell = (array: number, ordinal: number) => rowIn(cells[array], ordinal);
  /**
   * Row of a chunk or stray key; -1 where there is none. The longest path that is an array's and whose grid has the rest
   * decides, as when the table was made.
   */
  const rowOfKey = (key: string): number => {
    const stray = index.strays().rowOfKey(key);
    if (stray !== undefined) return stray;
    const cell = cellOfKey(index, key);
    return cell === undefined ? -1 : rowOfCell(cell.array, cell.ordinal);
  };
  return { rowOfCell, rowOfKey };
});

function rowIn(cells: Cells | undefined, ordinal: number): number {
  if (cells === undefined) return -1;
  return ((cells instanceof Map ? cells.get(ordinal) : cells[ordinal]) ?? 0) - 1;
}

function findCells(table: ReferenceTable): readonly Cells[] {
  const counts = new Float64Array(65_536);
  eachRow(table, (array) => {
    counts[array] = (counts[array] ?? 0) + 1;
  });
  const cells = table.arrays.map(({ grid }, id): Cells => {
    const count = grid === undefined ? 0 : cellCount(grid);
    return count <= FREE_CELLS + CELLS_A_ROW * (counts[id] ?? 0) ? new Uint32Array(count) : new Map<number, number>();
  });
  eachRow(table, (array, ordinal, row) => {
    const own = cells[array];
    if (own instanceof Map) own.set(ordinal === ORDINAL_WIDE ? wideOrdinal(table, row) : ordinal, row + 1);
    else if (own !== undefined) own[ordinal] = row + 1;
  });
  return cells;
}

/** Rows that are chunks of a grid. */
function eachRow(table: ReferenceTable, visit: (array: number, ordinal: number, row: number) => void): void {
  for (const [at, { array, ordinal }] of table.blocks.entries()) {
    const first = at * BLOCK_ROWS;
    const used = Math.min(BLOCK_ROWS, table.rows - first);
    for (let i = 0; i < used; i += 1) {
      if (ordinal[i] !== ORDINAL_STRAY) visit(array[i] as number, ordinal[i] as number, first + i);
    }
  }
}
